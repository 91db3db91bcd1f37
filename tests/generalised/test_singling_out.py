"""Records that a few known items single out: all of them, and no others."""

from itertools import combinations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng
from discreet.catalog import scorer_of
from discreet.core.clusters import Clusters
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.publication import LinkageKey
from discreet.errors import DataError, ParameterError
from discreet.generalised import (
    Km,
    SinglingOut,
    score_singled_out,
)
from discreet.series import Anony
from discreet.study.examine import Evidence, examined
from discreet.study.judgement import judged
from tests.releases import as_released

ITEMS = "abcdef"
rows = st.lists(st.sets(st.sampled_from(ITEMS), max_size=6), min_size=1, max_size=24)
MANY = [f"i{number}" for number in range(140)]


def keyed(rows: dict[str, list[int]]) -> LinkageKey:
    return LinkageKey({"rows": pl.DataFrame(rows)})


def fewest(data: list[set[str]], row: set[str]) -> int | None:
    """How few items of a record no other record holds together."""
    for size in range(1, len(row) + 1):
        for known in combinations(sorted(row), size):
            if sum(set(known) <= other for other in data) == 1:
                return size
    return None


@settings(max_examples=150)
@given(rows, st.integers(1, 5))
def test_every_record_that_up_to_five_items_single_out_is_found(
    data: list[set[str]], most: int
) -> None:
    findings = SinglingOut(known=most).attack(
        as_released(Transactions.of(data, universe=list(ITEMS)))
    )
    found = {claim.row: len(claim.known) for claim in findings.claims}
    for claim in findings.claims:
        assert [set(claim.known) <= row for row in data].count(True) == 1
        assert {*claim.known, *claim.inferred} == data[claim.row]
    for place, row in enumerate(data):
        needed = fewest(data, row)
        assert found.get(place) == (needed if needed is not None and needed <= most else None)


@pytest.mark.parametrize(("length", "common"), [(3, 0), (12, 100), (70, 0)])
def test_items_without_a_bit_of_their_own_and_long_records_are_searched(
    length: int, common: int
) -> None:
    """More items than bits; ``common`` of the draws go to the first ten items."""
    coin = rng.seeded(length)
    data = [
        {
            MANY[int(coin.integers(10 if draw < common else len(MANY), 1)[0])]
            for draw in coin.integers(200, length).tolist()
        }
        for _ in range(60)
    ]
    findings = SinglingOut(known=(1, 2, 3)).attack(as_released(Transactions.of(data)))
    found = {claim.row: len(claim.known) for claim in findings.claims}
    for place, row in enumerate(data):
        needed = fewest(data, row)
        assert found.get(place) == (needed if needed is not None and needed <= 3 else None)
    for claim in findings.claims:
        assert [set(claim.known) <= row for row in data].count(True) == 1


def test_shares_are_told_by_the_best_items_and_by_random_ones() -> None:
    data = Transactions.of(map(set, ["ab", "a", "a", "b", "b", "cab", "cab"]))
    told = SinglingOut(known=(1, 2)).attack(as_released(data)).summary
    assert told["singled_out_by_1"] == 0
    assert told["singled_out_by_2"] == 0
    alone = Transactions.of(map(set, ["abz", "a", "b", "z"]))
    told = SinglingOut(known=(1, 2)).attack(as_released(alone)).summary
    assert told["singled_out_by_2"] == 1 / 4
    assert told["singled_out_by_2_at_random"] == 1 / 4


def test_nobody_is_singled_out_by_as_many_items_as_are_promised() -> None:
    coin = rng.seeded(4)
    data = Transactions.of(
        [[item for item in ITEMS if coin.integers(2, 1)[0]] for _ in range(60)],
        universe=list(ITEMS),
    )
    publication = Km(k=2, m=2).publish(data, rng.seeded(1))
    findings = SinglingOut(known=(1, 2, 3, 4)).attack(publication.release)
    assert all(len(claim.known) > 2 for claim in findings.claims)
    assert publication.linkage_key is not None
    scorer = scorer_of([publication.release], findings.attack)
    score = scorer(findings, [data], [publication.release], [publication.linkage_key])
    # everyone behind such a record has what is known
    assert score.success.share == len(findings.claims) / len(data)
    assert score.record()["claims"] == len(findings.claims)
    assert score.rates[-1][1].share == pytest.approx(1 / 60)


def test_numbers_of_known_items_are_checked() -> None:
    for known in (0, 11, ()):
        with pytest.raises(ParameterError, match="known"):
            SinglingOut(known=known)


def test_claims_about_another_release_are_refused() -> None:
    one, other = (
        as_released(Transactions.of(map(set, ["ab", "c"]))),
        as_released(Transactions.of(map(set, ["xy", "z"]))),
    )
    key = Km(k=1, m=1).publish(Transactions.of(map(set, ["ab", "c"])), rng.seeded(1)).linkage_key
    assert isinstance(key, LinkageKey)
    findings = SinglingOut().attack(one)
    with pytest.raises(DataError, match="about this release"):
        score_singled_out(findings, [Transactions.of(map(set, ["ab", "c"]))], [other], [key])


