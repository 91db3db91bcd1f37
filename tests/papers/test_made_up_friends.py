"""Made-up friends: as many of everything as asked for, and friends with a similar taste."""

import numpy as np
import pytest

from discreet import rng
from discreet.errors import ParameterError
from discreet.papers.made_up_friends import FLIXSTER, MadeUp, made_up_friends

SMALL = MadeUp(people=800, edges=5_000, items=400, communities=12)


def test_the_sizes_and_the_hierarchy_are_as_asked_for() -> None:
    data, tree = made_up_friends(SMALL, rng.seeded(1))
    assert (len(data), len(data.edges), len(data.people.universe)) == (800, 5_000, 400)
    popular = (data.people.supports >= 20).sum()
    assert len(data.people.sensitive) == int(0.05 * popular)
    assert len({tree.parent(value) for value in tree.values}) == SMALL.kinds
    assert not data.people.sensitive & set(tree.names)


def test_friends_hold_more_in_common_than_strangers() -> None:
    data, _ = made_up_friends(SMALL, rng.seeded(1))
    held = [set(record) for record in data.people]
    order = rng.seeded(2).permutation(len(data))
    friends = np.mean([len(held[one] & held[two]) for one, two in data.edges.tolist()])
    strangers = np.mean(
        [len(held[one] & held[int(order[two])]) for one, two in data.edges.tolist()]
    )
    assert friends > 1.3 * strangers


def test_one_seed_makes_one_network() -> None:
    one, again, other = (made_up_friends(SMALL, rng.seeded(seed))[0] for seed in (1, 1, 2))
    assert np.array_equal(one.edges, again.edges)
    assert not np.array_equal(one.edges, other.edges)


def test_flixster_is_as_large_as_table_4_says() -> None:
    assert (FLIXSTER.people, FLIXSTER.edges, FLIXSTER.items) == (103_271, 1_269_076, 48_756)
    # its own counts give 24.6 friends on average, not the 18.5 that are printed
    assert round(2 * FLIXSTER.edges / FLIXSTER.people, 1) == 24.6


def test_too_many_edges_are_refused() -> None:
    with pytest.raises(ParameterError, match="edges are too many"):
        MadeUp(people=10, edges=40, items=5)
