"""Small people, clusters and keys for the tests of series."""

from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import strategies as st

from discreet import Transactions
from discreet.core.clusters import Clusters
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey

PRIVATE = ("s", "t", "u")
RECORD = st.lists(st.sampled_from("abcstu"), max_size=4)
PEOPLE = st.lists(RECORD, min_size=4, max_size=14)
SETS = [["a"], ["b"], ["a", "b"], ["c"], ["d"], []]


def people(records: list[list[str]], order: list[int], *, ids: bool = True) -> Transactions:
    names = np.array([f"p{number:02d}" for number in order]) if ids else None
    sets = Itemsets.of([records[number] for number in order])
    return Transactions(sets, names, frozenset(PRIVATE))


@st.composite
def contents(draw: st.DrawFn) -> Clusters:
    clusters = []
    for _ in range(draw(st.integers(1, 3))):
        rows = draw(st.lists(st.sampled_from(SETS), min_size=1, max_size=5))
        held = {term: draw(st.integers(0, len(rows))) for term in "pq"}
        clusters.append((rows, {term: many for term, many in held.items() if many}))
    declared = [draw(st.integers(0, len(rows) - 1)) for rows, _ in clusters]
    return Clusters.of(clusters, counterfeits=declared, rates=dict.fromkeys("pq", Fraction(1, 5)))


def key_of(*records: int) -> LinkageKey:
    """Return the key of rows of these records; a negative one is nobody's."""
    rows = [row for row, record in enumerate(records) if record >= 0]
    return LinkageKey(
        {"rows": pl.DataFrame({"row": rows, "record": [records[row] for row in rows]})}
    )
