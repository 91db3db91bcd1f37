"""What sensitive attributes tell about each other, and what a projection plan makes of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.microdata import Microdata
from discreet.tables.folding import FoldedTable
from discreet.tables.promises.closeness import counted

Plan: TypeAlias = tuple[tuple[str, ...], ...]
"""The sensitive attributes of each table."""

ROUNDING = 1e-12
"""Ratios of information are compared up to the rounding of logarithms."""
DENSE = 4_000_000
"""Up to so many pairs of values are counted in a full table."""


@dataclass(frozen=True, eq=False)
class Dependence:
    """Entropies of attributes and what pairs of them share, in bits."""

    names: tuple[str, ...]
    """The sensitive attributes."""
    entropy: NDArray[np.float64]
    """H of each attribute."""
    mutual: NDArray[np.float64]
    """I of each pair; 0 on the diagonal."""
    exposable: NDArray[np.float64]
    """E of each pair: what one of them newly tells about the other, where that is sensitive."""

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Where each attribute stands."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def _exposable(self) -> float:
        """What joins of all attributes may newly tell."""
        return float(self.exposable.sum() / 2)

    def association_loss(self, plan: Plan) -> float:
        """Return the share of mutual information between attributes of different tables."""
        total = self.mutual.sum() / 2
        if total == 0 or len(self.names) == 1:
            return 0.0
        retained = sum(self._within(self.mutual, attributes) for attributes in plan)
        loss = float(1 - retained / total)
        return loss if loss > ROUNDING else 0.0

    def exposure(self, plan: Plan) -> float:
        """Return the information exposure ratio: what joins within the tables may newly tell."""
        total = self._exposable
        if total == 0 or len(self.names) == 1:
            return 0.0
        # an attribute that is alone in its table exposes nothing
        shares = (
            self._within(self.exposable, attributes) / total * len(attributes) / len(self.names)
            for attributes in plan
            if len(attributes) > 1
        )
        return float(min(1.0, sum(shares)))

    def average(self, attributes: Iterable[str]) -> float:
        """Return the mean mutual information of the pairs inside a subset."""
        inside = tuple(attributes)
        pairs = len(inside) * (len(inside) - 1) / 2
        return self._within(self.mutual, inside) / pairs if pairs else 0.0

    def _within(self, matrix: NDArray[np.float64], attributes: Sequence[str]) -> float:
        index = np.array([self._numbers[name] for name in attributes], dtype=np.int64)
        return float(matrix[index[:, None], index].sum() / 2)


def dependence_of(folded: FoldedTable) -> Dependence:
    """Measure the sensitive attributes of a table; multi-valued ones as their bits."""
    data, counts = folded.distinct, folded.counts
    names = data.sensitive
    cells = [folded.cells(name) for name in names]
    columns = [(each.codes, len(each.values)) for each in cells]
    shares = [np.bincount(codes, counts, count) / folded.people for codes, count in columns]
    entropy = np.array([_entropy(share) for share in shares])
    # E weighs what a join newly tells of an attribute by how often its value needs protection
    weight = [_protected(data, name, share) for name, share in zip(names, shares, strict=True)]
    # as numbers that bincount takes as they are: every pair is counted
    people = counts.astype(np.float64)
    mutual = np.zeros((len(names), len(names)))
    exposable = np.zeros_like(mutual)
    for i, j in combinations(range(len(names)), 2):
        apart = float(entropy[i] + entropy[j])
        shared = max(0.0, apart - _entropy(_joint(columns[i], columns[j], people)))
        first, second = (max(0.0, float(entropy[each]) - shared) for each in (i, j))
        mutual[i, j] = mutual[j, i] = shared
        exposable[i, j] = exposable[j, i] = weight[i] * first + weight[j] * second
    return Dependence(names, entropy, mutual, exposable)


def _protected(data: Microdata, name: str, shares: NDArray[np.float64]) -> float:
    """Return the share of people whose value of the attribute needs protection."""
    if not data.non_sensitive.get(name):
        return 1.0
    values = sorted(data.table[name].unique().to_list())
    return float(shares[[data.sens(name, value) for value in values]].sum())


def _joint(
    first: tuple[NDArray[np.int64], int],
    second: tuple[NDArray[np.int64], int],
    people: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the shares of the pairs of values."""
    (left, rows), (right, columns) = first, second
    keys = left * columns + right
    if rows * columns <= DENSE:
        pair_counts = np.bincount(keys, people)
    else:
        pair_counts = counted(keys, people)[1].astype(np.float64)
    return np.asarray(pair_counts / people.sum(), dtype=np.float64)


def _entropy(shares: NDArray[np.float64]) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log2(positive)).sum())
