"""k^m-anonymity holds for any data, by sets and by a hierarchy, and nothing is given up in vain."""

from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Release, Transactions, rng, verify
from discreet.catalog import find
from discreet.core.generalised_sets import GeneralisedSets
from discreet.errors import DataError, ParameterError
from discreet.generalised import Km
from tests.verify.generalised import km_breaches, records_of

ITEMS = "abcdefgh"
TREE = Hierarchy.of_levels(
    [[item, "xyz"[place // 3], "uv"[place // 6], "*"] for place, item in enumerate(ITEMS)]
)
rows = st.lists(st.sets(st.sampled_from(ITEMS), max_size=5), min_size=1, max_size=30)


def names_of(content: GeneralisedSets | Transactions) -> list[frozenset[str]]:
    if isinstance(content, Transactions):
        return [frozenset(row) for row in content]
    return [frozenset(map(str, row)) for row in records_of(content)]


@settings(max_examples=60, deadline=None)
@given(rows, st.integers(1, 5), st.integers(1, 4), st.sampled_from([None, TREE]))
def test_any_data_become_km_anonymous(
    data: list[set[str]], k: int, m: int, tree: Hierarchy | None
) -> None:
    release = Km(k=k, m=m, hierarchy=tree).publish(Transactions.of(data), rng.seeded(1)).release
    assert verify(release).holds is True
    assert km_breaches(names_of(release.content), k, m) == []
    assert len(release.content) == len(data)
    enough = sum(map(bool, data)) >= k
    # everybody who has something shows something, unless too few have anything
    shown = sorted(bool(row) for row in names_of(release.content))
    assert shown == (sorted(map(bool, data)) if enough else [False] * len(data))


def lifted(data: list[set[str]], cut: set[str]) -> list[frozenset[str]]:
    """The records with each item replaced by the node of the cut that is it or above it."""

    def node(item: str) -> str:
        return next(name for name in (item, *TREE.ancestors(item)) if name in cut)

    return [frozenset(map(node, row)) for row in data]


@settings(max_examples=60, deadline=None)
@given(rows, st.integers(2, 4), st.integers(1, 3))
def test_no_node_of_the_cut_can_be_lowered(data: list[set[str]], k: int, m: int) -> None:
    release = Km(k=k, m=m, hierarchy=TREE).publish(Transactions.of(data), rng.seeded(1)).release
    held = set(chain(*data))
    cut = set(release.content.sets.vocabulary)
    if not cut:
        return
    assert sorted(map(sorted, lifted(data, cut))) == sorted(
        sorted(row) for row in names_of(release.content)
    )
    for name in cut - set(ITEMS):
        below = {child for child in TREE.names if TREE.parent(child) == name}
        used = {child for child in below if held & set(TREE.leaves(child))}
        assert km_breaches(lifted(data, cut - {name} | used), k, m)


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(2, 4), st.integers(1, 3))
def test_no_last_merge_can_be_undone(data: list[set[str]], k: int, m: int) -> None:
    from discreet.generalised.constraint_search import Generalising, rows_of
    from discreet.generalised.km_search import Anonymising

    if sum(map(bool, data)) < k:
        return
    work = Generalising(rows_of(Transactions.of(data, universe=ITEMS).folded))
    Anonymising(work, k, m).by_sets()
    blocks = work.blocks
    firsts = [first for first in range(len(ITEMS)) if blocks.block[first] == first]
    lists = {first: work.members(first) for first in firsts}
    for first, members in lists.items():
        if len(members) == 1:
            continue
        cut = max(range(1, len(members)), key=lambda at: int(blocks.joint[members[at]]))
        parts = [part for other, part in lists.items() if other != first]
        parts += [members[:cut], members[cut:]]
        name = {ITEMS[item]: str(place) for place, part in enumerate(parts) for item in part}
        assert km_breaches([frozenset(name[item] for item in row) for row in data], k, m)


def test_a_release_by_hierarchy_survives_the_disk_with_it(tmp_path: Path) -> None:
    data = Transactions.of(["abc", "ab", "cd", "de", "aef", "f"])
    release = Km(k=2, m=2, hierarchy=TREE).publish(data, rng.seeded(1)).release
    loaded = Release.load(release.save(tmp_path / "release"))
    assert isinstance(loaded.content, Transactions)
    assert loaded.content.applied is not None
    assert loaded.content.applied.parent("a") == "x"
    assert (tmp_path / "release" / "hierarchy_items.parquet").exists()
    assert verify(loaded).holds is True


def test_it_is_called_km_anonymity() -> None:
    entry = find("km-anonymity")
    assert entry.method is Km
    assert set(entry.contents) == {GeneralisedSets, Transactions}


def test_the_owner_keeps_who_is_behind_each_row() -> None:
    data = Transactions.of(["ab", "ab", "ab", "c", "c", ""])
    publication = Km(k=2, m=2).publish(data, rng.seeded(2))
    assert publication.linkage_key is not None
    behind = publication.linkage_key.tables["rows"].sort("row")["record"].to_list()
    content = publication.release.content
    assert isinstance(content, GeneralisedSets)
    shown = [set(chain(*row)) for row in records_of(content)]
    assert [set(data.sets[record]) for record in behind] == shown


def test_bad_choices_and_data_are_refused() -> None:
    for k, m in ((0, 1), (1, 0), (1, 17)):
        with pytest.raises(ParameterError):
            Km(k=k, m=m)
    with pytest.raises(DataError, match="at least one record"):
        Km(k=2, m=1).publish(Transactions.of([]), rng.seeded(1))
    with pytest.raises(DataError, match="1 of 2 are not"):
        Km(k=2, m=1, hierarchy=TREE).publish(Transactions.of(["az"]), rng.seeded(1))
