"""GpASN, TDControl and Dist: for any data the release keeps its promise, and loses no more."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, SocialNetwork, Transactions, verify
from discreet.core.guarantee import GroupedRhoUncertainty
from discreet.core.guarantees.rho import Antecedents
from discreet.core.itemsets import Itemsets
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.networks import Dist, GpAsn, TdControl
from discreet.networks.hiding.local_recoding import Sparing
from discreet.rng import seeded
from discreet.verify.rho_uncertainty import rho_uncertainty

PLAIN, SECRETS = ("a1", "a2", "b1", "b2", "b3", "c"), ("x", "y", "z")
TREE = Hierarchy.of_pairs(
    [("a1", "A"), ("a2", "A"), ("b1", "B"), ("b2", "BB"), ("b3", "BB"), ("BB", "B")]
    + [(top, "ALL") for top in ("A", "B", "c")]
)
RECORD = st.sets(st.sampled_from(PLAIN + SECRETS), max_size=6)
RHO = st.sampled_from(["0.2", "1/3", "0.5", "0.7"])
ANTECEDENTS = st.sampled_from(["mixed", "nonsensitive"])


@st.composite
def networks(draw: Any) -> SocialNetwork:
    records = draw(st.lists(RECORD, min_size=8, max_size=24))
    ids = [str(row) for row in range(len(records))]
    ends = st.sampled_from(ids)
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=40))
    people = Transactions(Itemsets.of(records), ids=np.array(ids), sensitive=frozenset(SECRETS))
    return SocialNetwork.of(people, pairs)


METHODS = st.builds(
    GpAsn,
    rho=RHO,
    hierarchy=st.sampled_from([TREE, None]),
    antecedents=ANTECEDENTS,
    strict=st.booleans(),
    secrets=st.sampled_from(["spare", "ncp", None]),
    known=st.sampled_from([None, None, 1, 2]),
    heuristic=st.sampled_from(["num", "dist"]),
    split=st.sampled_from([None, 0, 6, 8]),
)


@settings(max_examples=60)
@given(networks(), METHODS, st.integers(0, 99))
def test_gp_asn_keeps_its_promise(data: SocialNetwork, method: GpAsn, seed: int) -> None:
    publication = method.publish(data, seeded(seed))
    release = publication.release
    assert verify(release).by_parts is not False, verify(release).witness
    rows = publication.linkage_key.tables["rows"]
    assert sorted(rows["record"].to_list()) == list(range(len(data)))
    assert np.bincount(release.content.group).min() >= method.least
    _refuse_deeper_names(data.people, release.content, rows["record"].to_list())


def _refuse_deeper_names(people: Transactions, content: SetsWithNetwork, record: list[int]) -> None:
    """What a node holds is made of what its person holds, and within a group each item alike."""
    tree = content.applied
    for node, held in enumerate(content.sets):
        mine = set(people.sets[record[node]])
        for name in held:
            stands_for = {name} if name in SECRETS else set(tree.leaves(name))
            assert stands_for & mine
    for group in range(content.group.max() + 1):
        nodes = np.flatnonzero(content.group == group).tolist()
        names = {name for node in nodes for name in content.sets[node] if name not in SECRETS}
        leaves = [leaf for name in names for leaf in tree.leaves(name)]
        assert len(leaves) == len(set(leaves))


@settings(max_examples=40)
@given(networks(), RHO, st.integers(0, 99))
def test_no_deleted_occurrence_of_gp_asn_can_be_put_back(
    data: SocialNetwork, rho: str, seed: int
) -> None:
    publication = GpAsn(rho=rho, hierarchy=TREE).publish(data, seeded(seed))
    content = publication.release.content
    record = publication.linkage_key.tables["rows"]["record"].to_list()
    held = [set(names) for names in content.sets]
    cut = [{name for node in np.flatnonzero(content.group == content.group[place]).tolist()
            for name in held[node]} for place in range(len(content))]  # fmt: skip
    for node, names in enumerate(held):
        mine = set(data.people.sets[record[node]])
        secret = (mine & set(SECRETS)) - names
        plain = {name for name in cut[node] - names - set(SECRETS)
                 if mine & set(TREE.leaves(name))}  # fmt: skip
        for name in sorted(secret | plain):
            fuller = [set(each) for each in held]
            fuller[node].add(name)
            claim = GroupedRhoUncertainty(rho=rho)
            verdict = rho_uncertainty(Itemsets.of(fuller), claim, SECRETS, content.group)
            assert verdict.holds is False


BELOW = {"A": "a1 a2", "B": "b1 b2", "b3+": "b3", "C": "c", "AA": "A", "BB": "B b3+", "CC": "C"}
CHAINS = Hierarchy.of_pairs(
    [(name, above) for above, names in BELOW.items() for name in names.split()]
    + [(top, "ALL") for top in ("AA", "BB", "CC")]
)
"""Some names have a single name below them, which stands for no fewer items."""
TREES = st.sampled_from([TREE, CHAINS])


@settings(max_examples=60)
@given(networks(), RHO, ANTECEDENTS, st.sampled_from(["spare", "ncp"]), TREES)
def test_no_name_could_be_a_finer_one_for_nothing(
    data: SocialNetwork, rho: str, antecedents: Antecedents, secrets: Sparing, tree: Hierarchy
) -> None:
    options: dict[str, Any] = {"rho": rho, "antecedents": antecedents, "hierarchy": tree}
    grouped = GpAsn(secrets=secrets, **options).publish(data, seeded(1))
    alike = TdControl(plan="paper", **options).publish(data.people, seeded(1))
    claim = GroupedRhoUncertainty(rho=rho, antecedents=antecedents)
    for made in (grouped, alike):
        content: Any = made.release.content
        group = getattr(content, "group", np.zeros(len(data), dtype=np.int64))
        sets = [set(held) for held in getattr(content, "sets", content)]
        record = made.linkage_key.tables["rows"].sort("row")["record"].to_list()
        original = [set(data.people.sets[row]) for row in record]
        for each in range(int(group.max()) + 1):
            rows = np.flatnonzero(group == each).tolist()
            for name in {name for row in rows for name in sets[row]} - {*PLAIN, *SECRETS}:
                finer = [set(held) for held in sets]
                for row in rows:
                    if name in sets[row]:
                        below = original[row].intersection(tree.leaves(name))
                        finer[row] -= {name}
                        finer[row] |= {_next_below(tree, leaf, name) for leaf in below}
                verdict = rho_uncertainty(Itemsets.of(finer), claim, SECRETS, group)
                assert verdict.holds is False, name


def _next_below(tree: Hierarchy, leaf: str, name: str) -> str:
    way = (leaf, *tree.ancestors(leaf))
    return way[way.index(name) - 1]


def _loss(data: SocialNetwork, content: SetsWithNetwork, record: list[int]) -> tuple[Any, int]:
    """Return the NCP of names, summed over occurrences, and how many secrets are gone."""
    tree, total, secrets = content.applied, len(PLAIN), 0
    names = Fraction(0)
    for node, held in enumerate(content.sets):
        for item in data.people.sets[record[node]]:
            if item in SECRETS:
                secrets += item not in held
            elif item not in held:
                above = [tree.leaves(name) for name in held if name not in SECRETS + PLAIN]
                shares = [Fraction(len(leaves), total) for leaves in above if item in leaves]
                names += min(shares, default=Fraction(1))
    return names, secrets


@settings(max_examples=150)
@given(networks(), METHODS, st.integers(0, 99))
def test_gp_asn_loses_no_more_than_deleting_every_secret(
    data: SocialNetwork, method: GpAsn, seed: int
) -> None:
    """Without an order to spare secrets; with known items a secret counts as names_first says."""
    assume(method.secrets is None)
    made = method.publish(data, seeded(seed))
    record = made.linkage_key.tables["rows"].sort("row")["record"].to_list()
    names, gone = _loss(data, made.release.content, record)
    held = [item for items in data.people.sets for item in items]
    secrets = sum(item in SECRETS for item in held)
    worth = max(Fraction(1), method.worth * Fraction(len(held) - secrets, len(data)))
    assert names + worth * gone <= worth * secrets


def test_a_rare_name_goes_where_anything_else_loses_more() -> None:
    """The step below the root distinguishes nobody, so the search stays there and names nothing."""
    tree = Hierarchy.of_pairs([("a", "A"), ("b", "A"), ("A", "ALL")])
    sets = [["a", "x", "y"]] * 4 + [["a"]] * 2 + [["b", "x", "y"], ["x", "y"], ["x", "y"], []]
    ids = map(str, range(10))
    people = Transactions.of(dict(zip(ids, sets, strict=True)), sensitive=["x", "y"])
    data = SocialNetwork.of(people, [(str(row), str((row + 1) % 10)) for row in range(10)])
    method = GpAsn(rho="0.9", hierarchy=tree, g_min=10, antecedents="nonsensitive")
    release = method.publish(data, seeded(1)).release
    assert sum(held == ("a", "x", "y") for held in release.content.sets) == 4
    assert sum(held == ("x", "y") for held in release.content.sets) == 3
    assert verify(release).by_parts is True


def test_every_secret_goes_where_keeping_some_would_cost_all_names() -> None:
    """Everybody's names are their own: one secret kept would make kinds of all of them."""
    sets = [[f"n{row}-{place}" for place in range(8)] for row in range(30)]
    sets = [[*held, "x"] if row % 3 == 0 else held for row, held in enumerate(sets)]
    people = Transactions(
        Itemsets.of(sets), np.array([str(row) for row in range(30)]), frozenset("x")
    )
    data = SocialNetwork.of(people, [(str(row), str((row + 1) % 30)) for row in range(30)])
    release = GpAsn(rho="0.5").publish(data, seeded(1)).release
    assert sum(release.content.sets.sizes) == 240
    assert release.manifest.notes["plan"].startswith("nothing but secrets deleted")
    assert verify(release).by_parts is True
    assert all(claim.promise.startswith("no record") for claim in release.guarantees[:2])
    spared = GpAsn(rho="0.5", secrets="spare").publish(data, seeded(1)).release
    assert any("x" in held for held in spared.content.sets)


