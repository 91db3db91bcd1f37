from itertools import combinations

import pytest

from discreet.core.histogram import ItemsetHistogram
from discreet.core.transactions import Transactions
from discreet.counts import AplKiller, DiffPart
from discreet.papers.recipes import SYNTHETIC, DataRecipe, made
from discreet.papers.trials import Error, Linkage, Race, missing_boundary, succeeds

SMALL = DataRecipe(name=SYNTHETIC, people=300, items=5, longest=4)
ALL = ("a", "b", "c")


def test_the_boundary_is_one_that_nobody_has() -> None:
    data = Transactions.of([ALL, ("b", "c"), ("a", "c")])
    assert missing_boundary(data) == ("a", "b")


def test_where_somebody_has_every_boundary_it_is_the_first() -> None:
    data = Transactions.of([ALL, *combinations(ALL, 2)])
    assert missing_boundary(data) == ("b", "c")


@pytest.mark.parametrize(
    ("published", "expected"),
    [
        ([ALL], True),
        ([ALL, ("a",), ("c",)], True),
        ([ALL, ("a", "b")], False),
        ([("a", "b")], False),
        ([("a", "c")], False),
        ([], False),
    ],
)
def test_success_is_the_target_alone(published: list[tuple[str, ...]], expected: bool) -> None:
    content = ItemsetHistogram.of(dict.fromkeys(published, 4))
    assert succeeds(content, ALL, ("a", "b")) is expected


def test_aplkiller_gives_nothing_away_and_diff_part_does() -> None:
    recipe = SMALL.planted(200)
    universe = made(recipe).universe
    safe = Linkage(AplKiller(epsilon=1, universe=universe)).run(recipe, 1)
    plain = Linkage(DiffPart(epsilon=4, universe=universe)).run(recipe, 1)
    assert safe == {
        "P(APL for the target)": 0.0,
        "P(some APL for the target)": 0.0,
        "P(target published)": 1.0,
        "P(any APL)": 0.0,
    }
    assert plain["P(APL for the target)"] == plain["P(any APL)"] == 1.0


def test_without_noise_to_speak_of_there_is_hardly_an_error() -> None:
    universe = made(SMALL).universe
    good = Error(DiffPart(epsilon=1000, c1=0, universe=universe)).run(SMALL, 1)
    bad = Error(DiffPart(epsilon="0.1", universe=universe)).run(SMALL, 1)
    assert good["relative error"] < 0.01 < bad["relative error"]
    halves = (bad["relative error, existing"] + bad["relative error, random"]) / 2
    assert bad["relative error"] == pytest.approx(halves)


def test_a_race_is_a_ratio_of_its_two_times() -> None:
    universe = made(SMALL).universe
    race = Race(AplKiller(epsilon=1, universe=universe), DiffPart(epsilon=1, universe=universe))
    for seed in (1, 2):
        found = race.run(SMALL, seed)
        times = found["milliseconds"] / found["milliseconds of the other"]
        assert found["time ratio"] == pytest.approx(times)
