from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.counts.kernels.layout import CUT, FAN, FIRST, HIGH, LOW, WIDTH, Tree
from discreet.counts.kernels.partition import exact_par
from discreet.counts.partition.taxonomy import taxonomy


def par(tree: Tree, cut: list[int], size: int) -> int:
    part = np.zeros(CUT + len(cut), dtype=np.int64)
    part[WIDTH], part[CUT:] = len(cut), cut
    return exact_par(tree, part, size)


def inner_nodes(tree: Tree, cut: list[int]) -> list[frozenset[int]]:
    """The items below each inner node at or below the cut."""
    todo, found = list(cut), []
    while todo:
        node = todo.pop()
        if tree.nodes[node, FAN]:
            found.append(frozenset(range(tree.nodes[node, LOW], tree.nodes[node, HIGH])))
            todo += range(tree.nodes[node, FIRST], tree.nodes[node, FIRST] + tree.nodes[node, FAN])
    return found


def brute_par(tree: Tree, cut: list[int], size: int) -> int:
    """The most inner nodes touched by a set of this size that touches every node of the cut."""
    spans = [frozenset(range(tree.nodes[node, LOW], tree.nodes[node, HIGH])) for node in cut]
    inner = inner_nodes(tree, cut)
    return max(
        sum(1 for node in inner if node.intersection(chosen))
        for chosen in combinations(sorted(frozenset().union(*spans)), size)
        if all(span.intersection(chosen) for span in spans)
    )


@pytest.mark.parametrize("fan_out", [2, 3, 4])
@pytest.mark.parametrize("items", range(2, 13))
def test_par_of_the_root_is_the_true_maximum(items: int, fan_out: int) -> None:
    tree = taxonomy(items, fan_out, items)
    found = [par(tree, [0], size) for size in range(1, items + 1)]
    assert found == [brute_par(tree, [0], size) for size in range(1, items + 1)]


@given(st.integers(2, 10), st.integers(2, 4), st.data())
def test_par_of_any_cut_is_the_true_maximum(items: int, fan_out: int, data: st.DataObject) -> None:
    tree = taxonomy(items, fan_out, items)
    cut = [0]
    for _ in range(data.draw(st.integers(0, 4))):
        inner = [node for node in cut if tree.nodes[node, FAN]]
        if not inner:
            break
        node = data.draw(st.sampled_from(inner))
        children = list(
            range(tree.nodes[node, FIRST], tree.nodes[node, FIRST] + tree.nodes[node, FAN])
        )
        kept = data.draw(st.lists(st.sampled_from(children), min_size=1, unique=True))
        cut = [other for other in cut if other != node] + kept
    span = sum(int(tree.nodes[node, HIGH] - tree.nodes[node, LOW]) for node in cut)
    size = data.draw(st.integers(len(cut), span))
    assert par(tree, cut, size) == brute_par(tree, cut, size)


def test_par_of_the_worked_figure_12() -> None:
    assert par(taxonomy(4, 2, 4), [0], 2) == 3


@pytest.mark.parametrize(
    ("items", "fan_out", "expected"),
    [
        (17, 2, [5, 8, 10, 12, 13, 14, 15, 16, 16]),
        (16, 2, [4, 7, 9, 11, 12, 13, 14, 15]),
        (3340, 2, [12, 23, 33, 43, 52]),
        (3340, 4, [6, 11, 16, 21, 25]),
        (3340, 6, [5, 9, 13, 17, 21]),
    ],
)
def test_par_of_the_papers_data_sets(items: int, fan_out: int, expected: list[int]) -> None:
    tree = taxonomy(items, fan_out, len(expected))
    assert [par(tree, [0], size) for size in range(1, len(expected) + 1)] == expected


def test_par_of_checkin() -> None:
    tree = taxonomy(77, 2, 10)
    assert [par(tree, [0], size) for size in (1, 2, 3, 5, 10)] == [7, 13, 18, 27, 45]


@pytest.mark.parametrize("items", [1, 2, 17, 466, 3340])
def test_a_tree_splits_down_to_single_items(items: int) -> None:
    tree = taxonomy(items, 4, 3)
    nodes = tree.nodes[:-1]
    leaves = nodes[nodes[:, FAN] == 0]
    assert sorted(leaves[:, LOW].tolist()) == list(range(items))
    assert (leaves[:, HIGH] - leaves[:, LOW] == 1).all()
    assert not (nodes[:, FAN] == 1).any()
