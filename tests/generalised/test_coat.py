"""COAT and PCTA: constraints are met, nothing is given up in vain, and refusals say a way out."""

import re
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Release, Transactions, rng, verify
from discreet.core.constraints import Constraints
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import ConstraintSupport
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.generalised import Coat, Pcta, utility_loss
from discreet.generalised.merging.constraints import utility_of
from discreet.generalised.recoding.constraint_search import (
    Generalising,
    groups_of,
    needs_of,
    rows_of,
)
from discreet.semantics import WordNet
from tests.verify.generalised import records_of, unmet

ITEMS = "abcdefgh"
METHODS = (Coat, Pcta)
rows = st.lists(st.sets(st.sampled_from(ITEMS), max_size=5), min_size=1, max_size=25)
asked = st.lists(st.sets(st.sampled_from(ITEMS), min_size=1, max_size=4), min_size=1, max_size=6)
apart = st.lists(st.integers(0, 3), min_size=len(ITEMS), max_size=len(ITEMS))


def published(method: Any, data: list[set[str]]) -> Release[GeneralisedSets]:
    release: Release[GeneralisedSets] = method.publish(Transactions.of(data), rng.seeded(1)).release
    return release


def all_met(
    data: list[set[str]], partition: list[set[str]], privacy: list[set[str]], k: int
) -> bool:
    """Whether a partition of live items meets every constraint, by the definition."""
    records = [
        frozenset(tuple(sorted(block)) for block in partition if block & row) for row in data
    ]
    return not any(unmet(records, each, k) for each in privacy)


@settings(max_examples=60)
@given(rows, asked, st.integers(1, 5), st.sampled_from(METHODS))
def test_every_constraint_is_met_or_it_is_refused(
    data: list[set[str]], privacy: list[set[str]], k: int, method: Any
) -> None:
    constraints = Constraints.of(privacy)
    full = sum(bool(row) for row in data)
    try:
        release = published(method(k=k, privacy=constraints), data)
    except InfeasibleError:
        # with one set of all items a single block of them all would do if enough people had one
        assert full < k
        return
    assert verify(release, privacy=constraints).by_parts is not False
    assert not any(unmet(records_of(release.content), each, k) for each in privacy)


@settings(max_examples=60)
@given(rows, asked, apart, st.integers(1, 5), st.sampled_from(METHODS))
def test_utility_sets_and_the_limit_of_suppression_are_kept(
    data: list[set[str]], privacy: list[set[str]], groups: list[int], k: int, method: Any
) -> None:
    # items of group 3 are in no utility set
    utility = [{i for i, g in zip(ITEMS, groups, strict=True) if g == each} for each in range(3)]
    utility = [group for group in utility if group] or [{"z"}]
    constraints = Constraints.of(privacy)
    chosen = method(k=k, privacy=constraints, utility=Constraints.of(utility), suppress=50)
    try:
        release = published(chosen, data)
    except InfeasibleError as error:
        assert "constraint" in str(error)
        return
    assert verify(release, privacy=constraints).by_parts is not False
    content = release.content
    for block in content.blocks:
        assert len(block) == 1 or any(set(block) <= group for group in utility)
    occurring = set(chain(*data))
    for group in utility:
        gone = (group & occurring) - content.block_of.keys()
        assert len(gone) <= len(group) / 2


@settings(max_examples=60)
@given(rows, asked, st.integers(2, 5), st.sampled_from(METHODS))
def test_no_member_and_no_suppressed_item_can_be_given_back(
    data: list[set[str]], privacy: list[set[str]], k: int, method: Any
) -> None:
    chosen = method(k=k, privacy=Constraints.of(privacy), suppress=100, undo="members")
    content = published(chosen, data).content
    blocks = [set(block) for block in content.blocks]
    for block in blocks:
        rest = [other for other in blocks if other is not block]
        for item in block if len(block) > 1 else ():
            assert not all_met(data, [*rest, block - {item}, {item}], privacy, k)
    for item in set(chain(*data)) - content.block_of.keys():
        assert not all_met(data, [*blocks, {item}], privacy, k)


