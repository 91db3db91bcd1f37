"""The first half page: what, for whom, the verdict, who is hit; rounded where others read it."""

from typing import Any

import polars as pl
import pytest

from discreet import rng
from discreet.core.guarantee import DifferentialPrivacy, NoAttributeLeakage
from discreet.report import audit_page, audit_record
from discreet.report.board import about, cards, facts, sentence
from discreet.study import Evidence, examined
from discreet.study.alternatives import NOTHING
from tests import samples
from tests.report.test_audit import looked_at

RISK = {"knowing_3": {"people": 200, "share_alone": 0.03, "share_below_5": 0.07}}
GAIN = {
    "words": "is right about {share} of the people it makes claims about", "share": 0.96,
    "low": 0.9, "high": 0.99, "people": 1234, "baseline": 0.5, "control": None,
}  # fmt: skip


def record(**parts: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "owner": True, "attacks": [], "risk": {}, "epsilon": None, "measured": {}, "meanings": {},
        "alternatives": {}, "occasion": {}, "files": {}, "about": "sets", "method": "km",
    }  # fmt: skip
    return plain | parts


def test_facts_say_what_was_stated_and_what_was_not() -> None:
    told = dict(
        facts(
            record(
                occasion={"recipient": "a university", "date": "2026-11-05"},
                files={"manifest.json": "0123456789abcdef99"},
            )
        )
    )
    assert told["Released"] == "sets, by km"
    assert told["For"] == "a university"
    assert told["Purpose"] == "not stated"
    assert told["Audited on"] == "5 November 2026"
    assert told["Fingerprint"] == "0123 4567 89ab cdef"


def test_the_verdict_is_one_sentence() -> None:
    told = ("nothing is promised", "skewness is right about 9 %")
    reasons = [{"level": "release with care", "why": why} for why in told]
    assert sentence({"reasons": reasons}) == "Nothing is promised. 1 further reason below."
    assert sentence({"reasons": reasons}, {"skewness"}).startswith("Skewness is right about 9 %.")
    graver = [{"level": "do not release", "why": "a promise is broken"}, *reasons]
    assert sentence({"reasons": graver}, {"skewness"}).startswith("A promise is broken.")
    assert "5 percentage points" in sentence({"reasons": []})


def test_the_worst_affected_are_counted() -> None:
    attacks = [
        {"name": "weak", "advantages": [GAIN | {"low": 0.51}]},
        {"name": "strong", "advantages": [GAIN]},
        {"name": "guesses", "advantages": [GAIN | {"low": 0.1}]},
        {"name": "untried"},
    ]
    (card,) = cards(record(attacks=attacks))
    assert card.big == "1,185 of 1,234 people"
    assert card.words.startswith("strong is right about 96 in 100")
    (public,) = cards(record(attacks=attacks, owner=False))
    assert public.big == "about 1,200 of about 1,200 people"


def test_what_became_of_friendships_is_told() -> None:
    measured = {"edges_kept": 78.0, "edges_added": 47.0, "edges_deleted": 4.0}
    (card,) = cards(record(measured=measured))
    assert card.big == "37.6 % made up"
    assert "78 of the original ones are kept and 4 are lost" in card.words
    measured |= {"edges_kept": 0.0, "edges_added": 0.0, "edges_deleted": 82.0}
    (card,) = cards(record(measured=measured))
    assert card.big == "none is left"


def test_people_who_stand_alone_are_counted() -> None:
    (card,) = cards(record(risk=RISK))
    assert card.title == "Alone by three known items"
    assert card.big == "6 of 200 people"
    table = {"people": 50, "share_alone": 0.0, "share_below_5": 0.1}
    (card,) = cards(record(risk=table))
    assert card.big == "0 of 50 people"


@pytest.mark.parametrize(
    ("epsilon", "big"), [(1.0, "at most 2.72 times"), (50.0, "practically unlimited")]
)
def test_what_taking_part_can_change(epsilon: float, big: str) -> None:
    (card,) = cards(record(epsilon=epsilon))
    assert card.big == big


def test_what_is_lost_stands_beside_the_trivial() -> None:
    meaning = {"direction": "less is better", "unit": "ratio", "sentence": "how far counts are off"}
    (card,) = cards(
        record(
            measured={"query_error": 0.046},
            meanings={"query error": meaning},
            alternatives={"suppressing rare items": 0.2, NOTHING: 1.0},
        )
    )
    assert card.big == "4.6 %"
    assert "For comparison: suppressing rare items would lose 20.0 %." in card.words


@pytest.mark.parametrize("publisher", samples.PUBLISHERS)
def test_every_release_says_what_it_holds(publisher: type) -> None:
    method, data = samples.PUBLISHERS[publisher]
    told = about(method.publish(data, rng.seeded(5)).release.content)
    assert any(letter.isdigit() for letter in told)
    assert "object" not in told


def test_what_nobody_foresaw_is_told_by_its_rows() -> None:
    class Other:
        def tables(self) -> dict[str, pl.DataFrame]:
            return {"rows": pl.DataFrame({"a": [1, 2]})}

    assert about(Other()) == "2 rows"


def test_a_public_copy_of_a_noisy_release_counts_nobody() -> None:
    found, evidence = looked_at(NoAttributeLeakage(), DifferentialPrivacy(epsilon=1))
    told = audit_record(found, evidence, {})
    assert [card.title for card in cards(told)] == ["What taking part can change"]
    assert "Worst affected" not in audit_page(told, found, evidence)
    mine = audit_record(found, evidence, {}, owner=True)
    assert "Lost" in [card.title for card in cards(mine)]


def test_the_occasion_names_the_page() -> None:
    found = examined(looked_at(NoAttributeLeakage())[0].release, Evidence())
    told = audit_record(found, Evidence(), {}, occasion={"title": "Care <survey>"})
    assert "<h1>Care &lt;survey&gt;</h1>" in audit_page(told, found, Evidence())
