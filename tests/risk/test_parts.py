"""Candidates in a disassociated release, beside every possible original written out."""

from itertools import combinations, permutations, product
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Transactions
from discreet.core.disassociated import Disassociated
from discreet.core.itemsets import Itemsets
from discreet.errors import ParameterError
from discreet.generalised import Disassociation
from discreet.risk import Population, release_risk
from discreet.risk.kernels.candidates import candidates, further_certain
from discreet.risk.parts import _parts, parts_risk
from discreet.rng import seeded
from discreet.verify.possible_originals import Originals
from tests.releases import as_released

CUT = Disassociated.of(
    [
        (3, [[["beer"], ["beer"]], [["wine", "bread"], ["wine"]]], ["milk"]),
        (2, [], ["milk"]),
    ],
    shared=[([0, 1], [["tea"], ["tea"]])],
)

MOST_WORLDS = 3_000

World = list[list[frozenset[str]]]
"""Every cluster with the sets of its people."""


def placed(parts: list[frozenset[str]], people: int) -> set[tuple[frozenset[str], ...]]:
    slots = parts + [frozenset()] * (people - len(parts))
    return set(permutations(slots))


Choices = list[list[list[tuple[int, frozenset[str]]]]]
"""Of each chunk and term every way to give it to people."""


def ways(content: Disassociated) -> Choices:
    sizes = content.people.tolist()
    choices: Choices = []
    for chunks in (content.chunks, content.shared):
        for place in range(len(chunks)):
            rows = np.flatnonzero(chunks.chunk == place)
            over = chunks.clusters.items[
                chunks.clusters.offsets[place] : chunks.clusters.offsets[place + 1]
            ]
            where = [
                sum(sizes[:each]) + slot for each in over.tolist() for slot in range(sizes[each])
            ]
            parts = [frozenset(chunks.sets[int(row)]) for row in rows]
            choices.append(
                [list(zip(where, each, strict=True)) for each in placed(parts, len(where))]
            )
    for cluster, terms in enumerate(content.terms):
        slots = [sum(sizes[:cluster]) + slot for slot in range(sizes[cluster])]
        groups = [each for size in range(1, len(slots) + 1) for each in combinations(slots, size)]
        choices += [
            [[(slot, frozenset([term])) for slot in group] for group in groups] for term in terms
        ]
    return choices


def worlds(content: Disassociated) -> list[World]:
    """Write out every possible original."""
    sizes = content.people.tolist()
    found = []
    for chosen in product(*ways(content)):
        held: list[frozenset[str]] = [frozenset()] * sum(sizes)
        for slot, items in (pair for each in chosen for pair in each):
            held[slot] |= items
        world = [held[sum(sizes[:c]) : sum(sizes[: c + 1])] for c in range(len(sizes))]
        somebody = [any(parts) for parts in world]
        if all(all(each) for each, some in zip(world, somebody, strict=True) if some):
            found.append(world)
    return found


def by_hand(originals: list[World], known: set[str]) -> tuple[int, bool]:
    """Return the most who hold the known items in an original, and if all then hold another."""
    holding = [
        [person for cluster in world for person in cluster if known <= person]
        for world in originals
    ]
    people = [person for each in holding for person in each]
    common = set.intersection(*map(set, people)) - known if people else set()
    return max(map(len, holding), default=0), bool(common)


def asked(content: Disassociated, sets: list[set[str]]) -> list[tuple[int, bool]]:
    """Return how many could hold each set, never more than in truth, and if more follows.

    Of no known item it is everybody; what no item of the release is, nobody holds.
    """
    known = Itemsets.of(sets)
    chosen = known.over(content.universe)
    able = np.flatnonzero((chosen.sizes == known.sizes) & (known.sizes > 0))
    some = chosen.take(able)
    arrays = _parts(content), some.offsets.copy(), some.items.copy()
    counts = np.where(known.sizes == 0, len(content), 0)
    certain = np.zeros(len(known), dtype=np.bool_)
    counts[able], certain[able] = candidates(*arrays), further_certain(*arrays)
    return list(zip(counts.tolist(), certain.tolist(), strict=True))


