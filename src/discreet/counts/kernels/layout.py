"""How a partitioning run lies in memory: tables with named columns.

Related numbers share one table, for a compiled call pays for every array it hands on, and the
operations of a run are short.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ALPHA",
    "BEGIN",
    "BUDGET",
    "CHAIN_AT",
    "COUNT",
    "CUT",
    "DONE",
    "EMPTIES",
    "END",
    "FAN",
    "FIRST",
    "HEIGHT",
    "HIGH",
    "LIMIT",
    "LOW",
    "MASS",
    "MORE_ROOM",
    "MORE_WORDS",
    "NODES",
    "PAR",
    "PARENT",
    "PUBLISHED",
    "ROWS",
    "SPAN",
    "START",
    "TALL",
    "TOP",
    "VISITED",
    "WIDTH",
    "Records",
    "Rule",
    "Run",
    "Tree",
]

DONE, MORE_WORDS, MORE_ROOM, LIMIT = 0, 1, 2, 3
"""Why a kernel returns."""
TOP, PUBLISHED, VISITED = 0, 1, 2
"""State: partitions on the stack, itemsets published, partitions visited."""
WIDTH, START, END, BUDGET, ALPHA, PAR, PARENT, CUT = 0, 1, 2, 3, 4, 5, 6, 7
"""A partition: nodes in its cut, its slice, budget, share of the next split, Par, the visit that
made it; from ``CUT`` on the nodes."""
COUNT = START
"""A published itemset is a partition with a noisy count instead of a slice, and items as nodes."""
FIRST, FAN, LOW, HIGH, HEIGHT, CHAIN_AT = 0, 1, 2, 3, 4, 5
"""A tree node: first child, number of children, range of items, height, where its chains begin."""
ROWS, BEGIN, MASS, NODES, SPAN, TALL, EMPTIES = 0, 1, 2, 3, 4, 5, 6
"""A set of children: its records, where they begin, their count; nodes, items and height of the
cut it makes. The last column lists the empty ones."""


class Tree(NamedTuple):
    """A taxonomy tree; the children of a node are consecutive."""

    nodes: NDArray[np.int64]
    chains: NDArray[np.int64]


class Rule(NamedTuple):
    """The public parameters of a run: budgets are counted in units of ``s / t``."""

    size: int
    fan_out: int
    s: int
    t: int
    half: int
    c1: float
    c2: float
    printed_par: bool
    printed_empties: bool


class Records(NamedTuple):
    """Sets as offsets and items, their counts, and the order that splitting permutes."""

    offsets: NDArray[np.int64]
    items: NDArray[np.int32]
    counts: NDArray[np.int64]
    order: NDArray[np.int64]


class Run(NamedTuple):
    """All that a kernel works on."""

    tree: Tree
    rule: Rule
    records: Records
    stack: NDArray[np.int64]
    output: NDArray[np.int64]
    trace: NDArray[np.int64]
    state: NDArray[np.int64]
    partition: NDArray[np.int64]
    keys: NDArray[np.int64]
    scratch: NDArray[np.int64]
    words: NDArray[np.uint64]
    pos: NDArray[np.int64]
