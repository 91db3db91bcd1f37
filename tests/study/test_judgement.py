from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.catalog import find
from discreet.core.findings import Claim, Findings
from discreet.core.guarantee import DifferentialPrivacy, Guarantee, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import TAKEN, Manifest, Release
from discreet.core.verdict import Verdict, Verdicts
from discreet.measure import Advantage, Rate, Score
from discreet.study import Attempt, Examination, judged
from discreet.study.examine import Truth
from discreet.study.hidden_items import HiddenItems
from discreet.study.judgement import UNPROVED
from tests.samples import rows_found


def scored(success: float, base: float, people: int = 10_000) -> Score:
    rates = [Rate(share=share, people=people) for share in (success, base)]
    advantage = Advantage(words="is right about {share}", success=rates[0], baseline=rates[1])
    return Score(claims=1, advantages=(advantage,), rates=(("right", rates[0]), ("base", rates[1])))


def release(*promises: Guarantee, rows: int = 1, **facts: Any) -> Release[Any]:
    manifest = Manifest(method="m", parameters={}, randomness="system", **facts)
    counts = ItemsetHistogram.of({(f"a{row}",): 3 for row in range(rows)})
    return Release(counts, (NoAttributeLeakage(), *promises), manifest)


NOISY = release(DifferentialPrivacy(epsilon=1))


def spent(*epsilons: Any) -> Release[Any]:
    return release(*(DifferentialPrivacy(epsilon=each) for each in epsilons))


def found(
    *,
    holds: bool | None = True,
    score: Any = None,
    confidence: float = 0.5,
    of: Any = None,
    needs: tuple[str, ...] = (),
    prior: float | None = None,
    people: int = 3,
) -> Examination:
    claim = Claim(
        row=0, known=("a",), inferred=("b",), confidence=confidence, people=people, prior=prior
    )
    return Examination(
        release=of or release(),
        verdicts=Verdicts(
            parts=(
                Verdict(guarantee=NoAttributeLeakage(), holds=holds, checked="all", needs=needs),
            )
        ),
        attempts=(
            Attempt(
                entry=find("attribute-linkage"),
                findings=Findings(attack="attribute-linkage", claims=(claim,)),
                score=score,
            ),
        ),
        truth="confirmed",
    )


@pytest.mark.parametrize(
    ("examination", "level"),
    [
        (found(), "release"),
        (found(holds=False), "do not release"),
        (found(holds=None), "release with care"),
        (found(confidence=0.95), "do not release"),
        (found(confidence=0.95, of=NOISY), "release with care"),
        (found(confidence=0.95, of=release(rows=5)), "do not release"),
        (found(confidence=0.95, people=1, of=release(rows=5)), "release with care"),
        (found(confidence=0.95, prior=0.8, of=release(rows=5)), "release with care"),
        (found(confidence=0.95, prior=0.94), "release with care"),
        (found(confidence=0.6, prior=0.25, people=200), "do not release"),
        (found(confidence=0.6, prior=0.25, people=200, of=NOISY), "release with care"),
        (found(confidence=0.6, prior=0.25, people=5), "release with care"),
        (found(confidence=0.6, prior=0.25, people=5, of=NOISY), "release"),
        (found(confidence=0.6, prior=0.4, people=5), "release"),
        (found(confidence=0.6, prior=0.45, people=200), "release with care"),
        (found(confidence=0.6, prior=0.58, people=200), "release"),
        (replace(found(), hidden=HiddenItems(undeclared=("hiv",))), "release with care"),
        (replace(found(), hidden=HiddenItems(unnamed=("hiv",))), "release with care"),
        (found(score=scored(0.9, 0.5)), "do not release"),
        (found(score=scored(0.6, 0.5)), "release with care"),
        (found(score=scored(0.9, 0.5), of=NOISY), "release with care"),
        (found(score=scored(0.52, 0.5)), "release"),
        (found(score=scored(1.0, 0.0, people=1)), "release with care"),
        (found(score=scored(1.0, 0.5, people=3)), "release with care"),
        (found(score=scored(1.0, 0.5, people=3), of=NOISY), "release"),
        (found(score=scored(1.0, 0.8, people=3)), "release"),
        (found(of=release(seeded=True)), "do not release"),
        (found(of=release(universe=TAKEN)), "release with care"),
        (found(score=scored(0.9, 0.5), of=spent(10)), "release with care"),
        (found(score=scored(0.9, 0.5), of=spent("10.1")), "do not release"),
        (found(of=spent(10)), "release"),
        (found(of=spent(11)), "release with care"),
        (found(of=spent(20)), "release with care"),
        (found(of=spent(11, 11)), "do not release"),
        (found(of=spent(100_000)), "do not release"),
        (replace(found(), truth="on trust"), "release with care"),
        (replace(found(), truth=None), "release with care"),
        (replace(found(), truth="without key"), "release with care"),
        (replace(found(score=scored(0.4, 0.5)), truth="on trust"), "release with care"),
        (replace(found(), hidden=HiddenItems(exposed=("hiv",))), "do not release"),
        (found(needs=("--after",), holds=None), "release with care"),
    ],
)
def test_the_rules(examination: Examination, level: str) -> None:
    judgement = judged(examination)
    assert judgement.level == level
    assert bool(judgement.reasons) == (level != "release")
    assert judgement.record()["verdict"] == level


