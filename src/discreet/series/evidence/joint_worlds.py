"""What all releases of a series say together: every world that fits all clusters at once.

A world says for each person whether that person holds a term, the same in every release; it fits
where every cluster counts as many holders among its members as it shows. People with the same set
are the same people as often as the set occurs. People who are in the same clusters are alike, so
worlds are counted by how many of them hold the term.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.ragged import offsets_of, runs
from discreet.series.evidence.overlaps import times_of
from discreet.series.kernels.connected import connected

Ints: TypeAlias = NDArray[np.int64]
Real: TypeAlias = NDArray[np.float64]
Ways: TypeAlias = dict[int, int]
"""In how many ways each state is reached: what is left for each cluster, in bits of one number."""

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
        sets, shape, times_each = (np.concatenate(column) for column in zip(*parts, strict=True))
        shapes, kind_of_set = np.unique(shape, axis=0, return_inverse=True)
        kind_of_set = kind_of_set.reshape(-1)
        people = np.bincount(kind_of_set, weights=times_each, minlength=len(shapes))
        rows = sets, kind_of_set
        return cls(shapes, people.astype(np.int64), int(starts[-1]), rows, unclear)

    def with_strangers(self, cluster: Ints, strangers: Ints) -> "Linked":
        """Add people whom no other release knows to clusters of the last release."""
        here = np.flatnonzero(strangers)
        alone = np.full((len(here), self.clusters.shape[1]), NONE, dtype=np.int64)
        alone[:, -1] = cluster[here]
        return Linked(
            np.concatenate([self.clusters, alone]),
            np.concatenate([self.people, strangers[here]]),
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
    exact, scaled, not_converged, contradictory = outcomes
    return Fitted(
        kinds[fits],
        posterior[fits],
        label[fits],
        exact,
        scaled + not_converged,
        not_converged,
        contradictory,
    )


_EXACT, _SCALED, _NOT_CONVERGED, _CONTRADICTORY = range(4)


def _problem(linked: Linked, kinds: Ints, copies: Ints) -> tuple[Problem, Ints]:
    """Return the people of some kinds as a problem, and which of its kinds each is."""
    rows = [tuple(c for c in row if c != NONE) for row in linked.clusters[kinds].tolist()]
    renumbered = {c: new for new, c in enumerate(sorted({c for row in rows for c in row}))}
    people: dict[tuple[int, ...], int] = {}
    memberships = [tuple(renumbered[c] for c in row) for row in rows]
    for clusters, alike in zip(memberships, linked.people[kinds].tolist(), strict=True):
        people[clusters] = people.get(clusters, 0) + alike
    order = {clusters: number for number, clusters in enumerate(sorted(people))}
    shown = tuple(int(copies[c]) for c in renumbered)
    problem = Problem(tuple(people[clusters] for clusters in order), tuple(order), shown)
    return problem, np.array([order[clusters] for clusters in memberships], dtype=np.int64)


@lru_cache(maxsize=1 << 16)
def _solved(problem: Problem) -> tuple[Real | None, int]:
    if not _possible(problem):
        return None, _CONTRADICTORY
    counted = exact_posteriors(problem)
    if counted is not None:
        return (np.array(counted), _EXACT) if counted else (None, _CONTRADICTORY)
    chances, rest = scaled_posteriors(problem)
    return chances, _SCALED if rest else _NOT_CONVERGED


def _possible(problem: Problem) -> bool:
    room = [0] * len(problem.copies)
    for people, clusters in zip(problem.people, problem.clusters, strict=True):
        for cluster in clusters:
            room[cluster] += people
    return all(shown <= space for shown, space in zip(problem.copies, room, strict=True))


def exact_posteriors(problem: Problem, most: int = MOST_STATES) -> tuple[float, ...] | None:
    """Return for each kind the share of worlds in which one of them holds the term.

    Empty where no world fits, None where there are too many to count. Kinds are filled one after
    the other; what is left for each cluster tells partly filled worlds apart.

    >>> one = Problem((1, 1, 1), ((0,), (0, 1), (1,)), (1, 1))
    >>> exact_posteriors(one)
    (0.5, 0.5, 0.5)
    """
    kinds, state = _turns(problem)
    ways = _forward(kinds, state, most)
    if ways is None:
        return None
    total = ways[-1].get(0, 0)
    if not total:
        return ()
    chances = [0.0] * len(kinds)
    rest: Ways = {0: 1}
    for number in reversed(range(len(kinds))):
        rest, holding = _backward(kinds[number], ways[number], rest)
        chances[number] = holding / (total * kinds[number].people)
    return tuple(chances)


class _Turn(NamedTuple):
    """How the people of one kind change what is left for the clusters."""

    people: int
    mask: int
    """The bits of one cluster."""
    ending: tuple[int, ...]
    """Where the bits begin of the clusters that nobody after them is in: all that is left goes."""
    others: tuple[int, ...]
    """Where those of their other clusters begin."""
    unit: int
    """A copy less in each of them."""
    choices: tuple[int, ...]
    """In how many ways so many of them can be those who hold the term."""


def _turns(problem: Problem) -> tuple[list[_Turn], int]:
    """Return what each kind of people changes, and the state before any of them."""
    most = max(problem.copies, default=0)
    width = most.bit_length()
    last = {c: number for number, clusters in enumerate(problem.clusters) for c in clusters}
    turns = []
    for number, (people, clusters) in enumerate(zip(problem.people, problem.clusters, strict=True)):
        ending = tuple(c * width for c in clusters if last[c] == number)
        others = tuple(c * width for c in clusters if last[c] != number)
        unit = sum(1 << c * width for c in clusters)
        choices = _choices(people, min(people, most))
        turns.append(_Turn(people, (1 << width) - 1, ending, others, unit, choices))
    return turns, sum(copies << c * width for c, copies in enumerate(problem.copies))


@lru_cache(maxsize=1 << 12)
def _choices(people: int, most: int) -> tuple[int, ...]:
    """Return in how many ways none, one and up to so many of some people can be chosen."""
    return tuple(comb(people, holders) for holders in range(most + 1))


def _forward(turns: list[_Turn], state: int, most: int) -> list[Ways] | None:
    """Return before each kind, and at the end, in how many ways each state is reached."""
    ways: list[Ways] = [{state: 1}]
    for turn in turns:
        after: Ways = {}
        unit, choices = turn.unit, turn.choices
        for before, count, possible in _steps(turn, ways[-1]):
            for holders in possible:
                left = before - holders * unit
                after[left] = after.get(left, 0) + count * choices[holders]
            if len(after) > most:
                return None
        ways.append(after)
    return ways


def _backward(turn: _Turn, ways: Ways, rest: Ways) -> tuple[Ways, int]:
    """Return how each state before a kind can be ended, and the holders of that kind in all."""
    before: Ways = {}
    unit, choices, holding = turn.unit, turn.choices, 0
    for state, count, possible in _steps(turn, ways):
        ended = 0
        for holders in possible:
            if worlds := rest.get(state - holders * unit):
                worlds *= choices[holders]
                ended += worlds
                holding += count * worlds * holders
        if ended:
            before[state] = ended
    return before, holding


def _steps(turn: _Turn, ways: Ways) -> Iterator[tuple[int, int, range]]:
    """Yield states, their ways, and how many of a kind can hold the term from there."""
    return _last_steps(turn, ways) if turn.ending else _free_steps(turn, ways)


def _free_steps(turn: _Turn, ways: Ways) -> Iterator[tuple[int, int, range]]:
    """Yield the steps of a kind whose clusters all have others after them."""
    people, mask, _, shifts, *_ = turn
    up_to = [range(most + 1) for most in range(len(turn.choices))]
    for state, count in ways.items():
        left = people
        for shift in shifts:
            here = state >> shift & mask
            left = here if here < left else left
        yield state, count, up_to[left]


def _last_steps(turn: _Turn, ways: Ways) -> Iterator[tuple[int, int, range]]:
    """Yield the steps of a kind that takes all that is left in some of its clusters."""
    people, mask, (first, *ending), others, *_ = turn
    for state, count in ways.items():
        holders = state >> first & mask
        fits = holders <= people
        for shift in ending:
            fits = fits and state >> shift & mask == holders
        for shift in others:
            fits = fits and state >> shift & mask >= holders
        if fits:
            yield state, count, range(holders, holders + 1)


def scaled_posteriors(problem: Problem) -> tuple[Real, bool]:
    """Return for each kind the probability under maximum entropy, and whether scaling rested.

    Each cluster has a weight, the odds of a person are the product of those of his clusters, and
    the weights are scaled in turn until every cluster expects as many holders as it shows.
    """
    sizes = [len(clusters) for clusters in problem.clusters]
    kind = np.repeat(np.arange(len(problem.people)), sizes)
    cluster = np.array([c for clusters in problem.clusters for c in clusters], dtype=np.int64)
    people = np.array(problem.people, dtype=np.float64)
    copies = np.array(problem.copies, dtype=np.float64)
    members = np.bincount(cluster, weights=people[kind])
    weight = np.log(copies / np.maximum(members - copies, 1e-9))
    share = 1 / np.maximum(np.bincount(kind), 1)
    weight = weight * np.bincount(cluster, weights=share[kind]) / np.bincount(cluster)
    # Newton's step of each cluster is shortened, since its members are in others too
    most = int(np.bincount(kind).max())
    for _ in range(PASSES):
        score = np.bincount(kind, weights=weight[cluster], minlength=len(people))
        chance = 1 / (1 + np.exp(-np.clip(score, -60, 60)))
        expected = np.bincount(cluster, weights=(people * chance)[kind])
        if np.abs(expected - copies).max() < CLOSE:
            return chance, True
        variance = np.bincount(cluster, weights=(people * chance * (1 - chance))[kind])
        step = (copies - expected) / np.maximum(variance, 1e-12)
        weight = weight + np.clip(step, -1, 1) / most
    return chance, False