@settings(max_examples=60)
@given(st.lists(RECORD, min_size=1, max_size=15), RHO, ANTECEDENTS, st.booleans(), st.data())
def test_td_control_and_dist_keep_their_promise(
    records: list[set[str]], rho: str, antecedents: Antecedents, strict: bool, drawn: Any
) -> None:
    data = Transactions.of(records, sensitive=SECRETS)
    hierarchy = drawn.draw(st.sampled_from([TREE, None]))
    heuristic = drawn.draw(st.sampled_from(["dist", "num"]))
    options: dict[str, Any] = {"rho": rho, "antecedents": antecedents, "strict": strict}
    for method in (
        TdControl(hierarchy=hierarchy, **options),
        Dist(heuristic=heuristic, **options),
    ):
        release = method.publish(data, seeded(1)).release
        assert verify(release).by_parts is not False, verify(release).witness
        assert len(release.content) == len(data)


def test_sparing_secrets_loses_fewer_than_deleting_all() -> None:
    """As printed, finer names are bought with every secret there is."""
    own = [[f"q{row}-{place}" for place in range(5)] for row in range(40)]
    records = [[*names, *(["x"] if row % 4 == 0 else [])] for row, names in enumerate(own)]
    tree = Hierarchy.of_pairs(
        [(name, "Q") for names in own for name in names]
        + [(f"r{place}", "R") for place in range(200)]
        + [("Q", "ALL"), ("R", "ALL")]
    )
    ids = np.array([str(row) for row in range(40)])
    people = Transactions(Itemsets.of(records), ids=ids, sensitive=frozenset("x"))
    ring = [(str(row), str((row + 1) % 40)) for row in range(40)]
    data = SocialNetwork.of(people, ring)
    kept = {
        secrets: sum(
            "x" in held
            for held in GpAsn(rho="0.5", hierarchy=tree, heuristic="dist", secrets=secrets, split=0)
            .publish(data, seeded(1))
            .release.content.sets
        )
        for secrets in ("spare", "ncp")
    }
    assert kept == {"spare": 10, "ncp": 0}


