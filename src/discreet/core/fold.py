"""Equal sets to one set with a count, in an order that only their content decides."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.kernels.folding import distinct_sets, lexicographic

if TYPE_CHECKING:
    from discreet.core.transactions import Transactions


def fold(sets: Itemsets, counts: NDArray[np.int64] | None = None) -> ItemsetHistogram:
    """Return the distinct sets with their counts, ascending by the item numbers of each set.

    Where sets have ``counts`` already, those of equal sets are added up. The order of items is
    public, so nothing here depends on the order in which records came.

    >>> fold(Itemsets.of([["b"], ["a", "b"], ["b"]])).as_dict()
    {('a', 'b'): 1, ('b',): 2}
    """
    universe = len(sets.vocabulary)
    offsets, items, sums = distinct_sets(sets.offsets, sets.items, universe, counts)
    return ItemsetHistogram(Itemsets(offsets, items, sets.vocabulary), sums)


def canonical_order(data: "Transactions") -> NDArray[np.int64]:
    """Return the records' numbers by their sets, as ``fold`` sorts them, and equal sets by id.

    A method that goes through records, not through folded sets, goes through them in this order;
    what it then draws does not depend on the order of the input.

    >>> from discreet.core.transactions import Transactions
    >>> canonical_order(Transactions.of([["b"], ["a", "b"], ["b"], ["a"]])).tolist()
    [3, 1, 0, 2]
    """
    sets = data.sets
    by_id = None if data.ids is None else np.argsort(data.ids, kind="stable")
    order = lexicographic(sets.offsets, sets.items, len(sets.vocabulary), by_id)
    return order if by_id is None else by_id[order]
