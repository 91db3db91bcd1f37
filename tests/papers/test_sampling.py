import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from discreet.errors import InfeasibleError, ParameterError
from discreet.papers import sampling
from discreet.papers.recipes import SYNTHETIC, DataRecipe
from discreet.papers.sampling import LEAST, Estimate, Lab, Measured, Point
from discreet.papers.trials import ANY

SMALL = DataRecipe(name=SYNTHETIC, people=50, items=4, longest=3)


@dataclass(frozen=True)
class Steady:
    """Numbers around ten, as far apart as asked for."""

    apart: float = 0.0

    def run(self, recipe: DataRecipe, seed: int) -> dict[str, float]:
        return {"number": 10 + self.apart * (1 - 2 * (seed % 2)), "people": float(recipe.people)}


@dataclass(frozen=True)
class Coin:
    """A share: one in so many."""

    every: int

    def run(self, recipe: DataRecipe, seed: int) -> dict[str, float]:
        return {ANY: float(recipe.people > 0 and seed % self.every == 0)}


@dataclass(frozen=True)
class Never:
    """Refused."""

    def run(self, recipe: DataRecipe, seed: int) -> dict[str, float]:
        msg = f"{recipe.people} people and {seed >= 0} are too much"
        raise InfeasibleError(msg)


@dataclass(frozen=True)
class Breaks:
    """Works until its number of releases is reached."""

    file: str
    last: int

    def run(self, recipe: DataRecipe, seed: int) -> dict[str, float]:
        done = Path(self.file)
        lines = done.read_text().split() if done.exists() else []
        if len(lines) == self.last and "go on" not in done.name:
            done.rename(done.with_name("go on"))
            raise KeyboardInterrupt
        done.write_text("\n".join([*lines, str(seed)]))
        return {"P(odd)": float(seed % 2 + 0 * recipe.people)}


def lab(folder: Path | None = None, **settings: int) -> Lab:
    return Lab(folder, workers=1, **settings)


def measured(one: Lab, trial: object) -> Measured:
    point = Point(SMALL, trial)
    with one:
        return one.measure([point])[point]


def test_a_steady_number_needs_the_least() -> None:
    assert measured(lab(rounds=500), Steady()).releases == LEAST


