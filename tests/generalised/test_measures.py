"""Measures of generalised sets against their definitions, record by record."""

from itertools import chain, combinations
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Transactions, rng
from discreet.catalog import measures_of
from discreet.core.constraints import Constraints
from discreet.core.fold import fold
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.itemsets import Itemsets
from discreet.core.publication import Publication
from discreet.core.release import Release
from discreet.errors import DataError
from discreet.generalised import (
    Coat,
    Km,
    certainty_penalty,
    density,
    generalised_queries,
    item_distortion,
    utility_loss,
)
from discreet.generalised.measures import _stand_ins
from discreet.generalised.recoding.query_errors import MeasuredQueries
from discreet.networks import Dist
from tests.verify.generalised import records_of

ITEMS = "abcdef"
rows = st.lists(st.sets(st.sampled_from(ITEMS), max_size=4), min_size=1, max_size=12)


def published(data: Transactions, k: int) -> Publication[Any]:
    utility = Constraints.of(["abcd", "ef"])
    return Coat(k=k, protect="items", utility=utility, suppress=100).publish(data, rng.seeded(1))


def pairs(data: Transactions, publication: Publication[GeneralisedSets]) -> list[tuple[Any, Any]]:
    """Each person's items beside the blocks published for that person."""
    behind = publication.linkage_key.tables["rows"].sort("row")["record"].to_list()
    table = records_of(publication.release.content)
    return [(set(data.sets[record]), row) for record, row in zip(behind, table, strict=True)]


def test_data_without_an_item_lost_nothing_in_blocks_of_others() -> None:
    made = published(Transactions.of([["a"], ["b"], []]), 2)
    assert any(len(block) > 1 for block in made.release.content.blocks)
    nothing = Transactions.of([[], [], []], universe=list(ITEMS))
    assert utility_loss(nothing, made.release, key=made.linkage_key) == {}


@settings(max_examples=50)
@given(rows, st.integers(1, 5))
def test_losses_are_their_definitions(records: list[set[str]], k: int) -> None:
    data = Transactions.of(records, universe=list(ITEMS))
    publication = published(data, k)
    release, seen = publication.release, pairs(data, publication)
    size = {item: len(block) for block in release.content.blocks for item in block}
    occurring = len(set(chain(*records)))
    costs = [
        (2 ** len(block) - 1) / (2**occurring - 1)
        for _, row in seen
        for block in row
        if len(block) > 1
    ]
    gone = [item for held, _ in seen for item in held if item not in size]
    loss = utility_loss(data, release)
    assert loss["utility_loss"] == pytest.approx((sum(costs) + len(gone)) / len(records))
    assert loss["utility_loss_of_suppression"] == pytest.approx(len(gone) / len(records))
    held = [item for items, _ in seen for item in items]
    penalties = [0 if size.get(i) == 1 else size.get(i, len(ITEMS)) / len(ITEMS) for i in held]
    penalty = certainty_penalty(data, release)
    assert penalty["ncp"] == pytest.approx(sum(penalties) / max(1, len(held)))
    shares = [len(items & set(b)) / len(b) for items, row in seen for b in row if len(b) > 1]
    told = density(data, release)["density"]
    assert told is None if not shares else told == pytest.approx(sum(shares) / len(shares))


@settings(max_examples=50)
@given(rows, st.integers(1, 5))
def test_an_item_may_be_held_by_all_who_hold_its_block(records: list[set[str]], k: int) -> None:
    data = Transactions.of(records)
    release = published(data, k).release
    shown = [set(chain(*row)) for row in records_of(release.content)]
    off = []
    for item in data.universe:
        true = sum(item in row for row in records)
        off.append(abs(sum(item in row for row in shown) - true) / true)
    told = item_distortion(data, release)
    assert told["item_distortion_max"] == pytest.approx(max(off, default=0))
    assert told["item_distortion_mean"] == pytest.approx(sum(off) / max(1, len(off)))


