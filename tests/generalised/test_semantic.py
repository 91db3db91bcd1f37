"""The semantic attack: contexts, what it leaves alone, and what it claims."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.catalog import find
from discreet.core.generalised_sets import GeneralisedSets
from discreet.errors import ParameterError
from discreet.generalised import ItemFrequencies, Meaning, Semantic
from discreet.generalised.elimination.reconstruction import Context, Distances
from discreet.rng import seeded
from discreet.semantics import Corpus, DistanceTable, Ngd
from discreet.study import Evidence, examined
from tests.releases import as_released

RECORDS = [
    [["knee"], ["bone"], ["blood", "injury"]],
    [["heart"], ["pulse"], ["blood", "injury"]],
    [["blood", "injury"]],
    [["heart"]],
]
CONTENT = GeneralisedSets.of(RECORDS)
NEAR = DistanceTable.of(
    {
        ("knee", "injury"): 0.2, ("knee", "blood"): 1.5, ("bone", "injury"): 0.4,
        ("bone", "blood"): 1.1, ("heart", "blood"): 0.1, ("heart", "injury"): 1.2,
    }
)  # fmt: skip


def table_of(context: str, measure: DistanceTable | Ngd = NEAR) -> NDArray[np.float64]:
    return Distances.of(CONTENT, measure, Context.of(context), seeded(1)).tables[0][2]


def test_an_attack_is_named_or_refused() -> None:
    with pytest.raises(ParameterError, match="eliminate must be one of ra, mda, tba, wba, gba"):
        Semantic(eliminate="RBA")
    assert Semantic.threatens == ("inference",)


def test_a_context_is_the_mean_of_what_is_known_of_it() -> None:
    # pulse is unknown and left out; the third row has no context at all
    assert table_of("average") == pytest.approx(
        np.array([[1.3, 0.3], [0.1, 1.2], [np.nan, np.nan]]), nan_ok=True
    )


def test_a_context_can_be_cut_by_how_common_its_items_are() -> None:
    # heart is in two rows, pulse in one; bone and knee are in one each and go by name
    assert table_of("1,rarest")[1] == pytest.approx([np.nan, np.nan], nan_ok=True)
    assert table_of("1,commonest")[1] == pytest.approx([0.1, 1.2])
    assert table_of("1")[0] == pytest.approx([1.1, 0.4])
    drawn = {tuple(_random(seed)[0]) for seed in range(20)}
    assert drawn == {(1.1, 0.4), (1.5, 0.2)}


def _random(seed: int) -> NDArray[np.float64]:
    rng = seeded(seed)
    return Distances.of(CONTENT, NEAR, Context.of("1,random"), rng).tables[0][2]


def test_a_conjunctive_context_is_one_term() -> None:
    measure = Ngd(Corpus.build(["knee bone injury", "knee blood", "heart pulse blood", "injury"]))
    found = table_of("conjunctive", measure)
    assert found[0] == pytest.approx(
        measure.joint_distances([["knee", "bone"]], ["blood", "injury"])[0]
    )
    assert found[0, 1] < found[0, 0]
    with pytest.raises(ParameterError, match=r"conjunctive context needs .* ngd over a corpus"):
        table_of("conjunctive")


@pytest.mark.parametrize("text", ["", "some", "average,0", "average,-1", "average;3"])
def test_an_unknown_context_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="such as average,3,rarest"):
        Semantic(context=text)


def test_claims_say_what_remains_and_what_goes() -> None:
    findings = Semantic().attack([as_released(CONTENT)], Meaning(relatedness=NEAR))
    told = {claim.row: claim for claim in findings.claims}
    assert told.keys() == {0, 1}
    assert (told[0].inferred, told[0].eliminated) == (("injury",), ("blood",))
    assert (told[1].inferred, told[1].eliminated) == (("blood",), ("injury",))
    assert told[0].known == ("bone", "knee")
    assert all(0.5 <= claim.confidence < 1 and claim.people == 1 for claim in findings.claims)
    assert told[0].record()["eliminated"] == ["blood"]
    assert findings.summary["candidates"] == 6
    assert findings.summary["candidates_with_evidence"] == 4
    assert findings.summary["mean_candidates_after"] == pytest.approx(4 / 3)


def test_several_releases_are_told_apart() -> None:
    findings = Semantic().attack([as_released(CONTENT)] * 2, Meaning(relatedness=NEAR))
    assert sorted((claim.release, claim.row) for claim in findings.claims) == [
        (1, 0), (1, 1), (2, 0), (2, 1),
    ]  # fmt: skip
    assert findings.summary["eliminated_2"] == 2


def test_an_unknown_member_is_never_eliminated() -> None:
    content = GeneralisedSets.of(
        [[["knee"], ["blood", "injury", "xyzzy"]], [["heart"], ["blood", "injury", "xyzzy"]]]
    )
    findings = Semantic(eliminate="tba").attack([as_released(content)], Meaning(relatedness=NEAR))
    assert len(findings.claims) == 2
    assert all("xyzzy" in claim.inferred for claim in findings.claims)
    assert findings.summary["members_without_evidence"] == 1


def test_a_release_without_generalised_items_gives_nothing_away() -> None:
    content = GeneralisedSets.of([[["knee"]], []])
    found = Semantic().attack([as_released(content)], Meaning(relatedness=NEAR))
    assert not found.claims
    assert "under its own name" in found.not_run


def test_what_items_mean_must_be_known() -> None:
    with pytest.raises(ParameterError, match="give texts by corpus"):
        Semantic().attack([as_released(CONTENT)], Meaning())
    with pytest.raises(ParameterError, match="rows must be at least 2, got 1"):
        Semantic(rows=1)


class _Planted:
    """Every context item is named after the member it goes with."""

    def distances(self, one: Sequence[str], other: Sequence[str]) -> NDArray[np.float64]:
        return np.array([[0.1 if a[-1] == b[-1] else 1.0 for b in other] for a in one])


@given(
    st.lists(st.integers(0, 2), min_size=3, max_size=20).filter(lambda own: {0, 1, 2} == set(own))
)
def test_any_measure_will_do_and_clear_contexts_are_read(own: list[int]) -> None:
    block = [f"member{place}" for place in range(3)]
    content = GeneralisedSets.of([[[f"context{each}"], block] for each in own])
    findings = Semantic(eliminate="rba").attack(
        [as_released(content)], Meaning(relatedness=_Planted())
    )
    for claim in findings.claims:
        assert f"member{own[claim.row]}" in claim.inferred


def test_a_large_group_is_attacked_in_parts() -> None:
    block = [f"member{place}" for place in range(3)]
    content = GeneralisedSets.of([[[f"context{row % 3}"], block] for row in range(90)])
    whole = Semantic(eliminate="tba").attack(
        [as_released(content)], Meaning(relatedness=_Planted())
    )
    parts = Semantic(eliminate="tba", rows=20).attack(
        [as_released(content)], Meaning(relatedness=_Planted())
    )
    assert (whole.summary["tables"], parts.summary["tables"]) == (1, 5)
    assert whole.summary["eliminated"] == parts.summary["eliminated"] == 180


def test_how_common_members_are_joins_as_a_prior() -> None:
    """Where the context says nothing, or little, the rarer member goes."""
    common = ItemFrequencies.of({"blood": 99, "injury": 1})
    plain = Semantic(eliminate="tba").attack(as_released(CONTENT), Meaning(relatedness=NEAR))
    assert {claim.row for claim in plain.claims} == {0, 1}
    prior = Semantic(eliminate="tba", prior="frequency")
    found = prior.attack(as_released(CONTENT), Meaning(relatedness=NEAR, frequencies=common)).claims
    without_context = [claim for claim in found if claim.row == 2]
    assert [claim.eliminated for claim in without_context] == [("injury",)]
    # what the release shows by name serves where no list is at hand; here it shows neither
    shown = prior.attack(as_released(CONTENT), Meaning(relatedness=NEAR))
    assert {(each.row, each.eliminated) for each in shown.claims} == {
        (each.row, each.eliminated) for each in plain.claims
    }


def test_an_audit_tries_every_elimination_with_and_without_a_prior() -> None:
    entry = find("semantic")
    method = (entry, Semantic(), Meaning(relatedness=NEAR))
    attempts = examined(as_released(CONTENT), Evidence(), [method]).attempts
    assert {each.choice for each in attempts} == {
        f"eliminate {how}, prior {prior}"
        for how in ("mda", "tba", "wba", "gba", "rba")
        for prior in ("none", "frequency")
    }
    (idle,) = examined(as_released(CONTENT), Evidence(), [(entry, Semantic(), None)]).attempts
    assert idle.findings is None
    assert idle.needs == ("--corpus",)
