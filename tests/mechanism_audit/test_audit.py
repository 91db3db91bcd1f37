import math
import random
from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest

from discreet.counts import AplKiller, DiffPart, PrivBayes
from discreet.counts.apl_killer import boundary_law
from discreet.errors import ParameterError
from discreet.mechanism_audit.audit import Event, Runs, Whole, audit, exact_ratio
from tests.mechanism_audit.auditing import compiled, tried
from tests.mistakes import BestNetwork, HalfTheNoise, RoundedScale, UnsharedTables


def answers(truth: int, epsilon: float, rng: random.Random) -> Runs:
    """Randomised response, which spends epsilon to the last bit."""
    honest = math.exp(epsilon) / (1 + math.exp(epsilon))
    return lambda n: [truth if rng.random() < honest else 1 - truth for _ in range(n)]


# laws


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1, 2])
def test_the_exact_ratio_of_the_boundary_draw(epsilon: float) -> None:
    """000-1: at the counts 1 and 2 the printed draw spends more, the repaired ones do not."""

    def worst(how: Any, one: int, other: int) -> float:
        return exact_ratio(
            boundary_law(one, epsilon, how), boundary_law(other, epsilon, how)
        ).epsilon

    printed = math.log(math.exp(epsilon) + 1 - math.exp(-epsilon))
    assert worst("paper", 1, 2) == pytest.approx(printed)
    assert worst("clamp", 1, 2) == pytest.approx(epsilon)
    assert epsilon - 1e-4 < worst("reject-calibrated", 1, 2) <= epsilon


def test_the_figures_of_the_feasibility_study() -> None:
    found = exact_ratio(boundary_law(1, 1, "paper"), boundary_law(2, 1, "paper"))
    assert found.epsilon == pytest.approx(1.209, abs=5e-4)
    assert found.outcome == 1
    assert [float(p) for p in found.probabilities] == pytest.approx([0.632, 0.189], abs=5e-4)
    # the pair one would try first shows nothing
    same = exact_ratio(boundary_law(0, 1, "paper"), boundary_law(1, 1, "paper"))
    assert same.epsilon == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_the_law_of_the_boundary_draw_by_adding_up(count: int) -> None:
    q = math.exp(-0.5)
    point = {x: (1 - q) / (1 + q) * q ** abs(x - count) for x in range(-200, 200)}
    for how, below in (("clamp", "joins 1"), ("paper", "is drawn again")):
        law = boundary_law(count, "0.5", how)
        positive = sum(mass for x, mass in point.items() if x > 0)
        last = max(law)
        for y, mass in law.items():
            plain = sum(p for x, p in point.items() if x == y or (y == last and x > y))
            if below == "is drawn again":
                plain /= positive
            elif y == 1:
                plain += 1 - positive
            assert mass == pytest.approx(plain)


