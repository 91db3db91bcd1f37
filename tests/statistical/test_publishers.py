"""Every publisher under differential privacy, on the pairs that an adversary finds worst.

The lower bound that was seen is printed beside what is claimed: ``pytest -m slow -s``.
"""

from typing import Any

import pytest

from discreet.catalog import entries
from discreet.core.guarantee import DifferentialPrivacy
from discreet.counts import (
    AplKiller,
    Counts,
    DiffPart,
    ItemSupports,
    PrivBayes,
    SparseHistogram,
    TableBayes,
)
from discreet.mechanism_audit.audit import LEAST_RUNS
from tests.mistakes import HalfTheNoise
from tests.samples import PUBLISHERS
from tests.statistical.adversary import CROWDS, worst, worst_of_several, worst_of_wide

slow = pytest.mark.slow

MILLION = 1_000_000
SOUND: dict[str, tuple[Any, int, int]] = {
    "apl-killer": (AplKiller(epsilon=1), 500, MILLION),
    "apl-killer, low thresholds": (AplKiller(epsilon=2, fan_out=2, c1="0.1"), 500, MILLION),
    "apl-killer, reject-calibrated": (
        AplKiller(epsilon=1, boundary_noise="reject-calibrated"),
        500,
        MILLION,
    ),
    "diff-part": (DiffPart(epsilon=1), 500, MILLION),
    "priv-bayes, no parents": (PrivBayes(epsilon=1, degree=0), 500, MILLION),
    "priv-bayes": (PrivBayes(epsilon=1, degree=1), 500, MILLION),
    "table-bayes": (TableBayes(epsilon=1), 1_000, 200_000),
    # one release after the other: as many as an hour allows
    "sparse-histogram": (SparseHistogram(epsilon=1), 300, 100_000),
    "item-supports": (ItemSupports(epsilon=1), 200, 50_000),
    "counts": (Counts(epsilon=1), LEAST_RUNS, 2_000),
}
"""Method, runs of each data set that the search looks at, fresh runs of the worst pairs."""
FEW, FEWEST = (0, 1, 30), (0, 1)
"""What the search looks at where a release takes long, and where it takes longest."""
FEWEST_FRESH = 2_000
"""Fresh runs with which a bound can stand above 0, whatever they take."""
FLAWED = {
    "boundary draw as printed": (AplKiller(epsilon=1, boundary_noise="paper"), 500, 100_000),
    "tables with half the noise": (HalfTheNoise(epsilon=1, degree=0), 500, 100_000),
}


@slow
@pytest.mark.parametrize("name", SOUND)
def test_no_pair_accuses_a_sound_publisher(name: str) -> None:
    method, first, fresh = SOUND[name]
    crowds = CROWDS if fresh == MILLION else FEW if first > LEAST_RUNS else FEWEST
    found = worst(method, first=first, fresh=fresh, crowds=crowds)
    print(f"\n{name}: {found}")
    assert not found.verdict.accused, str(found)


@slow
@pytest.mark.parametrize("items", [3, 4])
@pytest.mark.parametrize("name", SOUND)
def test_nor_does_one_of_three_or_four_items(name: str, items: int) -> None:
    method, _, fresh = SOUND[name]
    number, first = (30, 300) if fresh == MILLION else (6, LEAST_RUNS)
    fresh = max(fresh // 10, FEWEST_FRESH)
    found = worst_of_several(method, items, number, first=first, fresh=fresh)
    print(f"\n{name}, {items} items: {found}")
    assert not found.verdict.accused, str(found)


# half the noise in every table is seen among two items only: with more, each event tells of a table
# or of an output that hardly ever comes
@slow
@pytest.mark.parametrize("items", [3, 4])
def test_the_boundary_draw_as_printed_is_caught_among_three_or_four_items(items: int) -> None:
    method, first, fresh = FLAWED["boundary draw as printed"]
    found = worst_of_several(method, items, 60, first=first, fresh=fresh)
    print(f"\nboundary draw as printed, {items} items: {found}")
    assert found.verdict.accused, str(found)


@slow
@pytest.mark.parametrize("name", FLAWED)
def test_a_flaw_is_caught_on_a_pair_that_nobody_pointed_at(name: str) -> None:
    method, first, fresh = FLAWED[name]
    found = worst(method, first=first, fresh=fresh)
    print(f"\n{name}: {found}")
    assert found.verdict.accused, str(found)


@slow
@pytest.mark.parametrize("empty_tests", ["paper", "exact"])
def test_the_empty_loop_as_printed_is_caught_where_many_tries_are_to_come(empty_tests: str) -> None:
    method = AplKiller(epsilon=1, c1=2, empty_tests=empty_tests)
    found = worst_of_wide(method, 10, 30, first=1_000, fresh=8_000)
    print(f"\nempty loop, {empty_tests}: {found}")
    assert found.verdict.accused == (empty_tests == "paper"), str(found)


def test_every_publisher_with_an_epsilon_is_audited() -> None:
    audited = {type(method) for method, _, _ in SOUND.values()}
    promising = {
        type(method)
        for method, _ in PUBLISHERS.values()
        if any(isinstance(each, DifferentialPrivacy) for each in method.guarantees)
        and hasattr(method, "worst_pair")
    }
    assert promising <= audited
    assert len(promising) == sum(hasattr(each.method, "worst_pair") for each in entries())


def test_the_search_finds_a_planted_flaw_quickly() -> None:
    found = worst(AplKiller(epsilon=1, boundary_noise="paper"), first=400, fresh=20_000)
    assert found.verdict.accused, str(found)
