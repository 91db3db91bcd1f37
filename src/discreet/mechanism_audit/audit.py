"""Does a mechanism keep its epsilon? A lower bound from its runs, or the exact ratio.

A mechanism comes as two callables: its runs on one data set, and on a neighbouring one. Whatever
probability an event has on the one, it may have at most ``exp(epsilon)`` times less on the other.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.errors import ParameterError

__all__ = ["AuditVerdict", "Event", "ExactRatio", "Runs", "Whole", "audit", "exact_ratio"]

Runs: TypeAlias = Callable[[int], Sequence[Hashable]]
"""Runs a mechanism so many times; an outcome that is a frozenset of pairs has coordinates."""
Relation: TypeAlias = Literal["is", "at least", "at most"]

CARRIED: Final = 4
"""Events that the first half of the runs hands on to the second."""
OUTPUTS: Final = 100
"""Whole outputs that are looked at: the most frequent ones."""
LEAST_RUNS: Final = 100


class Whole(Enum):
    """What can be said about an outcome as a whole."""

    OUTPUT = "the whole output"
    SIZE = "how many parts the output has"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that can be seen in an outcome: the value of one of its coordinates."""

    coordinate: Hashable
    """An itemset, or any other name of a part of the outcome; or the outcome as a whole."""
    relation: Relation
    """How the coordinate's value compares; what is absent is below every value."""
    value: Any
    """The value, or None for absent."""

    def happens(self, outcome: Hashable) -> bool:
        """Tell whether ``outcome`` shows this.

        Parameters
        ----------
        outcome
            What a run gave.

        Returns
        -------
        bool
            Whether the outcome is one of those that the event is made of.
        """
        actual = _coordinates(outcome).get(self.coordinate)
        if self.relation == "is":
            return bool(actual == self.value)
        if actual is None:
            return self.relation == "at most"
        return bool(actual >= self.value if self.relation == "at least" else actual <= self.value)

    def __str__(self) -> str:
        name = self.coordinate.value if isinstance(self.coordinate, Whole) else self.coordinate
        if isinstance(name, tuple):
            name = "{" + ", ".join(map(str, name)) + "}"
        value = "one certain output" if isinstance(self.value, frozenset) else self.value
        return f"{name} {_PHRASES[self.relation]} {'absent' if value is None else value}"


_PHRASES: Final = {"is": "is", "at least": "is at least", "at most": "is absent or at most"}


def _coordinates(outcome: Hashable) -> dict[Hashable, Any]:
    if not isinstance(outcome, frozenset):
        return {Whole.OUTPUT: outcome}
    return dict(outcome) | {Whole.OUTPUT: outcome, Whole.SIZE: len(outcome)}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditVerdict:
    """What the runs on two neighbouring data sets say about epsilon."""

    epsilon: float
    """The epsilon in question."""
    bound: float
    """The mechanism's true epsilon is above this, but for a chance of ``error``."""
    bound_95: float
    """The same at 95 %: to look at, never to decide."""
    event: Event | None
    """What tells the two data sets apart best."""
    seen: tuple[int, int]
    """How often it happened on the one and on the other."""
    runs: int
    """Of how many runs on each: those that had no part in choosing the event."""
    error: float
    """The chance of accusing a mechanism that keeps its epsilon."""

    @property
    def accused(self) -> bool:
        """Whether the mechanism spends more than its epsilon."""
        return self.bound > self.epsilon

    def record(self) -> dict[str, Any]:
        """Return the verdict as a plain mapping."""
        return {
            "accused": self.accused,
            "epsilon": self.epsilon,
            "bound": self.bound,
            "bound_95": self.bound_95,
            "event": None if self.event is None else str(self.event),
            "seen": list(self.seen),
            "runs": self.runs,
            "error": self.error,
        }


