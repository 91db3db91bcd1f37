import json
from pathlib import Path

import pytest

from tests.cli.running import Run

STUDY = """
title = "Baskets"
seeds = 1
[[data]]
source = "baskets.dat"
[[publish]]
method = "sparse-histogram"
epsilon = [0.5, 1]
"""


@pytest.fixture
def study(baskets: Path) -> Path:
    path = baskets.with_name("study.toml")
    path.write_text(STUDY)
    return path


def test_a_study_becomes_tables_and_a_page(run: Run, study: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    done = run("compare", study, "--out", out, "--workers", 1)
    assert done.exit_code == 0, done.stderr
    assert "choosing parameters by looking at private data is itself a leak" in done.stderr
    assert "Every release was published." in done.stdout
    names = {path.name for path in out.iterdir()}
    assert names == {"cells", "table.csv", "summary.csv", "front.csv", "report.html"}
    again = run("compare", study, "--out", out, "--workers", 1, "--json")
    assert json.loads(again.stdout)["failed"] == 0
    assert "releases: 2 of 2" in again.stderr
    assert "releases: 0 of 2" not in again.stderr


def test_a_study_of_which_every_release_fails_says_why(
    run: Run, study: Path, baskets: Path, tmp_path: Path
) -> None:
    baskets.write_text("bread beer\n")
    done = run("compare", study, "--out", tmp_path / "results", "--workers", 1)
    assert done.exit_code == 1
    (told,) = (line for line in done.stdout.splitlines() if line.startswith("- 2: "))
    assert f"{baskets.name}, line 1" in told
    again = run("compare", study, "--out", tmp_path / "results", "--workers", 1, "--json")
    assert again.exit_code == 1
    assert list(json.loads(again.stdout)["why"].values()) == [2]


def test_an_unknown_name_gets_the_nearest(run: Run, study: Path, tmp_path: Path) -> None:
    study.write_text(STUDY.replace("sparse-histogram", "sparse-histgram"))
    done = run("compare", study, "--out", tmp_path / "results")
    assert done.exit_code == 2
    assert "did you mean sparse-histogram" in done.stderr
    assert not (tmp_path / "results").exists()


def test_a_folder_that_cannot_be_written_is_refused_first(run: Run, study: Path) -> None:
    done = run("compare", study, "--out", study)
    assert done.exit_code == 2
    assert "must be a folder that can be written" in done.stderr
