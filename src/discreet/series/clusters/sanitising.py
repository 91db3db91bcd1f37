"""How many copies of a private term each cluster may show, and how many go into the bag, exactly.

With ``c`` copies in a cluster of ``n`` and ``G`` in the bag of a corpus of ``N`` that holds ``S``,
the cluster is safe while ``c + n G / N <= r S n / N``. Every bag of ``G`` allows each cluster so
many copies; the smallest bag that holds what the clusters may not show is found at once, and what
then fits again is moved back.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

_WIDE = 1 << 62


@dataclass(frozen=True, eq=False)
class Room:
    """What the clusters of a corpus may show of one term."""

    size: NDArray[np.int64]
    """Members of each cluster."""
    copies: int
    """Copies in the corpus."""
    factor: Fraction
    """How many times the population rate a cluster may reach."""
    rounded: bool = False
    """Whether it must be safe also when its share of the bag is rounded to whole copies."""

    def at(self, bag: int) -> NDArray[np.int64]:
        """Return how many copies each cluster may show when the bag holds ``bag``.

        >>> Room(np.array([2, 2, 2]), copies=1, factor=Fraction(2)).at(0).tolist()
        [0, 0, 0]
        """
        people = int(self.size.sum())
        over = self.factor.numerator * self.copies - self.factor.denominator * bag
        under = self.factor.denominator * people
        size = self.size if abs(over) * people < _WIDE else self.size.astype(object)
        allowed: NDArray[np.int64] = np.clip(size * over // under, 0, self.size).astype(np.int64)
        if not self.rounded:
            return allowed
        share = rounded_shares(self.size, bag)
        allowed = np.clip(size * (self.factor.numerator * self.copies) // under - share, 0, allowed)
        return allowed.astype(np.int64)


def rounded_shares(people: NDArray[np.int64], bag: int) -> NDArray[np.int64]:
    """Return how many of the copies in the bag fall to each cluster, by its people.

    Half a copy counts as one.

    >>> rounded_shares(np.array([1, 3, 0]), bag=2).tolist()
    [1, 2, 0]
    """
    everyone = max(int(people.sum()), 1)
    shares: NDArray[np.int64] = (2 * people * bag + everyone) // (2 * everyone)
    return shares


def sanitised(copies: NDArray[np.int64], room: Room) -> tuple[NDArray[np.int64], int]:
    """Return what each cluster keeps of the copies it holds, and the smallest safe bag.

    A larger bag leaves less room, so a bag must hold at least what exceeds the room of any
    smaller one: going on from there, the first that fits is the smallest.

    >>> copies, room = np.array([2, 0, 0]), Room(np.array([2, 2, 2]), 2, Fraction(2))
    >>> retained, bag = sanitised(copies, room)
    >>> retained.tolist(), bag
    ([1, 0, 0], 1)
    """
    bag = 0
    while True:
        retained = np.minimum(copies, room.at(bag))
        beyond = room.copies - int(retained.sum())
        if beyond <= bag:
            return retained, bag
        bag = beyond


def refined(
    retained: NDArray[np.int64],
    bag: int,
    room: Room,
    order: NDArray[np.int64],
    most: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.int64], int]:
    """Move copies from the bag to clusters, the emptiest first, until none fits.

    A copy fits where the cluster is safe after the move, and has no more than ``most``. ``order``
    decides between equals.
    """
    retained = retained.copy()
    while bag > 0:
        allowed = room.at(bag - 1)
        free = (allowed if most is None else np.minimum(allowed, most)) - retained
        moved = allotted(free, retained, room.size, bag, order)
        if not moved.any():
            break
        retained += moved
        bag -= int(moved.sum())
    return retained, bag


def allotted(
    free: NDArray[np.int64],
    retained: NDArray[np.int64],
    size: NDArray[np.int64],
    copies: int,
    order: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return which clusters take one of ``copies`` each, the emptiest first.

    >>> allotted(np.array([2, 2]), np.array([1, 0]), np.array([2, 2]), 2, np.arange(2)).tolist()
    [1, 1]
    """
    moved = np.zeros(len(free), dtype=np.int64)
    clusters = order[free[order] > 0]
    if len(clusters) > copies:
        clusters = clusters[np.argsort(retained[clusters] / size[clusters], kind="stable")][:copies]
    moved[clusters] = 1
    return moved