@settings(max_examples=60)
@given(rows, asked, st.integers(2, 5), st.sampled_from(METHODS))
def test_no_last_merge_can_be_undone(
    data: list[set[str]], privacy: list[set[str]], k: int, method: Any
) -> None:
    baskets = Transactions.of(data, universe=list(ITEMS))
    work = Generalising(rows_of(baskets.folded))
    numbers = [[ITEMS.index(item) for item in sorted(each)] for each in privacy]
    constraints = needs_of(numbers, [k] * len(numbers), len(ITEMS))
    groups = groups_of([range(len(ITEMS))], len(ITEMS), Fraction(1))
    assert work.meet(constraints, groups, every=method is Pcta) is None
    work.tighten(constraints, groups)
    names = [ITEMS[first] for first in range(len(ITEMS)) if work.blocks.block[first] == first]
    lists = [[ITEMS[item] for item in work.members(ITEMS.index(name))] for name in names]
    blocks = [set(members) for members in lists]
    assert all_met(data, blocks, privacy, k)
    for place, members in enumerate(lists):
        if len(members) > 1:
            joints = [int(work.blocks.joint[ITEMS.index(item)]) for item in members]
            cut = int(np.argmax(joints))
            rest = blocks[:place] + blocks[place + 1 :]
            halves = [set(members[:cut]), set(members[cut:])]
            assert not all_met(data, [*rest, *halves], privacy, k)


@settings(max_examples=40)
@given(rows, asked, st.integers(2, 5), st.sampled_from(METHODS))
def test_a_block_of_several_items_hides_a_protected_one(
    data: list[set[str]], privacy: list[set[str]], k: int, method: Any
) -> None:
    content = published(method(k=k, privacy=Constraints.of(privacy), suppress=100), data).content
    several = [number for number, block in enumerate(content.blocks) if len(block) > 1]
    assert all(set(content.blocks[number]) & set(chain(*privacy)) for number in several)
    assert all(content.supports[number] >= k for number in several)


def broken_by_one_round() -> tuple[list[set[str]], list[set[str]]]:
    """Data and constraints of which one round leaves one unmet."""
    # nobody has a and d: {a, d} is met at first. Then b is merged with a, and one person has b, d.
    data = [{"a"}, {"b", "d"}, {"d"}, {"d"}, {"d"}, {"a", "c"}, {"c"}, {"c"}, {"c"}]
    return data, [{"a", "d"}, {"b"}]


@pytest.mark.parametrize("method", METHODS)
def test_a_constraint_that_fitted_nobody_is_met_again_after_a_later_merge(method: Any) -> None:
    data, privacy = broken_by_one_round()
    constraints = Constraints.of(privacy)
    utility = Constraints.of(["ab", "cd"])
    once = published(method(k=2, privacy=constraints, utility=utility, rounds="once"), data)
    assert once.guarantees == ()
    assert unmet(records_of(once.content), {"a", "d"}, 2) == [("a", "d")]
    whole = published(method(k=2, privacy=constraints, utility=utility), data)
    assert verify(whole, privacy=constraints).by_parts is not False


@pytest.mark.parametrize("method", METHODS)
def test_items_are_suppressed_where_merging_would_lose_more(method: Any) -> None:
    data = [{"a"}] * 18 + [{"a", "b"}] + [{"b"}]
    for suppress, blocks in ((50, {("a",)}), (49, {("a", "b")}), (0, {("a", "b")})):
        made = published(method(k=5, protect="items", suppress=suppress), data)
        assert set(made.content.blocks) == blocks
    # among many items a block of two loses next to nothing
    others = [set("cdefgh")] * 5
    made = published(method(k=5, protect="items", suppress=100), data + others)
    assert ("b",) not in made.content.blocks
    assert any({"a", "b"} & set(block) and len(block) > 1 for block in made.content.blocks)


@settings(max_examples=60)
@given(rows, asked, st.integers(2, 5), st.sampled_from(METHODS))
def test_no_more_is_lost_than_by_suppressing_the_protected_items(
    data: list[set[str]], privacy: list[set[str]], k: int, method: Any
) -> None:
    people = Transactions.of(data)
    asked_for = Constraints.of(privacy)
    assume(full_of(data) >= k)
    made = method(k=k, privacy=asked_for, suppress=100).publish(people, rng.seeded(1))
    lost = utility_loss(people, made.release, key=made.linkage_key).get("utility_loss", 0.0)
    protected = set(chain(*privacy))
    assert lost <= sum(len(row & protected) for row in data) / len(data) + 1e-9


def full_of(data: list[set[str]]) -> int:
    return sum(bool(row) for row in data)


