"""As many releases as a point needs, on all cores; what is done is kept, so a run can go on."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, TypeAlias

from discreet.core.exact import at_least_one
from discreet.errors import InfeasibleError
from discreet.measure import Rate
from discreet.measure.score import student
from discreet.papers.recipes import DataRecipe, digest
from discreet.papers.trials import SHARES, Trial
from discreet.study.result_cache import Key, ResultCache, code_version, name_of
from discreet.study.run import Progress, as_they_end, dismiss, workforce

LEAST = 30
"""Releases of a point, at least."""
PRECISION = 0.02
"""A point is done when its 95 % interval reaches no further than this share of its value."""
ROUNDS = 120
"""Releases of a point, at most, unless somebody asks for more."""
FEWEST = 5
"""Releases of a point where one takes seconds, at least."""

Values: TypeAlias = dict[str, list[float]]
"""The numbers of all releases by measure."""
Outcome: TypeAlias = tuple[Values, str | None]
Case: TypeAlias = tuple[Any, ...]
Answer: TypeAlias = dict[str, Any]
Question: TypeAlias = Callable[..., Answer]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over releases with its 95 % interval."""

    value: float
    low: float
    high: float
    releases: int

    @classmethod
    def of(cls, values: Sequence[float], *, share: bool = False) -> "Estimate":
        """Return a share by Wilson, any other mean by Student's law.

        >>> found = Estimate.of([1, 1, 1, 0], share=True)
        >>> found.value, round(found.low, 3), round(found.high, 3)
        (0.75, 0.301, 0.954)
        >>> Estimate.of([2.0])
        Estimate(value=2.0, low=2.0, high=2.0, releases=1)
        """
        mean, count = fmean(values), len(values)
        if share:
            rate = Rate(share=mean, people=count)
            return cls(mean, rate.low, rate.high, count)
        reach = student(count) * stdev(values) / sqrt(count) if count > 1 else 0.0
        return cls(mean, mean - reach, mean + reach, count)

    @property
    def good(self) -> bool:
        """Whether the interval is narrow; around 0 it is when it ends below the precision."""
        reach = (self.high - self.low) / 2
        return reach <= PRECISION * abs(self.value) or (self.value == 0 and self.high < PRECISION)


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a figure: the data, and what is asked of each release."""

    recipe: DataRecipe
    trial: Trial
    slower: int = 1
    """How many times fewer releases are drawn, since one takes longer."""

    def rounds(self, most: int) -> int:
        """Return how many releases are drawn at most, where others have ``most``."""
        return min(most, max(FEWEST, most // self.slower))

    def key(self, seed: int) -> dict[str, Any]:
        """Return everything that the numbers depend on."""
        return {
            "data": digest(self.recipe),
            "trial": repr(self.trial),
            "seed": seed,
            "version": code_version(("papers",)),
        }


@dataclass(frozen=True, slots=True)
class Measured:
    """What the releases of one point gave."""

    values: Values
    """The numbers of each release, in the order of their seeds."""
    refused: str | None = None
    """Why there are none."""

    @property
    def releases(self) -> int:
        """How many releases there are."""
        return max(map(len, self.values.values()), default=0)

    def enough(self, rounds: int) -> bool:
        """Whether the point needs no more."""
        if self.refused or self.releases >= rounds:
            return True
        if self.releases < LEAST:
            return False
        measure, values = next(iter(self.values.items()))
        return Estimate.of(values, share=measure in SHARES).good

    def joined(self, more: Outcome) -> "Measured":
        """Return the point with more releases."""
        values, refused = more
        both = {name: self.values.get(name, []) + new for name, new in values.items()}
        return Measured(both or self.values, refused)


@dataclass(slots=True)
class Lab:
    """Where points are measured: how far, on how many cores, and where they are kept.

    Each point has seeds of its own, ascending from the first that its file names: what is drawn for
    one says nothing about another.
    """

    folder: Path | None = None
    """Where each point is kept as a file; nowhere if there is no folder."""
    rounds: int = ROUNDS
    """Releases of a point, at most."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes at work; 1 works in this one."""
    seed: int = 2022
    """What the seeds of all points are made from."""
    progress: Progress = field(default=lambda _done, _all: None)
    """Told how many points are done."""
    drawn: int = 0
    """Releases drawn by this lab, not found in its folder."""
    _pool: Executor | None = None

    def __post_init__(self) -> None:
        at_least_one(rounds=self.rounds, workers=self.workers)

    def __enter__(self) -> "Lab":
        return self

    def __exit__(self, kind: object, *_error: object) -> None:
        if self._pool is not None:
            if kind is None:
                self._pool.shutdown()
            else:
                dismiss(self._pool)
            self._pool = None

    def measure(self, points: Iterable[Point]) -> dict[Point, Measured]:
        """Return what was measured of each point; a point that is known is not measured again."""
        results = {point: self._recorded(point) for point in points}
        waiting = dict(self._begun(results))
        self.progress(len(results) - len(waiting), len(results))
        for point, outcome in as_they_end(waiting):
            results[point] = results[point].joined(outcome)
            self._record(point, results[point])
            waiting.update(self._begun({point: results[point]}))
            self.progress(len(results) - len(waiting), len(results))
        return results

    def asked(self, question: Question, cases: Iterable[Case]) -> dict[Case, Answer]:
        """Return the answer to each case; one that is known is not worked out again.

        ``question`` stands in a module, where another process finds it, and gives plain numbers and
        words by plain names. It depends on the case and on nothing else.
        """
        keys = {case: _case_key(question, case) for case in cases}
        cache = ResultCache(self.folder)
        records = {case: cache.find(key) for case, key in keys.items()}
        answers = {case: record["answer"] for case, record in records.items() if record}
        self.progress(len(answers), len(keys))
        waiting = {
            self._workers().submit(question, *case): case for case in keys if case not in answers
        }
        for case, answer in as_they_end(waiting):
            answers[case] = answer
            cache.keep(keys[case], {"answer": answer})
            self.progress(len(answers), len(keys))
        return {case: answers[case] for case in keys}

    def _begun(self, points: dict[Point, Measured]) -> Iterator[tuple["Future[Outcome]", Point]]:
        """Set to work on each point that needs more: as many again as it has, and a first few."""
        for point, measured in points.items():
            rounds = point.rounds(self.rounds)
            if not measured.enough(rounds):
                first = measured.releases
                some = min(max(first, LEAST), rounds - first)
                start = _first_seed(point.key(self.seed)) + first
                seeds = range(start, start + some)
                self.drawn += some
                yield self._workers().submit(_batch, point, seeds), point

    def _workers(self) -> Executor:
        if self._pool is None:
            self._pool = workforce(self.workers)
        return self._pool

    def _recorded(self, point: Point) -> Measured:
        record = ResultCache(self.folder).find(point.key(self.seed))
        return Measured(record["values"], record["refused"]) if record else Measured({})

    def _record(self, point: Point, measured: Measured) -> None:
        key = point.key(self.seed)
        result = {
            "first_seed": _first_seed(key),
            "values": measured.values,
            "refused": measured.refused,
        }
        ResultCache(self.folder).keep(key, result)


def _case_key(question: Question, case: Case) -> dict[str, Any]:
    return {
        "question": f"{question.__module__}.{question.__qualname__}",
        "case": repr(case),
        "version": code_version(("papers",)),
    }


def _first_seed(key: Key) -> int:
    return int(name_of(key)[:12], 16)


def _batch(point: Point, seeds: range) -> Outcome:
    """Draw these releases; parameters that are refused are refused for all of them."""
    values: Values = {}
    try:
        for seed in seeds:
            for name, number in point.trial.run(point.recipe, seed).items():
                values.setdefault(name, []).append(number)
    except InfeasibleError as error:
        return {}, str(error)
    return values, None
