"""Whether every class of a node holds well-represented values of an attribute."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import exact
from discreet.core.guarantees.distributions import LDiversity

ROUNDING = 1e-9
"""Entropies are compared up to the rounding of logarithms."""


def most_diverse(asked: LDiversity, would_do: Callable[[LDiversity], bool]) -> LDiversity | None:
    """Return the largest l below the one asked for that would do; None where there is none.

    Entropies are those of l equally frequent values, to a thousandth.
    """
    step = Fraction(1, 1000) if asked.kind == "entropy" else Fraction(1)
    low, high = 0, ceil((asked.least - 1) / step)
    while high - low > 1:
        middle = (low + high) // 2
        enough = would_do(replace(asked, l=1 + middle * step))
        low, high = (middle, high) if enough else (low, middle)
    most = replace(asked, l=1 + low * step)
    return most if low < high and would_do(most) else None


def diverse(
    classes: NDArray[np.int64],
    sizes: NDArray[np.int64],
    entries: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    asked: tuple[int, LDiversity],
) -> bool:
    """Return whether all classes of at least so many rows are diverse in the sense asked for.

    An entry is a row of ``classes``, a value and how many records have both; gaps are no entries,
    and a class of gaps alone is not diverse.
    """
    rows, values, counts = entries
    least, claim = asked
    large = sizes[classes[rows]] >= least
    count = int(values.max(initial=0)) + 1
    keys, index = np.unique(classes[rows[large]] * count + values[large], return_inverse=True)
    people = np.bincount(index.reshape(-1), weights=counts[large], minlength=len(keys))
    group = keys // count
    if len(np.unique(group)) < int((sizes >= least).sum()):
        return False
    if not len(group):
        return True
    if claim.kind == "distinct":
        distinct = np.bincount(group)
        return bool((distinct[distinct > 0] >= int(claim.least)).all())
    if claim.kind == "entropy":
        share = people / np.bincount(group, weights=people)[group]
        entropy = np.bincount(group, weights=-share * np.log(share))
        met = np.bincount(group) > 0
        return bool((entropy[met] >= log(claim.least) - ROUNDING).all())
    return _recursive(group, people.astype(np.int64), claim)


def _recursive(group: NDArray[np.int64], people: NDArray[np.int64], claim: LDiversity) -> bool:
    """Whether the commonest value is rarer than c times the l-th and rarer ones together."""
    order = np.lexsort((-people, group))
    group, people = group[order], people[order]
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    rank = np.arange(len(group)) - np.repeat(starts, np.diff([*starts, len(group)]))
    rare = np.add.reduceat(np.where(rank >= int(claim.least) - 1, people, 0), starts)
    c = exact("c", claim.c or 0)
    pairs = zip(people[starts].tolist(), rare.tolist(), strict=True)
    return all(commonest < c * rest for commonest, rest in set(pairs))
