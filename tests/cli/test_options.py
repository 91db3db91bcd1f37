"""Options made of dataclasses: what is asked for, and by which name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import click
import pytest

from discreet.catalog import NOUNS, Entry, Parameter, entries
from discreet.catalog.reading import NetworkFiles
from discreet.cli.options import command, filled, readings
from discreet.core.doc import Doc
from discreet.errors import DataError, DiscreetError, InfeasibleError, ParameterError


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What somebody may want."""

    fan_out: Annotated[int, Doc("Children of a node; see `c1`.")] = 2
    c1: Annotated[str, Doc("How high to aim.")] = "1"
    records: Annotated[int | None, Doc("How many records there are.")] = None


def made(run: Callable[..., int]) -> click.Command:
    return command("wish", run, arguments=[], sections={"Wishes": Wishes}, about="Wish.")


def test_no_way_to_read_data_asks_for_an_option_of_another() -> None:
    sections = readings("Reading")
    assert set(sections.values()) <= set(NOUNS.values())
    built = command("read", lambda: 0, arguments=[], sections=sections, about="Read.")
    assert not any(option.required for option in built.params)
    with pytest.raises(ParameterError, match="give the file with edges"):
        filled(NetworkFiles, {option.name: None for option in built.params}).read("people.csv")


@pytest.mark.parametrize("kind", [DataError, ParameterError, InfeasibleError])
def test_a_refusal_names_options_and_leaves_plain_words(kind: type[DiscreetError]) -> None:
    def refuse(**_: Any) -> int:
        msg = "`records` must be more than `fan_out`, raise `c1`: there are few records, `no_field`"
        raise kind(msg, parameter="records")

    with pytest.raises(kind) as refused:
        made(refuse).main([], standalone_mode=False)
    assert refused.value.parameter == "records"
    assert str(refused.value) == (
        "--records must be more than --fan-out, raise --c1: there are few records, no_field"
    )


def test_help_names_options() -> None:
    helped = next(option for option in made(lambda: 0).params if option.name == "fan_out")
    assert isinstance(helped, click.Option)
    assert helped.help == "Children of a node; see --c1. [default: 2]"


ON = [
    (entry, parameter)
    for entry in entries()
    for parameter in (*entry.parameters, *entry.facts)
    if parameter.default is True
]
"""Flags that are on by themselves, with whose they are."""


def test_some_flag_is_on_by_itself() -> None:
    assert ON


@pytest.mark.parametrize(("entry", "flag"), ON)
def test_what_is_on_by_itself_can_be_switched_off(entry: Entry, flag: Parameter) -> None:
    heard: list[dict[str, Any]] = []
    built = command(
        entry.name,
        lambda **typed: heard.append(typed) or 0,
        arguments=[],
        sections={"Parameters": entry.method},
        about=entry.summary,
    )
    needed = [word for each in entry.parameters if each.required for word in (each.option, "5")]
    for words, wanted in (([], True), ([flag.option], True), ([flag.negation], False)):
        built.main([*needed, *words], standalone_mode=False)
        assert getattr(filled(entry.method, heard[-1]), flag.name) is wanted
    helped = built.get_help(click.Context(built))
    assert f"{flag.option} / {flag.negation}" in helped
    assert f"[default: {flag.option}]" in " ".join(helped.split())
