"""The commonest member of a generalised item is kept, and scored beside one at random."""

from pathlib import Path

import pytest

from discreet import Hierarchy, Transactions, rng
from discreet.catalog import scorer_of
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.release import Release
from discreet.errors import DataError, ParameterError
from discreet.generalised import Coat, Common, Frequency, ItemFrequencies, Km
from discreet.generalised.frequency import counted_in
from tests.releases import as_released

DATA = Transactions.of([["beer"]] * 6 + [["wine"]] + [["tea"]] * 2)


def released(records: list[list[list[str]]]) -> Release[GeneralisedSets]:
    return as_released(GeneralisedSets.of(records))


def test_the_commonest_member_is_kept() -> None:
    publication = Coat(k=7, protect="items").publish(DATA, rng.seeded(1))
    known = Common(frequencies=ItemFrequencies.of({"beer": 0.6, "wine": 0.3, "tea": 0.1}))
    findings = Frequency().attack(publication.release, known)
    assert {claim.inferred for claim in findings.claims} == {("beer",)}
    assert len(findings) == len(DATA)
    scorer = scorer_of([publication.release], findings.attack)
    assert publication.linkage_key is not None
    score = scorer(findings, [DATA], [publication.release], [publication.linkage_key])
    assert score.success.share == pytest.approx(6 / 9)
    assert score.figures["shares"][0]["share"] == pytest.approx(1 / 3), "a member at random"
    assert score.baseline.share == pytest.approx(6 / 9), "beer is right about as many of anybody"
    assert score.advantages[0].mean == pytest.approx(0)
    assert score.remarks == ()


def test_what_the_commonest_member_tells_is_set_beside_a_member_at_random() -> None:
    data = Transactions.of([["beer"]] * 6 + [["wine"]] + [["tea"]] * 93)
    publication = Coat(k=7, protect="items").publish(data, rng.seeded(1))
    findings = Frequency().attack(publication.release, counted_in(Common(), data))
    scorer = scorer_of([publication.release], findings.attack)
    assert publication.linkage_key is not None
    score = scorer(findings, [data], [publication.release], [publication.linkage_key])
    assert score.success.share == pytest.approx(6 / 7)
    assert score.baseline.share == pytest.approx(1 / 2)
    assert score.advantages[0].mean == pytest.approx(6 / 7 - 1 / 2)


def test_where_no_item_is_generalised_nothing_is_guessed() -> None:
    release = Km(k=2, m=1, suppression="items").publish(DATA, rng.seeded(1)).release
    found = Frequency().attack(release)
    assert not found.claims
    assert "under its own name" in found.not_run


def test_a_list_of_the_attacker_is_kept() -> None:
    mine = Common(frequencies=ItemFrequencies.of({"beer": 1}))
    assert counted_in(mine, DATA) is mine
    assert counted_in(Common(), None) == Common()
    counted = counted_in(Common(), DATA).frequencies
    assert counted.counts == {"beer": 6, "tea": 2, "wine": 1}


def test_an_attack_that_does_worse_than_chance_is_said_to_do_so() -> None:
    data = Transactions.of([["beer"]] * 60 + [["wine"]])
    publication = Coat(k=61, protect="items").publish(data, rng.seeded(1))
    known = Common(frequencies=ItemFrequencies.of({"beer": 1, "wine": 2}))
    findings = Frequency().attack([publication.release], known)
    scorer = scorer_of([publication.release], findings.attack)
    assert publication.linkage_key is not None
    score = scorer(findings, [data], [publication.release], [publication.linkage_key])
    assert score.remarks == ("It does worse than its baseline.",)


def test_what_releases_show_by_name_will_do() -> None:
    hidden = as_released(GeneralisedSets.of([[["beer", "wine"]]] * 2))
    shown = as_released(GeneralisedSets.of([[["beer"]]] * 2))
    findings = Frequency().attack([hidden, shown])
    assert [claim.inferred for claim in findings.claims] == [("beer",)] * 2
    with pytest.raises(ParameterError, match="frequencies"):
        Frequency().attack(hidden)


def test_names_of_a_hierarchy_are_guessed_too() -> None:
    tree = Hierarchy.of_levels([[item, "drink"] for item in ("beer", "tea", "wine")])
    method = Km(k=7, m=1, hierarchy=tree, suppression="none")
    release = method.publish(DATA, rng.seeded(1)).release
    known = Common(frequencies=ItemFrequencies.of({"wine": 3, "tea": 2}))
    claims = Frequency().attack(release, known).claims
    assert {(claim.inferred, claim.eliminated) for claim in claims} == {
        (("wine",), ("beer", "tea"))
    }
    assert claims[0].confidence == pytest.approx(3 / 5)


def test_claims_about_a_wide_block_share_what_they_eliminate() -> None:
    publication = Coat(k=7, protect="items").publish(DATA, rng.seeded(1))
    known = Common(frequencies=ItemFrequencies.of({"beer": 0.6, "wine": 0.3, "tea": 0.1}))
    claims = Frequency().attack(publication.release, known).claims
    assert len({id(claim.eliminated) for claim in claims}) == 1


def test_a_tie_is_no_guess() -> None:
    release = as_released(GeneralisedSets.of([[["a", "b"], ["c", "d"]]]))
    known = Common(frequencies=ItemFrequencies.of({"a": 1, "b": 1, "c": 2, "d": 1}))
    assert [claim.inferred for claim in Frequency().attack(release, known).claims] == [("c",)]


def test_a_list_is_read_and_checked(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text("item,count\nbeer,20\nwine,x\n")
    with pytest.raises(DataError, match="a count must be a number"):
        ItemFrequencies.read(file)
    file.write_text("item,count\nbeer,20\nwine,3\n")
    assert ItemFrequencies.read(file).counts == {"beer": 20.0, "wine": 3.0}
    assert repr(ItemFrequencies.read(file)) == "ItemFrequencies(2 items)"
    with pytest.raises(DataError, match="from 0 on"):
        ItemFrequencies.of({"beer": -1})