def expected_count(publication: Publication[GeneralisedSets], query: set[str]) -> float:
    """How many fit a query on average when each block may mean any non-empty part of it."""
    table = records_of(publication.release.content)
    published_items = {item for row in table for block in row for item in block}
    if not query <= published_items:
        return 0.0

    def chance_in(block: tuple[str, ...]) -> float:
        parts = [set(part) for n in range(1, len(block) + 1) for part in combinations(block, n)]
        return sum(query & set(block) <= part for part in parts) / len(parts)

    return sum(
        prod(chance_in(block) for block in row if query & set(block))
        for row in table
        if query <= set(chain(*row))
    )


@settings(max_examples=50)
@given(rows, st.sets(st.sampled_from(ITEMS), min_size=1, max_size=3), st.integers(1, 5))
def test_the_error_of_a_query(records: list[set[str]], query: set[str], k: int) -> None:
    data = Transactions.of(records, universe=list(ITEMS))
    publication = published(data, k)
    content = publication.release.content
    true = sum(query <= row for row in records)
    seen, asked = _stand_ins(data, content), Itemsets.of([query], ITEMS)
    names = tuple(map(str, range(len(seen.sizes))))
    shown = fold(Itemsets(seen.sets.offsets, seen.sets.items, names))
    measured = MeasuredQueries(fold(asked), np.array([true]), 1.0)
    expected, worst = measured.errors(shown, seen.label, seen.sizes)
    wanted = abs(true - expected_count(publication, query)) / max(true, 1)
    assert expected == pytest.approx(wanted)
    live = query & content.block_of.keys()
    table = [set(chain(*row)) for row in records_of(content)]
    most = sum(live <= row for row in table)
    sure = all(len(content.blocks[content.block_of[item]]) == 1 for item in live) and live == query
    assert worst == pytest.approx(max(abs(true - most), 0 if sure else true) / max(true, 1))


def test_nothing_is_lost_where_nothing_is_hidden() -> None:
    data = Transactions.of(map(set, ["ab", "ab", "c", "c"]))
    release = Km(k=2, m=2).publish(data, rng.seeded(1)).release
    numbers: dict[str, Any] = {}
    for measure in measures_of(release.content, Transactions).values():
        numbers |= measure(data, release)
    assert numbers["density"] is None
    kept = ("density", "length", "occurrences_by_name")
    lost = {name: value for name, value in numbers.items() if name not in kept}
    assert numbers["occurrences_by_name"] == 1
    assert not any(lost.values())


def test_a_hierarchy_says_how_much_a_stand_in_means() -> None:
    tree = Hierarchy.of_levels([[i, "x" if i < "c" else "y", "*"] for i in "abcdefgh"])
    data = Transactions.of(map(set, ["a", "b", "c", "c"]))
    release = Km(k=2, m=1, hierarchy=tree).publish(data, rng.seeded(1)).release
    assert isinstance(release.content, Transactions)
    assert release.content.universe == ("c", "x")
    both: Release[GeneralisedSets | Transactions] = release
    penalty = certainty_penalty(data, both)
    # two of four occurrences stand for two of eight values
    assert penalty["ncp"] == pytest.approx(2 * (2 / 8) / 4)
    assert item_distortion(data, both)["item_distortion_max"] == 1.0
    assert generalised_queries(data, both)["query_error_worst"] > 0


def test_deleted_occurrences_are_not_told_as_if_nothing_was_lost() -> None:
    people = Transactions.of(map(set, ["ab", "ab", "ab", "a"]), sensitive=["b"])
    release: Release[Any] = Dist(rho="0.5").publish(people, rng.seeded(1)).release
    assert release.content.sets.items.size < people.items.size
    assert certainty_penalty(people, release) == {"occurrences_by_name": 6 / 7}


def test_the_original_must_be_the_original() -> None:
    data = Transactions.of(map(set, ["ab", "ab"]))
    release = Km(k=2, m=2).publish(data, rng.seeded(1)).release
    with pytest.raises(DataError, match="2 records and the original 1"):
        certainty_penalty(Transactions.of(map(set, ["ab"])), release)


def test_of_people_who_hold_nothing_nothing_is_lost() -> None:
    data = Transactions.of([[]] * 5)
    assert certainty_penalty(data, Km(k=2, m=1).publish(data, rng.seeded(1)).release) == {
        "occurrences_by_name": 1.0,
        "ncp": 0.0,
        "occurrences_hidden": 0.0,
        "occurrences_suppressed": 0.0,
    }
