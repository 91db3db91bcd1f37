import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels.maximal import maximal_sets
from discreet.kernels.supersets import (
    containment_sums,
    holders_of,
    lattice_masks,
    shared_beyond,
    superset_sums,
)

# up to 20 items a table over all sets does the work, beyond them an index
UNIVERSES = st.sampled_from([8, 20, 21, 64, 65, 200])


@st.composite
def families(draw, least=0):
    """Sets over few items that lie far apart in a universe of the drawn size; copies allowed."""
    n_items = draw(UNIVERSES)
    spread = n_items // 8
    sets = draw(st.lists(st.frozensets(st.integers(0, 7)), min_size=least, max_size=12))
    return [frozenset(item * spread for item in held) for held in sets], n_items


def arrays(family):
    offsets = np.zeros(len(family) + 1, dtype=np.int64)
    np.cumsum([len(held) for held in family], out=offsets[1:])
    items = [item for held in family for item in sorted(held)]
    return offsets, np.array(items, dtype=np.int32)


def by_definition(family):
    distinct = set(family)
    maximal = [not any(held < other for other in distinct) for held in family]
    missing = [
        not any(held - {item} <= other for other in distinct if other != held)
        for held in family
        for item in sorted(held)
    ]
    return maximal, missing


@given(families())
def test_maximal_sets_by_definition(given_family):
    family, n_items = given_family
    maximal, missing = maximal_sets(*arrays(family), n_items)
    assert (maximal.tolist(), missing.tolist()) == by_definition(family)


def clustered(n_items):
    """Many sets that overlap, over more items than a signature has bits."""
    rng = np.random.default_rng(n_items)
    heads = [rng.choice(n_items, 6, replace=False).tolist() for _ in range(12)]
    drawn = {
        frozenset(rng.choice([*head, *rng.integers(n_items, size=2)], size, replace=False).tolist())
        for head in heads
        for size in rng.integers(0, 7, size=25)
    }
    return sorted(drawn, key=sorted)


@pytest.mark.parametrize("n_items", [17, 90, 300])
def test_maximal_sets_of_many_sets(n_items):
    family = clustered(n_items)
    maximal, missing = maximal_sets(*arrays(family), n_items)
    assert (maximal.tolist(), missing.tolist()) == by_definition(family)
    # the case is worth trying only if all four answers occur in it
    assert {*maximal.tolist()} == {*missing.tolist()} == {True, False}


def test_sums_and_shares_of_many_sets():
    # pairs of a held item and any other: with 64 bits for 300 items many only seem to fit
    family = clustered(300)
    heads = sorted({min(held) for held in family if held})
    queries = [{head, other} for head in heads for other in range(300)]
    around = [[held for held in family if query <= held] for query in queries]
    shared = [
        len(frozenset.intersection(*held) - query) if held else 0
        for query, held in zip(queries, around, strict=True)
    ]
    offsets, items = arrays(family)
    holders = holders_of(offsets, items, 300)
    ones = np.ones(len(family), dtype=np.int64)
    sums = containment_sums(offsets, items, ones, holders, *arrays(queries))
    assert sums.tolist() == [len(held) for held in around]
    assert shared_beyond(offsets, items, holders, *arrays(queries)).tolist() == shared
    assert max(shared) > 0


def test_superset_is_found_after_all_boundaries_are():
    # {0, 1, 2}: larger sets strike its boundaries one by one, then a small superset comes last
    family = [{0, 1, 2}, {0, 1, *range(3, 9)}, {0, 2, *range(9, 15)}, {0, 1, 2, 15}]
    family += [{1, place} for place in range(16, 22)] + [{2, place} for place in range(16, 22)]
    family = [frozenset(held) for held in family]
    maximal, missing = maximal_sets(*arrays(family), 30)
    assert not maximal[0]
    assert (maximal.tolist(), missing.tolist()) == by_definition(family)


@pytest.mark.parametrize("n_items", [10, 40])
def test_all_sets_have_one_maximal_set_and_no_missing_boundary(n_items):
    family = [frozenset(np.flatnonzero([mask >> i & 1 for i in range(8)])) for mask in range(256)]
    maximal, missing = maximal_sets(*arrays(family), n_items)
    assert np.flatnonzero(maximal).tolist() == [255]
    assert not missing.any()


@pytest.mark.parametrize("n_items", [0, 5, 40])
@pytest.mark.parametrize("copies", [0, 1, 3])
def test_empty_set_is_maximal_when_alone(n_items, copies):
    maximal, missing = maximal_sets(*arrays([frozenset()] * copies), n_items)
    assert maximal.tolist() == [True] * copies
    assert missing.tolist() == []


@given(families(least=1), st.data())
def test_containment_sums_by_definition(given_family, data):
    family, n_items = given_family
    weights = data.draw(
        st.lists(st.integers(0, 10**12), min_size=len(family), max_size=len(family))
    )
    spread = n_items // 8
    queries = [
        frozenset(item * spread for item in held)
        for held in data.draw(st.lists(st.frozensets(st.integers(0, 7)), max_size=6))
    ]
    offsets, items = arrays(family)
    holders = holders_of(offsets, items, n_items)
    sums = containment_sums(
        offsets, items, np.array(weights, dtype=np.int64), holders, *arrays(queries)
    )
    assert sums.tolist() == [
        sum(weight for held, weight in zip(family, weights, strict=True) if query <= held)
        for query in queries
    ]


@given(families(least=1), st.lists(st.frozensets(st.integers(0, 7), min_size=1), max_size=6))
def test_shared_beyond_by_definition(given_family, queries):
    family, n_items = given_family
    queries = [frozenset(item * (n_items // 8) for item in query) for query in queries]
    offsets, items = arrays(family)
    further = shared_beyond(offsets, items, holders_of(offsets, items, n_items), *arrays(queries))
    expected = []
    for query in queries:
        around = [held for held in family if query <= held]
        expected.append(len(frozenset.intersection(*around) - query) if around else 0)
    assert further.tolist() == expected


@given(st.lists(st.integers(0, 10**15), min_size=16, max_size=16))
def test_superset_sums_by_definition(table):
    sums = superset_sums(np.array(table, dtype=np.int64))
    assert sums.tolist() == [
        sum(value for other, value in enumerate(table) if other & mask == mask)
        for mask in range(16)
    ]


def test_lattice_masks_name_the_sets():
    assert lattice_masks(*arrays([{0, 3}, set(), {19}])).tolist() == [9, 0, 1 << 19]


def test_holders_are_listed_from_large_to_small():
    offsets, items = arrays([{1}, {0, 1, 2}, {1, 2}])
    holders = holders_of(offsets, items, 3)
    assert holders.starts.tolist() == [0, 1, 4, 6]
    assert holders.rows.tolist() == [1, 1, 2, 0, 1, 2]
    assert len(set(holders.bits.tolist())) == 3
