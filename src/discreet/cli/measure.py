"""``discreet measure RELEASE --against DATA``: how much of the data a release keeps."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Annotated, Any

import click

from discreet.catalog import (
    NOUNS,
    Source,
    known_by_measures,
    measured,
    measures_of,
    noun_behind,
    parameters_of,
)
from discreet.catalog.reading import ChosenEngine
from discreet.cli import show
from discreet.cli.engine import EngineChoice
from discreet.cli.options import command, filled, readings
from discreet.cli.sections import OwnersKey
from discreet.cli.truth import read_truth
from discreet.core.doc import Doc
from discreet.core.emptiness import refuse_without_rows
from discreet.core.family import Measure
from discreet.core.guarantee import spoken
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError
from discreet.measure.meanings import Meaning, meaning_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Original(OwnersKey):
    """What the release is compared with."""

    against: Annotated[
        Source, Doc("The original data: a file, or a named data set such as dataset:msnbc.")
    ]


def _run(*, release: str, json: bool, **typed: Any) -> int:
    original = filled(Original, typed)
    published = Release.load(release)
    refuse_without_rows(published)
    noun = noun_behind(published.content)
    knowledge = _knowledge(typed, original, measures_of(published.content, noun))
    engine = _engine(filled(EngineChoice, typed), original, published)
    with ExitStack() as stack:
        with show.working(f"reading {original.against}"):
            if engine:
                reading: Any = filled(NOUNS[noun], typed)
                data = stack.enter_context(reading.open(original.against, engine))
            else:
                data = read_truth(noun, original.against, typed, original.key, published)
        with show.working("measuring"):
            measures = _measures(published, noun if engine else type(data), folded=bool(engine))
            numbers = measured(measures, data, published, original.key, knowledge)
    if json:
        show.as_json(numbers)
    else:
        show.table(("", "value", "what it says"), list(_rows(numbers)))
    return 0


def _engine(choice: EngineChoice, original: Original, release: Release[Any]) -> ChosenEngine | None:
    """Return the engine for the original data, where folded sets are enough to measure by."""
    engine = choice.chosen(original.against)
    folded = [
        candidate.by_folded for candidate in measures_of(release.content, Transactions).values()
    ]
    if engine is None or (original.key is None and any(folded)):
        return engine
    if choice.engine == "auto":
        return None
    msg = (
        "an engine measures counts and generalised sets without a key; for this release use "
        "`engine` memory"
    )
    raise ParameterError(msg, parameter="engine")


def _knowledge(
    typed: Mapping[str, Any], original: Original, measures: Mapping[str, Measure]
) -> Any:
    """Return the public knowledge that was typed; refuse what no measure of the release uses."""
    for kind in known_by_measures():
        names = [field.name for field in parameters_of(kind) if typed[field.name] is not None]
        if not names:
            continue
        if all(candidate.knowledge is not kind for candidate in measures.values()):
            msg = f"`{names[0]}` must be left out: this release hides no item among others"
            raise ParameterError(msg, parameter=names[0])
        if original.key is None:
            msg = f"`{names[0]}` goes with the owner's key: only `key` tells which guess is right"
            raise ParameterError(msg, parameter="key")
        return filled(kind, typed)
    return None


def _rows(numbers: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield each number with what it says: its meaning, its unit, and which way is better."""
    for name, value in numbers.items():
        meaning = meaning_of(name)
        explanation = f"{meaning.sentence} ({meaning.unit}, {_better(meaning)})" if meaning else ""
        for name_of, number in show.flat({name: value}):
            yield name_of, number, explanation


def _better(meaning: Meaning) -> str:
    return "neither way is better" if meaning.direction == "neither" else meaning.direction


def _measures(release: Release[Any], noun: type[Any], *, folded: bool) -> dict[str, Measure]:
    """Return what can be measured; what needs whole records is named where there are none."""
    measures = measures_of(release.content, noun)
    if not measures:
        kind = spoken(type(release.content).__name__)
        raise DataError(f"there is no measure yet of {kind} against {spoken(noun.__name__)}")
    left_out = [name for name, candidate in measures.items() if folded and not candidate.by_folded]
    if left_out:
        names = ", ".join(name.replace("_", " ") for name in left_out)
        show.warn(f"measured in memory only, so left out: {names}")
    return {name: candidate for name, candidate in measures.items() if name not in left_out}


measure = command(
    "measure",
    _run,
    arguments=[click.Argument(["release"], metavar="RELEASE")],
    sections={
        "Comparing": Original,
        **{(kind.__doc__ or "").partition(";")[0]: kind for kind in known_by_measures()},
        **readings("Reading the original data"),
        "Processing": EngineChoice,
    },
    about=(
        "Measure how much of the original data RELEASE preserves. The numbers are for the owner "
        "of the data only."
    ),
)
