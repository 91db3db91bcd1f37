"""The figures of Bewong, Liu, Liu and Li 2019, on made-up people and on real data."""

from pathlib import Path

import polars as pl
import pytest

from discreet import Transactions
from discreet.papers import PAPERS, Lab, sanony
from discreet.papers.sanony import Setting


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path / "points", 5, workers=1, seed=1)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[f"i{n % 13}", f"j{n % 11}", f"k{n % 5}"] for n in range(700)]
    data = Transactions.of(rows)
    monkeypatch.setattr(sanony, "_people", lambda _: data)
    monkeypatch.setattr(sanony, "SAMPLES", ("0.05",))
    monkeypatch.setattr(sanony, "REPEATS", ("0.4",))
    monkeypatch.setattr(sanony, "THRESHOLDS", ("8", "2"))


def test_noise_drowns_small_counts(lab: Lab) -> None:
    table = sanony.figure_1(Lab(lab.folder, 400, seed=1))
    noise = table.filter(pl.col("measure") == "mean absolute noise")["value"].to_list()
    counts = table.filter(pl.col("measure") == "true count")["value"].to_list()
    assert counts == [2, 2, 1]
    # 2 q / (1 - q^2) with q = e^-0.1
    assert noise == pytest.approx([9.98] * 3, rel=0.15)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("name", ["figure-6", "figure-7", "figure-8", "figure-9"])
def test_every_figure_is_a_table(lab: Lab, name: str) -> None:
    table = PAPERS["sanony"][name](lab)
    assert table["figure"].unique().to_list() == [f"sanony {name}"]
    assert set(table["data"]) == {"bms1", "bms2"}
    assert table.filter(pl.col("value") < 0).height == 0
    assert table["note"].null_count() == 0


@pytest.mark.usefixtures("made_up")
def test_the_papers_numbers_stand_beside_ours(lab: Lab) -> None:
    table = sanony.figure_7(lab)
    printed = table.filter(pl.col("paper").is_not_null())
    assert sorted(printed["paper"]) == [0.002, 0.005, 0.05, 0.25]
    assert set(printed["measure"]) == {"perturbation rate"}


@pytest.mark.usefixtures("made_up")
def test_what_is_known_is_not_published_again(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    first = sanony.figure_7(lab)
    monkeypatch.setattr(sanony, "publish_series", None)
    assert sanony.figure_7(lab).equals(first)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(("rounds", "series"), [(1, 1), (5, 1), (14, 2), (120, 5)])
def test_rounds_count_the_releases_of_a_series(lab: Lab, rounds: int, series: int) -> None:
    lab.rounds = rounds
    assert set(sanony.figure_6(lab)["releases"]) == {5 * series}


def test_the_sweep_moves_one_choice_at_a_time() -> None:
    base = Setting(data="bms1")
    for setting in sanony.sweep("bms1"):
        changed = [
            name
            for name in ("sample", "repeat", "r_th", "choice")
            if getattr(setting, name) != getattr(base, name)
        ]
        assert len(changed) <= 1
    assert len(sanony.sweep("bms1")) == 11


def test_on_real_data_nobody_is_at_risk_who_stays_for_ever(data_folder: Path) -> None:
    assert data_folder.exists()
    numbers = {
        repeat: sanony.series_numbers(
            Setting(data="bms1", sample="0.0125", repeat=repeat), "anony", 1
        )["risk"]
        for repeat in ("0.4", "1")
    }
    assert numbers["1"]["at risk"] == 0
    assert numbers["1"]["at risk through derived clusters"] == 0
    assert numbers["0.4"]["at risk"] > 0
