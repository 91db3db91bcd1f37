"""ASN: edges deleted between communities and added within, until each group has one degree."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.networks.graphs.equal_degrees import equal_degrees, graphic, havel_hakimi, targets_of
from discreet.rng import seeded

GRAPHS = st.integers(2, 14).flatmap(
    lambda many: st.tuples(
        st.lists(st.integers(0, 3), min_size=many, max_size=many),
        st.sets(st.tuples(st.integers(0, many - 1), st.integers(0, many - 1)), max_size=40),
    )
)


@settings(max_examples=500)
@given(GRAPHS, st.integers(0, 5))
def test_every_graph_reaches_equal_degrees(graph: Any, parts: int) -> None:
    groups, pairs = graph
    group = np.unique(groups, return_inverse=True)[1]
    simple = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    edges = np.array(simple, dtype=np.int64).reshape(-1, 2)
    degrees = np.bincount(edges.ravel(), minlength=len(group))
    targets = targets_of(degrees, group)
    assert graphic(targets)
    rng = seeded(parts)
    member = np.arange(len(group)) % (parts + 1)
    edits = equal_degrees(edges, targets, member, lambda bound: int(rng.integers(bound, 1)[0]))
    made = edits.edges
    assert len({tuple(edge) for edge in made.tolist()}) == len(made)
    assert (made[:, 0] < made[:, 1]).all()
    assert np.bincount(made.ravel(), minlength=len(group)).tolist() == targets.tolist()


@settings(max_examples=200)
@given(st.lists(st.integers(0, 8), min_size=1, max_size=9))
def test_erdos_and_gallai_agree_with_havel_and_hakimi(degrees: list[int]) -> None:
    left = sorted(degrees, reverse=True)
    possible = True
    while possible and left and left[0]:
        first, *left = left
        possible = first <= len(left)
        left = sorted([x - 1 for x in left[:first]] + left[first:], reverse=True)
        possible = possible and (not left or left[-1] >= 0)
    assert graphic(np.array(degrees)) is possible


@given(st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8))))
def test_the_degrees_of_a_graph_are_built_again(pairs: set[tuple[int, int]]) -> None:
    edges = {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}
    degrees = [sum(node in edge for edge in edges) for node in range(9)]
    assert graphic(np.array(degrees))
    made = havel_hakimi(np.array(degrees))
    assert np.bincount(made.ravel(), minlength=9).tolist() == degrees


def test_a_complete_graph_of_four_gets_a_possible_degree() -> None:
    edges = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
    assert targets_of(np.bincount(edges.ravel()), np.zeros(4, dtype=np.int64)).tolist() == [2] * 4
