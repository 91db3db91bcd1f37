"""Records in which a name of the hierarchy stands beside one above it: an item fits both."""

from dataclasses import replace

import numpy as np

from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.verdict import Verdict

__all__ = ["unless_nested"]


def unless_nested(verdict: Verdict, sets: Itemsets, tree: Hierarchy | None) -> Verdict:
    """Return the verdict on published names, open where it does not hold of the items below them.

    Where no record holds a name beside one above it, an item fits a record by one name only. Then
    those who know items fit the records of several combinations of names, none of them twice, and
    what is at most so sure by every combination is so by all of them. No method publishes others.
    """
    if tree is None or not verdict.holds or not (nested := _nested_names(sets, tree)):
        return verdict
    why = (
        f"{nested:,} items stand in a record beside a name above them, so what follows from the "
        "items below the names was not checked"
    )
    return replace(verdict, holds=None, checked=f"{verdict.checked}; {why}")


def _nested_names(sets: Itemsets, tree: Hierarchy) -> int:
    """Return how many occurrences stand in a record beside a name above them.

    >>> tree = Hierarchy.of_pairs([("a", "X"), ("b", "X")])
    >>> _nested_names(Itemsets.of([["a", "X"], ["a"], ["X"]]), tree)
    1
    """
    number = {name: index for index, name in enumerate(sets.vocabulary)}
    width = len(number)
    occurrences = np.sort(sets.rows * width + sets.items)
    by_item = sets.rows[np.argsort(sets.items, kind="stable")]
    ends = np.cumsum(np.bincount(sets.items, minlength=width))
    nested = 0
    for name, index in number.items():
        above = tree.ancestors(name) if name in tree.numbers else ()
        rows = by_item[ends[index - 1] if index else 0 : ends[index]]
        for wider in (number[each] for each in above if each in number):
            nested += int(np.isin(rows * width + wider, occurrences).sum())
    return nested