def test_exact_ratios_are_exact_and_go_both_ways() -> None:
    third = {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    half = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    for found in (exact_ratio(third, half), exact_ratio(half, third)):
        assert found.epsilon == pytest.approx(math.log(1.5), rel=1e-15)
        assert found.outcome == "a"
    assert exact_ratio(third, third).epsilon == 0
    only = exact_ratio({"a": 1}, {"a": Fraction(9, 10), "c": Fraction(1, 10)})
    assert only.epsilon == math.inf
    assert only.outcome == "c"


@pytest.mark.parametrize("law", [{}, {0: 0.5}, {0: 1.5, 1: -0.5}, {0: Fraction(1), 1: Fraction(1)}])
def test_what_is_no_law_is_refused(law: dict[int, float]) -> None:
    with pytest.raises(ParameterError, match="add up to 1"):
        exact_ratio(law, {0: 1.0})


# the statistical bound


def test_the_bound_comes_close_and_stays_below() -> None:
    rng = random.Random(1)
    found = audit(answers(0, 1, rng), answers(1, 1, rng), runs=100_000, epsilon=2)
    assert 0.93 < found.bound < found.bound_95 < 1.01
    assert not found.accused
    assert found.runs == 50_000


def test_excess_is_found_in_both_directions() -> None:
    rng = random.Random(2)
    forth = audit(answers(0, 1, rng), answers(1, 1, rng), runs=20_000, epsilon=0.8)
    # one side is nearly always 1, the other always: only the other way round there is a ratio
    assert forth.accused

    def always(n: int) -> list[int]:
        return [1] * n

    def rare(n: int) -> list[int]:
        return [int(rng.random() < 0.95) for _ in range(n)]

    for pair in ((always, rare), (rare, always)):
        found = audit(*pair, runs=20_000, epsilon=1)
        assert found.accused
        assert found.event in (Event(Whole.OUTPUT, "is", 0), Event(Whole.OUTPUT, "at most", 0))


def staged(first: list[int], second: list[int], calls: list[int]) -> Runs:
    """Runs that come out one way when events are chosen and another way when they are counted."""
    halves = iter([first, second])

    def run(n: int) -> list[int]:
        calls.append(n)
        half = next(halves)
        return (half * n)[:n]

    return run


def test_events_are_chosen_on_one_half_and_counted_on_the_other() -> None:
    calls: list[int] = []
    # what only the first half shows must not accuse
    found = audit(staged([0], [0, 1], calls), staged([1], [0, 1], calls), runs=2001, epsilon=0.1)
    assert calls == [1000, 1000, 1001, 1001]
    assert not found.accused
    assert found.bound == 0
    assert abs(found.seen[0] - found.seen[1]) <= 1
    # what only the second half shows was not chosen, so it is not looked at
    found = audit(staged([0, 1], [2], []), staged([0, 1], [3], []), runs=2000, epsilon=0.1)
    assert found.event.value not in (2, 3)


@pytest.mark.parametrize("coordinates", [1, 12])
def test_the_family_wise_error_is_kept(coordinates: int) -> None:
    """Mechanisms that spend exactly epsilon are accused no more often than promised."""
    rng, error, epsilon, times = random.Random(3), 0.2, 0.5, 100

    def run(truth: int) -> Runs:
        first = answers(truth, epsilon, rng)
        parts = [first, *(answers(0, epsilon, rng) for _ in range(1, coordinates))]
        return lambda n: [
            frozenset(enumerate(row)) for row in zip(*(part(n) for part in parts), strict=True)
        ]

    accused = sum(
        audit(run(0), run(1), runs=400, epsilon=epsilon, error=error).accused for _ in range(times)
    )
    assert accused <= times * error + 4 * math.sqrt(times * error * (1 - error))


def test_twins_show_next_to_nothing() -> None:
    rng = random.Random(4)
    run = answers(0, 1, rng)
    bounds = [audit(run, run, runs=4000, epsilon=1).bound for _ in range(30)]
    assert max(bounds) < 0.1


def test_a_smaller_error_gives_a_smaller_bound() -> None:
    bounds = [
        audit(answers(0, 1, (rng := random.Random(5))), answers(1, 1, rng), runs=4000, epsilon=1,
              error=error).bound
        for error in (0.05, 1e-4, 1e-8)
    ]  # fmt: skip
    assert bounds == sorted(bounds, reverse=True)
    assert len(set(bounds)) == 3


def test_outcomes_that_are_no_numbers() -> None:
    rng = random.Random(6)

    def named(run: Runs) -> Runs:
        return lambda n: ["yes" if answer else "no" for answer in run(n)]

    found = audit(named(answers(0, 2, rng)), named(answers(1, 2, rng)), runs=8000, epsilon=1)
    assert found.accused
    assert found.event.value in ("yes", "no")


def test_events() -> None:
    outcome = frozenset({(("a",), 3), (("a", "b"), 1)})
    happens = {
        Event(("a",), "is", 3): True,
        Event(("a",), "at least", 4): False,
        Event(("a",), "at least", 3): True,
        Event(("a",), "at most", 2): False,
        Event(("b",), "is", None): True,
        Event(("b",), "at most", 1): True,
        Event(("b",), "at least", 1): False,
        Event(Whole.SIZE, "is", 2): True,
        Event(Whole.OUTPUT, "is", outcome): True,
        Event(Whole.OUTPUT, "is", frozenset()): False,
    }
    assert {event: event.happens(outcome) for event in happens} == happens
    assert str(Event(("a", "b"), "at most", 2)) == "{a, b} is absent or at most 2"
    assert str(Event(("a",), "is", None)) == "{a} is absent"
    assert str(Event(Whole.OUTPUT, "is", outcome)) == "the whole output is one certain output"
    assert str(Event(Whole.OUTPUT, "at least", 3)) == "the whole output is at least 3"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"runs": 99}, "runs must be at least 100"),
        ({"epsilon": 0}, "epsilon must be above 0"),
        ({"epsilon": math.nan}, "epsilon must be above 0"),
        ({"error": 0}, "error must be between 0 and 1"),
        ({"error": 1}, "error must be between 0 and 1"),
    ],
)
def test_wrong_choices_are_refused(wrong: dict[str, Any], said: str) -> None:
    run = answers(0, 1, random.Random(7))
    with pytest.raises(ParameterError, match=said):
        audit(run, run, **({"runs": 100, "epsilon": 1} | wrong))


