"""Graphs in which k nodes share each degree, as near to a given graph as swaps bring them."""

from itertools import combinations, pairwise

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import rng
from discreet.core.graph import Network
from discreet.networks.graphs.degree_sequences import anonymous_degrees, deficit, near_graph, probed

DEGREES = st.lists(st.integers(0, 6), min_size=2, max_size=7)


@st.composite
def networks(draw: st.DrawFn, most: int = 9) -> Network:
    many = draw(st.integers(2, most))
    edges = draw(st.sets(st.sampled_from(list(combinations(range(many), 2))), min_size=1))
    return Network.of_edges(many, sorted(edges))


def overlap(network: Network, other: np.ndarray) -> int:
    return len({tuple(edge) for edge in network.edges.tolist()} & {*map(tuple, other.tolist())})


def exists(degrees: list[int]) -> bool:
    """Havel and Hakimi's theorem, as a recursion."""
    left = sorted(degrees, reverse=True)
    while left and left[0]:
        first, *left = left
        if first > len(left) or (first and left[first - 1] == 0):
            return False
        left = sorted([each - 1 for each in left[:first]] + left[first:], reverse=True)
    return True


def cheapest(degrees: list[int], k: int) -> int | None:
    """The least total raise to an even, k-shared sequence below n, over all ways to group."""
    ordered = sorted(degrees, reverse=True)
    many = len(ordered)
    best = None
    for cuts in range(many):
        for places in combinations(range(1, many), cuts):
            ends = (0, *places, many)
            sizes = [end - start for start, end in pairwise(ends)]
            if min(sizes) < k:
                continue
            tops = [ordered[start] for start in ends[:-1]]
            for raised in range(-1, len(tops)):
                given = [top + (place == raised) for place, top in enumerate(tops)]
                total = sum(size * top for size, top in zip(sizes, given, strict=True))
                if total % 2 == 0 and max(given) < max(many, max(ordered) + 1):
                    paid = total - sum(ordered)
                    best = paid if best is None else min(best, paid)
    return best


@settings(max_examples=150)
@given(DEGREES, st.integers(1, 3))
def test_degrees_are_raised_as_little_as_an_even_sum_allows(degrees: list[int], k: int) -> None:
    degrees = [min(each, len(degrees) - 1) for each in degrees]
    found = anonymous_degrees(np.array(degrees), k) if k <= len(degrees) else None
    least = cheapest(degrees, k)
    assert (found is None) == (least is None or k > len(degrees))
    assume(found is not None)
    assert (found >= degrees).all()
    assert int(found.sum() - sum(degrees)) == least
    assert int(found.sum()) % 2 == 0


@settings(max_examples=150)
@given(st.lists(st.integers(0, 7), min_size=1, max_size=8))
def test_the_inequalities_tell_whether_there_is_a_graph(degrees: list[int]) -> None:
    assume(sum(degrees) % 2 == 0)
    assert (deficit(np.array(degrees)) == 0) == exists(degrees)


@settings(max_examples=60)
@given(networks(), st.integers(1, 3))
def test_no_missing_edge_is_left_that_a_swap_brings_back(network: Network, k: int) -> None:
    assume(k <= len(network))
    wanted = probed(network.degrees, k, rng.seeded(1).permutation)
    made = near_graph(wanted, network.edges)
    assert np.bincount(made.ravel(), minlength=len(network)).tolist() == wanted.tolist()
    there = {frozenset(edge) for edge in made.tolist()}
    original = {frozenset(edge) for edge in network.edges.tolist()}
    assert len(there) == len(made)
    new = there - original
    for edge in original - there:
        u, v = edge
        for one, other in ((u, v), (v, u)):
            swaps = [
                (x, y)
                for x in range(len(network))
                for y in range(len(network))
                if frozenset((one, x)) in new and frozenset((other, y)) in new
                if x != y and frozenset((x, y)) not in there
            ]
            assert swaps == []


def test_probing_ends_where_the_paper_of_the_baseline_does() -> None:
    star = np.array([3, 1, 1, 1])
    shared = anonymous_degrees(star, 2)
    assert sorted(shared.tolist()) == [1, 1, 3, 3]
    assert deficit(shared) == 2
    assert sorted(probed(star, 2, rng.seeded(4).permutation).tolist()) == [2, 2, 3, 3]


def test_a_large_star_needs_few_rounds() -> None:
    many, k = 3000, 15
    star = np.ones(many, dtype=np.int64)
    star[0] = many - 1
    found = probed(star, k, rng.seeded(4).permutation)
    assert deficit(found) == 0
    assert np.unique(found, return_counts=True)[1].min() >= k


def test_the_nearest_degrees_keep_more_edges_of_a_steep_graph() -> None:
    pairs = combinations(range(300), 2)
    steep = Network.of_edges(
        300, [(one, other) for one, other in pairs if (3 * one + 7 * other) % (one + 2) == 0]
    )
    kept = {
        degrees: overlap(
            steep,
            near_graph(
                probed(steep.degrees, 8, rng.seeded(1).permutation, raised=degrees == "raised"),
                steep.edges,
            ),
        )
        for degrees in ("raised", "nearest")
    }
    assert kept["nearest"] > kept["raised"]
