"""Whether a class keeps what is asked of it, by counts of its values."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["ClassRules", "Entries", "counted", "keeps"]


class ClassRules(NamedTuple):
    """What is asked of every class; a row for each attribute, or for each level of its distance."""

    values: NDArray[np.int64]
    """The value of each row of the table."""
    overall: NDArray[np.int64]
    """How many people have each value."""
    total: int
    """How many people there are."""
    least: int
    """The least class."""
    diversity: NDArray[np.float64]
    """Kind (0 for none), l, c, and the number of a gap among the values, -1 for none."""
    closeness: NDArray[np.int64]
    """Numerator (-1 for none) and denominator of t, whether the distance is ordered, its steps, and
    whether this is the last level of its attribute."""
    share: NDArray[np.float64]
    """Least and largest share of each value."""


class Entries(NamedTuple):
    """Entries, each of some people with one row of the table."""

    rows: NDArray[np.int64]
    people: NDArray[np.int64]


@kernel
def _diverse(counts: NDArray[np.int64], size: int, rule: NDArray[np.float64]) -> bool:
    """Whether counts of values are diverse: rule is kind (1, 2, 3), l, c and the number of a gap.

    A gap is no value, and a class of gaps alone is not diverse.
    """
    kind, least, c, gap = rule
    if gap >= 0:
        counts = counts.copy()
        size -= counts[int(gap)]
        counts[int(gap)] = 0
    if size == 0:
        return False
    if kind == 1.0:
        distinct = 0
        for count in counts:
            distinct += count > 0
        return bool(distinct >= least)
    if kind == 2.0:
        entropy = 0.0
        for count in counts:
            if count > 0:
                entropy -= count / size * np.log(count / size)
        return bool(entropy >= np.log(least) - 1e-9)
    falling = -np.sort(-counts)
    rare = 0
    for rank in range(int(least) - 1, len(falling)):
        rare += falling[rank]
    # with a margin, so that rounding never lets a class through
    return bool(falling[0] < c * rare * (1 - 1e-12))


@kernel
def _away(
    counts: NDArray[np.int64], size: int, overall: NDArray[np.int64], total: int, ordered: bool
) -> int:
    """Return how far counts are from their share of the table, times size and total."""
    away, carried = 0, 0
    for value in range(len(overall)):
        extra = counts[value] * total - overall[value] * size
        carried += extra
        away += abs(carried) if ordered else abs(extra)
    return away


@kernel
def keeps(counts: NDArray[np.int64], size: int, rules: ClassRules) -> bool:
    """Whether a class with these counts of values, a row for each of the rules, keeps them all."""
    overall, total, diversity = rules.overall, rules.total, rules.diversity
    closeness, share = rules.closeness, rules.share
    if size < rules.least:
        return False
    away = 0
    for row in range(len(counts)):
        if diversity[row, 0] > 0 and not _diverse(counts[row], size, diversity[row]):
            return False
        most, scale, ordered, steps, last = closeness[row]
        if most >= 0:
            away += _away(counts[row], size, overall[row], total, ordered == 1)
            if last == 1:
                if away * scale > most * steps * size * total:
                    return False
                away = 0
        for value in range(len(overall[row])):
            count = counts[row, value]
            if count > share[1, row, value] * size or count < share[0, row, value] * size:
                return False
    return True


@kernel
def counted(members: NDArray[np.int64], entries: Entries, rules: ClassRules) -> NDArray[np.int64]:
    """Count the values of some entries, attribute by attribute."""
    rows, people, values = entries.rows, entries.people, rules.values
    counts = np.zeros_like(rules.overall)
    for attribute in range(len(values)):
        for entry in members:
            counts[attribute, values[attribute, rows[entry]]] += people[entry]
    return counts
