"""Universes of hundreds of items: what each method tells of items, of pairs and of triples.

On the paper's workload, and on all pairs and triples that at least twenty people hold.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.advice import error_of
from benchmarks.results import Results, data_at_hand
from discreet import Transactions, rng
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.counts import DiffPart, ItemSupports, SparseHistogram
from discreet.measure import SANITY, answers, relative_error

EPSILONS = ("0.25", "1")
HOLDERS = 20
"""People who hold a pair or a triple that is asked for."""
LONGEST = {2: 60, 3: 25}
"""Longer records are left out where sets of that size are looked for, for the sake of time."""
SEEDS = 3


def frequent(data: Transactions) -> Itemsets:
    """Return the pairs and triples that at least so many people hold."""
    holders: Counter[tuple[str, ...]] = Counter()
    for itemset, people in data.folded.as_dict().items():
        for size, longest in LONGEST.items():
            if len(itemset) <= longest:
                holders.update(dict.fromkeys(combinations(itemset, size), people))
    return Itemsets.of([itemset for itemset, people in holders.items() if people >= HOLDERS])


def methods(epsilon: str, universe: tuple[str, ...]) -> dict[str, Any]:
    """Return what is compared, by name."""
    shared: dict[str, Any] = {"epsilon": epsilon, "universe": universe}
    return {
        "item-supports": ItemSupports(**shared),
        "item-supports --pairs 0.5": ItemSupports(**shared, pairs="0.5"),
        "item-supports --pairs 0.8": ItemSupports(**shared, pairs="0.8"),
        "sparse-histogram --max-size 2": SparseHistogram(**shared, max_size=2),
        "sparse-histogram --max-size 3": SparseHistogram(**shared, max_size=3),
        "diff-part --max-size 3": DiffPart(**shared, max_size=3),
    }


def main(results: Results, names: Sequence[str] = ("bms1", "bms2")) -> None:
    """Measure the loss of each method on each data set at each epsilon."""
    if not data_at_hand():
        return
    for name in names:
        data = Transactions.read(f"dataset:{name}")
        queries = frequent(data).over(data.universe)
        true, floor, error = answers(data.folded, queries), SANITY * len(data), error_of(data)

        def losses(published: ItemsetHistogram) -> list[float]:
            measured = relative_error(true, answers(published, queries), floor)  # noqa: B023
            by_size = [measured[queries.sizes == size].mean() for size in LONGEST]  # noqa: B023
            return [error(published), *by_size]  # noqa: B023

        nothing = losses(ItemsetHistogram.of({}, universe=data.universe))[1]
        for epsilon in EPSILONS:
            for label, method in methods(epsilon, data.universe).items():
                runs = [
                    losses(method.publish(data, rng.seeded(seed)).release.content)
                    for seed in range(SEEDS)
                ]
                paper, pairs, triples = np.mean(runs, axis=0)
                results.add(
                    f"{label}, {name}, epsilon {epsilon}, pairs",
                    f"{pairs:.3f}",
                    "publishing nothing",
                    pairs / nothing,
                    f"paper's queries {paper:.3f}, triples {triples:.3f}",
                )


if __name__ == "__main__":
    main(Results(), sys.argv[1:] or ("bms1", "bms2"))
