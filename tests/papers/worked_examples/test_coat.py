"""COAT and PCTA on the worked examples, number by number."""

import numpy as np
import pytest

from discreet import Transactions, rng, verify
from discreet.core.constraints import Constraints
from discreet.core.generalised_sets import GeneralisedSets
from discreet.generalised import Coat, Pcta, utility_loss

PATIENTS = Transactions.of(
    [
        ["heart disease", "blood pressure", "icd", "weakness", "dizziness"],
        ["anesthesia", "icd", "pain", "diabetes"],
        ["gangrene", "limbs", "injury"],
        ["knee", "injury"],
    ]
)
"""Shao and Ong 2017, Figure 1."""
LETTERS = Transactions.of(map(set, ["abc", "ab", "cd", "de", "aef", "f"]))
ASKED = Constraints.of(["ab", "c", "ef"])


def test_figure_1_becomes_figure_2() -> None:
    hidden = ("blood pressure", "icd", "injury", "limbs")
    privacy = Constraints.of([["blood pressure"], ["icd"]])
    method = Coat(k=4, privacy=privacy, utility=Constraints.of([hidden]))
    publication = method.publish(PATIENTS, rng.seeded(1))
    content, keep = publication.release.content, publication.linkage_key
    record = np.argsort(keep.tables["rows"]["record"].to_numpy())
    rows = content.tables()["transactions"]["blocks"].gather(record).to_list()
    assert [sorted(content.blocks[number] for number in row) for row in rows] == [
        sorted([("heart disease",), hidden, ("weakness",), ("dizziness",)]),
        sorted([("anesthesia",), hidden, ("pain",), ("diabetes",)]),
        sorted([("gangrene",), hidden]),
        sorted([("knee",), hidden]),
    ]
    assert content.supports[content.block_of["icd"]] == 4
    assert verify(publication.release, privacy=privacy).by_parts is True


def blocks(content: GeneralisedSets) -> list[str]:
    return ["".join(block) for block in content.blocks]


def test_coat_merges_within_utility_sets() -> None:
    method = Coat(k=3, privacy=ASKED, utility=Constraints.of(["abc", "def"]))
    release = method.publish(LETTERS, rng.seeded(1)).release
    assert blocks(release.content) == ["abc", "def"]
    assert utility_loss(LETTERS, release)["utility_loss"] == pytest.approx(0.14815, abs=5e-6)


def test_pcta_takes_the_cheapest_pairs() -> None:
    release = Pcta(k=3, privacy=ASKED).publish(LETTERS, rng.seeded(1)).release
    assert blocks(release.content) == ["ab", "cd", "ef"]
    assert release.content.supports.tolist() == [3, 3, 3]
    assert utility_loss(LETTERS, release)["utility_loss"] == pytest.approx(0.07143, abs=5e-6)


def test_single_members_can_be_given_back_as_well() -> None:
    method = Coat(k=3, privacy=ASKED, utility=Constraints.of(["abc", "def"]), undo="members")
    assert blocks(method.publish(LETTERS, rng.seeded(1)).release.content) == ["abc", "d", "ef"]
