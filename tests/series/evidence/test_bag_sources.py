"""Where copies in the global bag cannot come from: clusters that could have kept one more."""

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.core.clusters import Clusters
from discreet.series.evidence.bag_sources import bag_sources

SETS = [["a"], ["b"], ["a", "b"], ["c"], ["d"], []]


@st.composite
def contents(draw: st.DrawFn) -> Clusters:
    clusters = []
    for _ in range(draw(st.integers(1, 3))):
        rows = draw(st.lists(st.sampled_from(SETS), min_size=1, max_size=5))
        held = {term: draw(st.integers(0, len(rows))) for term in "pq"}
        clusters.append((rows, {term: many for term, many in held.items() if many}))
    declared = [draw(st.integers(0, len(rows) - 1)) for rows, _ in clusters]
    return Clusters.of(clusters, counterfeits=declared, rates=dict.fromkeys("pq", Fraction(1, 5)))


@given(contents(), st.integers(1, 6), st.integers(0, 3))
@settings(max_examples=80, deadline=None)
def test_excluded_sources_are_those_that_could_have_kept_a_copy(
    content: Clusters, r_th: int, bag: int
) -> None:
    held = [Counter(content.copies(cluster)) for cluster in range(content.count)]
    rows = [
        [content.sets[int(row)] for row in np.flatnonzero(content.cluster == cluster)]
        for cluster in range(content.count)
    ]
    one = Clusters.of(
        list(zip(rows, held, strict=True)),
        bag={"p": bag} if bag else {},
        rates=dict.fromkeys("pq", Fraction(1, 5)),
    )
    found = set(bag_sources(one, Fraction(r_th)).cluster.tolist())
    full = set()
    for cluster, counts in enumerate(held):
        size = len(rows[cluster])
        after = counts["p"] + 1 + Fraction(size * (bag - 1), len(one))
        if after > Fraction(r_th, 5) * size or counts["p"] == size:
            full.add(cluster)
    assert found == (full if bag and len(full) < one.count else set())
