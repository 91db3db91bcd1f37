"""APLKiller: itemset histograms under differential privacy that give no attribute away."""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.chance import Rng, discrete_laplace
from discreet.data.contents import ItemsetHistogram
from discreet.data.exact import Exact, positive
from discreet.data.guarantee import DifferentialPrivacy, Guarantee, NoAttributeLeakage
from discreet.data.publication import Publication
from discreet.data.release import Release
from discreet.data.transactions import Transactions
from discreet.engine.kernels.level_part import level_part
from discreet.engine.kernels.partition import Rule
from discreet.engine.kernels.rows import boundaries, distinct_rows, match_rows
from discreet.errors import ParameterError
from discreet.publish.contract import manifest_of
from discreet.publish.levels import (
    Level,
    Longer,
    histogram_of,
    levels_of,
    public_facts,
    universe_note,
)
from discreet.publish.partitioning import (
    HALF,
    Partitioner,
    check_fan_out,
    check_threshold,
    rate_of,
)

__all__ = ["AplKiller"]

V = TypeVar("V", int, Exact)

BoundaryNoise: TypeAlias = Literal["clamp", "reject-calibrated", "paper"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AplKiller:
    """Itemset counts under differential privacy, with every boundary itemset beside them.

    Wang, Li, Lui and Sun, Computers & Security 113, 2022, Algorithms 1 to 3, with the repairs of
    docs/soundness/000.md. Sizes run from the largest to 1. Each size is partitioned along a
    taxonomy tree (LevelPart); for each itemset found, all sets with one item less are published
    too, so that no known itemset ever fits a single published one.
    """

    epsilon: Exact
    """Privacy budget; smaller is safer and noisier."""
    fan_out: int | tuple[int, ...] = 4
    """Children of a node in the taxonomy tree, from 2 to 16; one number, or one for each size."""
    c1: Exact | tuple[Exact, ...] = 1
    """Standard deviations of noise a partition must exceed; one number, or one for each size."""
    c2: Exact | tuple[Exact, ...] | None = None
    """The same for the count of an itemset; default: as c1."""
    max_size: int | None = None
    """Largest itemset to publish, a public number; default: all items, up to 64."""
    universe: tuple[str, ...] | None = field(default=None, metadata={"unwritten": True})
    """All items that can occur, public, in a public order; related items side by side work best."""
    longer: Longer = "cut"
    """What becomes of records longer than max_size: cut to a random part, or dropped."""
    boundary_noise: BoundaryNoise = "clamp"
    """How a boundary count is drawn. clamp: once, raised to 1 if below. reject-calibrated: again
    until positive, with a smaller budget that makes up for it. paper: again until positive, as
    printed, which spends more than epsilon."""
    empty_tests: Literal["exact", "paper"] = "exact"
    """How empty partitions are tested. exact: each once. paper: the printed loop, which keeps
    nearly all of them and is not differentially private."""
    par: Literal["exact", "paper"] = "exact"
    """How the budget is shared along a path. exact: by the true number of splits left. paper: by
    the printed formula, which can overspend."""

    def __post_init__(self) -> None:
        rate_of(self.epsilon)
        if self.max_size is not None and self.max_size < 1:
            msg = f"max_size must be at least 1, got {self.max_size}"
            raise ParameterError(msg)
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

    def publish(self, data: Transactions, rng: Rng) -> Publication[ItemsetHistogram]:
        """Publish the itemsets of ``data`` with noisy counts."""
        vocabulary, levels = levels_of(data, self.universe, self.max_size, self.longer, rng)
        parts = [self.partitioner(len(vocabulary), size) for size in range(1, len(levels))]
        for part in parts:
            part.refuse_explosion()
        published = self._published(parts, levels, rng)
        content = histogram_of(vocabulary, published, rng)
        manifest = manifest_of(self, "apl-killer", rng, universe_note(self.universe))
        return Publication(Release(content, self.guarantees, manifest))

    def _published(self, parts: list[Partitioner], levels: list[Level], rng: Rng) -> list[Level]:
        """Go through the sizes from the largest down; each leaves its boundary for the next."""
        boundary = Level(np.zeros((0, len(parts)), dtype=np.int32), np.zeros(0, np.int64))
        published = [boundary]
        for part in reversed(parts):
            size = part.rule.size
            rest = _without(levels[size], boundary.rows)
            # Differs from the paper: noise can find a boundary itemset again; one count is enough
            found = _without(part.level(rest, rng), boundary.rows)
            boundary = self._boundary(found, levels[size - 1], rng)
            published += [found, boundary]
        return published

    def partitioner(self, items: int, size: int) -> Partitioner:
        """Return LevelPart for itemsets of this size."""
        return Partitioner(level_part, items, self.rule(size))

    def rule(self, size: int) -> Rule:
        """Return the public parameters for itemsets of this size."""
        s, t = rate_of(self.epsilon)
        c1 = _at(self.c1, size)
        return Rule(
            size=size,
            fan_out=_at(self.fan_out, size),
            s=s,
            t=t,
            half=HALF,
            c1=float(check_threshold("c1", c1)),
            c2=float(check_threshold("c2", c1 if self.c2 is None else _at(self.c2, size))),
            printed_par=self.par == "paper",
            printed_empties=self.empty_tests == "paper",
        )

    def _boundary(self, found: Level, smaller: Level, rng: Rng) -> Level:
        """Return each boundary itemset of ``found`` once, with its noisy count (Algorithm 1)."""
        rows = boundaries(found.rows)
        first, _ = distinct_rows(rows, np.zeros(len(rows), dtype=np.int64))
        rows = rows[first]
        places = match_rows(smaller.rows, rows)
        true = np.zeros(len(rows), dtype=np.int64)
        true[places >= 0] = smaller.counts[places[places >= 0]]
        return Level(rows, boundary_counts(true, self.epsilon, self.boundary_noise, rng))


def boundary_counts(
    true: NDArray[np.int64], epsilon: Exact, how: BoundaryNoise, rng: Rng
) -> NDArray[np.int64]:
    """Return a positive noisy count for each boundary itemset."""
    budget = positive("epsilon", epsilon)
    if how == "reject-calibrated":
        budget = calibrated(budget)
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
    counts 1 and 2 (docs/soundness/000.md); this solves it for ``exp(epsilon)``, rounded down.
    """
    grown = math.exp(epsilon) - 1
    root = math.log((grown + math.sqrt(grown * grown + 4)) / 2) if epsilon < 30 else float(epsilon)
    return Fraction(max(1, math.floor(root * 10**6) - 1), 10**6)


def _spent(epsilon: Fraction, how: BoundaryNoise) -> Fraction:
    """Return the budget the boundary draw really spends, rounded up where it is irrational."""
    if how != "paper":
        return epsilon
    excess = math.log1p(math.exp(-epsilon) - math.exp(-2 * epsilon))
    return epsilon + Fraction(math.ceil(excess * 10**6) + 1, 10**6)


def _without(level: Level, rows: NDArray[np.int32]) -> Level:
    if not len(rows) or not len(level.rows):
        return level
    kept = match_rows(rows, level.rows) < 0
    return Level(level.rows[kept], level.counts[kept])


def _vector(values: V | tuple[V, ...]) -> tuple[V, ...]:
    return values if isinstance(values, tuple) else (values,)


def _at(values: V | tuple[V, ...], size: int) -> V:
    """Return the entry for itemsets of ``size``; the last one serves all larger sizes."""
    vector = _vector(values)
    return vector[min(size, len(vector)) - 1]