def test_split_groups_keep_degrees_apart_and_edges_in_place() -> None:
    """Ten people with six friends and thirty with two: one group in all, of two degrees."""
    ids = np.array([str(row) for row in range(40)])
    sets = Itemsets.of([["a1", *(["x"] if row % 5 == 0 else [])] for row in range(40)])
    people = Transactions(sets, ids=ids, sensitive=frozenset("x"))
    many = [(row, (row + step) % 10) for row in range(10) for step in (1, 2, 3)]
    few = [(10 + row, 10 + (row + 1) % 30) for row in range(30)]
    data = SocialNetwork.of(people, [(str(one), str(other)) for one, other in many + few])
    kept = {}
    for split in (0, 10):
        made = GpAsn(rho="0.5", hierarchy=TREE, split=split).publish(data, seeded(1))
        assert verify(made.release).by_parts is not False
        record = made.linkage_key.tables["rows"].sort("row")["record"].to_numpy()
        after = np.sort(record[made.release.content.edges], axis=1).tolist()
        kept[split] = len({*map(tuple, after)} & {*map(tuple, data.edges.tolist())})
    assert kept[0] < 60 == kept[10] == len(data.edges)


def test_a_sparse_graph_does_not_lose_all_its_edges_unasked() -> None:
    """Ten pairs among forty people: as one group they would all get no friend at all."""
    ids = np.array([str(row) for row in range(40)])
    sets = Itemsets.of([["a1", *(["x"] if row % 5 == 0 else [])] for row in range(40)])
    people = Transactions(sets, ids=ids, sensitive=frozenset("x"))
    data = SocialNetwork.of(people, [(str(2 * row), str(2 * row + 1)) for row in range(10)])
    release = GpAsn(rho="0.5", hierarchy=TREE).publish(data, seeded(1)).release
    assert len(release.content.edges) > 0
    assert verify(release).holds is not False
    assert "else no edge" in release.manifest.notes["groups"]
    made = GpAsn(rho="0.5", hierarchy=TREE, split=0).publish(data, seeded(1))
    assert "no edge is left" in made.release.manifest.notes["groups"]
    told = made.linkage_key.facts["report"]
    assert (told["friendships given"], told["friendships published"]) == (10, 0)


