"""Where copies in the global bag cannot come from: clusters that could have kept one more."""

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.core.clusters import Clusters
from discreet.series.evidence.bag_sources import bag_sources
from tests.series.small import contents


@given(contents(), st.integers(1, 6), st.integers(0, 3))
@settings(max_examples=80)
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
