"""What is in the data, and how attackable they are as they stand: numbers, never records."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.kernels.maximal import maximal_sets
from discreet.measure.queries import answers, shared_items
from discreet.rng import Rng, seeded

__all__ = ["profile"]

SAMPLE = 10_000
"""People looked at to see how many others fit what is known of them."""
FEW = 5


def profile(transactions: Transactions) -> dict[str, Any]:
    """Describe ``transactions``: their size, and what would be given away if they were published.

    ``knowing_2`` and ``knowing_3`` stand for an adversary who knows so many items of a person: of
    10,000 people drawn among those with enough items, and a random choice of their items, how many
    fit nobody else, how many fit fewer than five people, and for how many a further item follows
    with certainty. Drawn with a fixed seed: the same data have the same profile.
    """
    folded, sizes = transactions.folded, transactions.sets.sizes
    rng = seeded(0)
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
        "knowing_2": _singled_out(transactions.sets, folded, 2, rng),
        "knowing_3": _singled_out(transactions.sets, folded, 3, rng),
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


def _singled_out(
    sets: Itemsets, folded: ItemsetHistogram, known: int, rng: Rng
) -> dict[str, int | float]:
    """Say how many people fit ``known`` random items of a random person."""
    able = np.flatnonzero(sets.sizes >= known)
    people = able[rng.integers(len(able), SAMPLE)] if len(able) else able
    asked = _random_subsets(sets, people, known, rng)
    fitting = answers(folded, asked)
    return {
        "people": len(able),
        "share_alone": _share(fitting == 1, len(people)),
        "share_below_5": _share(fitting < FEW, len(people)),
        "median_fitting": float(np.median(fitting)) if len(people) else 0.0,
        "share_further_item_certain": _share(shared_items(folded, asked) > 0, len(people)),
    }


def _random_subsets(sets: Itemsets, people: NDArray[np.int64], size: int, rng: Rng) -> Itemsets:
    """Choose ``size`` items of each person's set, every choice equally likely.

    Only the chosen items are touched, however long the sets are.
    """
    chosen: list[NDArray[np.int64]] = []
    for taken in range(size):
        left = (sets.sizes[people] - taken).astype(np.uint64)
        place = (rng.words(len(people)) % left).astype(np.int64)
        # the place among the items not chosen yet becomes a place among all of them
        for before in np.sort(np.array(chosen).reshape(taken, len(people)), axis=0):
            place += place >= before
        chosen.append(place)
    places = np.sort(np.array(chosen).reshape(size, len(people)), axis=0)
    items = sets.items[(sets.offsets[people] + places).T.ravel()]
    return Itemsets(np.arange(len(people) + 1, dtype=np.int64) * size, items, sets.vocabulary)