def test_groups_are_split_unasked_where_that_keeps_more_names() -> None:
    """Ten who all hold a1, of whom half have one friend and the others three, beside others."""
    ids = np.array([str(row) for row in range(40)])
    sets = Itemsets.of(
        [["a1" if row % 8 < 4 else "a2", *(["x"] if row % 8 == 0 else [])] for row in range(40)]
    )
    people = Transactions(sets, ids=ids, sensitive=frozenset("x"))
    hubs = [row for row in range(40) if row % 8 >= 4]
    data = SocialNetwork.of(people, [(str(one), str(other)) for one, other in pairwise(hubs)])
    named = {}
    for split in (None, 0, 5):
        made = GpAsn(rho="0.5", hierarchy=TREE, split=split).publish(data, seeded(1))
        assert verify(made.release).by_parts is not False
        named[split] = sum(
            name in ("a1", "a2") for row in made.release.content.sets for name in row
        )
    assert named[None] == max(named.values())


def few_and_many_friends() -> SocialNetwork:
    """Without kinds everybody looks alike: sixty on a ring, and ten of them all friends besides."""
    sets = [[f"i{row % 30}", f"j{row % 7}", *(["x"] if row % 6 == 0 else [])] for row in range(60)]
    people = Transactions(
        Itemsets.of(sets), np.array([str(row) for row in range(60)]), frozenset("x")
    )
    ring = [(row, (row + 1) % 60) for row in range(60)]
    known = [(one, other) for one in range(0, 60, 6) for other in range(0, one, 6)]
    return SocialNetwork.of(people, [(str(one), str(other)) for one, other in [*ring, *known]])


