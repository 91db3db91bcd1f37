"""What knowing one attribute tells about another, counted in one pass over the rows."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["surer"]


@kernel
def surer(
    groups: NDArray[np.int64],
    group_sizes: NDArray[np.int64],
    classes: NDArray[np.int64],
    class_sizes: NDArray[np.int64],
    values: NDArray[np.int64],
    n_values: int,
    lack: int,
    least: float,
) -> tuple[int, NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return how often the likeliest value of each group is right, and the groups that tell more.

    These have a value that is at least as sure as ``least``, and surer than in the class of the
    group; the value ``lack`` also counts only where the class left it open. Of each group returned
    are the first row with the value, how sure it is, the rows of the group, and whether it is
    ``lack``. Of equally likely values the one that comes last in the table is taken.
    """
    counts = np.zeros(len(group_sizes) * n_values, dtype=np.int64)
    first = np.zeros(len(counts), dtype=np.int64)
    in_class = np.zeros(len(class_sizes) * n_values, dtype=np.int64)
    for row in range(len(values)):
        slot = groups[row] * n_values + values[row]
        if counts[slot] == 0:
            first[slot] = row
        counts[slot] += 1
        in_class[classes[row] * n_values + values[row]] += 1
    told, right = 0, 0
    rows = np.empty(len(group_sizes), dtype=np.int64)
    sure = np.empty(len(group_sizes), dtype=np.float64)
    people = np.empty(len(group_sizes), dtype=np.int64)
    lacks = np.empty(len(group_sizes), dtype=np.bool_)
    for group in range(len(group_sizes)):
        best = group * n_values
        for slot in range(best + 1, best + n_values):
            more = counts[slot] > counts[best]
            if more or (counts[slot] == counts[best] and first[slot] > first[best]):
                best = slot
        value, row = best - group * n_values, first[best]
        right += counts[best]
        share = counts[best] / group_sizes[group]
        home = classes[row]
        before = in_class[home * n_values + value] / class_sizes[home]
        if share >= least and share > before and (value != lack or before < least):
            rows[told], sure[told] = row, share
            people[told], lacks[told] = group_sizes[group], value == lack
            told += 1
    return right, rows[:told], sure[:told], people[:told], lacks[:told]
