"""APLKiller: itemset histograms under differential privacy that give no attribute away."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact, positive
from discreet.core.guarantee import DifferentialPrivacy, Guarantee, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest, universe_of
from discreet.core.transactions import Transactions
from discreet.counts.batch import Group, Outcome, Part, joined, nobody_or_one, one_by_one, patterns
from discreet.counts.counting import Counting
from discreet.counts.kernels.layout import Rule
from discreet.counts.kernels.level_part import level_part
from discreet.counts.kernels.rows import boundaries, distinct_rows, match_rows
from discreet.counts.levels import (
    Level,
    histogram_of,
    public_facts,
)
from discreet.counts.partition.advice import advised
from discreet.counts.partition.running import (
    Partitioner,
    check_fan_out,
    check_threshold,
    records_of,
    rule_of,
    surely_published,
)
from discreet.errors import ParameterError
from discreet.mechanism_audit.neighbouring import NeighbouringPair, crowd, laws_of
from discreet.rng import Rng, discrete_laplace

V = TypeVar("V", int, Exact)

CHOSEN = "fan_out, c1 and c2 were chosen by public facts only"
COUNTED = f"{CHOSEN}, but for the number of items, which is taken from the data"

BoundaryNoise: TypeAlias = Literal["clamp", "reject-calibrated", "paper"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AplKiller(Counting):
    """Itemset counts under differential privacy, published together with every boundary itemset.

    Wang, Li, Lui and Sun, Computers & Security 113, 2022, Algorithms 1 to 3, with the repairs of
    soundness note 000. Itemset sizes are processed from the largest to 1. The itemsets of each size
    are partitioned along a taxonomy tree (LevelPart); for each itemset found, all sets with one
    item less are published too, so that known items never match a single published itemset.
    """

    fan_out: Annotated[
        int | tuple[int, ...],
        Doc(
            "Children of a node in the taxonomy tree, from 2 to 16: one number, or one for each "
            "itemset size from 1 on; the last also applies to all larger sizes."
        ),
    ] = 4
    c1: Annotated[
        Exact | tuple[Exact, ...],
        Doc(
            "Standard deviations of noise that a partition must exceed: one number, or one for "
            "each itemset size from 1 on; the last also applies to all larger sizes."
        ),
    ] = 1
    c2: Annotated[
        Exact | tuple[Exact, ...] | None,
        Doc("The same for the count of an itemset; by default as `c1`."),
    ] = None
    boundary_noise: Annotated[
        BoundaryNoise,
        Doc(
            "How the count of a boundary itemset is drawn. clamp: once, and raised to 1 if "
            "lower. reject-calibrated: repeatedly until positive, with a smaller budget to "
            "compensate. paper: repeatedly until positive, as printed, which spends more than "
            "epsilon."
        ),
    ] = "clamp"
    empty_tests: Annotated[
        Literal["exact", "paper"],
        Doc(
            "How empty partitions are tested. exact: each one once. paper: the printed loop, "
            "which keeps nearly all of them and is not differentially private."
        ),
    ] = "exact"
    par: Annotated[
        Literal["exact", "paper"],
        Doc(
            "How the budget is divided along a path. exact: by the true number of remaining "
            "splits. paper: by the printed formula, which can overspend."
        ),
    ] = "exact"
    auto: Annotated[
        bool,
        Doc(
            "Choose `fan_out`, `c1` and `c2` for each size, by public facts only: the number of "
            "items, `max_size`, `epsilon` and `records`."
        ),
    ] = False
    records: Annotated[
        int | None,
        Doc("About how many records there are, if that is public; used only by `auto`."),
    ] = None

    def __post_init__(self) -> None:
        Counting.__post_init__(self)
        if self.auto and (self.fan_out, self.c1, self.c2) != (4, 1, None):
            msg = "`auto` must be left out where `fan_out`, `c1` or `c2` is given, which it chooses"
            raise ParameterError(msg, parameter="auto")
        for fan_out in _vector(self.fan_out):
            check_fan_out(fan_out)
        for name, constants in (("c1", self.c1), ("c2", self.c2)):
            for constant in () if constants is None else _vector(constants):
                check_threshold(name, constant)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """No leakage always; differential privacy unless a printed step breaks it."""
        if "paper" in (self.empty_tests, self.par):
            return (NoAttributeLeakage(),)
        return (
            NoAttributeLeakage(),
            DifferentialPrivacy(
                epsilon=_spent(positive("epsilon", self.epsilon), self.boundary_noise),
                public=public_facts(self.universe),
            ),
        )

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> ItemsetHistogram:
        """Return itemsets with noisy counts; all of epsilon is spent here."""
        vocabulary, levels = statistics.sets.vocabulary, self.levels(statistics)
        method = self.chosen(len(vocabulary))
        partitioners = [method.partitioner(len(vocabulary), size) for size in range(1, len(levels))]
        for partitioner in partitioners:
            partitioner.refuse_explosion()
        return histogram_of(vocabulary, method._published(partitioners, levels, rng), rng)

    def manifest(self, statistics: ItemsetHistogram, rng: Rng) -> Manifest:
        """Describe a release of these sets, with the parameters that were chosen for them."""
        notes = {"choice": COUNTED if self.universe is None else CHOSEN} if self.auto else {}
        method = self.chosen(len(statistics.sets.vocabulary))
        universe = universe_of(self.universe)
        return manifest_of(method, "apl-killer", rng, notes, universe=universe)

    def chosen(self, items: int) -> "AplKiller":
        """Return the method with its parameters chosen for so many items, where that is asked."""
        if not self.auto:
            return self
        if items == 0:
            return replace(self, auto=False)
        choice = advised(self.epsilon, items, self.max_size, records=self.records)
        return replace(self, auto=False, fan_out=choice.fan_out, c1=choice.c1, c2=choice.c2)

    def _published(self, by_size: list[Partitioner], levels: list[Level], rng: Rng) -> list[Level]:
        """Go through the sizes from the largest down; each leaves its boundary for the next."""
        boundary = Level(np.zeros((0, len(by_size)), dtype=np.int32), np.zeros(0, np.int64))
        published = [boundary]
        for partitioner in reversed(by_size):
            size = partitioner.rule.size
            remaining = _without(levels[size], boundary.rows)
            # Differs from the paper: noise can find a boundary itemset again; one count is enough
            itemsets = _without(partitioner.level(remaining, rng), boundary.rows)
            boundary = self._boundary(itemsets, levels[size - 1], rng)
            published += [itemsets, boundary]
        return published

    def partitioner(self, items: int, size: int) -> Partitioner:
        """Return LevelPart for itemsets of this size."""
        return Partitioner(level_part, items, self.rule(size), one_size=True)

    def rule(self, size: int) -> Rule:
        """Return the public parameters for itemsets of this size."""
        return rule_of(
            self.epsilon,
            size,
            _at(self.fan_out, size),
            _at(self.c1, size),
            None if self.c2 is None else _at(self.c2, size),
            par=self.par == "paper",
            empty_tests=self.empty_tests == "paper",
        )

    def _boundary(self, larger: Level, smaller: Level, rng: Rng) -> Level:
        """Return each boundary itemset of ``larger`` once, with its noisy count (Algorithm 1)."""
        true = _true_boundary(larger.rows, smaller)
        counts = boundary_counts(true.counts, self.epsilon, self.boundary_noise, rng)
        return Level(true.rows, counts)

    def outcomes(
        self, data: Transactions, rng: Rng, runs: int, *, smallest: int = 0
    ) -> list[Outcome]:
        """Return what each of many runs publishes of at least ``smallest`` items.

        Runs that found the same itemsets go on together; what they draw is their own.
        """
        if self.auto:
            chosen = self.chosen(len(data.universe if self.universe is None else self.universe))
            return chosen.outcomes(data, rng, runs, smallest=smallest)
        statistics = self.statistics(data, rng)
        vocabulary, levels = statistics.sets.vocabulary, self.levels(statistics)
        if len(vocabulary) < 2 or self.cuts(data):
            return one_by_one(self, data, rng, runs)
        nothing = np.zeros((0, len(levels) - 1), dtype=np.int32)
        groups: list[Group] = [(nothing, np.arange(runs, dtype=np.int64))]
        parts: list[Part] = []
        for size in range(len(levels) - 1, max(smallest, 1) - 1, -1):
            batches = [self._batch(len(vocabulary), levels[size], group, rng) for group in groups]
            parts += batches
            if size > smallest:
                alike = [group for divided in map(patterns, batches, groups) for group in divided]
                true = [(_true_boundary(rows, levels[size - 1]), runs) for rows, runs in alike]
                parts += [self._batch_boundary(level, members, rng) for level, members in true]
                groups = [(level.rows, members) for level, members in true]
        return joined(vocabulary, parts, runs)

    def _batch(self, items: int, level: Level, group: Group, rng: Rng) -> Part:
        """LevelPart for each of the runs that came to the same boundary."""
        boundary, members = group
        size, records = level.rows.shape[1], records_of([_without(level, boundary)])
        run, drawn = self.partitioner(items, size).repeated(records, rng, len(members)).level(size)
        is_new = match_rows(boundary, drawn.rows) < 0
        return members[run[is_new]], Level(drawn.rows[is_new], drawn.counts[is_new])

    def _batch_boundary(self, true: Level, members: NDArray[np.int64], rng: Rng) -> Part:
        """Draw the counts of the same boundary for each of the runs that came to it."""
        counts = np.tile(true.counts, len(members))
        drawn = Level(
            np.tile(true.rows, (len(members), 1)),
            boundary_counts(counts, self.epsilon, self.boundary_noise, rng),
        )
        return np.repeat(members, len(true.rows)), drawn

    def worst_pair(self) -> tuple[NeighbouringPair, ...]:
        """Propose neighbouring data on which an audit would see what a wrong step gives away."""
        return (self._boundary_pair(), self._absence_pair(), nobody_or_one())

    def _boundary_pair(self) -> NeighbouringPair:
        universe, pair, single = ("a", "b"), ("a", "b"), ("a",)
        n_pairs = surely_published(self.rule(2), splits=1)
        return NeighbouringPair(
            shows="the count of a boundary itemset",
            one=crowd(universe, {pair: n_pairs, single: 1}),
            other=crowd(universe, {pair: n_pairs, single: 2}),
            universe=universe,
            sizes=(1, 2),
            laws=laws_of(
                lambda count: boundary_law(count, self.epsilon, self.boundary_noise),
                (1, 2),
                positive("epsilon", self.epsilon),
            ),
        )

    def _absence_pair(self) -> NeighbouringPair:
        """Two sets that part in the tree where the printed loop has many tries still to come."""
        items = min(12, max(10, 1 + max(_vector(self.fan_out))))
        universe = tuple("abcdefghijkl"[:items])
        crowded, lonely = universe[:-1], (*universe[:-2], universe[-1])
        count = surely_published(self.rule(items - 1), splits=items - 1)
        return NeighbouringPair(
            shows="whether a partition is empty or holds one person",
            one=crowd(universe, {crowded: count}),
            other=crowd(universe, {crowded: count, lonely: 1}),
            universe=universe,
            sizes=(items - 1, items - 1),
        )


def _true_boundary(larger: NDArray[np.int32], smaller: Level) -> Level:
    """Return each boundary itemset of ``larger`` once, with its true count."""
    rows = boundaries(larger)
    rows = rows[distinct_rows(rows)]
    positions = match_rows(smaller.rows, rows)
    true = np.zeros(len(rows), dtype=np.int64)
    true[positions >= 0] = smaller.counts[positions[positions >= 0]]
    return Level(rows, true)


def boundary_law(count: int, epsilon: Exact, how: BoundaryNoise) -> dict[int, float]:
    """Return the exact law of a published boundary count; its last entry is "that or more".

    >>> law = boundary_law(1, 1, "paper")
    >>> round(law[1] / boundary_law(2, 1, "paper")[1], 2)
    3.35
    """
    budget = positive("epsilon", epsilon)
    q = math.exp(-(calibrated(budget) if how == "reject-calibrated" else budget))
    last = max(count, 2) + 1
    law = {y: q ** abs(y - count) * (1 - q) / (1 + q) for y in range(1, last)}
    law[last] = q ** (last - count) / (1 + q)
    below = q**count / (1 + q)
    if how == "clamp":
        return law | {1: law[1] + below}
    return {y: mass / (1 - below) for y, mass in law.items()}


def boundary_counts(
    true: NDArray[np.int64], epsilon: Exact, how: BoundaryNoise, rng: Rng
) -> NDArray[np.int64]:
    """Return a positive noisy count for each boundary itemset."""
    budget = positive("epsilon", epsilon)
    if how == "reject-calibrated":
        budget = calibrated(budget)
    if how != "clamp":
        # drawn until positive, the counts 0 and 1 have the same law; at a large epsilon noise would
        # never lift 0
        true = np.maximum(true, 1)
    noisy = true + discrete_laplace(len(true), budget, rng)
    if how == "clamp":
        # Differs from the paper: one draw, raised to 1, is post-processing and keeps epsilon
        noisy = np.maximum(noisy, 1)
    while len(below := np.flatnonzero(noisy < 1)):
        noisy[below] = true[below] + discrete_laplace(len(below), budget, rng)
    return noisy


def calibrated(epsilon: Fraction) -> Fraction:
    """Return the budget at which drawing integer noise until positive keeps ``epsilon``.

    The worst ratio of that draw is ``z + 1 - 1 / z`` with ``z = exp(budget)``, at the neighbouring
    counts 1 and 2 (soundness note 000); this solves it for ``exp(epsilon)``, rounded down.
    """
    # the solution is log((E - 1 + sqrt((E - 1)**2 + 4)) / 2), between half of epsilon and all of it
    root = math.asinh(math.expm1(epsilon) / 2) if epsilon < 30 else float(epsilon)
    return epsilon * Fraction(math.floor(root / float(epsilon) * 10**6) - 1, 10**6)


def _spent(epsilon: Fraction, how: BoundaryNoise) -> Fraction:
    """Return the budget the boundary draw really spends, rounded up where it is irrational."""
    if how != "paper":
        return epsilon
    excess = math.log1p(math.exp(-epsilon) - math.exp(-2 * epsilon))
    return epsilon + Fraction(math.ceil(excess * 10**6) + 1, 10**6)


def _without(level: Level, rows: NDArray[np.int32]) -> Level:
    if not len(rows) or not len(level.rows):
        return level
    absent = match_rows(rows, level.rows) < 0
    return Level(level.rows[absent], level.counts[absent])


def _vector(values: V | tuple[V, ...]) -> tuple[V, ...]:
    return values if isinstance(values, tuple) else (values,)


def _at(values: V | tuple[V, ...], size: int) -> V:
    """Return the entry for itemsets of ``size``; the last one serves all larger sizes."""
    vector = _vector(values)
    return vector[min(size, len(vector)) - 1]
