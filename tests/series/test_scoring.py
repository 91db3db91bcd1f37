"""What claims about a series are worth."""

from fractions import Fraction

import pytest

from discreet import Transactions
from discreet.core.clusters import Clusters
from discreet.core.findings import Claim, Findings
from discreet.core.publication import LinkageKey
from discreet.errors import DataError
from discreet.series import Composition, Victim, score_series
from tests.releases import as_released
from tests.series.small import key_of


def planted(*claims: Claim) -> Findings:
    return Findings(attack="composition", claims=claims)


def test_claims_are_scored_on_the_people_behind_their_rows() -> None:
    truth = Transactions.of([["a", "s"], ["a"], ["b", "s"], ["c"]], sensitive=["s"])
    content = Clusters.of([([["a"], ["a"], ["b"], ["fake"]], {"s": 2})], counterfeits=[1])
    release, key = as_released(content), key_of(1, 0, 2, -1)
    shared = {"known": ("a",), "inferred": ("s",), "confidence": 0.8, "people": 2}
    found = score_series(planted(Claim(row=0, **shared)), [truth], [release], [key])
    assert (found.success.share, found.success.people) == (0.5, 2)
    assert (found.baseline.share, found.figures["claimed"], found.figures["people"]) == (
        0.5,
        0.8,
        3,
    )
    both = planted(Claim(row=0, **shared), Claim(row=2, **shared), Claim(row=3, **shared))
    found = score_series(both, [truth], [release], [key])
    assert found.success.share == pytest.approx(2 / 3)
    assert (found.claims, found.figures["tested"]) == (3, 2)
    assert len(found.rates) == 2
    assert "2 of 3 claims" in found.remarks[0]


def test_a_truth_and_a_key_are_needed_for_each_release() -> None:
    truth = Transactions.of([["a", "s"], ["a"]], sensitive=["s"])
    release = as_released(Clusters.of([([["a"], ["a"]], {"s": 1})]))
    with pytest.raises(DataError, match="one truth and one key for each"):
        score_series(planted(), [truth], [release, release], [key_of(0, 1)])
    with pytest.raises(DataError, match="it has fewer records"):
        score_series(planted(), [truth], [release], [key_of(0, 7)])
    with pytest.raises(DataError, match="does not fit its rows"):
        score_series(planted(), [truth], [release], [LinkageKey({})])


def test_an_attack_that_is_right_scores_above_the_population_rate() -> None:
    stay, go = [[f"u{number}"] for number in range(8)], [["gone"]]
    truth = [
        Transactions.of([*stay, ["gone", "s"]], sensitive=["s"]),
        Transactions.of([*stay, ["new"]], sensitive=["s"]),
    ]
    rates = {"s": Fraction(1, 9)}
    first = Clusters.of([(stay + go, {"s": 1})], rates=rates)
    second = Clusters.of([([*stay, ["new"]], {})], rates=rates)
    releases = [as_released(first), as_released(second)]
    findings = Composition(r_th=2).attack(releases, Victim())
    assert [(claim.known, claim.confidence) for claim in findings.claims] == [(("gone",), 1.0)]
    found = score_series(findings, truth, releases, [key_of(*range(9))] * 2)
    assert (found.success.share, found.baseline.share) == (1, pytest.approx(1 / 9))
