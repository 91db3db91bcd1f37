"""Edges exchanged within groups at random, so that who knows whom tells less; degrees stay."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.networks.graphs.rewiring import rewired
from discreet.rng import seeded


@settings(max_examples=100)
@given(
    st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30),
    st.lists(st.integers(0, 2), min_size=12, max_size=12),
    st.fractions(0, 1),
)
def test_rewiring_keeps_degrees_and_the_edges_between_groups(
    pairs: set[tuple[int, int]], groups: list[int], share: Fraction
) -> None:
    simple = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    edges = np.array(simple, dtype=np.int64).reshape(-1, 2)
    group = np.array(groups)
    made = rewired(edges, group, share, seeded(2))
    assert len({tuple(edge) for edge in made.tolist()}) == len(edges)
    assert (made[:, 0] < made[:, 1]).all()
    for each in (edges, made):
        assert np.bincount(each.ravel(), minlength=12).tolist() == (
            np.bincount(edges.ravel(), minlength=12).tolist()
        )
    between = [sorted(map(tuple, np.sort(group[each], axis=1).tolist())) for each in (edges, made)]
    assert between[0] == between[1]
    still = {tuple(edge) for edge in made.tolist()} & set(simple)
    assert len(edges) - len(still) <= share * len(edges)