def test_candidates_are_those_of_the_possible_originals() -> None:
    sets: list[set[str]] = [{"beer"}, {"wine"}, {"bread"}, {"milk"}, {"tea"}, {"beer", "wine"}]
    sets += [{"beer", "bread"}, {"milk", "tea"}, {"wine", "bread", "tea"}, {"beer", "milk"}]
    originals = worlds(CUT)
    assert asked(CUT, sets) == [by_hand(originals, each) for each in sets]
    assert asked(CUT, [{"bread"}]) == [(1, True)]  # who has bread has wine


def test_what_nobody_can_hold_has_no_candidate() -> None:
    apart = Disassociated.of([(2, [[["a"], ["b"]]], [])])
    assert asked(apart, [{"a", "b"}, {"c"}]) == [(0, False), (0, False)]


bags = st.lists(st.sets(st.sampled_from("abc"), min_size=1), min_size=1, max_size=2)
more = st.lists(st.sets(st.sampled_from("de"), min_size=1), min_size=1, max_size=2)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(2, 3), bags, more, st.booleans()), min_size=1, max_size=2))
def test_without_shared_chunks_the_count_is_exact(
    clusters: list[tuple[int, list[set[str]], list[set[str]], bool]],
) -> None:
    content = Disassociated.of(
        [(people, [one, two], ["z"] if term else []) for people, one, two, term in clusters]
    )
    assume(prod(map(len, ways(content))) <= MOST_WORLDS)
    originals = worlds(content)
    assume(originals)
    held = sorted({item for each in originals[0] for person in each for item in person})
    sets = [set(each) for size in (1, 2, 3) for each in combinations(held, size)]
    assert asked(content, sets) == [by_hand(originals, each) for each in sets]


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.integers(2, 4), bags), min_size=2, max_size=3),
    st.lists(st.sets(st.sampled_from("xy"), min_size=1), min_size=1, max_size=4),
    st.lists(st.sets(st.just("w"), min_size=1), min_size=1, max_size=3),
)
def test_with_shared_chunks_nobody_is_counted_who_could_not(
    clusters: list[tuple[int, list[set[str]]]], one: list[set[str]], two: list[set[str]]
) -> None:
    everywhere = list(range(len(clusters)))
    content = Disassociated.of(
        [(people, [own], ["z"]) for people, own in clusters],
        shared=[(everywhere, one), (everywhere[:2], two)],
    )
    originals = Originals.of(content)
    number = {item: place for place, item in enumerate(content.universe)}
    sets = [set(each) for size in (1, 2, 3) for each in combinations(content.universe, size)]
    for known, (count, _) in zip(sets, asked(content, sets), strict=True):
        most = originals.most([number[item] for item in known])
        assert most is not None
        assert count <= most
        assert count == most or {"w"} < known


def test_the_promise_bounds_the_risk() -> None:
    rows = [[item for item in "abcdefgh" if (n * 7 + ord(item)) % 5 < 2] for n in range(400)]
    release = Disassociation(k=4, m=2).publish(Transactions.of(rows), seeded(1)).release
    told = release_risk(release)
    assert told["knowing_1"]["fewest_fitting"] >= 4
    assert told["knowing_2"]["fewest_fitting"] >= 4
    assert told["knowing_2"]["share_alone_by_worst"] == 0
    assert told["prosecutor"]["highest"] == 1 / told["k_map"]
    assert told["marketer"] == told["knowing_3"]["mean_risk"]
    assert "not weighed" in told["left_open"][0]


def test_whoever_is_alone_is_found() -> None:
    alone = Disassociated.of([(1, [[["a", "b", "c"]]], []), (9, [[["a", "d", "e"]] * 9], [])])
    told = parts_risk(alone)
    assert told["prosecutor"]["highest"] == 1
    assert told["knowing_3"]["share_alone_by_worst"] == pytest.approx(0.1, abs=0.03)
    assert told["wp29"]["inference"]["share"] == 0  # all three are known
    assert told["knowing_1"]["share_further_item_certain"] == pytest.approx(1 - 1 / 3, abs=0.03)


def test_nothing_is_counted_where_nothing_is_held() -> None:
    told = release_risk(as_released(Disassociated.of([(3, [], [])])))
    assert told["not_counted"] == "No part of anybody was published."


def test_a_population_table_is_for_tables() -> None:
    import polars as pl

    with pytest.raises(ParameterError, match="counted for tables"):
        parts_risk(CUT, Population(table=pl.DataFrame()))
