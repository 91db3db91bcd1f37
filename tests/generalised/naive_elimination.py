"""The eliminations read aloud from the papers: everything is computed again after every step."""

import numpy as np
from numpy.typing import NDArray

Distances = NDArray[np.float64]


def widest(values: list[float]) -> tuple[float, int]:
    """The widest gap of ascending values, the lowest of equals, and how many lie below it."""
    gap, below = 0.0, len(values)
    for place in range(1, len(values)):
        if values[place] - values[place - 1] > gap:
            gap, below = values[place] - values[place - 1], place
    return gap, below


class Attacked:
    """A table under attack; cells are (row, column)."""

    def __init__(self, distances: Distances) -> None:
        self.rows, self.columns = distances.shape
        self.distance = {
            (i, j): float(distances[i, j])
            for i in range(self.rows)
            for j in range(self.columns)
            if np.isfinite(distances[i, j])
        }
        self.live = set(self.distance)
        self.by_row = {cell: 1 / len(self.row(cell[0])) for cell in self.live}
        self.by_column = {cell: 1 / len(self.column(cell[1])) for cell in self.live}

    def row(self, i: int) -> list[tuple[int, int]]:
        return [(i, j) for j in range(self.columns) if (i, j) in self.live]

    def column(self, j: int) -> list[tuple[int, int]]:
        return [(i, j) for i in range(self.rows) if (i, j) in self.live]

    def groups(self) -> list[list[tuple[int, int]]]:
        return [self.row(i) for i in range(self.rows)] + [
            self.column(j) for j in range(self.columns)
        ]

    def weighted(self, cell: tuple[int, int]) -> float:
        left = max(0.0, 1.0 - self.by_row[cell]), max(0.0, 1.0 - self.by_column[cell])
        return self.distance[cell] * left[0] * left[1]

    def vulnerability(self, group: list[tuple[int, int]]) -> float:
        return widest(sorted(map(self.weighted, group)))[0]

    def allowed(self, cell: tuple[int, int]) -> bool:
        return len(self.row(cell[0])) >= 2 and len(self.column(cell[1])) >= 2

    def lower(self, group: list[tuple[int, int]]) -> list[tuple[int, int]]:
        # widest gap 0: nothing is apart from anything
        values = sorted(map(self.weighted, group))
        gap, below = widest(values)
        if gap == 0:
            return group
        return [cell for cell in group if self.weighted(cell) <= values[below - 1]]

    def redistribute(self, cell: tuple[int, int]) -> None:
        tables = (self.row(cell[0]), self.by_row), (self.column(cell[1]), self.by_column)
        lowers = [[other for other in self.lower(group) if other != cell] for group, _ in tables]
        for (group, weight), lower in zip(tables, lowers, strict=True):
            sharers = lower or [other for other in group if other != cell]
            for other in sharers:
                weight[other] += weight[cell] / len(sharers)
        self.live.remove(cell)

    def spread(self, cell: tuple[int, int]) -> None:
        self.live.remove(cell)
        for other in self.row(cell[0]):
            self.by_row[other] = 1 / len(self.row(cell[0]))
        for other in self.column(cell[1]):
            self.by_column[other] = 1 / len(self.column(cell[1]))


Steps = tuple[list[tuple[int, int]], list[float], float, Attacked]


def by_groups(distances: Distances, *, redistribute: bool, most: int | None = None) -> Steps:
    """GBA, or RBA: cells in order, evidence with that of the stop, threshold, the table left.

    ``most`` stops it earlier, to look at the table after so many steps.
    """
    table = Attacked(distances)
    vulnerable = [table.vulnerability(group) for group in table.groups()]
    threshold = 0.0
    for value in vulnerable:
        threshold += value
    threshold /= len(vulnerable)
    gone: list[tuple[int, int]] = []
    evidence: list[float] = []
    while True:
        best, chosen = -1.0, None
        for group in table.groups():
            if len(group) < 2:
                continue
            top = max(group, key=table.weighted)
            if table.allowed(top) and table.vulnerability(group) > best:
                best, chosen = table.vulnerability(group), top
        if chosen is None or best <= threshold or len(gone) == most:
            return gone, [*evidence, max(best, 0.0)], threshold, table
        (table.redistribute if redistribute else table.spread)(chosen)
        gone.append(chosen)
        evidence.append(best)


def by_weights(distances: Distances) -> Steps:
    """WBA: the largest weighted distance of the whole table, as long as it is above the mean."""
    table = Attacked(distances)
    threshold = 0.0
    for cell in sorted(table.live):
        threshold += table.weighted(cell)
    threshold /= max(1, len(table.live))
    gone: list[tuple[int, int]] = []
    evidence: list[float] = []
    while True:
        allowed = [cell for cell in sorted(table.live) if table.allowed(cell)]
        top = max(allowed, key=table.weighted, default=None)
        if top is None or table.weighted(top) <= threshold:
            return gone, [*evidence, 0.0 if top is None else table.weighted(top)], threshold, table
        gone.append(top)
        evidence.append(table.weighted(top))
        table.spread(top)


def by_threshold(distances: Distances) -> list[tuple[int, int]]:
    """TBA: every distance above the mean, the largest first."""
    table = Attacked(distances)
    mean = float(np.array([table.distance[cell] for cell in sorted(table.live)]).mean())
    gone = []
    for cell in sorted(table.live, key=lambda cell: (-table.distance[cell], cell)):
        if table.distance[cell] > mean and table.allowed(cell):
            table.live.remove(cell)
            gone.append(cell)
    return gone
