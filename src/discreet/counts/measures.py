"""What a release of itemset counts is still good for."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Release
from discreet.core.synthetic_people import PublishedCounts, counts_in
from discreet.core.transactions import Transactions
from discreet.counts.queries.frequent_itemsets import length_distance, top_k_frequent, top_k_overlap
from discreet.counts.queries.workload import Workload, workload_of
from discreet.rng import Rng

TOP = (10, 100)
"""How many of the most frequent itemsets are compared."""


def histogram_measures(
    original: Transactions,
    release: Release[PublishedCounts],
    rng: Rng | None = None,
    workload: Workload | None = None,
) -> dict[str, float | int]:
    """Compare a release with the data behind it.

    ``top_k_overlap`` compares sets by the people who hold exactly them; ``top_k_precision`` and
    ``top_k_recall`` compare itemsets of up to three items by all who hold them. ``length_distance``
    is the total variation between how large sets are. A query error is the mean relative error of
    the group, 0 where the group is empty, between the ends of its 95 % interval over the queries.

    The queries are those of ``workload``, or drawn by ``rng``; without both they are the same in
    every run, and their true answers are found once for ``original``.

    Parameters
    ----------
    original
        The original data.
    release
        The release.
    rng
        Where the workload's randomness comes from; None: the same in every run.
    workload
        Queries that are answered already; None: the paper's for these data.

    Returns
    -------
    dict of str to float
        Each number by its name.
    """
    folded, published = original.folded, counts_in(release.content)
    supports = support_error(folded, published)
    numbers: dict[str, float | int] = {
        "itemsets": len(published),
        "total_count": published.total,
        "records": len(original),
        "support_error_mean": supports.mean,
        "support_error_max": supports.largest,
        "length_distance": length_distance(folded, published),
    }
    for k in TOP:
        frequent = top_k_frequent(folded, published, k)
        numbers[f"top_{k}_overlap"] = top_k_overlap(folded, published, k)
        numbers[f"top_{k}_precision"] = frequent.precision
        numbers[f"top_{k}_recall"] = frequent.recall
    errors = (workload or workload_of(original, rng)).errors(published)
    for group, error in errors.items():
        name = "query_error" if group == "all" else f"query_error_{group}"
        numbers |= {name: error.mean, f"{name}_low": error.low, f"{name}_high": error.high}
    return numbers


class SupportError(NamedTuple):
    """Absolute errors of item supports, as shares of all people."""

    mean: float
    """Over the items of the data and of the release."""
    largest: float
    """Of the worst item."""


def support_error(
    original: Transactions | ItemsetHistogram, release: ItemsetHistogram
) -> SupportError:
    """Compare for each item how many people hold it in the data and in the release.

    Parameters
    ----------
    original
        The original data.
    release
        The release.

    Returns
    -------
    SupportError
        The mean and the largest error, in people and in shares.

    Examples
    --------
    >>> data = Transactions.of([["a", "b"], ["a"], [], []])
    >>> support_error(data, ItemsetHistogram.of({("a",): 2, ("c",): 1}))
    SupportError(mean=0.16666666666666666, largest=0.25)
    """
    items = dict.fromkeys((*original.sets.vocabulary, *release.sets.vocabulary))
    number = {item: index for index, item in enumerate(items)}
    true, published = (_supports(data, number) for data in (original, release))
    people = len(original) if isinstance(original, Transactions) else original.total
    errors = np.abs(true - published) / max(1, people)
    return SupportError(
        mean=float(errors.mean()) if len(errors) else 0.0,
        largest=float(errors.max(initial=0.0)),
    )


def _supports(data: Transactions | ItemsetHistogram, number: dict[str, int]) -> NDArray[np.int64]:
    """Return the supports in the order of ``number``, 0 for an item that is not there."""
    supports = np.zeros(len(number), dtype=np.int64)
    supports[[number[item] for item in data.sets.vocabulary]] = data.supports
    return supports
