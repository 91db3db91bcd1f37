"""What a release of itemset counts is still good for."""

import numpy as np

from discreet.chance import Rng, seeded
from discreet.data.contents import ItemsetHistogram
from discreet.data.release import Release
from discreet.data.transactions import Transactions
from discreet.measure.items import support_error
from discreet.measure.itemsets import top_k_overlap
from discreet.measure.queries import SANITY, answers, paper_workload, relative_error

__all__ = ["histogram_measures"]


def histogram_measures(
    original: Transactions, release: Release[ItemsetHistogram], rng: Rng | None = None
) -> dict[str, float | int]:
    """Compare a release with the data behind it.

    ``rng`` draws the counting queries; without it they are the same in every run. A query error is
    the mean relative error of the group, 0 where the group is empty.
    """
    folded, published = original.folded, release.content
    supports = support_error(original, published)
    queries = paper_workload(folded, rng or seeded(0))
    sanity = SANITY * max(1, len(original))
    existing, random = (
        relative_error(answers(folded, asked), answers(published, asked), sanity)
        for asked in (queries.existing, queries.random)
    )
    return {
        "itemsets": len(published),
        "total_count": published.total,
        "records": len(original),
        "support_error_mean": supports.mean,
        "support_error_max": supports.largest,
        "top_10_overlap": top_k_overlap(folded, published, 10),
        "top_100_overlap": top_k_overlap(folded, published, 100),
        "query_error_existing": float(existing.mean()) if len(existing) else 0.0,
        "query_error_random": float(random.mean()) if len(random) else 0.0,
        "query_error": float(np.concatenate([existing, random]).mean()) if len(queries) else 0.0,
    }
