"""Eliminating cells of a distance table one by one, each choice made after the last.

A group is a row or a column of the table: rows are numbered first, then columns. Each group keeps
its live cells in the order of their weighted distances. Eliminating a cell lowers cells of its row
and of its column only, and a cell that falls moves within one other group: so a step touches each
group once and no group is sorted again. Tables are long and narrow, so what is known of a cell
lies column by column: a step runs along one column, and jumps only to the neighbours in each row.
"""

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
    many = 0
    for place in range(len(cells)):
        row, column = cells[place] // columns, rows + cells[place] % columns
        if left[row] >= 2 and left[column] >= 2:
            left[row] -= 1
            left[column] -= 1
            gone[many] = cells[place]
            many += 1
    return gone[:many].copy()


@kernel
def _widest(level: NDArray[np.float64], start: int, live: int) -> tuple[float, int]:
    """Return the widest gap of a group, the lowest of equals, and how many cells lie below it."""
    gap, below = 0.0, live
    for place in range(start + 1, start + live):
        step = level[place] - level[place - 1]
        if step > gap:
            gap, below = step, place - start
    return gap, below


@kernel
def _sort(
    order: NDArray[np.int32],
    level: NDArray[np.float64],
    place: NDArray[np.int32],
    span: tuple[int, int],
    cells: tuple[int, int],
) -> None:
    """Put the cells of a group, nearly in order, into the order of their levels.

    ``span`` is where the group starts and how many live; ``cells`` says which cell member ``m``
    is: ``m * cells[0] + cells[1]``.
    """
    start, live = span
    step, shift = cells
    for at in range(live):
        member, value = order[start + at], level[start + at]
        free = at
        while free > 0:
            below = level[start + free - 1]
            if below < value or (below == value and order[start + free - 1] > member):
                break
            order[start + free] = order[start + free - 1]
            level[start + free] = below
            place[order[start + free] * step + shift] = free
            free -= 1
        order[start + free] = member
        level[start + free] = value
        place[member * step + shift] = free


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
    size = len(distances)
    columns = size // rows
    groups = rows + columns
    live = left.copy()
    # row by row, then column by column, in order: how far the members are by weighted distance
    level = np.zeros(2 * size)
    # of each cell, column by column: its places and weights in its row and in its column, and its
    # distance times one less its weight in the row
    in_row = np.zeros(size, dtype=np.int32)
    in_column = np.zeros(size, dtype=np.int32)
    by_row = np.empty(size)
    by_column = np.empty(size)
    scaled = np.empty(size)
    start = np.empty(groups, dtype=np.int64)
    gap = np.zeros(groups)
    exact = np.ones(groups, dtype=np.bool_)
    for group in range(groups):
        start[group] = group * columns if group < rows else size + (group - rows) * rows
    for column in range(columns):
        for row in range(rows):
            cell = column * rows + row
            by_row[cell] = 1.0 / max(1, live[row])
            by_column[cell] = 1.0 / max(1, live[rows + column])
            scaled[cell] = distances[cell] * max(0.0, 1.0 - by_row[cell])
    threshold = 0.0
    for group in range(groups):
        begin, count = start[group], live[group]
        for at in range(count):
            member = order[begin + at]
            cell = member * rows + group if group < rows else (group - rows) * rows + member
            level[begin + at] = scaled[cell] * max(0.0, 1.0 - by_column[cell])
        if group < rows:
            _sort(order, level, in_row, (begin, count), (rows, group))
        else:
            _sort(order, level, in_column, (begin, count), (1, (group - rows) * rows))
        gap[group] = _widest(level, begin, count)[0]
        threshold += gap[group]
    threshold /= groups
    if method == BY_WEIGHT:
        threshold, cells = 0.0, 0
        for row in range(rows):
            cells += live[row]
            gap[row] = level[start[row] + live[row] - 1] if live[row] else 0.0
            for column in range(columns):
                cell = column * rows + row
                threshold += scaled[cell] * max(0.0, 1.0 - by_column[cell])
        threshold /= max(1, cells)
    gone = np.empty(size, dtype=np.int64)
    evidence = np.empty(size + 1)
    # the place of each member that falls, 0 for those that do not
    falls = np.zeros(max(rows, columns), dtype=np.int32)
    many = 0
    while True:
        # the best group that is known exactly, then those that might be better
        best, chosen = -1.0, -1
        for certain in range(2):
            for group in range(rows if method == BY_WEIGHT else groups):
                value = gap[group]
                if value < best or exact[group] != (certain == 0):
                    continue
                if live[group] < 2 or (value == best and group > chosen):
                    continue
                top = order[start[group] + live[group] - 1]
                if live[rows + top if group < rows else top] < 2:
                    continue
                if certain == 1:
                    value = _widest(level, start[group], live[group])[0]
                    gap[group] = value
                    exact[group] = True
                if value > best or (value == best and group < chosen):
                    best, chosen = value, group
        if chosen < 0 or best <= threshold:
            evidence[many] = max(best, 0.0)
            return gone[:many].copy(), evidence[: many + 1].copy(), threshold
        top = order[start[chosen] + live[chosen] - 1]
        row, column = (chosen, top) if chosen < rows else (top, chosen - rows)
        gone[many] = row * columns + column
        evidence[many] = best
        many += 1
        out = column * rows + row
        for side in range(2):
            group = row if side == 0 else rows + column
            begin, count = start[group], live[group]
            at = in_row[out] if side == 0 else in_column[out]
            weight = by_row[out] if side == 0 else by_column[out]
            lower = count
            if method == REDISTRIBUTE:
                lower = _widest(level, begin, count)[1]
            if lower == 1 and at == 0:
                # the cell was the whole lower cluster: everyone else of the group shares
                lower = count
            part = weight / (lower - 1 if at < lower else lower)
            for spot in range(lower):
                falls[order[begin + spot]] = spot + 1
            falls[column if side == 0 else row] = 0
            for other in range(columns if side == 0 else rows):
                if falls[other] == 0:
                    continue
                cell = other * rows + row if side == 0 else column * rows + other
                if side == 0:
                    by_row[cell] = (
                        by_row[cell] + part if method == REDISTRIBUTE else 1.0 / (count - 1)
                    )
                    scaled[cell] = distances[cell] * max(0.0, 1.0 - by_row[cell])
                elif method == REDISTRIBUTE:
                    by_column[cell] += part
                else:
                    by_column[cell] = 1.0 / (count - 1)
                value = scaled[cell] * max(0.0, 1.0 - by_column[cell])
                level[begin + falls[other] - 1] = value
                falls[other] = 0
                # the group that crosses this one, where the cell falls to its new place
                crossing = rows + other if side == 0 else other
                member = row if side == 0 else column
                base = start[crossing]
                was = in_column[cell] if side == 0 else in_row[cell]
                now = was
                while now > 0:
                    below = level[base + now - 1]
                    if below < value or (below == value and order[base + now - 1] > member):
                        break
                    moved = order[base + now - 1]
                    order[base + now] = moved
                    level[base + now] = below
                    if side == 0:
                        in_column[other * rows + moved] = now
                    else:
                        in_row[moved * rows + other] = now
                    now -= 1
                level[base + now] = value
                if now < was:
                    order[base + now] = member
                    if side == 0:
                        in_column[cell] = now
                    else:
                        in_row[cell] = now
                if method == BY_WEIGHT:
                    if side == 1:
                        gap[crossing] = level[base + live[crossing] - 1]
                    continue
                exact[crossing] = False
                last = live[crossing] - 1
                wide = gap[crossing]
                if now > 0:
                    wide = max(wide, value - level[base + now - 1])
                if now < last:
                    wide = max(wide, level[base + now + 1] - value)
                if now < was < last:
                    wide = max(wide, level[base + was + 1] - level[base + was])
                gap[crossing] = wide
            # close the gap that the cell leaves behind
            for spot in range(at + 1, count):
                moved = order[begin + spot]
                order[begin + spot - 1] = moved
                level[begin + spot - 1] = level[begin + spot]
                if side == 0:
                    in_row[moved * rows + row] = spot - 1
                else:
                    in_column[column * rows + moved] = spot - 1
            live[group] = count - 1
        _sort(order, level, in_row, (start[row], live[row]), (rows, row))
        group = rows + column
        _sort(order, level, in_column, (start[group], live[group]), (1, column * rows))
        if method == BY_WEIGHT:
            gap[row] = level[start[row] + live[row] - 1]
        else:
            gap[row] = _widest(level, start[row], live[row])[0]
            gap[group] = _widest(level, start[group], live[group])[0]
            exact[row] = exact[group] = True
