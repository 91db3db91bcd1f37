"""Which table to publish, given how sure it is: the one of least expected loss.

A set that few people hold is often better said to be held by nobody. How far to go is decided by
what is expected of the outcome: the loss that a table would have is averaged over tables that may
be behind the noise, and the table with the least is sought. The loss grows with the distance of
supports, so that its mean is convex and going downhill finds the least. Nothing here sees data.
"""

from dataclasses import dataclass
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.counts.kernels.lattice_model import absolute_errors, field
from discreet.counts.kernels.nearer_supports import CountedTable, bring_nearer
from discreet.counts.lattice import LARGEST, set_sizes
from discreet.kernels.supersets import superset_sums
from discreet.measure import SANITY

__all__ = ["SupportLaw", "decided", "distance", "nearer"]

Table: TypeAlias = NDArray[np.float64]

FLOORS = (0.001, SANITY)
"""Shares of all people below which an error counts as if so many held the set, or one person."""
STEPS = 60
"""Steps downhill."""
STEP, LEAST_STEP, PER_ROOT = 0.3, 0.05, 0.1
"""The first step, and how it grows with the root of a count."""
MEMORY, SQUARES = 0.9, 0.99
"""How long slopes and their squares are remembered (Adam)."""
SEED = 1e-3
"""People that every set has to begin with, so that it can get some."""
TOLERATED = 0.3
"""By which share more than the least expected loss the model's own mean may cost, to be believed.

So much where nothing is lost, and none where publishing nothing costs twice the least or less: then
noise tells little, and what a model makes of it is believed too easily.
"""
DOUBTED = (0.25, 0.5)
"""Losses expected, as shares of what publishing nothing costs: from the first on the model is
doubted by a part, from the second on wholly."""
DOUBT, MOST_DOUBT = 0.5, 0.5
"""How far the model is doubted for each item of a set: so much of the share of all people that
noise may make of an item's holders, and at most so much."""
GOLDEN = float(np.sqrt(5) - 1) / 2
"""The parts of its multiples beyond whole numbers spread evenly, however many there are."""
SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)
"""Shares of the model's own mean that are tried."""
WORTH_TRYING = 0.05
"""People who are expected to hold a set from which on it is tried to give it some."""
LOOKED_AT = 1 << 30
"""Supports that are looked at, at most, to bring a table nearer: a second or two."""


@dataclass(frozen=True, eq=False)
class SupportLaw:
    """What is known of each set's support: equally likely values, and what their errors cost."""

    supports: Table
    """How many people hold all items of each set, a row a set, a column a table that may be."""
    costs: Table
    """What it costs to be wrong by one person there."""

    @classmethod
    def of(cls, tables: NDArray[np.int64]) -> "SupportLaw":
        """Weigh the sets by how often they are asked for, if each table were the true one.

        Half of what is asked are sets that somebody holds, in that very table, the other half
        random sets of a few items.
        """
        items = tables.shape[1].bit_length() - 1
        supports, costs = np.empty(tables.shape[::-1]), np.empty(tables.shape[::-1])
        of_random, sizes = _chances_of_random(items), set_sizes(items)
        for index, table in enumerate(tables):
            true = _supports(table)
            occurs = (table > 0) & (sizes > 0)
            asked = (of_random + occurs / occurs.sum()) / 2 if occurs.any() else of_random
            supports[:, index] = true
            costs[:, index] = asked * _relative(true) / len(tables)
        return cls(supports, costs)

    @property
    def people(self) -> float:
        """How many people there are on average."""
        return float(self.supports[0].mean())

    def doubted(self, epsilon: float) -> "SupportLaw":
        """Let every support be wrong by a factor, as far as noise of this rate lets that pass.

        The log of the factor has a normal law. Its standard deviation grows with each item of the
        set, the more so the less noise lets be seen of who holds an item; the noise of the set's
        own support bounds it.
        """
        from scipy.special import ndtri

        cells, tables = self.supports.shape
        sizes = set_sizes(cells.bit_length() - 1)
        # a support is a sum of so many noisy counts, that of an item of half of them all
        noise = np.sqrt(2 * cells / 2.0**sizes) / epsilon
        hidden = np.sqrt(cells) / epsilon / max(self.people, 1.0)
        spread = min(DOUBT * hidden, MOST_DOUBT) * sizes
        spread /= np.sqrt(1 + (spread * self.supports.mean(axis=1) / noise) ** 2)
        normals = ndtri((np.arange(1, tables + 1) * GOLDEN) % 1)
        supports, costs = self.supports * np.exp(np.outer(spread, normals)), self.costs.copy()
        for index in range(tables):
            costs[:, index] *= _relative(supports[:, index]) / _relative(self.supports[:, index])
        return SupportLaw(supports, costs)

    def expected_loss(self, table: NDArray[np.number]) -> float:
        """Return the mean relative error to expect of a table."""
        return self.loss_and_slope(table)[0]

    def loss_and_slope(self, table: NDArray[np.number]) -> tuple[float, Table]:
        """Return the error to expect of a table, and how it grows with each set's count."""
        loss, slope = absolute_errors(self.supports, self.costs, _supports(table))
        items = len(table).bit_length() - 1
        # a person who holds a set adds to the supports of all that it contains
        field(slope, np.zeros(items), np.ones(items))
        return loss, slope


