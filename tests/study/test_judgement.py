from dataclasses import dataclass, replace
from typing import Any

import pytest

from discreet.catalog import find
from discreet.core.findings import Claim, Findings
from discreet.core.guarantee import DifferentialPrivacy, Guarantee, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import TAKEN, Manifest, Release
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict, Verdicts
from discreet.measure import Gain, Rate
from discreet.study import Attempt, Evidence, Examination, examined, judged
from tests.samples import rows_found


@dataclass(frozen=True)
class Scored:
    success: float
    base: float
    people: int = 10_000

    def record(self) -> dict[str, Any]:
        return {}

    def rates(self) -> list[tuple[str, Rate]]:
        shares = {"right": self.success, "base": self.base}
        return [(name, Rate(share=share, people=self.people)) for name, share in shares.items()]

    def gains(self) -> list[Gain]:
        success = Rate(share=self.success, people=self.people)
        return [Gain(words="is right about {share}", success=success, chance=self.base)]

    def remarks(self) -> list[str]:
        return []


def release(*promises: Guarantee, **facts: Any) -> Release[Any]:
    manifest = Manifest(method="m", parameters={}, randomness="system", **facts)
    return Release(ItemsetHistogram.of({("a",): 3}), (NoAttributeLeakage(), *promises), manifest)


NOISY = release(DifferentialPrivacy(epsilon=1))


def found(
    *, holds: bool | None = True, score: Any = None, confidence: float = 0.5, of: Any = None
) -> Examination:
    claim = Claim(row=0, known=("a",), inferred=("b",), confidence=confidence, people=3)
    return Examination(
        release=of or release(),
        verdicts=Verdicts(
            parts=(Verdict(guarantee=NoAttributeLeakage(), holds=holds, checked="all"),)
        ),
        attempts=(
            Attempt(
                entry=find("attribute-linkage"),
                findings=Findings(attack="attribute-linkage", claims=(claim,)),
                score=score,
            ),
        ),
    )


@pytest.mark.parametrize(
    ("examination", "level"),
    [
        (found(), "release"),
        (found(holds=False), "do not release"),
        (found(holds=None), "release with care"),
        (found(confidence=0.95), "release with care"),
        (found(score=Scored(0.9, 0.5)), "do not release"),
        (found(score=Scored(0.6, 0.5)), "release with care"),
        (found(score=Scored(0.9, 0.5), of=NOISY), "release with care"),
        (found(score=Scored(0.52, 0.5)), "release"),
        (found(score=Scored(1.0, 0.0, people=1)), "release with care"),
        (found(of=release(seeded=True)), "do not release"),
        (found(of=release(universe=TAKEN)), "release with care"),
    ],
)
def test_the_rules(examination: Examination, level: str) -> None:
    judgement = judged(examination)
    assert judgement.level == level
    assert bool(judgement.reasons) == (level != "release")
    assert judgement.record()["verdict"] == level


def test_what_is_safe_and_nearly_useless_is_remarked() -> None:
    kept = replace(found(), measured={"ncp": 0.89, "edges_kept_share": 0.5})
    assert judged(kept).remarks == ()
    lost = judged(replace(found(), measured={"sets": {"ncp": 0.97}, "edges_kept_share": 0.04}))
    assert lost.level == "release"
    assert len(lost.remarks) == len(lost.record()["remarks"]) == 2
    assert "97%" in lost.remarks[0]
    assert "96%" in lost.remarks[1]
    assert any("nearly useless" in rule for rule in lost.record()["rules"])


def test_rows_that_are_found_speak_against_a_release() -> None:
    judgement = judged(found(score=rows_found(people=900)))
    assert judgement.level == "do not release"
    assert "finds the very row of 90%" in judgement.reasons[0].words


def test_that_nothing_was_tried_is_no_good_news() -> None:
    untried = replace(found(), attempts=(Attempt(entry=find("semantic"), reason="no corpus"),))
    assert judged(untried).level == "release with care"


def test_an_auditor_without_the_data_can_still_look() -> None:
    counts = {("a", "b"): 9, ("b",): 2}
    claims = (NoAttributeLeakage(), DifferentialPrivacy(epsilon=1))
    manifest = Manifest(method="m", parameters={}, randomness="system")
    published = Release(ItemsetHistogram.of(counts), claims, manifest)
    seen = examined(published, Evidence())
    assert seen.verdicts.holds is False
    assert not seen.measured
    tried = [each for each in seen.attempts if each.findings]
    assert tried
    assert all(each.score is None and each.reason for each in tried)
    scored = examined(published, Evidence(original=Transactions.of([["a", "b"]] * 9 + [["b"]])))
    assert scored.measured
    assert all(each.score for each in scored.attempts if each.findings)
