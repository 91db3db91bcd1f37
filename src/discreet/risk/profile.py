"""What is in sets of people, and how attackable they are as they stand: numbers, never records."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError
from discreet.kernels.maximal import maximal_sets
from discreet.risk.known_items import singled_out
from discreet.risk.reidentification import Population, reidentification
from discreet.risk.threats import threats

__all__ = ["profile", "sets_risk"]

THREAT = "knowing_3"
"""What an adversary knows where the three threats are told in one number each."""


def profile(transactions: Transactions, population: Population | None = None) -> dict[str, Any]:
    """Describe ``transactions``: their size, and what would be given away if they were published.

    ``knowing_1`` ... ``knowing_5`` stand for an adversary who knows so many items of a person,
    ``whole_set`` for one who knows all of them.
    """
    folded, sizes = transactions.folded, transactions.sets.sizes
    return {
        "records": len(transactions),
        "empty_records": int((sizes == 0).sum()),
        "distinct_sets": len(folded),
        "items": len(transactions.universe),
        "length_mean": float(sizes.mean()) if len(sizes) else 0.0,
        "length_median": float(np.median(sizes)) if len(sizes) else 0.0,
        "length_max": int(sizes.max(initial=0)),
        "unique_records_share": _share(folded.counts == 1, len(transactions)),
        **_leaks(folded),
        **sets_risk(folded, population),
    }


def sets_risk(folded: ItemsetHistogram, population: Population | None = None) -> dict[str, Any]:
    """Return every risk of sets of people: by some known items, and by all of them."""
    about = population or Population()
    if about.table is not None:
        msg = "a `population` is counted for tables; for sets give `sampling_fraction`"
        raise ParameterError(msg, parameter="population")
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


def _share(hits: NDArray[np.bool_], whole: int) -> float:
    return int(hits.sum()) / max(1, whole)


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
