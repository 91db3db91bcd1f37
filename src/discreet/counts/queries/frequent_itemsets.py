"""How well a release keeps the sets that most people have, and how large sets are."""

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import at_least_one
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.measure.queries import answers


class TopK(NamedTuple):
    """The most frequent itemsets of a release against those of the data."""

    precision: float
    """The share of the release's that are the data's too; 0 where the release has none."""
    recall: float
    """The share of the data's that are the release's too."""


def top_itemsets(histogram: ItemsetHistogram, k: int) -> list[tuple[str, ...]]:
    """Return the ``k`` sets with the largest counts, fewer where there are not so many.

    A set counts the people who hold exactly it. Equal counts are ordered by size, then by item
    names, so that two histograms break their ties alike.

    Parameters
    ----------
    histogram
        Distinct sets with their counts.
    k
        How many sets.

    Returns
    -------
    list of tuple
        The sets, the largest count first.

    Examples
    --------
    >>> top_itemsets(ItemsetHistogram.of({("b",): 2, ("a", "b"): 2, ("a",): 2, (): 5}), 3)
    [(), ('a',), ('b',)]
    """
    at_least_one(k=k)
    counts = histogram.counts
    least = np.partition(counts, -k)[-k] if len(counts) > k else 0
    rows = np.flatnonzero(counts >= least)
    ranked = sorted(
        (-int(counts[row]), len(itemset), itemset)
        for row in rows.tolist()
        for itemset in [tuple(sorted(histogram.sets[row]))]
    )
    return [itemset for _, _, itemset in ranked[:k]]


def top_k_overlap(original: ItemsetHistogram, release: ItemsetHistogram, k: int) -> float:
    """Return the share of the data's ``k`` most frequent sets among the release's ``k``.

    Parameters
    ----------
    original
        The original data.
    release
        The release.
    k
        How many sets.

    Returns
    -------
    float
        1 where all are the same.

    Examples
    --------
    >>> data = ItemsetHistogram.of({("a",): 5, ("b",): 4, ("c",): 1})
    >>> top_k_overlap(data, ItemsetHistogram.of({("a",): 6, ("c",): 2}), 2)
    0.5
    """
    wanted = set(top_itemsets(original, k))
    if not wanted:
        return 1.0
    return len(wanted.intersection(top_itemsets(release, k))) / len(wanted)


def frequent_itemsets(
    histogram: ItemsetHistogram, k: int, *, max_size: int = 3
) -> dict[tuple[str, ...], int]:
    """Return the ``k`` itemsets of at most ``max_size`` items that most people hold, by support.

    Whoever holds a set holds its parts: supports count by containment. Equal supports are ordered
    by size, then by item names. So a larger set enters only with more support than the k-th found
    so far, its parts have as much, and fewer than ``k`` of each size have to be combined.

    Parameters
    ----------
    histogram
        Distinct sets with their counts.
    k
        How many itemsets.
    max_size
        Most items of one.

    Returns
    -------
    dict of tuple to int
        Itemsets with how many hold each, most first.

    Examples
    --------
    >>> frequent_itemsets(ItemsetHistogram.of({("a", "b"): 5, ("a",): 1, ("c",): 2}), 3)
    {('a',): 6, ('b',): 5, ('a', 'b'): 5}
    """
    at_least_one(k=k, max_size=max_size)
    supports = histogram.supports.tolist()
    singles = zip(histogram.sets.vocabulary, supports, strict=True)
    best = _best({(item,): people for item, people in singles}, k)
    last = best
    for size in range(2, max_size + 1):
        least = min(best.values()) if len(best) == k else 0
        frequent = sorted(itemset for itemset, people in last.items() if people > least)
        candidates = _joined(frequent, size)
        counts = answers(histogram, Itemsets.of(candidates)).tolist()
        last = _best(dict(zip(candidates, counts, strict=True)), k)
        best = _best(best | last, k)
    return best


def _best(supports: dict[tuple[str, ...], int], k: int) -> dict[tuple[str, ...], int]:
    """Keep the ``k`` first of those that anybody holds."""
    ranked = sorted((-count, len(items), items) for items, count in supports.items() if count > 0)
    return {items: -count for count, _, items in ranked[:k]}


def _joined(smaller: Iterable[tuple[str, ...]], size: int) -> list[tuple[str, ...]]:
    """Return the sets of this size whose every part of one item less is among ``smaller``."""
    known = set(smaller)
    beginnings: dict[tuple[str, ...], list[str]] = {}
    for subset in sorted(known):
        beginnings.setdefault(subset[:-1], []).append(subset[-1])
    return [
        (*beginning, *pair)
        for beginning, ends in beginnings.items()
        for pair in combinations(ends, 2)
        if all(subset in known for subset in combinations((*beginning, *pair), size - 1))
    ]


def top_k_frequent(
    original: ItemsetHistogram, release: ItemsetHistogram, k: int, *, max_size: int = 3
) -> TopK:
    """Compare the ``k`` most frequent itemsets of the data with those of the release.

    The two shares differ only where one side has fewer than ``k`` itemsets.

    Parameters
    ----------
    original
        The original data.
    release
        The release.
    k
        How many itemsets.
    max_size
        Most items of one.

    Returns
    -------
    TopK
        Precision and recall.

    Examples
    --------
    >>> data = ItemsetHistogram.of({("a", "b"): 5, ("c",): 2})
    >>> top_k_frequent(data, ItemsetHistogram.of({("a",): 6}), 3)
    TopK(precision=1.0, recall=0.3333333333333333)
    """
    wanted, shown = (frequent_itemsets(data, k, max_size=max_size) for data in (original, release))
    shared = len(wanted.keys() & shown.keys())
    return TopK(
        precision=shared / len(shown) if shown else float(not wanted),
        recall=shared / len(wanted) if wanted else 1.0,
    )


def length_distance(original: ItemsetHistogram, release: ItemsetHistogram) -> float:
    """Return the total variation distance between how large sets are in data and release.

    It is the share of people who would have to be given a set of another size, from 0 to 1; 1
    where one side has nobody and the other has somebody.

    Parameters
    ----------
    original
        The original data.
    release
        The release.

    Returns
    -------
    float
        0 where sets are as long as in the data, 1 at most.

    Examples
    --------
    >>> data = ItemsetHistogram.of({("a", "b"): 5, ("c",): 5})
    >>> length_distance(data, ItemsetHistogram.of({("a", "b"): 6, ("c",): 2}))
    0.25
    """
    most = max(int(each.sets.sizes.max(initial=0)) for each in (original, release))
    if not original.total or not release.total:
        return float(original.total != release.total)
    true, published = (_lengths(each, most) for each in (original, release))
    return float(np.abs(true - published).sum() / 2)


def _lengths(histogram: ItemsetHistogram, most: int) -> NDArray[np.float64]:
    """Return the share of people with a set of each size up to ``most``."""
    people = np.zeros(most + 1, dtype=np.int64)
    np.add.at(people, histogram.sets.sizes, histogram.counts)
    return np.asarray(people / histogram.total)
