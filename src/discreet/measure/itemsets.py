"""How well a release keeps the sets that most people have."""

import numpy as np

from discreet.data.contents import ItemsetHistogram
from discreet.errors import ParameterError

__all__ = ["top_itemsets", "top_k_overlap"]


def top_itemsets(histogram: ItemsetHistogram, k: int) -> list[tuple[str, ...]]:
    """Return the ``k`` sets with the largest counts, fewer where there are not so many.

    A set counts the people who hold exactly it. Equal counts are ordered by size, then by item
    names, so that two histograms break their ties alike.

    >>> top_itemsets(ItemsetHistogram.of({("b",): 2, ("a", "b"): 2, ("a",): 2, (): 5}), 3)
    [(), ('a',), ('b',)]
    """
    if k < 1:
        msg = f"k must be at least 1, got {k}"
        raise ParameterError(msg)
    counts = histogram.counts
    least = np.partition(counts, -k)[-k] if len(counts) > k else 0
    rows = np.flatnonzero(counts >= least)
    ranked = sorted(
        (-int(counts[row]), len(held), held)
        for row in rows.tolist()
        for held in [tuple(sorted(histogram.sets[row]))]
    )
    return [held for _, _, held in ranked[:k]]


def top_k_overlap(original: ItemsetHistogram, release: ItemsetHistogram, k: int) -> float:
    """Return the share of the data's ``k`` most frequent sets among the release's ``k``.

    >>> data = ItemsetHistogram.of({("a",): 5, ("b",): 4, ("c",): 1})
    >>> top_k_overlap(data, ItemsetHistogram.of({("a",): 6, ("c",): 2}), 2)
    0.5
    """
    wanted = set(top_itemsets(original, k))
    if not wanted:
        return 1.0
    return len(wanted.intersection(top_itemsets(release, k))) / len(wanted)
