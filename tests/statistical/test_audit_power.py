"""How surely an audit finds a mistake at the runs it makes by default, and how rarely it errs."""

import math
from typing import Any

import pytest

from discreet.cli.audit_mechanism import ERROR, Trial
from discreet.counts import AplKiller, DiffPart, PrivBayes
from tests.mechanism_audit.auditing import tried
from tests.mistakes import BestNetwork, HalfTheNoise, RoundedScale, UnsharedTables

pytestmark = pytest.mark.slow

TIMES = 40
MISTAKES = {
    "boundary draw as printed": (AplKiller(epsilon=1, boundary_noise="paper"), 0, Trial().runs),
    # fewer runs than by default: what these find, more would find too
    "empty loop as printed": (AplKiller(epsilon=1, c1=2, empty_tests="paper"), 1, 8000),
    "empty loop, fan-out 2": (
        AplKiller(epsilon=1, c1=2, fan_out=2, empty_tests="paper"),
        1,
        Trial().runs,
    ),
    "rounded scale": (RoundedScale(epsilon="0.7"), 0, Trial().runs),
    "tables with half the noise": (HalfTheNoise(epsilon=1), 0, Trial().runs),
    "tables that do not share epsilon": (UnsharedTables(epsilon=1), 1, Trial().runs),
    "a network chosen without chance": (BestNetwork(epsilon=1), 2, 4000),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_nearly_always(name: str) -> None:
    method, which, runs = MISTAKES[name]
    share = ERROR / len(method.worst_pair())
    found = sum(tried(method, which, seed, runs, share).accused for seed in range(TIMES))
    assert found >= math.ceil(0.95 * TIMES)


@pytest.mark.parametrize(
    "method",
    [
        AplKiller(epsilon=1),
        AplKiller(epsilon="0.1"),
        AplKiller(epsilon=2, fan_out=2, c1="0.1"),
        AplKiller(epsilon=1, boundary_noise="reject-calibrated"),
        DiffPart(epsilon=1),
        DiffPart(epsilon="0.25", fan_out=2, c1="0.3"),
        PrivBayes(epsilon=1, degree=0),
        PrivBayes(epsilon=1, degree=0, negatives="paper", rows=100),
    ],
)
def test_a_sound_method_is_never_accused(method: Any) -> None:
    pairs = len(method.worst_pair())
    verdicts = [
        tried(method, which, seed, Trial().runs, ERROR / pairs)
        for which in range(pairs)
        for seed in range(8)
    ]
    assert not any(verdict.accused for verdict in verdicts)


def test_a_mechanism_at_its_limit_is_accused_as_often_as_allowed() -> None:
    """The clamped draw spends epsilon to the full: the hardest case for the error that is kept."""
    method, error = AplKiller(epsilon=1), 0.1
    accused = sum(tried(method, 0, seed, 1000, error).accused for seed in range(300))
    assert accused <= 300 * error + 4 * math.sqrt(300 * error * (1 - error))