# mechanisms of the house


SOUND = [
    AplKiller(epsilon=1),
    AplKiller(epsilon=1, boundary_noise="reject-calibrated"),
    AplKiller(epsilon="0.5", fan_out=2, c1=2),
    DiffPart(epsilon=1),
    DiffPart(epsilon="0.5", fan_out=2, c1="0.5"),
    PrivBayes(epsilon=1, degree=0),
    PrivBayes(epsilon=1, negatives="paper", rows=100, degree=0),
]


@compiled
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("method", SOUND)
def test_a_sound_method_is_not_accused(method: Any, seed: int) -> None:
    for which in range(len(method.worst_pair())):
        assert not tried(method, which, seed, runs=3000).accused


@compiled
def test_the_printed_boundary_draw_is_caught() -> None:
    found = tried(AplKiller(epsilon=1, boundary_noise="paper"), 0, seed=1, runs=20_000)
    assert found.accused
    assert found.bound < 1.2091
    assert found.event.coordinate == ("a",)


@compiled
def test_the_printed_loop_over_empty_partitions_is_caught() -> None:
    found = tried(AplKiller(epsilon=1, c1=2, empty_tests="paper"), 1, seed=1, runs=8000)
    assert found.accused
    # the set of the one person who is there or not
    assert found.event.coordinate == tuple("abcdefghj")


@compiled
def test_a_rounding_mistake_is_caught() -> None:
    assert tried(RoundedScale(epsilon="0.7"), 0, seed=1, runs=20_000).accused
    assert not tried(RoundedScale(epsilon="0.5"), 0, seed=1, runs=20_000).accused


@compiled
@pytest.mark.parametrize(
    ("method", "which", "runs"),
    [
        (HalfTheNoise(epsilon=1), 0, 20_000),
        (HalfTheNoise(epsilon=1, negatives="paper", rows=50), 0, 4000),
        (UnsharedTables(epsilon=1), 1, 20_000),
        (BestNetwork(epsilon=1), 2, 2000),
        (BestNetwork(epsilon=1, degree=1, score="F"), 2, 2000),
    ],
)
def test_mistakes_in_a_network_are_caught(method: PrivBayes, which: int, runs: int) -> None:
    assert tried(method, which, seed=1, runs=runs).accused
    sound = PrivBayes(**{field.name: getattr(method, field.name) for field in fields(method)})
    assert not tried(sound, which, seed=1, runs=runs).accused


def test_the_same_seed_gives_the_same_verdict() -> None:
    method = AplKiller(epsilon=1)
    first, again, other = (tried(method, 0, seed, runs=2000) for seed in (8, 8, 9))
    assert first == again
    assert first != other
    assert first.record() == again.record()
