"""What the cheapest repair would cost: the same data published by it, and measured."""

import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from discreet.catalog import Entry, find
from discreet.core.hierarchy import Hierarchy
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.rng import secure
from discreet.study.alternatives import losses
from discreet.study.examine import Evidence, Examination, measures
from discreet.study.repair import Repair, repairs

__all__ = ["priced_repairs"]

MOST_RECORDS: Final = 100_000
"""Most records that are published only to see what it costs."""
NOT_MEASURED: Final = "its price was not measured"


def priced_repairs(found: Examination, evidence: Evidence) -> tuple[Repair, ...]:
    """Return the repairs, the first with what it would lose beside what the release loses.

    It is published and measured where that takes seconds: the original must be at hand, and the
    method one of those that publish real data so fast.
    """
    steps = repairs(found)
    if not steps or not steps[0].command.startswith("discreet publish"):
        return steps
    return (steps[0]._replace(price=_price(found, evidence, steps[0])), *steps[1:])


def _price(found: Examination, evidence: Evidence, step: Repair) -> str:
    _, _, name, _, *typed = shlex.split(step.command)
    try:
        entry = find(name, "publisher")
    except ParameterError:
        return NOT_MEASURED
    people = evidence.original
    if people is None:
        return f"{NOT_MEASURED}: the original was not at hand"
    if not entry.quick or type(people) is not entry.data or len(people) > MOST_RECORDS:
        return f"{NOT_MEASURED}: to publish such data that way takes longer than an audit should"
    try:
        release = _published(entry, typed, found.release, people)
    except (DataError, ParameterError, InfeasibleError):
        return f"{NOT_MEASURED}: it could not be published so with what is at hand"
    now, then = losses(found.release, found.measured), losses(release, measures(release, evidence))
    told = [f"{then[unit]:.0%} {unit} lost, {now[unit]:.0%} now" for unit in then if unit in now]
    return f"its price: {'; '.join(told)}" if told else NOT_MEASURED


def _published(entry: Entry, typed: list[str], release: Release[Any], people: Any) -> Release[Any]:
    """Publish ``people`` by what was typed; hierarchies are those that the release carries."""
    given = dict(zip(typed[::2], typed[1::2], strict=True))
    given.pop("--out", None)
    fields = {part.name: part for part in entry.parameters}
    chosen: dict[str, Any] = {
        name: part.read(given.pop(part.option))
        for name, part in fields.items()
        if part.option in given
    }
    if given:
        msg = "what was typed must be parameters of the method, and something is not"
        raise ParameterError(msg)
    if "hierarchy" in fields and isinstance(release.content, ProjectedTables):
        chosen["hierarchy"] = _hierarchies(release.content.applied)
    made: Release[Any] = entry.method(**chosen).publish(people, secure()).release
    return replace(made, guarantees=())


def _hierarchies(applied: Mapping[str, Any]) -> tuple[tuple[str, Hierarchy], ...]:
    return tuple(
        (name, Hierarchy.of_tables({"hierarchy": pairs}))
        for name, pairs in applied.items()
        if pairs.height
    )
