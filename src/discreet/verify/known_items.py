"""Which records an original item fits where names of a hierarchy stand for items."""

from collections.abc import Mapping

import numpy as np

from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets

__all__ = ["as_known", "items_by_names"]

MOST = 40_000_000
"""Items in all records together, beyond which it is said that they are too many."""


def items_by_names(
    sets: Itemsets, tree: Hierarchy, secrets: frozenset[str] = frozenset()
) -> dict[frozenset[int], str]:
    """Return an original item for each set of published names that one can have, but no secret.

    An item fits a record that holds its own name or one above it.
    """
    number = {name: index for index, name in enumerate(sets.vocabulary)}
    known: dict[frozenset[int], str] = {}
    for item in (*tree.values, *(name for name in number if name not in tree.numbers)):
        if item in secrets:
            continue
        above = tree.ancestors(item) if item in tree.numbers else ()
        known.setdefault(frozenset(number[name] for name in (item, *above) if name in number), item)
    return known


def as_known(sets: Itemsets, known: Mapping[frozenset[int], str]) -> Itemsets | None:
    """Return the records as sets of the items that fit them; None where these are many.

    ``known`` are the items by the names that each can have.
    """
    asked = sorted(known, key=sorted)
    fits: list[list[int]] = [[] for _ in sets.vocabulary]
    for column, names in enumerate(asked):
        for name in names:
            fits[name].append(column)
    sizes = np.array([len(columns) for columns in fits], dtype=np.int64)
    repeats = sizes[sets.items]
    if repeats.sum() > MOST:
        return None
    flat = np.array([column for columns in fits for column in columns], dtype=np.int64)
    within = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    rows = np.repeat(sets.rows, repeats)
    columns = flat[np.repeat((np.cumsum(sizes) - sizes)[sets.items], repeats) + within]
    codes = np.unique(rows * len(asked) + columns)
    offsets = np.searchsorted(codes, np.arange(len(sets) + 1) * len(asked)).astype(np.int64)
    items = (codes % max(1, len(asked))).astype(np.int32)
    return Itemsets(offsets, items, tuple(known[names] for names in asked))