def decided(mean: Table, tables: NDArray[np.int64], epsilon: float) -> Table:
    """Return the table whose supports are expected to be least wrong, or nearly so.

    ``mean`` is what the model says, ``tables`` what may be behind the noise, a row each. The least
    is sought for either half of them and judged by the other, since it fits those by which it was
    found too well. That large sets end suddenly is likely in these tables; as far as the model's
    own mean costs little more, it is believed instead, but not where noise tells little. There the
    model may be wrong (``SupportLaw.doubted``; ``epsilon`` is the rate of the noise of all counts),
    and the table that allows for that is published, wholly or by a part.
    """
    laws = [SupportLaw.of(tables[half::2]) for half in (0, 1)]
    least = [_downhill(law, tables[half::2].mean(axis=0)) for half, law in enumerate(laws)]

    def judged(share: float) -> float:
        blends = (share * mean + (1 - share) * each for each in least)
        return sum(map(SupportLaw.expected_loss, reversed(laws), blends))

    losses = {share: judged(share) for share in SHARES}
    nothing = sum(law.expected_loss(np.zeros_like(mean)) for law in laws)
    most = _tolerated(min(losses.values()), nothing)
    share = next(each for each, loss in losses.items() if loss <= most)
    believed = share * mean + (1 - share) * (least[0] + least[1]) / 2
    doubt = _doubt(min(losses.values()), nothing)
    if not doubt:
        return believed
    one, other = (_downhill(law.doubted(epsilon), believed) for law in laws)
    return np.asarray((1 - doubt) * believed + doubt * (one + other) / 2)


def _doubt(least: float, nothing: float) -> float:
    """Return by which share a table is published that allows for a wrong model."""
    expected = least / nothing if nothing > 0 else 0.0
    first, last = DOUBTED
    return min(max((expected - first) / (last - first), 0.0), 1.0)


def _tolerated(least: float, nothing: float) -> float:
    """Return the loss up to which the model's own mean is believed."""
    gained = max(0.0, 1 - 2 * least / nothing) if nothing > 0 else 0.0
    return least * (1 + TOLERATED * gained)


def distance(decided: Table, table: NDArray[np.int64]) -> float:
    """Return how wrong a table would be if what was decided on were the truth.

    Supports of single items, which are known best and are few among what is asked, count as much
    as all that is asked.
    """
    true = _supports(decided)
    return float(_costs(decided, true) @ np.abs(_supports(table) - true))


def nearer(decided: Table, table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a table that is less far from what was decided on, and in which no more is certain.

    Nothing may be certain in ``table``. Taking certainty out of a table moves supports all in one
    direction; here people are moved back where nothing gets certain by it.
    """
    items = len(table).bit_length() - 1
    wanted, people = _supports(decided), table.copy()
    published = (people > 0).astype(np.int64)
    counted = CountedTable(
        people, _supports(people), superset_sums(published), wanted, _costs(decided, wanted)
    )
    cells = np.flatnonzero((people > 0) | (decided > WORTH_TRYING))
    largest_first = np.argsort(-set_sizes(items)[cells], kind="stable")
    bring_nearer(counted, cells[largest_first], items, LOOKED_AT)
    # nobody asks for the empty set, but without it another set might be certain
    left = round(wanted[0]) - int(people[1:].sum())
    people[0] = max(left, min(int(people[0]), 1))
    return people


def _downhill(law: SupportLaw, start: Table) -> Table:
    """Go down the expected loss by the roots of the counts, which keeps them from below 0."""
    roots = np.sqrt(np.maximum(start, SEED))
    slopes, squares = np.zeros_like(roots), np.zeros_like(roots)
    best, least = start.copy(), law.expected_loss(start)
    for step in range(1, STEPS + 1):
        loss, slope = law.loss_and_slope(roots**2)
        if loss < least:
            best, least = roots**2, loss
        slope *= 2 * roots
        slopes += (1 - MEMORY) * (slope - slopes)
        squares += (1 - SQUARES) * (slope**2 - squares)
        towards = slopes / (1 - MEMORY**step)
        towards /= np.sqrt(squares / (1 - SQUARES**step)) + np.finfo(np.float64).tiny
        length = STEP * (1 - (step - 1) / STEPS) * np.minimum(1, LEAST_STEP + PER_ROOT * roots)
        roots = np.maximum(roots - length * towards, 0)
    # nobody asks for the empty set: who is left holds it
    best[0] = max(law.people - best[1:].sum(), 0.0)
    return best


def _relative(true: Table) -> Table:
    """Return what it costs to be wrong by one person where these are the true supports."""
    floors = [max(floor * true[0], 1.0) for floor in FLOORS]
    return np.asarray(np.mean([1 / np.maximum(true, floor) for floor in floors], axis=0))


def _costs(decided: Table, true: Table) -> Table:
    """Return what it costs that one person more or less holds a set, if this were the truth."""
    items = len(decided).bit_length() - 1
    occurs = np.where(set_sizes(items) > 0, np.minimum(decided, 1), 0)
    asked = (_chances_of_random(items) + occurs / max(occurs.sum(), 1)) / 2
    asked[1 << np.arange(items)] += 1 / max(items, 1)
    return np.asarray(asked * _relative(true))


def _chances_of_random(items: int) -> Table:
    """Return how likely each set is asked for: its size first, up to a few items, then the set."""
    largest = min(LARGEST, items)
    by_size = np.zeros(items + 1)
    for size in range(1, largest + 1):
        by_size[size] = 1 / (largest * comb(items, size))
    return by_size[set_sizes(items)]


def _supports(table: NDArray[np.number]) -> Table:
    return superset_sums(table.astype(np.float64))