def test_a_refusal_names_the_constraint_and_choices_that_would_do() -> None:
    data = [set("abc"), set("ab"), set("cd"), set("de"), set("aef"), set("f")]
    choices = {
        "privacy": Constraints.of(["ab", "c", "ef"]),
        "utility": Constraints.of(["abc", "def"]),
    }
    with pytest.raises(InfeasibleError, match=r"constraint 1 .* suppress 100 or with k 4"):
        published(Coat(k=5, **choices), data)
    for changed in ({"k": 5, "suppress": 100}, {"k": 4}):
        release = published(Coat(**choices, **changed), data)
        assert verify(release, privacy=choices["privacy"]).by_parts is not False


def test_what_is_suppressed_only_on_the_way_does_not_count_against_the_limit() -> None:
    data = [{"f"}, set("abg"), set("bf"), set("bdg"), set("bef"), {"b"}]
    privacy = Constraints.of(["fga", "ae"])
    utility = Constraints.of(["b", "eg"])
    release = published(Coat(k=2, privacy=privacy, utility=utility, suppress=50), data)
    assert verify(release, privacy=privacy).by_parts is not False
    assert len({"e", "g"} - release.content.block_of.keys()) <= 1


@settings(max_examples=60)
@given(rows, asked, apart, st.integers(2, 5), st.sampled_from((0, 30, 50)))
def test_every_way_out_of_a_refusal_leads_out(
    data: list[set[str]], privacy: list[set[str]], groups: list[int], k: int, suppress: int
) -> None:
    utility = [{i for i, g in zip(ITEMS, groups, strict=True) if g == each} for each in range(4)]
    choices: dict[str, Any] = {
        "k": k,
        "suppress": suppress,
        "privacy": Constraints.of(privacy),
        "utility": Constraints.of([group for group in utility if group]),
    }
    try:
        published(Coat(**choices), data)
    except InfeasibleError as error:
        ways = re.findall(r"with (suppress|k) (\d+)", str(error))
        assert ways
        for name, value in ways:
            release = published(Coat(**choices | {name: int(value)}), data)
            assert verify(release, privacy=choices["privacy"]).by_parts is not False


def test_constraints_are_made_from_the_data() -> None:
    data = Transactions.of([set("abc"), set("ab"), set("cd"), set("de"), set("aef"), set("f")])

    def kept(**choices: Any) -> set[tuple[str, ...]]:
        publication = Coat(k=3, **choices).publish(data, rng.seeded(1))
        assert verify(publication.release, key=publication.linkage_key).by_parts is not False
        return set(map(tuple, publication.linkage_key.tables["constraints"]["items"].to_list()))

    assert kept(protect="items") == {(item,) for item in "abcdef"}
    assert len(kept(protect="share", share=50)) == 3
    assert kept(protect="rare", rare_size=1) == {("b",), ("c",), ("d",), ("e",), ("f",)}
    pairs = {
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
        ("c", "d"),
        ("d", "e"),
        ("a", "e"),
        ("a", "f"),
        ("e", "f"),
    }
    assert kept(protect="rare", rare_size=2) == pairs | {(item,) for item in "bcdef"}


