"""Shares with their intervals, and advantages over a baseline."""

import pytest

from discreet.core.score import Advantage, Rate, Score


@pytest.mark.parametrize(
    ("hits", "people", "low", "high"),
    # Newcombe 1998 (Statistics in Medicine 17, 857), Table I, the score method
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_interval_of_a_rate(hits, people, low, high):
    rate = Rate(share=hits / people, people=people)
    assert (rate.low, rate.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@pytest.mark.parametrize(
    ("one", "two", "low", "high"),
    # Newcombe 1998 (Statistics in Medicine 17, 873), Table II, method 10
    [((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090)],
)
def test_interval_of_what_taking_part_adds(one, two, low, high):
    success, control = (Rate(share=hits / n, people=n) for hits, n in (one, two))
    assert success.less(control) == pytest.approx((low, high), abs=5e-5)


def test_interval_of_nobody_is_everything():
    rate = Rate(share=0.0, people=0)
    assert (rate.low, rate.high) == (0.0, 1.0)


def test_an_attack_below_its_baseline_is_told_from_chance() -> None:
    base = Rate(share=0.5, people=400)
    worse, even, nobody = (
        Advantage(words="{share}", success=Rate(share=share, people=people), baseline=base)
        for share, people in ((0.1, 400), (0.48, 40), (0.0, 0))
    )
    assert [each.below_baseline for each in (worse, even, nobody)] == [True, False, False]
    assert not any(each.beats_baseline for each in (worse, even, nobody))


def test_a_score_writes_its_figures_and_its_main_advantage() -> None:
    rates = [Rate(share=share, people=10) for share in (0.5, 0.2)]
    advantage = Advantage(words="{share}", success=rates[0], baseline=rates[1])
    score = Score(claims=3, advantages=(advantage,), rates=(), figures={"s": rates[0], "n": 7})
    assert (score.success, score.baseline) == (rates[0], rates[1])
    assert score.record() == {"claims": 3, "s": rates[0].record(), "n": 7}
    assert advantage.mean == pytest.approx(0.3)
