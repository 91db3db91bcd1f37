"""What a release of itemset counts is still good for."""

from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.counts.frequent_itemsets import length_distance, top_k_frequent, top_k_overlap
from discreet.counts.support_error import support_error
from discreet.counts.workload import Workload, workload_of
from discreet.rng import Rng

__all__ = ["histogram_measures"]


TOP = (10, 100)
"""How many of the most frequent itemsets are compared."""


def histogram_measures(
    original: Transactions,
    release: Release[ItemsetHistogram],
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
    """
    folded, published = original.folded, release.content
    supports = support_error(original, published)
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
