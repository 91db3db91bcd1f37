"""What the cheapest repair would cost: the same data published by it, and measured."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final

from discreet.catalog import Entry, find
from discreet.core.findings import rounded_percent
from discreet.core.guarantee import epsilon_of
from discreet.core.hierarchy import Hierarchy
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import Publication
from discreet.core.release import Release
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.rng import secure
from discreet.study.alternatives import losses
from discreet.study.counting_loss import COUNTING_LOSS
from discreet.study.examine import Evidence, Examination, measures
from discreet.study.repair import Repair, repairs

MOST_RECORDS: Final = 100_000
"""Most records that are published only to see what it costs, by methods that are quick."""
FEW_RECORDS: Final = 3_000
"""The same by others."""
MOST_PRICED: Final = 3
"""Repairs that are published, the cheapest steps first."""
NOT_MEASURED: Final = "what it would cost was not measured"


def priced_repairs(examination: Examination, evidence: Evidence) -> tuple[Repair, ...]:
    """Return the repairs, the first few with what each would lose beside what the release loses.

    They are published and measured where that takes seconds: the original must be at hand, and the
    method one that publishes so many records so fast.

    Parameters
    ----------
    examination
        What was seen.
    evidence
        What lay beside the release.

    Returns
    -------
    tuple of Repair
        The repairs, the gravest reason first.
    """
    priced: list[Repair] = []
    for step in repairs(examination):
        publishes = step.command.startswith("discreet publish")
        few = sum(bool(each.price) for each in priced) < MOST_PRICED
        priced.append(
            step._replace(price=_price(examination, evidence, step)) if publishes and few else step
        )
    return tuple(priced)


def _price(examination: Examination, evidence: Evidence, step: Repair) -> str:
    _, _, name, _, *typed = shlex.split(step.command)
    try:
        entry = find(name, "publisher")
    except ParameterError:
        return NOT_MEASURED
    if why := _hindrance(entry, evidence.original):
        return f"{NOT_MEASURED}: {why}"
    try:
        made = _published(entry, typed, examination.release, evidence.original)
        if made is None:
            return f"{NOT_MEASURED}: a look at the data only for that is not covered by epsilon"
        # the key of the release says nothing about the rows of another
        measured = measures(made.release, replace(evidence, key=made.linkage_key))
    except (DataError, ParameterError, InfeasibleError):
        return f"{NOT_MEASURED}: it could not be published in this way with what was given"
    compared = list(_compared(examination, made.release, measured))
    return f"what it costs: {'; '.join(compared)}" if compared else NOT_MEASURED


def _compared(
    examination: Examination, release: Release[Any], measured: Mapping[str, Any]
) -> Iterator[str]:
    """Yield what a repair would lose beside what the release loses, in each unit of both."""
    now, then = losses(examination.release, examination.measured), losses(release, measured)
    units = [unit for unit in then if unit in now]
    yield from (
        f"{rounded_percent(then[unit])} {unit} lost, {rounded_percent(now[unit])} now"
        for unit in units
    )
    if not units and {COUNTING_LOSS} <= examination.measured.keys() & measured.keys():
        off, before = measured[COUNTING_LOSS], examination.measured[COUNTING_LOSS]
        errors = f"{rounded_percent(off)} off, {rounded_percent(before)} now"
        yield f"answers to counting queries {errors}"


def _hindrance(entry: Entry, people: Any) -> str:
    """Return why a repair is not published only to see its price; nothing where it can be."""
    if people is None:
        return "the original was not given"
    if type(people) is not entry.data:
        return "it takes other data than those given"
    if len(people) > (MOST_RECORDS if entry.quick else FEW_RECORDS):
        return "to publish such data that way takes longer than an audit should"
    return ""


def _published(
    entry: Entry, typed: list[str], release: Release[Any], people: Any
) -> Publication[Any] | None:
    """Publish ``people`` by what was typed; hierarchies are those that the release carries.

    None where the method spends an epsilon.
    """
    given = dict(_given(typed))
    given.pop("--out", None)
    given.pop("--sensitive", None)  # the original says which they are
    fields = {parameter.name: parameter for parameter in entry.parameters}
    chosen: dict[str, Any] = {
        name: parameter.read(given.pop(parameter.option))
        for name, parameter in fields.items()
        if parameter.option in given
    }
    if given or any(each.required and each.name not in chosen for each in entry.parameters):
        msg = "some of the options are not parameters of the method, or a required one is missing"
        raise ParameterError(msg)
    if "hierarchy" in fields and isinstance(release.content, ProjectedTables):
        content = release.content
        names = {} if content.names is None else {str(content.set_column): content.names}
        chosen["hierarchy"] = _hierarchies({**content.applied, **names})
    method = entry.method(**chosen)
    if epsilon_of(method.guarantees) is not None:
        return None
    made: Publication[Any] = method.publish(people, secure())
    return replace(made, release=replace(made.release, guarantees=()))


def _given(typed: list[str]) -> Iterator[tuple[str, str | bool]]:
    """Yield each option with what stands after it; a flag stands alone."""
    for word, after in zip_longest(typed, typed[1:], fillvalue="--"):
        if word.startswith("--"):
            yield word, after.startswith("--") or after


def _hierarchies(applied: Mapping[str, Any]) -> tuple[tuple[str, Hierarchy], ...]:
    return tuple(
        (name, Hierarchy.of_tables({"hierarchy": pairs}))
        for name, pairs in applied.items()
        if pairs.height
    )
