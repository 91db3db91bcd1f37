"""The textbook attack on m-invariance: whoever is in groups of different values has a common one.

A person known by a set that nobody else has is in one group of each release. If the groups show
different values, the person's is among those that both show; where they show none in common, the
value has changed, and nothing follows.
"""

from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters

Whole: TypeAlias = NDArray[np.int64]
Real: TypeAlias = NDArray[np.float64]
NONE = ""
"""The value of people without a private term."""


class Narrowed(NamedTuple):
    """Values that people must have, because only these are in two of their groups."""

    release: Whole
    """The release that a claim is about."""
    sets: Whole
    """The number of the person's set."""
    term: list[str]
    """The private term."""
    prior: Real
    """Its share of the group."""
    posterior: Real
    """One over the number of values that are left."""


def narrowed(contents: list[Clusters], numbers: list[Whole]) -> Narrowed:
    """Compare every pair of releases; ``numbers`` are those of the sets of their rows."""
    groups = [
        _group_of_unique(content, kinds) for content, kinds in zip(contents, numbers, strict=True)
    ]
    shown = [_values(content) for content in contents]
    claims: dict[tuple[int, int, str], tuple[float, float]] = {}
    for pair in combinations(range(len(contents)), 2):
        for person in groups[pair[0]].keys() & groups[pair[1]].keys():
            signs = [shown[release][groups[release][person]] for release in pair]
            common = signs[0] & signs[1]
            if not common or len(common) == min(map(len, signs)):
                continue
            for release in pair:
                group = groups[release][person]
                size = int(contents[release].size[group])
                for term in common - {NONE}:
                    prior = contents[release].copies(group)[term] / size
                    known = claims.get((release, person, term), (prior, 0.0))
                    claims[release, person, term] = prior, max(known[1], 1 / len(common))
    keys = sorted(claims)
    return Narrowed(
        np.array([release for release, _, _ in keys], dtype=np.int64),
        np.array([person for _, person, _ in keys], dtype=np.int64),
        [term for _, _, term in keys],
        np.array([claims[index][0] for index in keys]),
        np.array([claims[index][1] for index in keys]),
    )


def _group_of_unique(content: Clusters, numbers: Whole) -> dict[int, int]:
    """Return the group of every set that only one row has."""
    sets, first, times = np.unique(numbers, return_index=True, return_counts=True)
    alone = times == 1
    return dict(zip(sets[alone].tolist(), content.cluster[first[alone]].tolist(), strict=True))


def _values(content: Clusters) -> list[frozenset[str]]:
    """Return the terms of each group, and no term where there are fewer copies than people."""
    offsets, terms, copies = content.private
    shown = []
    for group in range(content.count):
        here = slice(offsets[group], offsets[group + 1])
        values = {content.terms[term] for term in terms[here].tolist()}
        lacks = copies[here].sum() < content.size[group]
        shown.append(frozenset(values | {NONE} if lacks else values))
    return shown