def audit(
    run_one: Runs, run_other: Runs, *, runs: int, epsilon: float, error: float = 1e-4
) -> AuditVerdict:
    """Bound from below the epsilon of a mechanism by its runs on two neighbouring data sets.

    One half of the runs chooses a few events, the other half measures their probabilities
    (Clopper and Pearson 1934, both directions, divided among all events carried over), so the
    choice cannot flatter itself.

    Parameters
    ----------
    run_one
        Gives outcomes on one data set.
    run_other
        The same on its neighbour.
    runs
        How many runs there are of each.
    epsilon
        What the mechanism claims.
    error
        The chance of accusing a mechanism that keeps its epsilon.

    Returns
    -------
    AuditVerdict
        What the true epsilon exceeds, but for a chance of ``error``.

    Examples
    --------
    >>> from itertools import cycle, islice
    >>> fair, loaded = cycle([0, 1]), cycle([0, 1, 1, 1])
    >>> verdict = audit(
    ...     lambda n: list(islice(fair, n)),
    ...     lambda n: list(islice(loaded, n)),
    ...     runs=40_000,
    ...     epsilon=0.5,
    ... )
    >>> verdict.accused, verdict.bound < verdict.bound_95 < 0.694
    (True, True)
    """
    _check(runs, epsilon, error)
    half = runs // 2
    chosen = _chosen(run_one(half), run_other(half), half, error)
    seen = _seen(chosen, run_one(runs - half), run_other(runs - half))
    bounds = _bounds(seen, runs - half, error, len(chosen))
    looser = _bounds(seen, runs - half, 0.05, len(chosen))
    best = int(np.argmax(bounds.max(axis=0))) if chosen else None
    return AuditVerdict(
        epsilon=float(epsilon),
        bound=max(0.0, float(bounds.max(initial=0.0))),
        bound_95=max(0.0, float(looser.max(initial=0.0))),
        event=None if best is None else chosen[best],
        seen=(0, 0) if best is None else (int(seen[0, best]), int(seen[1, best])),
        runs=runs - half,
        error=error,
    )


def _check(runs: int, epsilon: float, error: float) -> None:
    if runs < LEAST_RUNS:
        msg = f"`runs` must be at least {LEAST_RUNS}, for fewer can show nothing, got {runs}"
        raise ParameterError(msg, parameter="runs")
    if not epsilon > 0:
        raise ParameterError(f"`epsilon` must be above 0, got {epsilon}", parameter="epsilon")
    if not 0 < error < 1:
        raise ParameterError(f"`error` must be between 0 and 1, got {error}", parameter="error")


def _chosen(
    one: Sequence[Hashable], other: Sequence[Hashable], half: int, error: float
) -> list[Event]:
    """Return the events with the highest bounds; of those that always happen together, one."""
    events, seen = _candidates(one, other, half)
    if not events:
        return []
    bounds = _bounds(seen, half, error, CARRIED).max(axis=0)
    chosen: dict[tuple[int, ...], Event] = {}
    for at in np.argsort(-bounds, kind="stable").tolist():
        chosen.setdefault(tuple(seen[:, at].tolist()), events[at])
        if len(chosen) == CARRIED:
            break
    return list(chosen.values())


def _candidates(
    one: Sequence[Hashable], other: Sequence[Hashable], half: int
) -> tuple[list[Event], NDArray[np.int64]]:
    """Return every event worth a look, and how often it happened on either side."""
    left, right = _tally(one), _tally(other)
    events: list[Event] = []
    seen: list[NDArray[np.int64]] = []
    for coordinate in dict.fromkeys([*left, *right]):
        for event, counts in _events(coordinate, left, right, half):
            events.append(event)
            seen.append(counts)
    return events, np.array(seen, dtype=np.int64).reshape(-1, 2).T


_Tally: TypeAlias = Mapping[Hashable, Counter[Any]]


def _tally(outcomes: Iterable[Hashable]) -> _Tally:
    """For each coordinate how often it had each value."""
    tally: dict[Hashable, Counter[Any]] = {}
    for outcome, times in Counter(outcomes).items():
        for coordinate, value in _coordinates(outcome).items():
            tally.setdefault(coordinate, Counter())[value] += times
    return tally


