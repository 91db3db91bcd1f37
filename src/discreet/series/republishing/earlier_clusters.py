"""Whether what a new release tells of the clusters of earlier ones stays within their bounds.

As printed, a new cluster must tell nothing of an earlier one at all. The promise is less: no
posterior above its bound. Where that holds, exactly and given all releases, nothing need be added.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.series.evidence.overlaps import Overlaps, counted_within, times_of
from discreet.series.republishing.meeting import Meeting
from discreet.series.republishing.past import Past
from discreet.series.republishing.posterior import Cell, cells_of

Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
ClusterKey: TypeAlias = tuple[int, int]
"""A release, the new one being the last, and a cluster of it."""


@dataclass(frozen=True, eq=False)
class EarlierClusters:
    """The clusters of earlier releases beside each other and beside those of the new one."""

    past: Sequence[Past]
    kind: Ints
    """The number of each new record's set in the series."""
    cluster: Ints
    """The new cluster of each."""
    factor: Fraction
    """How many times its rate a posterior may reach."""

    def above(self, over: Overlaps, term: str, size: Ints, copies: Ints) -> Flags:
        """Return of which overlaps the earlier cluster may be told too much.

        ``size`` and ``copies`` are people and copies of the term in every new cluster.
        """
        width = int(over.old.max(initial=0)) + 1
        names, index = np.unique(over.release * width + over.old, return_inverse=True)
        above = [
            not self._within(divmod(name, width), term, size, copies) for name in names.tolist()
        ]
        return np.array(above, dtype=np.bool_)[index]

    def _within(self, key: ClusterKey, term: str, size: Ints, new_copies: Ints) -> bool:
        """Whether the posteriors of an earlier cluster are within their bound."""
        release, cluster = key
        past = self.past[release]
        if not past.copies(term)[cluster]:
            return True
        cells, others = self._meetings(key)
        sizes = [self._size(other, size) for other in others]
        copies = [self._copies(other, term, new_copies) for other in others]
        before, within = self._answered.get((key, term), (None, False))
        if before != (sizes, copies):
            meeting = Meeting(int(past.content.size[cluster]), cells, sizes)
            within = _within_bound(
                meeting, int(past.copies(term)[cluster]), copies, self.factor * past.rates[term]
            )
            self._answered[key, term] = (sizes, copies), within
        return within

    @cached_property
    def _answered(self) -> dict[tuple[ClusterKey, str], tuple[tuple[list[int], list[int]], bool]]:
        """What was found of a cluster and a term last: most of it is asked again unchanged."""
        return {}

    def _size(self, key: ClusterKey, size: Ints) -> int:
        release, cluster = key
        sizes = size if release == len(self.past) else self.past[release].content.size
        return int(sizes[cluster])

    def _copies(self, key: ClusterKey, term: str, new_copies: Ints) -> int:
        release, cluster = key
        copies = new_copies if release == len(self.past) else self.past[release].copies(term)
        return int(copies[cluster])

    @cached_property
    def _known(self) -> dict[ClusterKey, tuple[tuple[Cell, ...], list[ClusterKey]]]:
        return {}

    def _meetings(self, key: ClusterKey) -> tuple[tuple[Cell, ...], list[ClusterKey]]:
        """Return the members of an earlier cluster by whom they meet, and these clusters."""
        if key not in self._known:
            release, cluster = key
            kinds = self.past[release].kinds[cluster]
            others = sorted(
                {
                    (number, home)
                    for number, homes in enumerate(self._homes)
                    if number != release
                    for kind in kinds
                    for home in homes.get(kind, ())
                }
            )
            columns = [
                [self._homes[number].get(kind, {}).get(home, 0) for number, home in others]
                for kind in kinds
            ]
            cells = cells_of(zip(kinds.values(), columns, strict=True), len(others))
            self._known[key] = cells, others
        return self._known[key]

    @cached_property
    def _homes(self) -> list[dict[int, dict[int, int]]]:
        """For each release and set the clusters that hold it, and how often."""
        rows = [*((past.kind, past.content.cluster) for past in self.past)]
        return [counted_within(*columns) for columns in (*rows, (self.kind, self.cluster))]


def _within_bound(meeting: Meeting, copies: int, other_copies: list[int], bound: Fraction) -> bool:
    """Whether nothing that others tell of a cluster raises a posterior above the bound."""
    if bound >= 1:
        return True
    cover, telling = meeting.evidence(copies, other_copies)
    return not telling or cover.within([bound] * len(cover.cells)) is True


def whole_cells(kinds: Sequence[Ints], own: int) -> tuple[Cell, ...]:
    """Return the rows of one corpus by the other corpora that hold their sets.

    ``kinds`` are the numbers of the sets of each corpus; the others are counted without this one.

    >>> whole_cells([np.array([0, 0, 1]), np.array([0, 2])], 0)
    ((frozenset(), 2), (frozenset({0}), 1))
    """
    times = times_of(kinds)
    present = times[own] > 0
    shapes, sets = np.unique(
        np.column_stack([times[own], *np.delete(times, own, axis=0)])[present],
        axis=0,
        return_counts=True,
    )
    cells: dict[frozenset[int], int] = {}
    for (mine, *others), n_sets in zip(shapes.tolist(), sets.tolist(), strict=True):
        for inside, size in cells_of([(mine, others)], len(others)):
            cells[inside] = cells.get(inside, 0) + size * n_sets
    return tuple(sorted(cells.items(), key=lambda cell: sorted(cell[0])))
