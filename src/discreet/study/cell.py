"""One cell of a study: publish, verify, attack, measure; every number with its name."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from time import process_time
from typing import Any, Final, TypeAlias, get_args

from discreet.core.publication import Publication
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.io.datasets import is_dataset, universe_of
from discreet.rng import seeded
from discreet.study.examine import Attempt, Evidence, Examination, examined
from discreet.study.judgement import judged
from discreet.study.plan import Cell, Chosen, Original
from discreet.study.verdict_rules import Level

LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""The verdicts, from the mildest to the gravest; a table holds the place of one."""

Row: TypeAlias = dict[str, Any]
"""``part``, ``by``, ``quantity``, ``value``, ``low``, ``high``, ``note``."""


def run(cell: Cell) -> list[Row]:
    """Publish, verify, attack and measure; a failure is a row that says why."""
    try:
        return list(_rows(cell))
    except (DataError, ParameterError, InfeasibleError) as error:
        return [_row("failed", cell.label, "reason", None, note=str(error))]


def _rows(cell: Cell) -> Iterator[Row]:
    noun: Any = cell.method.entry.data
    data = _read(cell.original, noun)
    method = _completed(cell.method, cell.original)
    before = process_time()
    publication: Publication[Any] = method.publish(data, seeded(cell.seed))
    for step in cell.then:
        publication = step.made().publish(publication.release, seeded(cell.seed))
    yield _row("cost", cell.label, "seconds", process_time() - before)
    evidence = Evidence(
        original=data, key=publication.linkage_key, privacy=getattr(method, "privacy", None)
    )
    chosen = (
        None
        if cell.attacks is None
        else [(each.entry, each.made(), each.knowledge()) for each in cell.attacks]
    )
    yield from _examination(examined(publication.release, evidence, chosen))


@lru_cache(maxsize=4)
def _read(original: Original, noun: Any) -> Any:
    # a worker runs many cells on the same data
    return original.read(noun)


def _completed(chosen: Chosen, original: Original) -> Any:
    """Return the method, with the public universe of a named data set where it takes one."""
    method = chosen.made()
    if chosen.entry.takes_universe and method.universe is None and is_dataset(original.source):
        return replace(method, universe=universe_of(original.source))
    return method


def _examination(examination: Examination) -> Iterator[Row]:
    judgement = judged(examination, study=True)
    words = "; ".join(each.words for each in judgement.reasons if each.level == judgement.level)
    level = LEVELS.index(judgement.level)
    yield _row("verdict", "rules", "verdict", float(level), note=words)
    for verdict in examination.verdicts.parts:
        name = type(verdict.guarantee).__name__
        holds = None if verdict.holds is None else float(verdict.holds)
        yield _row("verify", name, "holds", holds, note=verdict.checked)
    for attempt in examination.attempts:
        yield from _attempt(attempt)
    kind = type(examination.release.content).__name__
    for quantity, value, interval in numbers_of(examination.measured):
        yield _row("measure", kind, quantity, value, interval)


def _attempt(attempt: Attempt) -> Iterator[Row]:
    name = attempt.entry.name
    if attempt.findings is None:
        yield _row("skipped", name, "reason", None, note=attempt.reason)
        return
    claims = attempt.findings.claims
    yield _row("attack", name, "claims", float(len(claims)))
    surest = max((claim.confidence for claim in claims), default=0.0)
    yield _row("attack", name, "highest confidence", surest)
    for quantity, value, interval in numbers_of(attempt.findings.summary):
        yield _row("attack", name, quantity, value, interval)
    if attempt.score is None:
        yield _row("skipped", name, "score", None, note=attempt.reason)
        return
    for words, rate in attempt.score.rates:
        yield _row("score", name, words, rate.share, (rate.low, rate.high))
    for advantage in attempt.score.advantages:
        words = advantage.words.format(share="more")
        yield _row("gain", name, words, advantage.mean)


Interval: TypeAlias = tuple[float | None, float | None]
NONE: Interval = (None, None)


def _row(
    part: str,
    by: str,
    quantity: str,
    value: float | None,
    interval: Interval = NONE,
    *,
    note: str = "",
) -> Row:
    low, high = interval
    return {
        "part": part, "by": by, "quantity": quantity, "value": value, "low": low, "high": high,
        "note": note,
    }  # fmt: skip


def numbers_of(record: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, float, Interval]]:
    """Give the numbers of a nested record with their names and, where they have one, intervals.

    >>> list(numbers_of({"error": 2, "error_low": 1, "error_high": 3, "by": {"item": 4.0}}))
    [('error', 2.0, (1, 3)), ('by item', 4.0, (None, None))]
    """
    for name, value in record.items():
        words = f"{above}{name}".replace("_", " ")
        if isinstance(value, Mapping) and "share" in value:
            yield words, float(value["share"]), (value.get("low"), value.get("high"))
        elif isinstance(value, Mapping):
            yield from numbers_of(value, f"{words} ")
        elif _is_number(value) and not _ends_an_interval(name, record):
            yield words, float(value), (record.get(f"{name}_low"), record.get(f"{name}_high"))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _ends_an_interval(name: str, record: Mapping[str, Any]) -> bool:
    stems = {name.removesuffix(f"_{end}") for end in ("low", "high")} - {name}
    return any(stem in record for stem in stems)