def _events(
    coordinate: Hashable, left: _Tally, right: _Tally, half: int
) -> Iterator[tuple[Event, NDArray[np.int64]]]:
    """Return a coordinate's events: each value, each threshold both ways, and absence."""
    sides = (left.get(coordinate, Counter()), right.get(coordinate, Counter()))
    values = list(sides[0] | sides[1])
    if not all(isinstance(value, int | float | Fraction) for value in values):
        common = (sides[0] + sides[1]).most_common(OUTPUTS)
        for value, _ in common:
            counts = np.array([side[value] for side in sides], dtype=np.int64)
            yield Event(coordinate, "is", value), counts
        return
    above = np.zeros(2, dtype=np.int64)
    for value in sorted(values, reverse=True):
        counts = np.array([side[value] for side in sides], dtype=np.int64)
        yield Event(coordinate, "is", value), counts
        yield Event(coordinate, "at most", value), half - above
        above = above + counts
        yield Event(coordinate, "at least", value), above
    yield Event(coordinate, "is", None), half - above


def _seen(
    events: Sequence[Event], one: Sequence[Hashable], other: Sequence[Hashable]
) -> NDArray[np.int64]:
    """For each event how often it happened on either side."""
    sides = [Counter(one).items(), Counter(other).items()]
    seen = [
        [sum(times for outcome, times in side if event.happens(outcome)) for side in sides]
        for event in events
    ]
    return np.array(seen, dtype=np.int64).reshape(-1, 2).T


def _bounds(seen: NDArray[np.int64], runs: int, error: float, events: int) -> NDArray[np.float64]:
    """Return lower bounds on epsilon from each event, in both directions.

    All hold together but for a chance of ``error``: an event takes part in two directions, each
    with a bound on either side.
    """
    share = error / (4 * max(events, 1))
    low, high = _lower_limit(seen, runs, share), _upper_limit(seen, runs, share)
    with np.errstate(divide="ignore"):
        bounds: NDArray[np.float64] = np.log(low) - np.log(high[::-1])
    return bounds


def _lower_limit(seen: NDArray[np.int64], runs: int, error: float) -> NDArray[np.float64]:
    """Return what a probability is at least, but for a chance of ``error``."""
    from scipy.stats import beta

    low = beta.ppf(error, np.maximum(seen, 1), runs - seen + 1)
    return np.where(seen > 0, low, 0.0)


def _upper_limit(seen: NDArray[np.int64], runs: int, error: float) -> NDArray[np.float64]:
    """Return what a probability is at most, but for a chance of ``error``."""
    from scipy.stats import beta

    high = beta.isf(error, seen + 1, np.maximum(runs - seen, 1))
    return np.where(seen < runs, high, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactRatio:
    """How far two laws are apart at most."""

    epsilon: float
    """The natural logarithm of the largest ratio; infinite where only one can happen."""
    outcome: Hashable
    """The outcome with that ratio."""
    probabilities: tuple[Fraction | float, Fraction | float]
    """Its probability under either law."""

    def record(self) -> dict[str, Any]:
        """Return the ratio as a plain mapping."""
        one, other = map(float, self.probabilities)
        return {"epsilon": self.epsilon, "outcome": self.outcome, "probabilities": [one, other]}


def exact_ratio(
    one: Mapping[Any, Fraction | float], other: Mapping[Any, Fraction | float]
) -> ExactRatio:
    """Return the largest likelihood ratio of two discrete laws, in either direction.

    Parameters
    ----------
    one
        The probability of each outcome under one law.
    other
        The same under the other.

    Returns
    -------
    ExactRatio
        Its logarithm, and the outcome that has it.

    Examples
    --------
    >>> fair, loaded = {0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: Fraction(1, 4), 1: 0.75}
    >>> round(exact_ratio(fair, loaded).epsilon, 3)
    0.693
    """
    for law in (one, other):
        total, least = sum(law.values()), min(law.values(), default=0)
        if least < 0 or not math.isclose(total, 1, abs_tol=1e-9):
            msg = (
                "the probabilities of a law must be at least 0 and add up to 1, got a sum of "
                f"{float(total):g} and a least one of {float(least):g}"
            )
            raise ParameterError(msg)
    ratios = {key: _log_ratio(one.get(key, 0), other.get(key, 0)) for key in {**one, **other}}
    worst = max(ratios, key=ratios.__getitem__)
    probabilities = (one.get(worst, 0), other.get(worst, 0))
    return ExactRatio(epsilon=ratios[worst], outcome=worst, probabilities=probabilities)


def _log_ratio(one: Fraction | float, other: Fraction | float) -> float:
    if one == other:
        return 0.0
    return math.inf if min(one, other) == 0 else abs(math.log(one / other))
