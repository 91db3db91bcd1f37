"""A cluster and those clusters of other releases that share members with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from discreet.series.republishing.posterior import Cell, Cover, Range, s_range


@dataclass(frozen=True, eq=False)
class Meeting:
    """A cluster, its members by the overlaps they lie in, and the clusters on the other side."""

    size: int
    """Its transactions, counterfeits among them."""
    cells: tuple[Cell, ...]
    """Its records by the overlaps they lie in; who is left of ``size`` lies in none."""
    other_sizes: Sequence[int]
    """For each overlap the size of the other cluster."""

    @cached_property
    def shared(self) -> list[int]:
        """For each overlap how many members lie in it."""
        return [
            sum(size for cell, size in self.cells if number in cell)
            for number in range(len(self.other_sizes))
        ]

    @cached_property
    def same(self) -> list[int]:
        """For each overlap the first one that has the same members."""
        inside = [
            tuple(number in cell for cell, _ in self.cells)
            for number in range(len(self.other_sizes))
        ]
        return [inside.index(members) for members in inside]

    def evidence(
        self, copies: int, other_copies: Sequence[int], extra: int = 0
    ) -> tuple[Cover, list[list[int]]]:
        """Return what the overlaps tell of a term, and for each of its ranges which of them do.

        ``copies`` are those of this cluster, ``other_copies`` those of the others, ``extra``
        further counterfeits in this one. Of overlaps with the same members whose ranges exclude
        each other the last one stands.
        """
        ranges: dict[int, Range] = {}
        telling: dict[int, list[int]] = {}
        for number, shared in enumerate(self.shared):
            own = s_range(self.size + extra, copies, shared)
            other = s_range(self.other_sizes[number], other_copies[number], shared)
            both = max(own[0], other[0]), min(own[1], other[1])
            if both == own or both[0] > both[1]:
                continue
            first = self.same[number]
            known = ranges.get(first, both)
            narrow = max(both[0], known[0]), min(both[1], known[1])
            ranges[first] = narrow if narrow[0] <= narrow[1] else both
            telling.setdefault(first, []).append(number)
        cover = Cover(copies, self._seen(tuple(ranges), extra), tuple(ranges.values()))
        return cover, list(telling.values())

    def _seen(self, overlaps: tuple[int, ...], extra: int) -> tuple[Cell, ...]:
        """Return the cells by some of the overlaps; counterfeits are in none."""
        cells: dict[frozenset[int], int] = {}
        for within, size in self.cells:
            seen = frozenset(i for i, number in enumerate(overlaps) if number in within)
            cells[seen] = cells.get(seen, 0) + size
        fakes = self.size + extra - sum(size for _, size in self.cells)
        if fakes:
            cells[frozenset()] = cells.get(frozenset(), 0) + fakes
        return tuple(sorted(cells.items(), key=lambda cell: sorted(cell[0])))
