"""A cluster with one of its terms, and what overlaps tell about it: what kernels pass around."""

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

Whole = NDArray[np.int64]
Real = NDArray[np.float64]


class Members(NamedTuple):
    """Clusters by their distinct sets."""

    size: Whole
    """Of each cluster the number of its people."""
    offsets: Whole
    """Where its sets begin."""
    counts: Whole
    """How many of its people have each set."""
    weights: Whole
    """For how many sets each stands."""


class Slots(NamedTuple):
    """Clusters with one of their terms."""

    owner: Whole
    """Of each slot its cluster."""
    copies: Whole
    """How many of its people hold the term."""
    asked: Whole
    """The slots to judge."""


class OverlapRanges(NamedTuple):
    """What overlaps tell about the slots to judge."""

    offsets: Whole
    """Where the ranges of each slot begin."""
    pattern: Whole
    """The members that a range is about."""
    low: Whole
    high: Whole
    times: Whole
    """How many overlaps say so."""


class Patterns(NamedTuple):
    """Members of a cluster: positions of its sets, and how many people of each."""

    offsets: Whole
    positions: Whole
    counts: Whole


class Slot(NamedTuple):
    """The slot that is judged."""

    first: int
    """Where the sets of its cluster begin."""
    sets: int
    size: int
    copies: int
    prior: float


class SlotRanges(NamedTuple):
    """What is said about a slot; each range is about a group of members."""

    group: Whole
    low: Whole
    high: Whole
    times: Whole
    """How often it counts."""


class SlotGroups(NamedTuple):
    """The groups of members that the ranges of a slot are about."""

    inside: Whole
    """By group and set, how many people with the set are in the group."""
    people: Whole


@kernel
def log_choose(table: Real, n: int, k: int) -> float:
    """Return the logarithm of n over k, of nothing where there is no such choice."""
    if k < 0 or k > n:
        return -inf
    return float(table[n] - table[k] - table[n - k])
