"""What to do about a verdict, as choices that one click takes over."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from discreet.catalog import Entry, find
from discreet.core.graph import Network
from discreet.core.network import SocialNetwork
from discreet.core.transactions import Transactions
from discreet.errors import DiscreetError
from discreet.web.reading import noun_of
from discreet.web.tuning import fields_of, fitted

WITHIN: Final = {SocialNetwork: (SocialNetwork, Transactions, Network)}
"""What a project's data can be published as besides what they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One step against a reason of the verdict."""

    words: str
    """What to do, as a clause."""
    command: str
    """What would be typed."""
    method: str | None = None
    """The method to take; None where the step is another than to publish again."""
    price: str = ""
    """What it would cost, where an audit tried it."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    needs_data: bool = False
    """Whether something must be chosen under Data first."""


def offers(repairs: Sequence[Mapping[str, str]], choices: Mapping[str, Any]) -> list[Offer]:
    """Return the steps of an audit, as far as this project can take them with their choices."""
    return [
        replace(
            _offer(repair["words"], repair["command"], choices), price=repair.get("price") or ""
        )
        for repair in repairs
    ]


def _offer(sentence: str, command: str, choices: Mapping[str, Any]) -> Offer:
    typed = shlex.split(command)
    plain = Offer(words=sentence, command=command)
    if typed[:2] != ["discreet", "publish"] or len(typed) < 4:
        return plain
    try:
        entry = find(typed[2], "publisher")
        values = dict(_typed_values(entry, typed[4:]))
        fitted(entry, values)
    except DiscreetError:
        return plain
    noun = noun_of(choices)
    if typed[3] != "DATA" or entry.data not in WITHIN.get(noun, (noun,)):
        return plain
    # a list that is still to be made
    needs_file = "FILE" in typed
    return Offer(
        words=sentence, command=command, method=entry.name, parameters=values, needs_data=needs_file
    )


def _typed_values(entry: Entry, typed: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the values that a page can ask for; files of the project stay what they are."""
    fields = {shown.parameter.option: shown for shown in fields_of(entry, {})}
    for index, arg in enumerate(typed):
        if (field := fields.get(arg)) is None:
            continue
        if field.control == "flag":
            yield field.parameter.name, "True"
        elif index + 1 < len(typed):
            yield field.parameter.name, typed[index + 1]
