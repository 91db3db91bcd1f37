"""What is said of the population is counted in it, for an audit as for a profile."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Run


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    ills = ("flu", "cold", "hiv", "asthma")
    rows = [f"{30 + person % 4},{'mf'[person % 2]},{ills[person % 4]}" for person in range(60)]
    file = tmp_path / "patients.csv"
    file.write_text("age,sex,illness\n" + "\n".join(rows) + "\n")
    return file


def test_an_audit_counts_risk_in_a_population(run: Run, patients: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "out", tmp_path / "a.html"
    roles = ("--qid", "age,sex", "--sensitive-attributes", "illness")
    for method in (("incognito", "--k", 2), ("mondrian", "--k", 2)):
        published = run(
            "publish", *method, patients, *roles, "--out", out, "--keep", tmp_path / "k", "--force"
        )
        assert published.exit_code == 0, published.stderr
        everybody = tmp_path / "everybody.csv"
        header, *rows = patients.read_text().splitlines()
        everybody.write_text("\n".join([header, *rows * 3]) + "\n")
        words = ("audit", out, "--out", page, "--json", "--population")
        told = json.loads(run(*words, everybody).stdout)["risk"]
        alone = json.loads(run(*words[:-1]).stdout)["risk"]
        assert told["journalist"]["population_given"] is True
        assert told["k_map"] == 3 * alone["k_map"]
        assert told["journalist"]["highest"] == pytest.approx(alone["prosecutor"]["highest"] / 3)
        few = tmp_path / "few.csv"
        few.write_text("\n".join([header, *rows[:3]]) + "\n")
        refused = run(*words, few)
        assert refused.exit_code == 2
        assert "must hold everybody in the data" in refused.stderr


def test_a_population_of_sets_is_refused(run: Run, baskets: Path, tmp_path: Path) -> None:
    run("publish", "km-anonymity", baskets, "--k", 2, "--m", 1, "--out", tmp_path / "out")
    words = ("audit", tmp_path / "out", "--out", tmp_path / "a.html", "--population", baskets)
    done = run(*words)
    assert done.exit_code == 2
    assert "counted for a table" in done.stderr