def test_a_scattered_number_needs_more_and_stops_when_it_is_known() -> None:
    found = measured(lab(rounds=500), Steady(apart=1.0))
    assert LEAST < found.releases < 500
    assert Estimate.of(found.values["number"]).good
    assert not Estimate.of(found.values["number"][: found.releases // 2]).good


def test_a_share_that_is_never_known_well_ends_at_the_rounds() -> None:
    assert measured(lab(rounds=100), Coin(every=2)).releases == 100


def test_nothing_seen_is_known_when_it_must_be_rare() -> None:
    found = measured(lab(rounds=5000), Coin(every=10**12))
    assert found.releases < 500
    assert Estimate.of(found.values[ANY], share=True).high < 0.02


def test_fewer_rounds_than_the_least_are_obeyed() -> None:
    assert measured(lab(rounds=3), Coin(every=2)).releases == 3


def test_a_refusal_is_kept_with_its_reason(tmp_path: Path) -> None:
    first = measured(lab(tmp_path), Never())
    assert first.refused == "50 people and True are too much"
    assert first.releases == 0
    again = lab(tmp_path)
    assert measured(again, Never()) == first
    assert again.drawn == 0


def test_a_second_run_draws_nothing(tmp_path: Path) -> None:
    first, second = lab(tmp_path, rounds=40), lab(tmp_path, rounds=40)
    found = measured(first, Coin(every=3))
    assert first.drawn == 40
    assert measured(second, Coin(every=3)) == found
    assert second.drawn == 0


def test_more_rounds_draw_only_what_is_missing(tmp_path: Path) -> None:
    short = measured(lab(tmp_path, rounds=40), Coin(every=3))
    more = lab(tmp_path, rounds=90)
    longer = measured(more, Coin(every=3))
    assert more.drawn == 50
    assert longer.values[ANY][:40] == short.values[ANY]
    assert longer == measured(lab(rounds=90), Coin(every=3))


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    trial = Breaks(str(tmp_path / "drawn"), last=LEAST + 5)
    with pytest.raises(KeyboardInterrupt):
        measured(lab(tmp_path / "points", rounds=2 * LEAST), trial)
    resumed = lab(tmp_path / "points", rounds=2 * LEAST)
    assert measured(resumed, trial).releases == 2 * LEAST
    assert resumed.drawn == LEAST
    first = (tmp_path / "go on").read_text().split()
    rest = (tmp_path / "drawn").read_text().split()
    assert first[:LEAST] + rest == [str(int(first[0]) + at) for at in range(2 * LEAST)]


def test_a_spoilt_file_is_measured_again(tmp_path: Path) -> None:
    found = measured(lab(tmp_path), Steady())
    (file,) = tmp_path.glob("*.json")
    for text in ("{", "[]", json.dumps({"key": {}, "values": {"number": [1.0] * 99}})):
        file.write_text(text)
        again = lab(tmp_path)
        assert measured(again, Steady()) == found
        assert again.drawn == LEAST


@pytest.mark.parametrize(("rounds", "drawn"), [(120, 5), (480, 20), (3, 3)])
def test_of_a_slow_method_fewer_releases_are_drawn(rounds: int, drawn: int) -> None:
    point = Point(SMALL, Coin(every=2), slower=24)
    with lab(rounds=rounds) as one:
        assert one.measure([point])[point].releases == drawn


def test_a_point_is_known_by_its_content() -> None:
    one = Point(SMALL, Coin(every=2))
    others = (
        Point(SMALL, Coin(every=3)).key(1),
        Point(SMALL.planted(2), Coin(every=2)).key(1),
        one.key(2),
    )
    assert one.key(1) not in others
    assert one.key(1) == Point(SMALL, Coin(every=2)).key(1)
    assert set(one.key(1)) == {"data", "trial", "seed", "version"}


def test_a_file_names_its_seeds(tmp_path: Path) -> None:
    measured(lab(tmp_path, rounds=2), Steady())
    measured(lab(tmp_path, rounds=2), Coin(every=2))
    seeds = {json.loads(file.read_text())["first_seed"] for file in tmp_path.glob("*.json")}
    assert len(seeds) == 2


def test_processes_draw_what_one_would(tmp_path: Path) -> None:
    points = [Point(SMALL.planted(at), _linkage()) for at in (5, 50)]
    with Lab(tmp_path, rounds=4, workers=2) as many, lab(rounds=4) as alone:
        assert many.measure(points) == alone.measure(points)
    assert len(list(tmp_path.glob("*.json"))) == 2


def _linkage() -> object:
    from discreet.counts import DiffPart
    from discreet.papers.recipes import made
    from discreet.papers.trials import Linkage

    return Linkage(DiffPart(epsilon=1, universe=made(SMALL).universe))


def test_progress_ends_with_all_points() -> None:
    told: list[tuple[int, int]] = []
    one = lab(rounds=2)
    one.progress = lambda done, total: told.append((done, total))
    measured(one, Steady())
    assert told[0] == (0, 1)
    assert told[-1] == (1, 1)


@pytest.mark.parametrize("name", ["rounds", "workers"])
def test_a_lab_without_rounds_or_workers_is_refused(name: str) -> None:
    with pytest.raises(ParameterError, match=f"{name} must be at least 1, got 0"):
        Lab(**{name: 0})


def test_the_interval_of_a_mean_is_students() -> None:
    found = Estimate.of([1.0, 2.0, 3.0])
    assert found.value == 2
    assert found.high - 2 == pytest.approx(4.3027 / 3**0.5, abs=1e-3)
    assert found.releases == 3


def doubled(number: int, folder: str) -> dict[str, int]:
    with Path(folder, "asked").open("a") as file:
        file.write(f"{number}\n")
    return {"twice": 2 * number}


def test_a_case_is_worked_out_once(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    first = lab(tmp_path / "points")
    first.progress = lambda done, of: told.append((done, of))
    cases = [(number, str(tmp_path)) for number in (1, 2, 3)]
    with first:
        assert first.asked(doubled, cases[:2]) == {cases[0]: {"twice": 2}, cases[1]: {"twice": 4}}
        assert told == [(0, 2), (1, 2), (2, 2)]
    with lab(tmp_path / "points") as second:
        assert second.asked(doubled, cases)[cases[2]] == {"twice": 6}
    assert (tmp_path / "asked").read_text().split() == ["1", "2", "3"]


def test_cases_of_another_version_are_worked_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = (4, str(tmp_path))
    for version in ("one", "other", "other"):
        monkeypatch.setattr(sampling, "code_version", lambda _, version=version: version)
        with lab(tmp_path / "points") as each:
            each.asked(doubled, [case])
    assert (tmp_path / "asked").read_text().split() == ["4", "4"]
