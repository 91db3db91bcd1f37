"""Merging classes of people with sets: where that loses less, or until sets lose little enough."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.tables.classes.extents import Floats, Reach, Whole
from discreet.tables.classes.with_sets import SetClasses

Bounding: TypeAlias = Literal["rmerge", "tmerge", "rtmerge"]
"""By what a class chooses the class it is merged with."""

TRIED = 4
"""Partners whose sets are recoded to see; they seem best by how many people hold each item."""
MOST_CELLS = 50_000_000
"""Classes times items that are counted; beyond, partners are looked for by columns alone."""


@dataclass(eq=False)
class _Merging:
    """The classes as they are by now; one that was merged into another is no longer alive."""

    set_classes: SetClasses
    members: list[Whole]
    reaches: list[Reach]
    counts: NDArray[np.int32] | None
    """How many people of each class hold each item: a row for each item."""
    in_columns: Floats
    in_sets: Floats
    sizes: Floats
    alive: NDArray[np.bool_]

    @classmethod
    def of(cls, set_classes: SetClasses, classes: Whole) -> "_Merging":
        members = set_classes.members(classes)
        count = len(members)
        reaches = [column.of(classes, count) for column in set_classes.columns]
        sizes = np.bincount(classes, set_classes.cut.counts).astype(np.float64)
        width = len(set_classes.sets.vocabulary)
        return cls(
            set_classes,
            members,
            reaches,
            set_classes.item_counts(classes, count) if count * width <= MOST_CELLS else None,
            set_classes.lost_in_columns(reaches) * sizes,
            np.array([set_classes.lost_in_sets(each) for each in members]),
            sizes,
            np.ones(count, dtype=np.bool_),
        )

    def added(self, seed: int) -> Floats:
        """Return what columns would lose more if the class were merged with each other one."""
        both = [reach.with_(reach.of(np.array([seed]))) for reach in self.reaches]
        union = self.set_classes.lost_in_columns(both) * (self.sizes + self.sizes[seed])
        return np.asarray(union - self.in_columns - self.in_columns[seed])

    def won(self, seed: int) -> Floats:
        """Return the occurrences of items that only both classes together have often enough."""
        if self.counts is None:
            return np.zeros(len(self.sizes))
        items = np.flatnonzero(self.counts[:, seed])
        others, own, k = self.counts[items], self.counts[items, seed][:, None], self.set_classes.k
        rare = np.where(own < k, own, 0) + np.where(others < k, others, 0)
        return np.asarray(np.where(own + others >= k, rare, 0).sum(axis=0) * self.set_classes.scale)

    def change(self, seed: int, partner: int) -> float:
        """Return what sets would lose more by a merge; mostly that is less than nothing."""
        both = np.concatenate([self.members[seed], self.members[partner]])
        return self.set_classes.lost_in_sets(both) - float(
            self.in_sets[seed] + self.in_sets[partner]
        )

    def merge(self, seed: int, partner: int, added: float, change: float) -> None:
        """Merge one class into the other."""
        self.members[seed] = np.concatenate([self.members[seed], self.members[partner]])
        for reach in self.reaches:
            reach.put(seed, reach.of(seed).with_(reach.of(partner)))
        if self.counts is not None:
            self.counts[:, seed] += self.counts[:, partner]
        self.in_columns[seed] += self.in_columns[partner] + added
        self.in_sets[seed] += self.in_sets[partner] + change
        self.sizes[seed] += self.sizes[partner]
        self.alive[partner] = False


def merged_classes(
    set_classes: SetClasses, classes: Whole, bounding: Bounding, bound: float | None
) -> Whole:
    """Return the class of each row after merging.

    The class whose sets lose most takes a partner of the same part: the one by which columns lose
    least, or sets, or both. Without a ``bound`` a merge is made where columns and sets together
    lose less; with one, until the sets lose no larger share of all.
    """
    state = _Merging.of(set_classes, classes)
    parts = np.array([set_classes.cut.parts[rows[0]] for rows in state.members])
    most = -1.0 if bound is None else bound * set_classes.people
    open_ = state.in_sets > 0
    while open_.any() and state.in_sets[state.alive].sum() > most:
        seed = int(np.argmax(np.where(open_, state.in_sets / state.sizes, -1.0)))
        fits = state.alive & (parts == parts[seed])
        fits[seed] = False
        added = state.added(seed)
        partner, change = _partner(state, seed, np.flatnonzero(fits), added, bounding)
        if partner < 0 or (bound is None and change + added[partner] >= 0):
            open_[seed] = False
            continue
        state.merge(seed, partner, float(added[partner]), change)
        open_[partner] = False
        open_[seed] = state.in_sets[seed] > 0
    numbers = np.zeros(len(classes), dtype=np.int64)
    for number, index in enumerate(np.flatnonzero(state.alive).tolist()):
        numbers[state.members[index]] = number
    return numbers


def _partner(
    state: _Merging, seed: int, others: Whole, added: Floats, bounding: Bounding
) -> tuple[int, float]:
    """Return the class to merge with, -1 for none, and what sets would lose more."""
    if not len(others):
        return -1, 0.0
    columns = np.zeros(len(added)) if bounding == "tmerge" else added
    seems = columns if bounding == "rmerge" else columns - state.won(seed)
    limit = 1 if bounding == "rmerge" else TRIED
    tried = others[np.argsort(seems[others], kind="stable")[:limit]].tolist()
    changes = [state.change(seed, each) for each in tried]
    best = min(range(len(tried)), key=lambda index: changes[index] + columns[tried[index]])
    return tried[best], changes[best]
