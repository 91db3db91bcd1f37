"""What all releases of a series say together: every world that fits all clusters at once.

A world says for each person whether that person holds a term, the same in every release; it fits
where every cluster counts as many holders among its members as it shows. People with the same set
are the same people as often as the set occurs. People who are in the same clusters are alike, so
worlds are counted by how many of them hold the term.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.ragged import offsets_of, runs
from discreet.series.kernels.connected import connected
from discreet.series.overlaps import times_of

Ints: TypeAlias = NDArray[np.int64]
Real: TypeAlias = NDArray[np.float64]
State: TypeAlias = tuple[int, ...]
"""How many copies are left to hand out in each cluster."""

MOST_STATES = 20_000
"""Partly filled worlds that are looked at before the exact count of a component is given up."""
PASSES = 2_000
"""Rounds of iterative scaling after which a component counts as not converged."""
CLOSE = 1e-6
"""How near to its copies each cluster must be when scaling ends."""
NONE = -1
"""In place of a cluster where people are not in a release."""


@dataclass(frozen=True, eq=False)
class Linked:
    """People by the clusters that they are in, over all releases."""

    clusters: Ints
    """For each kind of people the cluster in every release, -1 where they are in none."""
    people: Ints
    """How many people are of each kind."""
    count: int
    """Number of clusters of all releases together."""
    rows: tuple[Ints, Ints]
    """Set numbers, and the kind of people that some who have it are of."""
    unclear: NDArray[np.bool_]
    """For each cluster whether it holds a set that is in several clusters of a release."""

    @cached_property
    def members(self) -> tuple[Ints, Ints]:
        """Where the kinds of people of each cluster begin in the second array, which lists them."""
        kind, release = np.nonzero(self.clusters != NONE)
        cluster = self.clusters[kind, release]
        offsets = offsets_of(np.bincount(cluster, minlength=self.count))
        return offsets, kind[np.argsort(cluster, kind="stable")]

    def possible_holders(self, copies: Ints) -> Ints:
        """Return the kinds of people that no cluster keeps from holding a term.

        Nobody in a cluster without a copy holds it.
        """
        offsets, kinds = self.members
        shown = np.flatnonzero(copies)
        near = kinds[runs(offsets[shown], np.diff(offsets)[shown])]
        kind, with_copies = np.unique(near, return_counts=True)
        everywhere = (self.clusters[kind] != NONE).sum(axis=1) == with_copies
        return np.asarray(kind[everywhere])

    @classmethod
    def of(cls, kinds: Sequence[Ints], clusters: Sequence[Ints], counts: Sequence[int]) -> "Linked":
        """Link rows of equal sets; ``counts`` is the number of clusters of each release.

        A set in several clusters of one release links nobody: who is in which cannot be told.
        """
        starts = offsets_of(counts)
        times = times_of(kinds).T
        where = np.full(times.shape, NONE, dtype=np.int64)
        divided = np.zeros(len(times), dtype=np.bool_)
        for number, (kind, cluster) in enumerate(zip(kinds, clusters, strict=True)):
            where[kind, number] = cluster + starts[number]
            divided[kind[where[kind, number] != cluster + starts[number]]] = True
        parts = [_levels(np.flatnonzero(~divided), times, where)]
        unclear = np.zeros(int(starts[-1]), dtype=np.bool_)
        for number, (kind, cluster) in enumerate(zip(kinds, clusters, strict=True)):
            there = np.flatnonzero(divided[kind])
            alone = np.full((len(there), len(kinds)), NONE, dtype=np.int64)
            alone[:, number] = cluster[there] + starts[number]
            unclear[alone[:, number]] = True
            parts.append((kind[there], alone, np.ones(len(there), dtype=np.int64)))
        sets, shape, members = (np.concatenate(column) for column in zip(*parts, strict=True))
        shapes, index = np.unique(shape, axis=0, return_inverse=True)
        people = np.bincount(index.reshape(-1), weights=members, minlength=len(shapes))
        rows = sets, index.reshape(-1)
        return cls(shapes, people.astype(np.int64), int(starts[-1]), rows, unclear)

    def with_strangers(self, cluster: Ints, counts: Ints) -> "Linked":
        """Add people whom no other release knows to clusters of the last release."""
        here = np.flatnonzero(counts)
        alone = np.full((len(here), self.clusters.shape[1]), NONE, dtype=np.int64)
        alone[:, -1] = cluster[here]
        return Linked(
            np.concatenate([self.clusters, alone]),
            np.concatenate([self.people, counts[here]]),
            self.count,
            self.rows,
            self.unclear,
        )


def _levels(sets: Ints, times: Ints, where: Ints) -> tuple[Ints, Ints, Ints]:
    """Return sets, clusters and numbers of the people who are in the same releases.

    Of a set that occurs five times here and three times there, three are in both.
    """
    parts = []
    steps = np.sort(times[sets], axis=1)
    before = np.zeros(len(sets), dtype=np.int64)
    for level in steps.T:
        more = np.flatnonzero(level > before)
        inside = times[sets[more]] >= level[more, None]
        parts.append(
            (sets[more], np.where(inside, where[sets[more]], NONE), (level - before)[more])
        )
        before = np.maximum(before, level)
    joined = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return joined[0], joined[1], joined[2]


class Problem(NamedTuple):
    """People of a component and the copies of a term in its clusters."""

    people: tuple[int, ...]
    """How many people there are of each kind."""
    clusters: tuple[tuple[int, ...], ...]
    """The clusters that each kind is in."""
    copies: tuple[int, ...]
    """How many members of each cluster hold the term."""


class Fitted(NamedTuple):
    """How likely people hold one term, given all releases."""

    kind: Ints
    """A kind of people."""
    posterior: Real
    """The probability that one of them holds the term."""
    component: Ints
    """The component that it is in."""
    exact: int
    """Components in which worlds were counted."""
    scaled: int
    """Components that were too large to count: maximum entropy stands in."""
    not_converged: int
    """Components of these in which scaling did not come to rest."""
    contradictory: int
    """Components that no world fits: not all equal sets are the same people, nothing follows."""


def fitted(linked: Linked, copies: Ints) -> Fitted:
    """Return the posteriors of one term; ``copies`` counts those of every cluster.

    Nobody in a cluster without a copy holds the term, which cuts the clusters into components.
    """
    kinds = linked.possible_holders(copies)
    member, release = np.nonzero(linked.clusters[kinds] != NONE)
    shared, cluster = np.unique(linked.clusters[kinds[member], release], return_inverse=True)
    label = connected(cluster, len(shared) + member, len(shared) + len(kinds))[len(shared) :]
    order = np.argsort(label, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(label[order])) + 1) if len(order) else []
    posterior = np.zeros(len(kinds))
    # clusters with copies and nobody left to hold them contradict the others
    outcomes = [0, 0, 0, int(np.count_nonzero(copies)) - len(shared)]
    for group in groups:
        problem, back = _problem(linked, kinds[group], copies)
        chances, how = _solved(problem)
        outcomes[how] += 1
        posterior[group] = chances[back] if chances is not None else np.nan
    fits = np.flatnonzero(~np.isnan(posterior))
    exact, scaled, restless, against = outcomes
    return Fitted(
        kinds[fits], posterior[fits], label[fits], exact, scaled + restless, restless, against
    )


_EXACT, _SCALED, _RESTLESS, _AGAINST = range(4)


def _problem(linked: Linked, kinds: Ints, copies: Ints) -> tuple[Problem, Ints]:
    """Return the people of some kinds as a problem, and which of its kinds each is."""
    rows = [tuple(c for c in row if c != NONE) for row in linked.clusters[kinds].tolist()]
    number = {c: index for index, c in enumerate(sorted({c for row in rows for c in row}))}
    people: dict[tuple[int, ...], int] = {}
    named = [tuple(number[c] for c in row) for row in rows]
    for name, count in zip(named, linked.people[kinds].tolist(), strict=True):
        people[name] = people.get(name, 0) + count
    order = {name: index for index, name in enumerate(sorted(people))}
    holders = tuple(int(copies[c]) for c in number)
    problem = Problem(tuple(people[name] for name in order), tuple(order), holders)
    return problem, np.array([order[name] for name in named], dtype=np.int64)


@lru_cache(maxsize=1 << 16)
def _solved(problem: Problem) -> tuple[Real | None, int]:
    if not _possible(problem):
        return None, _AGAINST
    counted = exact_posteriors(problem)
    if counted is not None:
        return (np.array(counted), _EXACT) if counted else (None, _AGAINST)
    chances, rest = scaled_posteriors(problem)
    return chances, _SCALED if rest else _RESTLESS


def _possible(problem: Problem) -> bool:
    room = [0] * len(problem.copies)
    for people, clusters in zip(problem.people, problem.clusters, strict=True):
        for cluster in clusters:
            room[cluster] += people
    return all(holders <= most for holders, most in zip(problem.copies, room, strict=True))


def exact_posteriors(problem: Problem, most: int = MOST_STATES) -> tuple[float, ...] | None:
    """Return for each kind the share of worlds in which one of them holds the term.

    Empty where no world fits, None where there are too many to count. Kinds are filled one after
    the other; what is left for each cluster tells partly filled worlds apart.

    >>> one = Problem((1, 1, 1), ((0,), (0, 1), (1,)), (1, 1))
    >>> exact_posteriors(one)
    (0.5, 0.5, 0.5)
    """
    ways = _forward(problem, most)
    if ways is None:
        return None
    total = ways[-1].get((0,) * len(problem.copies), 0)
    if not total:
        return ()
    chances = [0.0] * len(problem.people)
    rest = {(0,) * len(problem.copies): 1}
    for number in reversed(range(len(problem.people))):
        rest, holding = _backward(problem, number, ways[number], rest)
        chances[number] = holding / (total * problem.people[number])
    return tuple(chances)


def _forward(problem: Problem, most: int) -> list[dict[State, int]] | None:
    """Return before each kind, and at the end, in how many ways each state is reached."""
    last = _last(problem)
    ways: list[dict[State, int]] = [{problem.copies: 1}]
    for number, people in enumerate(problem.people):
        after: dict[State, int] = {}
        for state, count in ways[-1].items():
            for holders, left in _steps(problem, number, state, last):
                after[left] = after.get(left, 0) + count * comb(people, holders)
        if len(after) > most:
            return None
        ways.append(after)
    return ways


def _backward(
    problem: Problem, number: int, ways: dict[State, int], rest: dict[State, int]
) -> tuple[dict[State, int], int]:
    """Return how each state before a kind can be ended, and the holders of that kind in all."""
    last, people = _last(problem), problem.people[number]
    before: dict[State, int] = {}
    holding = 0
    for state, count in ways.items():
        for holders, left in _steps(problem, number, state, last):
            if left in rest:
                worlds = comb(people, holders) * rest[left]
                before[state] = before.get(state, 0) + worlds
                holding += count * worlds * holders
    return before, holding


@lru_cache(maxsize=1 << 10)
def _last(problem: Problem) -> tuple[int, ...]:
    """Return for each cluster the last kind of people that is in it."""
    last = [0] * len(problem.copies)
    for number, clusters in enumerate(problem.clusters):
        for cluster in clusters:
            last[cluster] = number
    return tuple(last)


def _steps(
    problem: Problem, number: int, state: State, last: tuple[int, ...]
) -> list[tuple[int, State]]:
    """Return how many of a kind can hold the term, and what is left for each cluster then."""
    clusters = problem.clusters[number]
    most = min(problem.people[number], *(state[cluster] for cluster in clusters))
    closing = [state[cluster] for cluster in clusters if last[cluster] == number]
    if closing and (min(closing) != max(closing) or closing[0] > most):
        return []
    steps = []
    for holders in range(closing[0] if closing else 0, (closing[0] if closing else most) + 1):
        left = list(state)
        for cluster in clusters:
            left[cluster] -= holders
        steps.append((holders, tuple(left)))
    return steps


def scaled_posteriors(problem: Problem) -> tuple[Real, bool]:
    """Return for each kind the probability under maximum entropy, and whether scaling rested.

    Each cluster has a weight, the odds of a person are the product of those of his clusters, and
    the weights are scaled in turn until every cluster expects as many holders as it shows.
    """
    kind = np.repeat(
        np.arange(len(problem.people)), [len(clusters) for clusters in problem.clusters]
    )
    cluster = np.array([c for clusters in problem.clusters for c in clusters], dtype=np.int64)
    people = np.array(problem.people, dtype=np.float64)
    copies = np.array(problem.copies, dtype=np.float64)
    members = np.bincount(cluster, weights=people[kind])
    weight = np.log(copies / np.maximum(members - copies, 1e-9))
    share = 1 / np.maximum(np.bincount(kind), 1)
    weight = weight * np.bincount(cluster, weights=share[kind]) / np.bincount(cluster)
    for _ in range(PASSES):
        score = np.bincount(kind, weights=weight[cluster], minlength=len(people))
        chance = 1 / (1 + np.exp(-np.clip(score, -60, 60)))
        expected = np.bincount(cluster, weights=(people * chance)[kind])
        if np.abs(expected - copies).max() < CLOSE:
            return chance, True
        variance = np.bincount(cluster, weights=(people * chance * (1 - chance))[kind])
        # Newton's step of each cluster, shortened since its members are in others too
        step = (copies - expected) / np.maximum(variance, 1e-12)
        weight = weight + np.clip(step, -1, 1) / int(np.bincount(kind).max())
    return chance, False