def test_utility_sets_come_from_a_hierarchy() -> None:
    tree = Hierarchy.of_levels([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"], ["d", "y", "*"]])
    data = Transactions.of([["a"], ["b"], ["c"], ["c"], ["d"], ["e"]])
    method = Coat(k=2, protect="items", utility_from="hierarchy", hierarchy=tree)
    release = method.publish(data, rng.seeded(1)).release
    # c has two people, d hides with it; e is not in the hierarchy and can only be left out
    assert release.content.blocks == (("a", "b"), ("c", "d"))
    higher = Coat(
        k=6,
        protect="items",
        utility_from="hierarchy",
        hierarchy=tree,
        hierarchy_level=2,
        suppress=99,
    )
    assert utility_of(higher, data.universe, Constraints(()))[0].tolist() == [0, 1, 2, 3]


def test_utility_sets_come_from_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    net = WordNet.of(
        {"thing": [], "animal": ["thing"], "dog": ["animal"], "cat": ["animal"], "car": ["thing"]},
        {name: [name] for name in ("dog", "cat", "car")},
    )
    monkeypatch.setattr(WordNet, "read", lambda _: net)
    data = Transactions.of([["dog"], ["cat"], ["car"], ["xyz"]])
    method = Coat(k=2, privacy=Constraints.of([["dog"]]), utility_from="wordnet")
    release = method.publish(data, rng.seeded(1)).release
    assert release.content.blocks == (("car",), ("cat", "dog"), ("xyz",))
    # sets that share an item are one: both items of a constraint belong together
    pair = Constraints.of([["dog", "xyz"], ["car"]])
    sets = utility_of(Coat(k=2, privacy=pair, utility_from="wordnet"), data.universe, pair)
    names = [sorted(data.universe[item] for item in group) for group in sets]
    assert sorted(names) == [["car"], ["cat", "dog", "xyz"]]


def test_a_constraint_may_ask_for_a_support_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "privacy.txt"
    file.write_text("a\nb >=4\n")
    constraints = Constraints.read(file)
    assert constraints.least == (0, 4)
    data = [{"a"}, {"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"c"}, {"d"}]
    content = published(Coat(k=2, privacy=constraints), data).content
    assert content.supports[content.block_of["b"]] >= 4
    without = published(Coat(k=2, privacy=Constraints.of(["a", "b"])), data).content
    assert without.supports[without.block_of["b"]] == 2


def test_a_constraint_cannot_ask_for_less_than_is_promised() -> None:
    privacy = Constraints.of(["a"], least=[1])
    release = published(Coat(k=3, privacy=privacy), [{"a"}, {"b"}, {"c"}])
    # the release promises three to everyone who reads it, whatever a line of the owner's file says
    assert release.guarantees == (ConstraintSupport(k=3),)
    assert release.content.supports[release.content.block_of["a"]] == 3


def test_the_owner_hears_of_items_that_nobody_has() -> None:
    data = Transactions.of([["blood pressure"], ["icd"]])
    split = Coat(k=2, privacy=Constraints.of([["blood", "pressure"], ["icd"]]))
    publication = split.publish(data, rng.seeded(1))
    assert publication.linkage_key.facts == {"report": {"items of constraints that nobody has": 2}}
    whole = Coat(k=2, privacy=Constraints.of([["blood pressure"], ["icd"]]))
    kept = whole.publish(data, rng.seeded(1)).linkage_key
    assert kept.facts == {}


def test_the_owner_keeps_constraints_and_rows_and_the_release_has_neither(tmp_path: Path) -> None:
    data = Transactions.of([["a", "secret"], ["a"], ["b"], [], ["b", "a"]])
    privacy = Constraints.of([["secret", "b"]])
    publication = Coat(k=2, privacy=privacy).publish(data, rng.seeded(3))
    behind = publication.linkage_key.tables["rows"].sort("row")["record"].to_list()
    content = publication.release.content
    for row, record in enumerate(behind):
        blocks = {content.block_of[item] for item in data.sets[record] if item in content.block_of}
        begin, end = content.sets.offsets[row : row + 2]
        assert set(content.sets.items[begin:end].tolist()) == blocks
    folder = publication.save(tmp_path / "release")
    manifest = (folder / "manifest.json").read_text()
    assert "secret" not in manifest
    assert "privacy" not in manifest


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0, "protect": "items"},
        {"k": 2},
        {"k": 2, "protect": "items", "privacy": Constraints.of(["a"])},
        {"k": 2, "protect": "share", "share": 101},
        {"k": 2, "protect": "items", "suppress": -1},
        {"k": 2, "protect": "rare", "rare_size": 0},
        {"k": 2, "protect": "items", "utility_from": "hierarchy"},
        {"k": 2, "protect": "items", "utility_from": "wordnet", "utility": Constraints.of(["a"])},
        {"k": 2, "protect": "items", "hierarchy_level": 0},
        {"k": 2, "protect": "everything"},
        {"k": 2, "protect": "items", "utility_from": "words"},
        {"k": 2, "protect": "items", "rounds": "twice"},
        {"k": 2, "protect": "items", "undo": "all"},
    ],
)
def test_choices_are_checked(wrong: dict[str, Any]) -> None:
    for method in METHODS:
        with pytest.raises(ParameterError):
            method(**wrong)


def test_what_cannot_be_published_is_refused() -> None:
    with pytest.raises(DataError, match="at least one record"):
        published(Coat(k=2, protect="items"), [])
    overlapping = Constraints.of(["ab", "bc"])
    with pytest.raises(DataError, match="sets 1 and 2"):
        published(Coat(k=2, protect="items", utility=overlapping), [{"a"}])
    with pytest.raises(ParameterError, match="up to 16 items"):
        published(Coat(k=2, privacy=Constraints.of([map(str, range(17))])), [{"a"}])


def test_people_without_items_have_an_empty_row() -> None:
    release = published(Pcta(k=2, protect="items"), [set(), {"a"}, {"b"}])
    assert sorted(map(len, records_of(release.content))) == [0, 1, 1]
