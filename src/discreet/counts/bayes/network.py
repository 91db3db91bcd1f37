"""A Bayesian network over items, learned and sampled: the steps of PrivBayes.

Items are attributes of value 0 or 1. The network has one pair for each of them, the item and its
parents, which are items that come before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log2
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets
from discreet.counts.kernels.marginals import (
    FAR_FROM_INDEPENDENT,
    MUTUAL_INFORMATION,
    NEAR_DETERMINED,
    ONE_BIT,
    marginal,
    sample_item,
    score_parents,
)
from discreet.rng import Rng, discrete_laplace, permute_and_flip

Score: TypeAlias = Literal["R", "F", "MI"]
Negatives: TypeAlias = Literal["spread", "paper"]

KINDS: dict[Score, int] = {
    "R": FAR_FROM_INDEPENDENT,
    "F": NEAR_DETERMINED,
    "MI": MUTUAL_INFORMATION,
}

CERTAIN = 1 << 53
"""A probability of 1, in the units of a sample's thresholds."""
FAR = 64
"""How many rows come after one before its neighbour does."""


class Pair(NamedTuple):
    """An item and the items it hangs on."""

    child: int
    parents: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Records:
    """Sets as columns of zeros and ones, one for each item."""

    columns: NDArray[np.uint8]
    counts: NDArray[np.int64]
    total: int

    @classmethod
    def of(cls, sets: Itemsets, counts: NDArray[np.int64]) -> "Records":
        """Spread sets out; meant for distinct sets over few items."""
        # neighbours in an order of content fall into the same cell of a marginal, and a processor
        # that adds to one cell again and again waits each time: far ones take their places
        apart = np.argsort(np.arange(len(sets)) % max(1, len(sets) // FAR), kind="stable")
        columns = np.zeros((len(sets.vocabulary), len(sets)), dtype=np.uint8)
        columns[sets.items, sets.rows] = 1
        return cls(columns[:, apart].copy(), np.array(counts)[apart], int(counts.sum()))

    @property
    def items(self) -> int:
        """How many items there are, whether or not they occur."""
        return len(self.columns)


def unit(score: Score, records: int) -> Fraction:
    """Return what one step of an integer score stands for."""
    units = {
        "R": Fraction(1, records**2),
        "F": Fraction(1, 2 * records),
        "MI": Fraction(1, ONE_BIT),
    }
    return units[score]


def sensitivity(score: Score, records: int) -> Fraction:
    """Return the most by which one replaced record changes a score.

    For R it is less than what Zhang et al. print, for an item has two values
    (soundness note on priv-bayes). For MI it is irrational and rounded up to the unit of the score.

    >>> sensitivity("F", 8), sensitivity("R", 8)
    (Fraction(1, 8), Fraction(7, 32))
    """
    n = records
    if score == "R":
        # Differs from the paper: 3/n + 2/n**2 is printed, for children of many values
        return Fraction(2 * max(1, n - 1), n**2)
    if score == "F":
        return Fraction(1, n)
    # a single record has no information to share: any number will do
    bits = 1.0 if n == 1 else log2(n) / n + (n - 1) / n * log2(n / (n - 1))
    return Fraction(ceil(bits * ONE_BIT), ONE_BIT)


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Pairs to choose the next one from."""

    children: NDArray[np.int32]
    parents: NDArray[np.int32]
    scores: NDArray[np.int64]

    def pair(self, index: int) -> Pair:
        return Pair(int(self.children[index]), tuple(self.parents[index].tolist()))

    def joined(self, more: "_Candidates", without: int) -> "_Candidates":
        """Return these, less those of one child, and ``more``."""
        retained = self.children != without
        return _Candidates(
            np.concatenate([self.children[retained], more.children]),
            np.concatenate([self.parents[retained], more.parents]),
            np.concatenate([self.scores[retained], more.scores]),
        )


def structure(
    records: Records, degree: int, epsilon: Fraction, score: Score, rng: Rng
) -> list[Pair]:
    """Choose the network greedily, with ``degree`` parents each once there are so many.

    Spends ``epsilon`` in equal parts, one for each item but the first, which is chosen blindly.
    Under replaced records, for the exact scores R and F.
    """
    rate, least = epsilon / (records.items - 1), sensitivity(score, records.total)
    chosen = rng.integers(records.items, 1).tolist()
    pairs = [Pair(chosen[0], ())]
    pool = _new_candidates(records, chosen, degree, score)
    while True:
        step = unit(score, records.total)
        pair = pool.pair(permute_and_flip(pool.scores, rate, least, rng, unit=step))
        pairs.append(pair)
        chosen.append(pair.child)
        if len(chosen) == records.items:
            return pairs
        new = _new_candidates(records, chosen, degree, score)
        # up to the degree each choice has all the items before it as parents
        pool = pool.joined(new, pair.child) if len(chosen) > degree else new


def _new_candidates(records: Records, chosen: list[int], degree: int, score: Score) -> _Candidates:
    """Return the pairs whose parents have the last chosen item among them."""
    children = np.array([i for i in range(records.items) if i not in set(chosen)], dtype=np.int32)
    parents, scores = score_parents(
        records.columns,
        records.counts,
        np.array(chosen, dtype=np.int32),
        min(degree, len(chosen)),
        children,
        KINDS[score],
    )
    return _Candidates(
        np.tile(children, len(parents)), np.repeat(parents, len(children), axis=0), scores.ravel()
    )


@dataclass(frozen=True, slots=True)
class Conditional:
    """With which probability an item occurs, for each combination of its parents.

    Of many runs those of the first come first, and so on.
    """

    pair: Pair
    probabilities: NDArray[np.float64]


def conditionals(
    records: Records,
    pairs: Sequence[Pair],
    epsilon: Fraction,
    negatives: Negatives,
    rng: Rng,
    runs: int = 1,
) -> list[Conditional]:
    """Return noisy conditionals of all pairs; spends ``epsilon`` under replaced records.

    As long as all items before a pair are its parents, it is read from the noisy table of the last
    such pair, at no cost. Each of the ``runs`` has noise of its own and spends as much again.
    """
    degree = max(len(pair.parents) for pair in pairs)
    first = tuple(pair.child for pair in pairs[:degree])
    # a replaced record leaves one cell and enters another, in each table
    rate = epsilon / (2 * (len(pairs) - degree))
    tables = []
    for pair in [Pair(pairs[degree].child, first), *pairs[degree + 1 :]]:
        order = np.array([*pair.parents, pair.child], dtype=np.int32)
        counts = marginal(records.columns, records.counts, order)
        noise = discrete_laplace(runs * len(counts), rate, rng)
        noisy = counts + noise.reshape(runs, -1)
        tables.append((pair, _raised(noisy, records.total, negatives)))
    joint = tables[0][1]
    begin = [
        (Pair(first[index], first[:index]), joint.reshape(runs * (2 << index), -1).sum(axis=1))
        for index in range(degree)
    ]
    return [Conditional(pair, _shares(table.ravel())) for pair, table in [*begin, *tables]]


def _raised(noisy: NDArray[np.int64], total: int, negatives: Negatives) -> NDArray[np.float64]:
    """Return tables without negative cells; it sees noisy counts and public numbers only."""
    if negatives == "paper":
        return np.maximum(noisy, 0).astype(np.float64)
    # the nearest table of that sum lowers all cells alike and cuts at 0: the positive ones are the
    # largest, as long as they stay positive
    falling = np.sort(noisy.astype(np.float64), axis=-1)[..., ::-1]
    excess = (np.cumsum(falling, axis=-1) - total) / np.arange(1, noisy.shape[-1] + 1)
    positive = (falling > excess).sum(axis=-1, keepdims=True)
    # none is where the sum is 0, or lost beside immense noise: then all cells fall to 0
    lowered = noisy - np.take_along_axis(excess, np.maximum(positive, 1) - 1, axis=-1)
    return np.asarray(np.maximum(lowered, 0), dtype=np.float64)


def _shares(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of the child's ones in each cell of the parents; a half where all is 0."""
    ones, sums = table[1::2], table[::2] + table[1::2]
    shares = np.full(len(sums), 0.5)
    np.divide(ones, sums, out=shares, where=sums > 0)
    return shares


def sample(
    network: Sequence[Conditional], rows: int, rng: Rng, *, runs: int = 1
) -> NDArray[np.uint64]:
    """Draw ``rows`` sets from the network of each run, each a word with bit ``i`` for item ``i``.

    The number of the run stands in the bits above the items.
    """
    items = len(network)
    sets = np.repeat(np.arange(runs, dtype=np.uint64) << np.uint64(items), rows)
    # the bits of the run choose its cells just as those of the parents do
    run_bits = range(items + (runs - 1).bit_length() - 1, items - 1, -1)
    for conditional in network:
        child, parents = conditional.pair
        thresholds = (conditional.probabilities * CERTAIN).astype(np.int64)
        order = np.array([*run_bits, *parents], dtype=np.int32)
        sample_item(sets, order, thresholds, child, rng.words(len(sets)))
    return sets