GRAVITY = {"release": 0, "release with care": 1, "do not release": 2}
EXAMINATIONS = st.builds(
    lambda truth, hidden, of, base: replace(base, truth=truth, hidden=hidden, release=of),
    truth=st.sampled_from(["confirmed", "on trust", "without key", None]),
    hidden=st.sampled_from([HiddenItems(), HiddenItems(exposed=("hiv",))]),
    of=st.sampled_from([release(), NOISY, spent(11), spent(30), release(seeded=True)]),
    base=st.builds(
        found,
        holds=st.sampled_from([True, False, None]),
        score=st.sampled_from([None, scored(0.9, 0.5), scored(0.6, 0.5), scored(0.4, 0.5)]),
        confidence=st.sampled_from([0.2, 0.95]),
        needs=st.sampled_from([(), ("--after",)]),
    ),
)
"""Everything that can be found about a release, as far as a rule looks at it."""


def gravity(examination: Examination) -> int:
    return GRAVITY[judged(examination).level]


def without_attack(examination: Examination) -> Examination:
    (tried,) = examination.attempts
    return replace(examination, attempts=(Attempt(entry=tried.entry, reason="needs --corpus"),))


def without_score(examination: Examination) -> Examination:
    (tried,) = examination.attempts
    return replace(examination, attempts=(replace(tried, score=None, reason="no truth"),))


def unchecked(examination: Examination) -> Examination:
    (part,) = examination.verdicts.parts
    return replace(
        examination, verdicts=Verdicts(parts=(replace(part, holds=None, needs=("--key",)),))
    )


LESS = (
    without_attack,
    lambda found: without_score(replace(found, truth=None)),
    unchecked,
    lambda found: replace(found, truth="on trust" if found.truth else None),
    lambda found: replace(found, verdicts=Verdicts(parts=())),
)
"""What can be missing of the evidence."""
WRONG = (
    lambda found: replace(found, hidden=HiddenItems(exposed=("hiv",))),
    lambda found: replace(found, release=release(seeded=True)),
    lambda found: replace(
        found, verdicts=Verdicts(parts=(replace(found.verdicts.parts[0], holds=False),))
    ),
)
"""What can be wrong with what is handed in."""


def test_what_an_attack_did_not_try_asks_for_care() -> None:
    before = found()
    half = Findings(attack="attribute-linkage", claims=(), not_tried="seven known items")
    after = judged(replace(before, attempts=(replace(before.attempts[0], findings=half),)))
    assert after.level == "release with care"
    assert "did not try seven known items" in after.reasons[0].words


