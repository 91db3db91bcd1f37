"""What is in sets of people, and how attackable they are as they stand: numbers, never records."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.statistics import SetsElsewhere
from discreet.core.transactions import Transactions
from discreet.kernels.maximal import maximal_sets
from discreet.risk.known_items import singled_out
from discreet.risk.reidentification import Population, population_by_share, reidentification
from discreet.risk.threats import threats

THREAT = "knowing_3"
"""What an adversary knows where the three threats are told in one number each."""


def profile(
    transactions: Transactions | SetsElsewhere, population: Population | None = None
) -> dict[str, Any]:
    """Describe ``transactions``: their size, and what would be given away if they were published.

    ``knowing_1`` ... ``knowing_5`` stand for an adversary who knows so many items of a person,
    ``whole_set`` for one who knows all of them.

    Parameters
    ----------
    transactions
        People with their sets.
    population
        What is known of the population that the people are from.

    Returns
    -------
    dict of str to object
        Sizes and risks by name.
    """
    folded = transactions.folded
    sizes, people = folded.sets.sizes, folded.total
    return {
        "records": people,
        "empty_records": int(folded.counts[sizes == 0].sum()),
        "distinct_sets": len(folded),
        "items": len(transactions.universe),
        "length_mean": int((sizes * folded.counts).sum()) / max(1, people),
        "length_median": _median(sizes, folded.counts),
        "length_max": int(sizes.max(initial=0)),
        "unique_records_share": int((folded.counts == 1).sum()) / max(1, people),
        **_leaks(folded),
        **sets_risk(folded, population),
    }


def sets_risk(folded: ItemsetHistogram, population: Population | None = None) -> dict[str, Any]:
    """Return every risk of sets of people: by some known items, and by all of them.

    Parameters
    ----------
    folded
        The distinct sets with their counts.
    population
        What is known of the population that the people are from.

    Returns
    -------
    dict of str to object
        The risks by name.
    """
    about = population_by_share(population, "sets")
    known = singled_out(folded)
    three = known[THREAT]
    certain = three["share_further_item_certain"]
    return {
        **known,
        "whole_set": reidentification(folded.counts[folded.counts > 0], about),
        "wp29": threats(three["share_alone"], three["mean_risk"], certain)
        if three["people"]
        else threats(None, None, None),
    }


def _median(values: NDArray[np.int64], counts: NDArray[np.int64]) -> float:
    """Return the median of values that occur so often; 0 where there are none.

    >>> (
    ...     _median(np.array([5, 1, 3]), np.array([1, 1, 2])),
    ...     _median(np.array([4, 1]), np.ones(2, int)),
    ... )
    (3.0, 2.5)
    """
    order = np.argsort(values, kind="stable")
    after = np.cumsum(counts[order])
    if not len(after):
        return 0.0
    middle = np.array([(after[-1] - 1) // 2, after[-1] // 2])
    return float(values[order][np.searchsorted(after, middle, side="right")].mean())


def _leaks(folded: ItemsetHistogram) -> dict[str, int]:
    """Count what the attribute-linkage attack would find in the bare sets."""
    sets = folded.sets
    maximal, missing = maximal_sets(sets.offsets, sets.items, len(sets.vocabulary))
    rows = np.searchsorted(sets.offsets, np.flatnonzero(missing), side="right") - 1
    return {
        "maximal_sets": int(maximal.sum()),
        "missing_boundaries": int(missing.sum()),
        "people_with_missing_boundary": int(folded.counts[np.unique(rows)].sum()),
    }
