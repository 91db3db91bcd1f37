"""How few rows of a class share a person's items: quasi-identifiers and a set together."""

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.ragged import runs
from discreet.risk.reidentification import FEW

AT_ONCE = 4_000_000
"""Sets of known items that are listed at once."""
MOST_KNOWN = 2
"""Up to so many known items are tried beside the quasi-identifiers."""

Whole = NDArray[np.int64]


def shares_knowing_items(
    classes: Whole, offsets: Whole, items: Whole
) -> dict[str, dict[str, float]]:
    """Return how many people are alone, or among fewer than five, by their worst 1 or 2 items."""
    fewest, _ = fewest_rows(classes, offsets, items, MOST_KNOWN)
    return {
        f"knowing_{known}_item{'s' if known > 1 else ''}_too": {
            "share_alone": float((fewest[known] == 1).mean()),
            "share_below_5": float((fewest[known] < FEW).mean()),
        }
        for known in range(1, MOST_KNOWN + 1)
    }


def fewest_rows(classes: Whole, offsets: Whole, items: Whole, most: int) -> tuple[Whole, Whole]:
    """Return how few rows of its class share a row's worst 0, 1, ... ``most`` items, and these.

    The items of row ``i``, ascending, are ``items[offsets[i]:offsets[i + 1]]``. The first array has
    a row for each number of items; the second one for each row of the table, -1 where fewer items
    leave as few.
    """
    fewest = np.empty((most + 1, len(classes)), dtype=np.int64)
    fewest[:] = np.bincount(classes)[classes]
    worst = np.full((len(classes), max(1, most)), -1, dtype=np.int64)
    order = np.argsort(classes, kind="stable")
    work = np.cumsum(np.diff(offsets)[order].astype(np.float64) ** max(1, most))
    begin = 0
    for end in (np.flatnonzero(np.diff(classes[order], append=-1)) + 1).tolist():
        done = work[begin - 1] if begin else 0.0
        if work[end - 1] - done < AT_ONCE and end < len(order):
            continue
        _count_sharing(classes, order[begin:end], (offsets, items), fewest, worst)
        begin = end
    return fewest, worst


def _count_sharing(
    classes: Whole, rows: Whole, sets: tuple[Whole, Whole], fewest: Whole, worst: Whole
) -> None:
    """Count who shares items in whole classes; write what is fewest, and by which items."""
    offsets, items = sets
    width = int(items.max(initial=0)) + 1
    row, which = rows, classes[rows]
    at, chosen = offsets[rows] - 1, np.zeros((len(rows), 0), dtype=np.int64)
    for size in range(1, len(fewest)):
        further = offsets[row + 1] - at - 1
        at = runs(at + 1, further)
        row = np.repeat(row, further)
        codes = np.repeat(which, further) * width + items[at]
        chosen = np.column_stack([np.repeat(chosen, further, axis=0), items[at]])
        _, which, counts = np.unique(codes, return_inverse=True, return_counts=True)
        rising = np.lexsort((counts[which], row))
        first = rising[np.flatnonzero(np.diff(row[rising], prepend=-1))]
        better = counts[which[first]] < fewest[size, row[first]]
        improved = row[first][better]
        worst[improved, :size] = chosen[first][better]
        worst[improved, size:] = -1
        fewest[size:, improved] = counts[which[first]][better]
