"""k^m-anonymity holds for any data, by sets and by a hierarchy, and nothing is given up in vain."""

from collections import Counter
from itertools import chain, combinations, product
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Release, Transactions, rng, verify
from discreet.catalog import find
from discreet.core.generalised_sets import GeneralisedSets
from discreet.errors import DataError, ParameterError
from discreet.generalised import Km, certainty_penalty, generalised_queries
from discreet.generalised.recoding.query_errors import MeasuredQueries
from tests.verify.generalised import breaches_of_items, km_breaches, records_of

ITEMS = "abcdefgh"
TREE = Hierarchy.of_levels(
    [[item, "xyz"[place // 3], "uv"[place // 6], "*"] for place, item in enumerate(ITEMS)]
)
rows = st.lists(st.sets(st.sampled_from(ITEMS), max_size=5), min_size=1, max_size=30)


def names_of(content: GeneralisedSets | Transactions) -> list[frozenset[str]]:
    if isinstance(content, Transactions):
        return [frozenset(row) for row in content]
    return [frozenset(map(str, row)) for row in records_of(content)]


def published(data: list[set[str]], **chosen: Any) -> Any:
    return (
        Km(**chosen)
        .publish(Transactions.of(data, universe=list(ITEMS)), rng.seeded(1))
        .release.content
    )


choices = st.fixed_dictionaries(
    {
        "k": st.integers(1, 5),
        "m": st.integers(1, 4),
        "hierarchy": st.sampled_from([None, TREE]),
        "loss": st.sampled_from(["names", "ncp", "query"]),
        "suppression": st.sampled_from(["occurrences", "items", "none"]),
    }
)


@settings(max_examples=120)
@given(rows, choices)
def test_any_data_become_km_anonymous(data: list[set[str]], chosen: dict[str, Any]) -> None:
    people = Transactions.of(data)
    release = Km(**chosen).publish(people, rng.seeded(1)).release
    assert verify(release, against=people).by_parts is True
    assert km_breaches(names_of(release.content), chosen["k"], chosen["m"]) == []
    assert len(release.content) == len(data)


@settings(max_examples=60)
@given(
    rows,
    st.integers(2, 4),
    st.integers(1, 3),
    st.sampled_from(["lra", "vpa"]),
    st.sampled_from(["names", "ncp"]),
    st.sampled_from(["occurrences", "none"]),
)
def test_local_recoding_keeps_the_promise_about_original_items(
    data: list[set[str]], k: int, m: int, recoding: str, loss: str, suppression: str
) -> None:
    people = Transactions.of(data, universe=list(ITEMS))
    chosen: dict[str, Any] = {"k": k, "m": m, "hierarchy": TREE, "loss": loss}
    method = Km(**chosen, recoding=recoding, suppression=suppression)
    publication = method.publish(people, rng.seeded(1))
    content = publication.release.content
    assert isinstance(content, Transactions)
    assert breaches_of_items(names_of(content), TREE, k, m) == []
    assert verify(publication.release, against=people).by_parts is True
    plan = method.decide(people.folded, rng.seeded(1))
    parts = [Transactions.of(part, universe=list(ITEMS)) for part in (data[::2], data[1::2])]
    applied = [row for part in parts for row in names_of(method.apply(plan, part))]
    assert Counter(applied) == Counter(names_of(content))
    assume(recoding == "lra")
    alike = Km(**chosen, suppression=suppression).publish(people, rng.seeded(1))
    numbers = [
        certainty_penalty(people, each.release, key=each.linkage_key)
        for each in (publication, alike)
    ]
    better, worse = (
        each["ncp"] if loss == "ncp" else 1 - each["occurrences_by_name"] for each in numbers
    )
    assert better <= worse + 1e-9


def test_similar_sets_are_recoded_in_their_own_way() -> None:
    data = Transactions.of(
        map(set, ["ab"] * 6 + ["a"] * 6 + ["b"] * 6 + ["de", "ef", "df", "d", "e", "f"])
    )
    content = Km(k=4, m=2, hierarchy=TREE, loss="ncp", recoding="lra").publish(data).release.content
    assert isinstance(content, Transactions)
    assert {"a", "b"} <= set(content.universe)


@settings(max_examples=60)
@given(rows, st.integers(1, 5), st.integers(1, 4), st.sampled_from([None, TREE]))
def test_without_suppression_everybody_shows_something_unless_too_few_have_anything(
    data: list[set[str]], k: int, m: int, tree: Hierarchy | None
) -> None:
    content = published(data, k=k, m=m, hierarchy=tree, suppression="none")
    shown = sorted(bool(row) for row in names_of(content))
    enough = sum(map(bool, data)) >= k
    assert shown == (sorted(map(bool, data)) if enough else [False] * len(data))


def by_name(content: GeneralisedSets | Transactions) -> int:
    """Occurrences that are published under their own name."""
    if isinstance(content, Transactions):
        return sum(len(set(row) & set(ITEMS)) for row in content)
    return int(content.supports[content.trivial].sum())


def without_the_rarest(data: list[set[str]], k: int, m: int) -> int:
    """Occurrences left when as few of the rarest items are dropped as will do."""
    order = sorted(ITEMS, key=lambda item: -sum(item in row for row in data))
    for many in range(len(ITEMS), -1, -1):
        left = [frozenset(row & set(order[:many])) for row in data]
        if not km_breaches(left, k, m):
            return sum(map(len, left))
    raise AssertionError


@settings(max_examples=80)
@given(rows, st.integers(2, 4), st.integers(1, 3), st.sampled_from([None, TREE]))
def test_as_many_names_are_kept_as_by_any_trivial_way(
    data: list[set[str]], k: int, m: int, tree: Hierarchy | None
) -> None:
    kept = by_name(published(data, k=k, m=m, hierarchy=tree))
    assert kept >= without_the_rarest(data, k, m)
    for suppression in ("items", "none"):
        assert kept >= by_name(published(data, k=k, m=m, hierarchy=tree, suppression=suppression))


def lost(data: list[set[str]], loss: str, **chosen: Any) -> float:
    """What is lost by a measure, as the measures tell it."""
    people = Transactions.of(data, universe=list(ITEMS))
    publication = Km(loss=loss, **chosen).publish(people, rng.seeded(1))
    key = publication.linkage_key
    if loss == "query":
        return float(generalised_queries(people, publication.release)["query_error_expected"])
    return float(certainty_penalty(people, publication.release, key=key)["ncp"])


@settings(max_examples=50)
@given(
    rows,
    st.integers(2, 4),
    st.integers(1, 3),
    st.sampled_from([None, TREE]),
    st.sampled_from(["ncp", "query"]),
)
def test_no_more_is_lost_than_by_merging_alone_or_by_names_alone(
    data: list[set[str]], k: int, m: int, tree: Hierarchy | None, loss: str
) -> None:
    assume(any(data))
    chosen = {"k": k, "m": m, "hierarchy": tree}
    found = lost(data, loss, **chosen)
    assert found <= lost(data, loss, **chosen, suppression="none") + 1e-9
    assert found <= lost(data, loss, **chosen, suppression="items") + 1e-9


@settings(max_examples=60)
@given(rows, st.integers(2, 4), st.integers(1, 3))
def test_no_suppressed_occurrence_can_be_put_back(data: list[set[str]], k: int, m: int) -> None:
    publication = Km(k=k, m=m).publish(Transactions.of(data, universe=list(ITEMS)), rng.seeded(1))
    behind = publication.linkage_key.tables["rows"].sort("row")["record"].to_list()
    names = names_of(publication.release.content)
    assume(set().union(*names) <= set(ITEMS))  # no blocks: what is not there was suppressed
    shown = dict(zip(behind, names, strict=True))
    for person, row in shown.items():
        for item in data[person] - row:
            again = [
                shown[other] | {item} if held == data[person] else shown[other]
                for other, held in enumerate(data)
            ]
            assert km_breaches(again, k, m)


def fewest_lost(data: list[frozenset[str]], k: int, m: int) -> int:
    """The least number of suppressed occurrences, by trying all ways."""
    kinds = sorted(set(data), key=sorted)
    ways = [
        [frozenset(part) for size in range(len(kind) + 1) for part in combinations(kind, size)]
        for kind in kinds
    ]
    best = sum(map(len, data))
    for way in product(*ways):
        shown = dict(zip(kinds, way, strict=True))
        gone = sum(len(row) - len(shown[row]) for row in data)
        if gone < best and not km_breaches([shown[row] for row in data], k, m):
            best = gone
    return best


def test_few_more_occurrences_are_suppressed_than_must_be() -> None:
    coin = rng.seeded(11)
    ratios = []
    for _ in range(40):
        kinds = [frozenset(np.array(list("abcd"))[coin.integers(2, 4) == 1]) for _ in range(5)]
        data = [kinds[place] for place in coin.integers(5, 9)]
        best = fewest_lost(data, 3, 2)
        content = published([set(row) for row in data], k=3, m=2)
        found = sum(map(len, data)) - by_name(content)
        assert found >= best
        ratios.append(found / best if best else 1.0 + found)
    assert median(ratios) <= 1.05
    assert mean(ratios) <= 1.15


def partitions(items: str) -> list[list[str]]:
    """Every way to divide items into blocks."""
    if not items:
        return [[]]
    first, rest = items[0], partitions(items[1:])
    joined = [
        [*way[:at], first + way[at], *way[at + 1 :]] for way in rest for at in range(len(way))
    ]
    return [[first, *way] for way in rest] + joined


def ways_to_publish(data: list[frozenset[str]], k: int, m: int) -> Any:
    """Every partition with every choice of what is left out of each kind of set that keeps k^m."""
    kinds = sorted(set(data), key=sorted)
    for blocks in partitions("abcd"):
        label = {item: block for block in blocks for item in block}
        lifted = [sorted({label[item] for item in kind}) for kind in kinds]
        parts = [
            [frozenset(part) for size in range(len(held) + 1) for part in combinations(held, size)]
            for held in lifted
        ]
        for way in product(*parts):
            shown = dict(zip(kinds, way, strict=True))
            if not km_breaches([shown[row] for row in data], k, m):
                yield label, shown


def penalty(data: list[frozenset[str]], label: dict[str, str], shown: Any) -> float:
    """The certainty penalty of a way to publish, occurrence by occurrence."""
    costs = [
        (len(label[item]) / 4 if len(label[item]) > 1 else 0.0)
        if label[item] in shown[row]
        else 1.0
        for row in data
        for item in row
    ]
    return sum(costs) / max(1, len(costs))


def tiny(coin: Any) -> list[frozenset[str]]:
    kinds = [frozenset(np.array(list("abcd"))[coin.integers(2, 4) == 1]) for _ in range(4)]
    return [kinds[place] for place in coin.integers(4, 8)]


def test_the_penalty_is_near_the_least_there_is() -> None:
    coin, ratios = rng.seeded(12), []
    for _ in range(25):
        data = tiny(coin)
        best = min(penalty(data, *way) for way in ways_to_publish(data, 3, 2))
        people = Transactions.of([sorted(row) for row in data], universe=list("abcd"))
        made = Km(k=3, m=2, loss="ncp").publish(people, rng.seeded(1))
        found = certainty_penalty(people, made.release, key=made.linkage_key)["ncp"]
        assert found >= best - 1e-9
        ratios.append(found / best if best else 1.0 + found)
    assert median(ratios) <= 1.15


def error_of(people: Transactions, queries: Any, label: dict[str, str], shown: Any) -> float:
    """The expected error of counting queries, asked person by person."""
    total = 0.0
    for query, true, often in queries:
        blocks = {label[item] for item in query}
        chance = 1.0
        for block in blocks:
            choices = [
                set(part) for size in range(1, len(block) + 1) for part in combinations(block, size)
            ]
            fit = [part for part in choices if query & set(block) <= part]
            chance *= len(fit) / len(choices)
        most = sum(blocks <= shown[frozenset(person)] for person in people)
        total += often * abs(true - most * chance) / max(true, 1)
    return total / sum(often for *_, often in queries)


def test_the_error_of_queries_is_near_the_least_there_is() -> None:
    coin, ratios = rng.seeded(14), []
    for _ in range(10):
        data = tiny(coin)
        people = Transactions.of([sorted(row) for row in data], universe=list("abcd"))
        measured = MeasuredQueries.of(people.folded)
        often = measured.queries.counts.tolist()
        asked = [set(query) for query in measured.queries.sets]
        queries = list(zip(asked, measured.true.tolist(), often, strict=True))
        best = min(error_of(people, queries, *way) for way in ways_to_publish(data, 3, 2))
        made = Km(k=3, m=2, loss="query").publish(people, rng.seeded(1))
        found = generalised_queries(people, made.release)["query_error_expected"]
        assert found >= best - 1e-9
        ratios.append(found / best if best else 1.0 + found)
    assert median(ratios) <= 1.05
    assert mean(ratios) <= 1.15


@settings(max_examples=40)
@given(rows, choices, st.randoms(use_true_random=False))
def test_a_release_does_not_depend_on_the_order_of_records(
    data: list[set[str]], chosen: dict[str, Any], chance: Random
) -> None:
    mixed = chance.sample(data, len(data))
    one, other = (published(each, **chosen).tables() for each in (data, mixed))
    assert all(one[name].equals(other[name]) for name in one)


@settings(max_examples=40)
@given(rows, choices, st.integers(0, 30))
def test_a_plan_applied_to_parts_gives_the_same_records(
    data: list[set[str]], chosen: dict[str, Any], place: int
) -> None:
    people = Transactions.of(data, universe=list(ITEMS))
    method = Km(**chosen)
    plan = method.decide(people.folded, rng.seeded(1))
    whole = names_of(method.apply(plan, people))
    parts = [Transactions.of(part, universe=list(ITEMS)) for part in (data[:place], data[place:])]
    assert [row for part in parts for row in names_of(method.apply(plan, part))] == whole
    assert Counter(whole) == Counter(
        names_of(method.publish(people, rng.seeded(1)).release.content)
    )


def lifted(data: list[set[str]], cut: set[str]) -> list[frozenset[str]]:
    """The records with each item replaced by the node of the cut that is it or above it."""

    def node(item: str) -> str:
        return next(name for name in (item, *TREE.ancestors(item)) if name in cut)

    return [frozenset(map(node, row)) for row in data]


@settings(max_examples=60)
@given(rows, st.integers(2, 4), st.integers(1, 3))
def test_no_node_of_the_cut_can_be_lowered(data: list[set[str]], k: int, m: int) -> None:
    content = published(data, k=k, m=m, hierarchy=TREE, suppression="none")
    held = set(chain(*data))
    cut = set(content.sets.vocabulary)
    assume(cut)
    assert sorted(map(sorted, lifted(data, cut))) == sorted(map(sorted, names_of(content)))
    for name in cut - set(ITEMS):
        below = {child for child in TREE.names if TREE.parent(child) == name}
        used = {child for child in below if held & set(TREE.leaves(child))}
        assert km_breaches(lifted(data, cut - {name} | used), k, m)


@settings(max_examples=40)
@given(rows, st.integers(2, 4), st.integers(1, 3))
def test_no_last_merge_can_be_undone(data: list[set[str]], k: int, m: int) -> None:
    from discreet.generalised.recoding.constraint_search import Generalising, rows_of
    from discreet.generalised.recoding.km_search import Anonymising

    assume(sum(map(bool, data)) >= k)
    work = Generalising(rows_of(Transactions.of(data, universe=list(ITEMS)).folded))
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
    data = Transactions.of(map(set, ["abc", "ab", "cd", "de", "aef", "f"]))
    release = Km(k=2, m=2, hierarchy=TREE).publish(data, rng.seeded(1)).release
    loaded = Release.load(release.save(tmp_path / "release"))
    assert isinstance(loaded.content, Transactions)
    assert loaded.content.applied.parent("a") == "x"
    assert (tmp_path / "release" / "hierarchy_items.parquet").exists()
    assert verify(loaded).by_parts is True


def test_it_is_called_km_anonymity() -> None:
    entry = find("km-anonymity")
    assert entry.method is Km
    assert set(entry.contents) == {GeneralisedSets, Transactions}


def test_the_owner_keeps_who_is_behind_each_row() -> None:
    data = Transactions.of(map(set, ["ab", "ab", "ab", "c", "c", ""]))
    publication = Km(k=2, m=2).publish(data, rng.seeded(2))
    behind = publication.linkage_key.tables["rows"].sort("row")["record"].to_list()
    content = publication.release.content
    assert isinstance(content, GeneralisedSets)
    shown = [set(chain(*row)) for row in records_of(content)]
    assert [set(data.sets[record]) for record in behind] == shown


def test_bad_choices_and_data_are_refused() -> None:
    with pytest.raises(ParameterError, match="loss"):
        Km(k=2, m=1, loss="money")
    for k, m in ((0, 1), (1, 0), (1, 17)):
        with pytest.raises(ParameterError):
            Km(k=k, m=m)
    with pytest.raises(DataError, match="at least one record"):
        Km(k=2, m=1).publish(Transactions.of([]), rng.seeded(1))
    with pytest.raises(DataError, match="1 of 2 are not"):
        Km(k=2, m=1, hierarchy=TREE).publish(Transactions.of(map(set, ["az"])), rng.seeded(1))


@pytest.mark.parametrize("seed", range(8))
def test_sets_that_differ_in_what_is_published_nowhere_keep_what_was_decided(seed: int) -> None:
    texts = ["be", "efg", "ae", "a", "ce", "abef", "abcef", "ae", "be", "", "bcef", "ce", "aef"]
    for m, tree in ((2, None), (3, None), (2, TREE)):
        method = Km(k=4, m=m, hierarchy=tree)
        release = method.publish(Transactions.of(map(set, texts)), rng.seeded(seed)).release
        assert verify(release).by_parts is True
        if isinstance(release.content, GeneralisedSets):
            assert (release.content.supports > 0).all()
