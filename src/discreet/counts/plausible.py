"""Which noisy counts of sets are worth publishing: those that tell more than their noise hides.

Of counts that passed a threshold some are noise alone. How many follows from the law of the noise
and the number of sets, which are public; what the others tell, from the noisy counts themselves.
Where noise would drown what small sets are held by, each size gets the threshold at which most is
told beyond the noise, or nothing of it is published. No data are seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, exp, log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

SANITY = 1e-3
"""A support below this share of the people counts as if it were that, when errors are weighed."""
DEVIATIONS = 3
"""Deviations by which there may be more noise than on average."""
FAR = 4
"""How many times its scale noise hardly ever reaches: once in a hundred."""
FEWEST = 10.0
"""People that there are at least."""
ASKED = 4
"""Items of the sets that are asked for, at most."""
BEARABLE = 0.5
"""People whom noise may add to small sets, as a share of those who hold them on average."""


@dataclass(frozen=True, eq=False)
class Passed:
    """The noisy counts of the sets of one size that passed their threshold."""

    counts: NDArray[np.int64]
    items: int
    """How many items there are."""
    size: int
    """How many items these sets have."""
    least: int
    """The threshold."""

    def by_chance(self, least: Floats, rate: float) -> Floats:
        """Return how many would pass thresholds if nobody held any of the sets."""
        # by logarithms: of thousands of items there are more sets than a float can tell
        return np.asarray(
            np.exp(log(comb(self.items, self.size)) - rate * least) / (1 + exp(-rate))
        )

    def noise(self, rate: float) -> float:
        """Return how many would pass the threshold by chance."""
        return float(self.by_chance(np.array(float(self.least)), rate))

    @property
    def shares(self) -> Floats:
        """Which share of the sets of 1, 2, ... items a set of this size contains."""
        asked = range(1, min(ASKED, self.items) + 1)
        return np.array([comb(self.size, few) / comb(self.items, few) for few in asked])


@dataclass(frozen=True, eq=False)
class _Evidence:
    """What all noisy counts surely tell, less what chance would add."""

    sets: float
    """How many sets occur."""
    supports: Floats
    """How many people hold a set of 1, 2, ... items on average."""
    floor: Floats
    """The same, but not less than a share of the people."""


def plausible(sizes: Sequence[Passed], rate: float) -> list[NDArray[np.bool_]]:
    """Return which counts of each size to publish; ``rate`` is the epsilon of each.

    Of the pairs of a thousand items five pass a threshold of 12 by noise alone. Beside one count
    that stands out they would be most of what is told; beside many people they do no harm.

    >>> few = Passed(np.array([12, 12, 13, 12, 15, 60]), 1000, 2, 12)
    >>> plausible([few], 1.0)[0].tolist()
    [False, False, False, False, False, True]
    >>> many = Passed(np.full(1000, 900), 1000, 1, 6)
    >>> plausible([few, many], 1.0)[0].tolist()
    [True, True, True, True, True, True]
    """
    evidence, noise = _evidence(sizes, rate), np.zeros(1)
    if not evidence.floor.size:  # of no items there is but the empty set
        return [np.ones(len(each.counts), dtype=np.bool_) for each in sizes]
    for each in sizes:
        noise = noise + each.noise(rate) * (each.least + 1 / rate) * each.shares
    drowned = noise / evidence.floor
    if drowned.max() <= BEARABLE:
        return [np.ones(len(each.counts), dtype=np.bool_) for each in sizes]
    return [_worth_telling(each, rate, evidence, len(sizes)) for each in sizes]


def _evidence(sizes: Sequence[Passed], rate: float) -> _Evidence:
    people, sets, supports = FEWEST, 1.0, np.zeros(1)
    for each in sizes:
        chance = _upper_bound(np.array(each.noise(rate)))
        added = chance * (each.least + 1 / rate) + FAR / rate
        mass = max(0.0, float(each.counts.sum() - added))
        people, supports = people + mass, supports + mass * each.shares
        sets += max(0.0, float(len(each.counts) - chance))
    return _Evidence(sets, supports, np.maximum(SANITY * people, supports))


def _worth_telling(
    passed: Passed, rate: float, evidence: _Evidence, sizes: int
) -> NDArray[np.bool_]:
    """Return which counts to publish, by the threshold at which they tell most beyond their noise.

    What is told: the share of all sets that occur, and of the mean supports of small sets. What it
    costs: the people whom noise may add to small sets, relative to their mean supports. Each of
    so many ``sizes`` may be the one at which noise stands out, so that what noise may add counts as
    often.
    """
    if not passed.size or not len(passed.counts):
        return np.ones(len(passed.counts), dtype=np.bool_)
    seen = np.sort(passed.counts)[::-1]
    values, first = np.unique(-seen, return_index=True)
    least, ends = -values.astype(np.float64), np.append(first[1:], len(seen))
    chance = _upper_bound(sizes * passed.by_chance(least, rate))
    added = chance * (least + 1 / rate)
    mass = np.maximum(np.cumsum(seen)[ends - 1] - added, 0)
    share = passed.shares / np.maximum(evidence.supports, np.finfo(np.float64).tiny)
    benefit = np.maximum(ends - chance, 0) / evidence.sets
    benefit += mass * np.where(evidence.supports > 0, share, 0).mean()
    balance = benefit - added * (passed.shares / evidence.floor).mean()
    if balance.max() <= 0:
        return np.zeros(len(passed.counts), dtype=np.bool_)
    return np.asarray(passed.counts >= least[balance.argmax()])


def _upper_bound(chance: Floats) -> Floats:
    """Return how many there hardly are more of where so many are expected."""
    return np.asarray(chance + DEVIATIONS * np.sqrt(chance))