def test_one_item_more_than_is_promised_is_tried() -> None:
    data = Transactions.of([list("abcdef")] * 3 + [list("abcde")] * 3)
    within = SinglingOut().attack(Km(k=3, m=6).publish(data, rng.seeded(1)).release)
    assert not within.not_tried
    assert within.summary["singled_out_by_7"] == 0
    beyond = SinglingOut().attack(Km(k=3, m=10).publish(data, rng.seeded(1)).release)
    assert "11 known items, one more than the release is made to withstand" in beyond.not_tried
    chosen = SinglingOut(known=(1, 2)).attack(Km(k=3, m=2).publish(data, rng.seeded(1)).release)
    assert "3 known items" in chosen.not_tried


def all_but_one(size: int) -> Transactions:
    """One person with all items, whom only all of them together tell from the others."""
    every = "abcdefghij"[:size]
    return Transactions.of([set(every), *(set(every) - {item} for item in every for _ in range(2))])


@pytest.mark.parametrize("size", range(2, 11))
def test_who_is_alone_by_many_items_only_is_found(size: int) -> None:
    claims = SinglingOut(known=size).attack(as_released(all_but_one(size))).claims
    assert [len(claim.known) for claim in claims] == [size]
    assert not SinglingOut(known=size - 1).attack(as_released(all_but_one(size))).claims


@given(st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1), max_size=14))
def test_the_fewest_of_up_to_seven_items_are_those_by_hand(records: list[set[str]]) -> None:
    findings = SinglingOut(known=7).attack(as_released(Transactions.of(records)))
    fewest = {claim.row: len(claim.known) for claim in findings.claims}
    for row, held in enumerate(records):
        sizes = [
            size
            for size in range(1, min(7, len(held)) + 1)
            for chosen in combinations(sorted(held), size)
            if sum(set(chosen) <= other for other in records) == 1
        ]
        assert fewest.get(row) == min(sizes, default=None)


def test_clusters_are_read_by_what_is_not_private_and_counterfeits_are_nobody() -> None:
    """A row is found by public terms; whoever takes a made-up one for a person is wrong."""
    people = Transactions.of([["x", "y", "HIV"], ["x"], ["y"]], sensitive=["HIV"])
    clusters = Clusters.of([([["x", "y"], ["x"], ["y"], ["z"]], ["HIV"])], counterfeits=[1])
    release = as_released(clusters)
    findings = SinglingOut().attack(release)
    assert {(claim.row, claim.known) for claim in findings.claims} == {(0, ("x", "y")), (3, ("z",))}
    listed = {"row": [0, 1, 2, 3], "record": [0, 1, 2, -1]}
    fewer = {"row": [2, 0, 1], "record": [2, 0, 1]}
    for rows_of in (listed, fewer):
        score = score_singled_out(findings, [people], [release], [keyed(rows_of)])
        assert score.advantages[0].success.share == 1 / 3


@pytest.mark.parametrize("row", [-1, 4])
def test_a_key_that_leaves_people_out_makes_nobody_safer(row: int) -> None:
    """Of those it lists as many are found; one that lists nobody, or other rows, is refused."""
    people = Transactions.of([["x"], ["y"], ["z"], ["u"]])
    release = as_released(Clusters.of([([["x"], ["y"], ["z"], ["u"]], [])]))
    findings = SinglingOut().attack(release)
    score = score_singled_out(
        findings, [people], [release], [keyed({"row": [0, 2], "record": [0, 2]})]
    )
    assert score.advantages[0].success.share == 1
    for wrong in ({"row": [0], "record": [-1]}, {"row": [0, row], "record": [0, 1]}):
        with pytest.raises(DataError, match="the key must"):
            score_singled_out(findings, [people], [release], [keyed(wrong)])


def test_a_release_of_clusters_in_which_everybody_is_alone_is_not_to_go_out() -> None:
    people = Transactions.of(
        [[f"place {number}", f"town {number // 3}", *(["HIV"] if number % 20 == 0 else [])]
         for number in range(120)],
        sensitive=["HIV"],
    )  # fmt: skip
    made = Anony(r_th=8).publish(people, rng.seeded(1))
    found = examined(made.release, Evidence(original=people, key=made.linkage_key))
    verdict = judged(found, study=True)
    assert verdict.level == "do not release"
    assert "singling-out singles out" in verdict.reasons[0].words


def test_an_item_that_is_called_like_a_block_is_not_taken_for_it() -> None:
    content = GeneralisedSets.of([[["a", "b"]], [["(a, b)"], ["c"]], [["c"]], [["(a, b)"]]])
    truth = Transactions.of([["a"], ["(a, b)", "c"], ["c"], ["(a, b)"]])
    release, key = as_released(content), keyed({"row": [0, 1, 2, 3], "record": [0, 1, 2, 3]})
    found = SinglingOut().attack([release])
    assert [claim.row for claim in found.claims] == [0, 1]
    (advantage,) = score_singled_out(found, [truth], [release], [key]).advantages
    assert advantage.success.share == 1 / 2
