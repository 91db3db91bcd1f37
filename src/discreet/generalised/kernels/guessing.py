"""Guessing at the hidden member of a block by how common members are and by their company."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["Evidence", "Rows", "right_guesses"]

SAME = 1e-12
"""Scores that differ by no more are equal."""


class Rows(NamedTuple):
    """A list of numbers for each row, ascending."""

    offsets: NDArray[np.int64]
    items: NDArray[np.int64]


class Evidence(NamedTuple):
    """What speaks for a member; members of one block are numbered side by side."""

    common: NDArray[np.float64]
    """How common each item is."""
    company: Rows
    """The items that go with each item ..."""
    weight: NDArray[np.float64]
    """... and how much they do."""
    points: NDArray[np.float64]
    """Each item as a point; the product of two says how much they go together."""


@kernel
def _right(score: NDArray[np.float64], own: NDArray[np.bool_]) -> float:
    """Return how likely one of the best is a person's own, when it is drawn from them."""
    most = score.max()
    best, mine = 0, 0
    for member in range(len(score)):
        if score[member] >= most - SAME:
            best += 1
            mine += own[member]
    return mine / best


@kernel
def right_guesses(
    cells: tuple[NDArray[np.int64], NDArray[np.int64]],
    starts: NDArray[np.int64],
    plain: Rows,
    truth: Rows,
    known: Evidence,
) -> NDArray[np.float64]:
    """Return how many guesses are right: at random, and by five kinds of evidence.

    A cell is a row and a block, whose members are from ``starts[block]`` on. The evidence is what
    is common, the company of the row's plain items, both, their points, and these with what is
    common.
    """
    right = np.zeros(6)
    widest = 0
    for block in range(len(starts) - 1):
        widest = max(widest, starts[block + 1] - starts[block])
    company, near = np.empty(widest), np.empty(widest)
    own = np.zeros(widest, dtype=np.bool_)
    centre = np.empty(known.points.shape[1])
    for cell in range(len(cells[0])):
        row, first = cells[0][cell], starts[cells[1][cell]]
        width = starts[cells[1][cell] + 1] - first
        company[:width] = 0.0
        centre[:] = 0.0
        for at in range(plain.offsets[row], plain.offsets[row + 1]):
            item = plain.items[at]
            for axis in range(len(centre)):
                centre[axis] += known.points[item, axis]
            begin, end = known.company.offsets[item], known.company.offsets[item + 1]
            position = begin + np.searchsorted(known.company.items[begin:end], first)
            while position < end and known.company.items[position] < first + width:
                company[known.company.items[position] - first] += known.weight[position]
                position += 1
        mine = 0
        for at in range(truth.offsets[row], truth.offsets[row + 1]):
            if first <= truth.items[at] < first + width:
                own[truth.items[at] - first] = True
                mine += 1
        for member in range(width):
            product = 0.0
            for axis in range(len(centre)):
                product += centre[axis] * known.points[first + member, axis]
            near[member] = product
        common = known.common[first : first + width]
        right[0] += mine / width
        right[1] += _right(common, own[:width])
        right[2] += _right(company[:width], own[:width])
        right[3] += _right(common + company[:width], own[:width])
        right[4] += _right(near[:width], own[:width])
        right[5] += _right(common + near[:width], own[:width])
        own[:width] = False
    return right