@pytest.mark.parametrize("known", [None, 1, 2])
def test_not_everybody_is_in_one_group_where_the_promise_allows_more(known: int | None) -> None:
    data = few_and_many_friends()
    made = GpAsn(rho="0.5", known=known).publish(data, seeded(1))
    assert verify(made.release).by_parts is True
    assert made.release.content.group.max() > 0
    assert len(np.unique(np.bincount(made.release.content.edges.ravel()))) > 1
    assert str(made.release.manifest.notes["groups"]).endswith("the kinds tell nobody apart")


def few_hold_items_of_the_same_kinds() -> SocialNetwork:
    """Two hundred people, each with items of some of six kinds, every fourth with a secret."""
    draw = Random(1)
    sets = [
        [
            f"{kind}{item}"
            for kind in range(6)
            if draw.random() < 0.5
            for item in draw.sample(range(8), draw.randint(1, 3))
        ]
        + ["x"] * (row % 4 == 0)
        for row in range(200)
    ]
    ids = np.array([str(row) for row in range(200)])
    edges = [(str(row), str((row + 1 + way) % 200)) for row in range(200) for way in range(row % 5)]
    return SocialNetwork.of(Transactions(Itemsets.of(sets), ids, frozenset("x")), edges)


@pytest.mark.parametrize("known", [1, 2])
def test_kinds_cost_no_secrets_against_few_known_items(known: int) -> None:
    """In small groups by kinds half of the secrets go; by degree alone four in five may stay."""
    data = few_hold_items_of_the_same_kinds()
    kinds = [(item, f"kind {item[0]}") for item in data.people.universe if item != "x"]
    tree = Hierarchy.of_pairs([*kinds, *((f"kind {kind}", "ALL") for kind in range(6))])
    method = GpAsn(rho="0.5", known=known, hierarchy=tree)
    release = method.publish(data, seeded(1)).release
    assert verify(release).by_parts is True
    assert str(release.manifest.notes["groups"]).startswith("by degree alone")
    names = [name for held in release.content.sets for name in held]
    assert names.count("x") > 40
    own = set(data.people.universe) - {"x"}
    assert sum(name in own for name in names) > 0.85 * (len(data.people.items) - 50)
    searched = replace(method, secrets="ncp").publish(data, seeded(1)).release
    assert str(searched.manifest.notes["groups"]).startswith("by the kinds")


def test_one_group_is_said_to_be_one() -> None:
    data = few_and_many_friends()
    for method in (GpAsn(rho="0.5", known=2, split=0), GpAsn(rho="0.5", g_min=31)):
        made = method.publish(data, seeded(1))
        assert not made.release.content.group.any()
        assert str(made.release.manifest.notes["groups"]).startswith("everybody in one group")


def test_wrong_parameters_and_data_are_refused() -> None:
    people = Transactions(Itemsets.of([["a1"], ["x"]]), np.array(["1", "2"]), frozenset("x"))
    two = SocialNetwork.of(people, [("1", "2")])
    with pytest.raises(ParameterError, match="rho must be a confidence above 0 and up to 1, got 2"):
        GpAsn(rho=2)
    with pytest.raises(ParameterError, match="g_min must be at least 2"):
        GpAsn(rho="0.5", g_min=1)
    with pytest.raises(ParameterError, match="split must be 0 or at least g_min, here 6, got 5"):
        GpAsn(rho="0.2", split=5)
    with pytest.raises(InfeasibleError, match="at least 5 people for one group, got 2; g_min = 2"):
        GpAsn(rho="0.5").publish(two, seeded(1))
    with pytest.raises(DataError, match="must name sensitive items"):
        Dist(rho="0.5").publish(Transactions.of([["a"]]), seeded(1))
    with pytest.raises(DataError, match="at least one record"):
        TdControl(rho="0.5").publish(Transactions.of([], sensitive=["x"]), seeded(1))
    with pytest.raises(DataError, match="must be in the hierarchy, and 1 are not"):
        TdControl(rho="0.5", hierarchy=TREE).publish(
            Transactions.of([["q", "x"]], sensitive=["x"]), seeded(1)
        )
    with pytest.raises(DataError, match="must not be an item itself"):
        TdControl(rho="0.5", hierarchy=TREE).publish(
            Transactions.of([["a1", "A"]], sensitive=["A"]), seeded(1)
        )
    assert GpAsn(rho="0.2").least == 6
