"""How many people can hold items: bounds beside the exact count, and how tight they are."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet.core.disassociated import Disassociated
from discreet.verify.possible_originals import Originals, Range


def numbers(content: Disassociated, items: str) -> list[int]:
    return [content.universe.index(item) for item in items]


def two_alike(people: int, each: int, *shared: int) -> Disassociated:
    """Two clusters without terms, of two chunks as large, and shared chunks over both."""
    cluster = (people, [[["a"]] * each, [["b"]] * each], [])
    bags = [([0, 1], [[f"x{number}"]] * size) for number, size in enumerate(shared)]
    return Disassociated.of([cluster, cluster], bags)


@pytest.mark.parametrize(
    ("content", "least", "most", "upper"),
    [
        # a third person with a and b leaves one of the others to a shared sub-record
        (two_alike(4, 3), 4, 4, 4),
        (two_alike(4, 3, 1), 5, 5, 6),
        (two_alike(4, 3, 2), 6, 6, 6),
        # one of each chunk is enough for both
        (two_alike(4, 3, 1, 1), 6, 6, 6),
        # two of them in either cluster do
        (two_alike(5, 3, 2), 4, 4, 6),
        (two_alike(5, 3, 1, 2), 5, 5, 6),
        # whoever needs a shared sub-record has it before
        (two_alike(5, 2, 3), 1, 1, 4),
        (two_alike(5, 2, 6), 4, 4, 4),
    ],
)
def test_what_one_cluster_takes_another_lacks(
    content: Disassociated, least: int, most: int, upper: int
) -> None:
    counted = Originals.of(content)
    assert counted.most(numbers(content, "ab")) == most
    assert counted.between(numbers(content, "ab"), 99) == Range(least, upper)


def test_who_holds_three_items_of_three_chunks_takes_two_sub_records_of_others() -> None:
    cluster = (4, [[["a"]] * 2, [["b"]] * 2, [["c"]] * 2], [])
    content = Disassociated.of([cluster, cluster], [([0, 1], [["x"]] * 3)])
    counted = Originals.of(content)
    # one in either cluster by what is theirs, and three shared ones do for one more
    assert counted.most(numbers(content, "abc")) == 3
    assert counted.between(numbers(content, "abc"), 99) == Range(3, 4)


def test_a_cluster_takes_no_more_than_it_lacks() -> None:
    # the first has parts to spare; only the second asks for the shared one
    rich = (3, [[["a"]] * 3, [["b"]] * 3], [])
    poor = (4, [[["a"]] * 3, [["b"]] * 3], [])
    content = Disassociated.of([rich, poor], [([0, 1], [["x"]])])
    counted = Originals.of(content)
    assert counted.between(numbers(content, "ab"), 99) == Range(6, 6)
    assert counted.most(numbers(content, "ab")) == 6


def test_a_shared_item_is_held_by_no_more_than_its_clusters_have() -> None:
    # all of them hold nothing else, so that the deal leaves none
    bare = Disassociated.of([(1, [], []), (1, [], []), (9, [], [])], [([0, 1, 2], [["x"]] * 11)])
    assert Originals.of(bare).between(numbers(bare, "x"), 99) == Range(0, 11)
    assert Originals.of(bare).most(numbers(bare, "x")) == 11
    # two people could hold t beside x
    three = [(1, [], ["t"]), (1, [], ["t"]), (1, [], ["u"])]
    content = Disassociated.of(three, [([0, 1, 2], [["x"]] * 3)])
    assert Originals.of(content).between(numbers(content, "xt"), 99) == Range(2, 2)
    assert Originals.of(content).most(numbers(content, "xt")) == 2


def test_looking_ends_where_there_are_enough_and_is_counted() -> None:
    content = two_alike(4, 3, 1)
    counted = Originals.of(content)
    items = numbers(content, "ab")
    assert (counted.looked, counted.solved) == (0, 0)
    assert counted.between(items, 3).least == 3
    assert counted.looked == 1
    assert counted.between(items, 4).least == 5
    assert counted.looked == 3
    counted.most(items)
    # how many hold both in either cluster, and how many get the shared one there
    assert (counted.looked, counted.solved) == (5, 4)
    counted.most(items)
    assert counted.solved == 8


@st.composite
def tied(draw: Any, most_clusters: int = 4) -> Disassociated:
    """Clusters with up to three chunks, tied by shared ones, too large to list their originals."""
    clusters = []
    for _ in range(draw(st.integers(1, most_clusters))):
        people = draw(st.integers(1, 6))
        sizes = draw(st.lists(st.integers(1, people), max_size=3))
        own = [[[item]] * size for item, size in zip("abc", sizes, strict=False)]
        terms = draw(st.sampled_from(["", "", "", "t"]))
        clusters.append((people, own, list(terms)))
    shared = []
    for item in "xyz"[: draw(st.integers(0, 3))]:
        over = draw(st.lists(st.integers(0, len(clusters) - 1), min_size=1, unique=True))
        most = sum(clusters[each][0] for each in over)
        rows = draw(st.integers(1, min(most, 5)))
        shared.append((over, [[item]] * rows))
    return Disassociated.of(clusters, shared)


@settings(max_examples=200)
@given(tied(), st.sets(st.sampled_from("abcxyzt"), min_size=1, max_size=3))
def test_the_exact_count_is_between_the_bounds(content: Disassociated, asked: set[str]) -> None:
    counted = Originals.of(content)
    items = [place for place, item in enumerate(content.universe) if item in asked]
    assume(items and not counted.dealt.contradiction)
    exact = counted.most(items)
    least, upper = counted.between(items, 99)
    assert exact is not None
    assert least <= exact <= upper


@settings(max_examples=100)
@given(tied(1), st.sets(st.sampled_from("abct"), min_size=1, max_size=3))
def test_where_nobody_else_asks_for_anything_the_bounds_meet(
    content: Disassociated, asked: set[str]
) -> None:
    counted = Originals.of(content)
    items = [place for place, item in enumerate(content.universe) if item in asked]
    assume(items and not counted.dealt.contradiction)
    exact = counted.most(items)
    assert exact is not None
    assert counted.between(items, 99) == Range(exact, exact)
