"""Eliminating cells of a distance table one by one, each choice made after the last.

A group is a row or a column of the table: rows are numbered first, then columns. Each group keeps
its live cells in the order of their weighted distances. Eliminating a cell lowers cells of its row
and of its column only, and a cell that falls moves within one other group: so a step touches each
group once and no group is sorted again. Tables are long and narrow, so what is known of a cell
lies column by column: a step runs along one column, and jumps only to the neighbours in each row.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["BY_GAP", "BY_WEIGHT", "REDISTRIBUTE", "attacked", "swept"]

BY_WEIGHT, BY_GAP, REDISTRIBUTE = range(3)
"""Take the largest weighted distance; the top of the widest gap; and that with weights moved to
the lower cluster."""


@kernel
def swept(
    cells: NDArray[np.int64], left: NDArray[np.int64], rows: int, columns: int
) -> NDArray[np.int64]:
    """Eliminate these cells in this order, as long as row and column keep another; return which.

    ``left`` holds the live cells of each row and then of each column, and is lowered.
    """
    gone = np.empty(len(cells), dtype=np.int64)
    eliminated = 0
    for cell in cells:
        row, column = cell // columns, rows + cell % columns
        if left[row] >= 2 and left[column] >= 2:
            left[row] -= 1
            left[column] -= 1
            gone[eliminated] = cell
            eliminated += 1
    return gone[:eliminated].copy()


class _Axis(NamedTuple):
    """The rows of a table, or its columns: a direction in which cells form groups.

    Member ``m`` of group ``g`` is the cell ``m * step + g * stride``, column by column.
    """

    first: int
    """The number of the first group among all groups."""
    members: int
    """How many cells a group has."""
    step: int
    stride: int
    weight: int
    """Where among the three numbers of a cell its weight in these groups stands."""
    side: int
    """Where the positions of the cells in these groups begin, and the groups themselves."""


class _Table(NamedTuple):
    """The live cells of a table by their weighted distances, its levels.

    Functions read the fields they loop over into names first: a field that is read within a loop
    is counted as one more owner of its array, each time. What is called several times a step takes
    the arrays it needs and not the table, for an owner is counted for every array of that too.
    """

    cells: NDArray[np.float64]
    """Of each cell its distance, its weight in its row and its weight in its column."""
    position: NDArray[np.int32]
    """Of each cell its position in the order of its row, then of each cell that in its column."""
    live: NDArray[np.int64]
    """How many cells of each group are live."""
    order: NDArray[np.int32]
    """The members of each group, the live ones first, ascending by level."""
    level: NDArray[np.float64]
    """Their levels."""
    gap: NDArray[np.float64]
    """What speaks for each group, its widest gap or its highest level; it may be too high."""
    exact: NDArray[np.bool_]
    """Whether it is not too high."""
    method: int


@kernel
def _axes(rows: int, columns: int) -> tuple[_Axis, _Axis]:
    """Return the two directions of a table."""
    along_row = _Axis(0, columns, rows, 1, 1, 0)
    along_column = _Axis(rows, rows, 1, rows, 2, rows * columns)
    return along_row, along_column


@kernel
def _weighted(
    distances: NDArray[np.float64],
    order: NDArray[np.int32],
    left: NDArray[np.int64],
    rows: int,
    method: int,
) -> _Table:
    """Return a table whose cells weigh alike within each group, not yet in order."""
    size = len(distances)
    columns = size // rows
    groups = rows + columns
    cells = np.empty(3 * size)
    for column in range(columns):
        for row in range(rows):
            cell = column * rows + row
            cells[3 * cell] = distances[cell]
            cells[3 * cell + 1] = 1.0 / max(1, left[row])
            cells[3 * cell + 2] = 1.0 / max(1, left[rows + column])
    position, level, gap = np.zeros(2 * size, dtype=np.int32), np.zeros(2 * size), np.zeros(groups)
    exact = np.ones(groups, dtype=np.bool_)
    live = left.copy()
    return _Table(cells, position, live, order, level, gap, exact, method)


@kernel
def _level(distance: float, by_row: float, by_column: float) -> float:
    """Return the distance of a cell weighted in its row and in its column."""
    # a weight above one is rounding; two calls of max would keep this one from being inlined
    in_row, in_column = 1.0 - by_row, 1.0 - by_column
    if in_row < 0.0 or in_column < 0.0:
        return 0.0
    return distance * in_row * in_column


@kernel
def _widest(level: NDArray[np.float64], start: int, live: int) -> tuple[float, int]:
    """Return the widest gap of a group, the lowest of equals, and how many cells lie below it."""
    gap, below = 0.0, live
    for at in range(start + 1, start + live):
        step = level[at] - level[at - 1]
        if step > gap:
            gap, below = step, at - start
    return gap, below


@kernel
def _sort(
    order: NDArray[np.int32],
    level: NDArray[np.float64],
    position: NDArray[np.int32],
    live: int,
    axis: _Axis,
    index: int,
) -> None:
    """Put a group, nearly in order, into the order of its levels."""
    start, step = axis.side + index * axis.members, axis.step
    shift = axis.side + index * axis.stride
    highest = -np.inf  # of those before
    for at in range(live):
        member, value = order[start + at], level[start + at]
        if value > highest:
            highest = value
            position[member * step + shift] = at
            continue
        free = at
        while free > 0:
            below = level[start + free - 1]
            if below < value or (below == value and order[start + free - 1] > member):
                break
            order[start + free] = order[start + free - 1]
            level[start + free] = below
            position[order[start + free] * step + shift] = free
            free -= 1
        if free < at:
            order[start + free] = member
            level[start + free] = value
        position[member * step + shift] = free


@kernel
def _evidence(level: NDArray[np.float64], start: int, live: int, method: int) -> float:
    """Return what speaks for a group that is in order; by weight only rows are chosen."""
    if method != BY_WEIGHT:
        return _widest(level, start, live)[0]
    return level[start + live - 1] if live > 0 else 0.0


@kernel
def _rank(table: _Table, axis: _Axis) -> None:
    """Bring each group of an axis into the order of its levels."""
    cells, order, level = table.cells, table.order, table.level
    position, live, gap, size = table.position, table.live, table.gap, len(order) // 2
    for index in range(size // axis.members):
        group, start = axis.first + index, axis.side + index * axis.members
        for at in range(start, start + live[group]):
            cell = order[at] * axis.step + index * axis.stride
            level[at] = _level(cells[3 * cell], cells[3 * cell + 1], cells[3 * cell + 2])
        _sort(order, level, position, live[group], axis, index)
        gap[group] = _evidence(level, start, live[group], table.method)


@kernel
def _average(table: _Table, rows: int) -> float:
    """Return the average of the widest gaps, or by weight of the levels of live cells."""
    cells = table.cells
    total, size = 0.0, len(table.order) // 2
    if table.method != BY_WEIGHT:
        for gap in table.gap:
            total += gap
        return total / len(table.gap)
    for row in range(rows):
        for cell in range(row, size, rows):
            total += _level(cells[3 * cell], cells[3 * cell + 1], cells[3 * cell + 2])
    return total / max(1, int(table.live[:rows].sum()))


@kernel
def _best(table: _Table, rows: int) -> tuple[float, int]:
    """Return the most that speaks for a group, and the first such group; -1 where none can go.

    Groups known exactly come first: of the others only those that might be better are looked at.
    """
    live, order, level, gap, exact = table.live, table.order, table.level, table.gap, table.exact
    size = len(level) // 2
    columns = size // rows
    most, best = -1.0, -1
    for known in (True, False):
        for group in range(rows if table.method == BY_WEIGHT else len(live)):
            if gap[group] < most or exact[group] != known or live[group] < 2:
                continue
            if gap[group] == most and group > best:
                continue
            start = group * columns if group < rows else size + (group - rows) * rows
            top = order[start + live[group] - 1]
            if live[rows + top if group < rows else top] < 2:
                continue
            if not known:
                gap[group] = _widest(level, start, live[group])[0]
                exact[group] = True
            if gap[group] > most or (gap[group] == most and group < best):
                most, best = gap[group], group
    return most, best


@kernel
def _lower(level: NDArray[np.float64], start: int, live: int, at: int, method: int) -> int:
    """Return how many members of a group, from its lowest on, fall when the one at ``at`` goes.

    They are the lower cluster where weights are moved to it; the whole group where the member that
    goes was the whole of that, and with the other methods. Who goes does not fall.
    """
    lower = live
    if method == REDISTRIBUTE:
        lower = _widest(level, start, live)[1]
    return live if lower == 1 and at == 0 else lower


@kernel
def _fall(
    table: _Table, along: _Axis, across: _Axis, index: int, falling: tuple[int, int, float]
) -> None:
    """Weigh the lower members of a group anew, and lower them in the groups that cross it.

    ``falling`` is how many there are, the position of the one that goes and does not fall, and
    what the others gain. Afterwards the group has new levels that are not yet in order.
    """
    cells, position = table.cells, table.position
    live, order, level, gap, exact = table.live, table.order, table.level, table.gap, table.exact
    begin, method = along.side + index * along.members, table.method
    lower, goes, share = falling
    weight = share
    for fallen in range(lower):
        if fallen == goes:
            continue
        crossing = order[begin + fallen]
        cell, group = crossing * along.step + index * along.stride, across.first + crossing
        if method == REDISTRIBUTE:
            weight = cells[3 * cell + along.weight] + share
        cells[3 * cell + along.weight] = weight
        value = _level(cells[3 * cell], cells[3 * cell + 1], cells[3 * cell + 2])
        level[begin + fallen] = value
        start, last = across.side + crossing * across.members, live[group] - 1
        was = position[across.side + cell]
        now, shift = was, across.side + crossing * across.stride
        while now > 0:
            below = level[start + now - 1]
            if below < value or (below == value and order[start + now - 1] > index):
                break
            order[start + now] = order[start + now - 1]
            level[start + now] = below
            position[order[start + now] * across.step + shift] = now
            now -= 1
        level[start + now] = value
        if now < was:
            order[start + now] = index
            position[across.side + cell] = now
        if method == BY_WEIGHT:
            gap[group] = level[start + last]
            continue
        # only the gaps beside where it was and where it is now can be wider than before
        wide = gap[group]
        if now > 0:
            wide = max(wide, value - level[start + now - 1])
        if now < last:
            wide = max(wide, level[start + now + 1] - value)
        if now < was < last:
            wide = max(wide, level[start + was + 1] - level[start + was])
        gap[group] = wide
        exact[group] = False


@kernel
def _take_out(table: _Table, along: _Axis, across: _Axis, index: int, out: int) -> None:
    """Take a member out of a group: what falls moves within the groups that cross this one."""
    group, gone = along.first + index, out * along.step + index * along.stride
    order, level, position = table.order, table.level, table.position
    start, at = along.side + index * along.members, position[along.side + gone]
    live = table.live[group]
    lower = _lower(level, start, live, at, table.method)
    share = 1.0 / (live - 1)
    if table.method == REDISTRIBUTE:
        share = table.cells[3 * gone + along.weight] / (lower - 1 if at < lower else lower)
    _fall(table, along, across, index, (lower, at, share))
    for above in range(start + at + 1, start + live):
        order[above - 1] = order[above]
        level[above - 1] = level[above]
    table.live[group] = live - 1
    _sort(order, level, position, live - 1, along, index)
    table.gap[group] = _evidence(level, start, live - 1, table.method)
    table.exact[group] = True


@kernel
def attacked(
    distances: NDArray[np.float64],
    order: NDArray[np.int32],
    left: NDArray[np.int64],
    rows: int,
    method: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64], float]:
    """Eliminate until no choice is above the first average; return cells, evidence, threshold.

    ``distances`` is the table column by column. ``order`` lists for each row its columns, and then
    for each column its rows, with the live ones first, ascending by distance, the larger number
    first among equals. ``left`` counts the live cells of each group. A cell is ``row * columns +
    column``. The last number of the evidence is that of the choice that was not made, 0 where none
    was left.
    """
    columns = len(distances) // rows
    table = _weighted(distances, order, left, rows, method)
    along_row, along_column = _axes(rows, columns)
    _rank(table, along_row)
    _rank(table, along_column)
    threshold = _average(table, rows)
    gone = np.empty(len(distances), dtype=np.int64)
    evidence = np.empty(len(distances) + 1)
    eliminated = 0
    most, best = _best(table, rows)
    while best >= 0 and most > threshold:
        start = best * columns if best < rows else len(distances) + (best - rows) * rows
        top = order[start + table.live[best] - 1]
        row, column = (best, top) if best < rows else (top, best - rows)
        gone[eliminated] = row * columns + column
        evidence[eliminated] = most
        eliminated += 1
        _take_out(table, along_row, along_column, row, column)
        _take_out(table, along_column, along_row, column, row)
        most, best = _best(table, rows)
    evidence[eliminated] = max(most, 0.0)
    return gone[:eliminated].copy(), evidence[: eliminated + 1].copy(), threshold