@pytest.mark.parametrize("truth", ["without key", "on trust"])
def test_data_that_no_key_confirms_prove_no_claim_wrong(truth: Truth) -> None:
    """Anything may be handed in: who could refute claims by it would do better than by nothing."""
    refuted = found(score=scored(0.4, 0.5), confidence=0.95)
    assert judged(refuted).level == "release"
    anything = judged(replace(refuted, truth=truth))
    assert anything.level == "do not release"
    assert UNPROVED in anything.reasons[0].words
    graver = judged(replace(found(score=scored(0.9, 0.5), confidence=0.95), truth=truth))
    assert not any(UNPROVED in reason.words for reason in graver.reasons), "the score says as much"
    bounded = replace(refuted, truth=truth, release=NOISY)
    assert judged(bounded).level == "release with care"
    assert judged(replace(refuted, truth=truth), study=True).level == "release"


@given(EXAMINATIONS, st.sampled_from(LESS))
def test_what_is_missing_never_ends_in_release(
    examination: Examination, less: Callable[[Examination], Examination]
) -> None:
    assert gravity(less(examination)) >= 1
    whole = [reason.level for reason in judged(examination).reasons]
    assume("do not release" in whole and examination.hidden.exposed)
    assert gravity(less(examination)) == 2, "a reason that does not rest on it stays"


@given(EXAMINATIONS, st.sampled_from(WRONG))
def test_what_is_wrong_never_makes_it_milder(
    examination: Examination, wrong: Callable[[Examination], Examination]
) -> None:
    assert gravity(wrong(examination)) == 2


@given(EXAMINATIONS, EXAMINATIONS)
def test_more_attacks_and_promises_never_make_it_milder_than_no(
    one: Examination, other: Examination
) -> None:
    """More evidence leaves every reason that speaks against a release."""
    more = replace(
        one,
        attempts=one.attempts + other.attempts,
        verdicts=Verdicts(parts=one.verdicts.parts + other.verdicts.parts),
    )
    assert gravity(more) == 2 or gravity(one) < 2
    assert {r.words for r in judged(one).reasons if r.level == "do not release"} <= {
        r.words for r in judged(more).reasons
    }


def test_a_study_is_judged_by_its_parts() -> None:
    seeded = found(of=release(seeded=True))
    assert judged(seeded).level == "do not release"
    assert judged(seeded, study=True).level == "release"
    assert (
        judged(replace(seeded, hidden=HiddenItems(exposed=("hiv",))), study=True).level
        == "do not release"
    )


def test_the_public_copy_has_the_same_verdict_without_private_numbers() -> None:
    judgement = judged(found(score=scored(0.9, 0.5), of=NOISY))
    assert "90 %" in judgement.record()["reasons"][0]["why"]
    public = judgement.record(private=False)
    assert public["verdict"] == judgement.level
    assert "90 %" not in str(public["reasons"])
    assert len(public["reasons"]) == len(judgement.reasons)


def test_what_was_not_checked_is_listed() -> None:
    judgement = judged(unchecked(without_attack(found())))
    assert len(judgement.unchecked) == 3
    assert "was not run: needs --corpus" in judgement.unchecked[1]
    assert judgement.record()["unchecked"] == list(judgement.unchecked)


def test_what_is_safe_and_nearly_useless_is_remarked() -> None:
    kept = replace(found(), measured={"ncp": 0.89, "edges_kept_share": 0.5})
    assert judged(kept).private_remarks == ()
    lost = judged(replace(found(), measured={"sets": {"ncp": 0.97}, "edges_kept_share": 0.04}))
    assert lost.level == "release"
    assert len(lost.private_remarks) == len(lost.record()["remarks"]) == 2
    assert lost.record(private=False)["remarks"] == []
    assert "97 %" in lost.private_remarks[0]
    assert "96 %" in lost.private_remarks[1]
    assert any("nearly useless" in rule for rule in lost.record()["rules"])


def test_rows_that_are_found_speak_against_a_release() -> None:
    judgement = judged(found(score=rows_found(people=900)))
    assert judgement.level == "do not release"
    assert "finds the exact row of 90 %" in judgement.reasons[0].words


def test_that_nothing_was_tried_is_no_good_news() -> None:
    untried = replace(found(), attempts=(Attempt(entry=find("semantic"), reason="no corpus"),))
    assert judged(untried).level == "release with care"


def test_risk_that_was_not_counted_is_listed_and_never_passes() -> None:
    told = judged(replace(found(), risk={"known": None, "not_counted": "No row was published."}))
    assert "re-identification risk: No row was published." in told.unchecked
