"""Items lifted in a hierarchy until sets of them are held by enough people, compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.generalised.kernels.blocks import (
    MOST_ITEMS,
    Blocks,
    Needs,
    Rows,
    Work,
    failing,
    relist,
    violation,
)

__all__ = ["Cut", "lift"]


class Cut(NamedTuple):
    """A hierarchy over items in the order of its leaves, and what stands for each item in it."""

    parent: NDArray[np.int64]
    """The node above each node; -1 above the root."""
    low: NDArray[np.int64]
    """A node stands for the items from ``low`` on ..."""
    high: NDArray[np.int64]
    """... and before ``high``."""
    leaves: NDArray[np.int64]
    """How many values of the hierarchy each node stands for, whether they occur or not."""
    node: NDArray[np.int64]
    """What stands for each item; changed in place."""


@kernel
def _price(rows: Rows, cut: Cut, upper: int) -> int:
    """Return how much is lost when all items below ``upper`` are lifted to it.

    An occurrence of an item loses as many values as its stand-in has more than it had before; a
    value that stands for itself loses nothing.
    """
    price = 0
    for item in range(cut.low[upper], cut.high[upper]):
        now = cut.leaves[cut.node[item]]
        before = now if now > 1 else 0
        support = 0
        for posting in range(rows.starts[item], rows.starts[item + 1]):
            support += rows.counts[rows.holders[posting]]
        price += support * (cut.leaves[upper] - before)
    return price


@kernel
def lift(
    rows: Rows,
    blocks: Blocks,
    needs: Needs,
    cut: Cut,
    order: NDArray[np.int64],
    work: Work,
) -> None:
    """Lift items until every constraint is met, always where it costs least.

    There must be enough people with any item at all, for at the root everything is one block.
    """
    chosen = np.empty(MOST_ITEMS + 1, dtype=np.int64)
    for constraint in order:
        people, mask = violation(rows, blocks, needs, constraint, work)
        while people > 0:
            count = failing(mask, work, chosen)
            best, least = -1, 0
            for at in range(count):
                upper = cut.parent[cut.node[chosen[at]]]
                if upper >= 0:
                    price = _price(rows, cut, upper)
                    if best < 0 or price < least:
                        best, least = upper, price
            members = np.arange(cut.low[best], cut.high[best])
            relist(rows, blocks, members, np.zeros(len(members), dtype=np.int64), work)
            for item in members:
                cut.node[item] = best
            people, mask = violation(rows, blocks, needs, constraint, work)
