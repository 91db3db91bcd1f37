"""Local recoding: similar sets go together, and each such run is recoded in its own way.

Any m items fit nobody or at least k people of every single run, hence of all of them together.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram, list_column, sets_of_column
from discreet.core.transactions import Transactions
from discreet.generalised.recoding.plan import Recoding
from discreet.kernels.ragged import runs
from discreet.lazy import pl

RUNS = (1, 2, 4, 8, 16)
"""Numbers of runs that are tried."""
COMPARED = 12
"""Items by which sets are put in order."""

Decide = Callable[[ItemsetHistogram], tuple[Recoding, tuple[float, float]]]
"""Returns a plan that is the same for all sets, and what it loses, which adds up over runs."""


def by_runs(folded: ItemsetHistogram, tree: Hierarchy, decide: Decide) -> Recoding:
    """Return the best of several plans, each of which cuts the sets into runs of similar ones."""
    ordered = folded.take(gray_order(folded))
    plans = [[(run, *decide(run)) for run in _runs(ordered, count)] for count in RUNS]
    best = min(plans, key=lambda pieces: tuple(np.sum([lost for _, _, lost in pieces], axis=0)))
    if len(best) == 1:
        return best[0][1]
    shown = [plan.lifted(Transactions(run.sets)) for run, plan, _ in best]
    return _joined(ordered, shown, tree)


def gray_order(folded: ItemsetHistogram) -> NDArray[np.int64]:
    """Return the order of the sets by the Gray code of their bitmaps, common items first.

    A set with items at the places p < q < r < ... is the number whose bits are 1 from p to q, 0
    from q to r, and so on: an odd place that comes earlier makes it larger, an even one smaller.

    >>> sets = ItemsetHistogram.of({("a",): 9, ("a", "b"): 8, ("b",): 7, (): 1})
    >>> [sets.sets[index] for index in gray_order(sets)]
    [(), ('b',), ('a', 'b'), ('a',)]
    """
    sets, width = folded.sets, len(folded.sets.vocabulary)
    rank = np.empty(width, dtype=np.int64)
    rank[np.argsort(-folded.supports, kind="stable")] = np.arange(width)
    rows = sets.rows
    ranks = rank[sets.items]
    order = np.lexsort((ranks, rows))
    within = runs(0, sets.sizes)
    keys = np.full((COMPARED, len(sets)), width, dtype=np.int64)
    first = within < COMPARED
    keys[within[first], rows[first]] = ranks[order][first]
    keys[::2] *= -1
    return np.lexsort(keys[::-1])


def _runs(ordered: ItemsetHistogram, count: int) -> Iterator[ItemsetHistogram]:
    """Yield about equally many people at a time."""
    people = np.cumsum(ordered.counts)
    marks = people[-1] * np.arange(1, count) // count if len(people) else np.zeros(0, dtype=int)
    cuts = [0, *np.searchsorted(people, marks, side="right").tolist(), len(ordered)]
    for begin, end in pairwise(cuts):
        yield ordered.take(np.arange(begin, end))


def _joined(ordered: ItemsetHistogram, shown: Sequence[Transactions], tree: Hierarchy) -> Recoding:
    """Return the plan that lists what every set becomes."""
    left = sets_of_column(pl.concat([list_column(run.sets) for run in shown]))
    used = [item for item, n in zip(ordered.sets.vocabulary, ordered.supports, strict=True) if n]
    names = sorted({*left.vocabulary, *used})
    number = {name: index for index, name in enumerate(names)}
    label = np.array([number.get(item, -1) for item in ordered.sets.vocabulary], dtype=np.int64)
    return Recoding(
        ordered.sets.vocabulary,
        label,
        tuple((name,) for name in names),
        tree,
        ordered.sets.over(names),
        left.over(names),
        closed=True,
    )
