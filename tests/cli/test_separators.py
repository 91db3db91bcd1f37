from pathlib import Path

import pytest

from tests.cli.running import Run

DIAGNOSES = ("flu, asthma", "asthma, HIV", "HIV, flu", "flu, asthma, HIV", "migraine, flu")


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """A table from a spreadsheet, whose diagnoses have a comma between them."""
    path = tmp_path / "patients.csv"
    rows = [f"{number};{30 + number % 3};{DIAGNOSES[number % 5]}" for number in range(30)]
    path.write_text("\n".join(["id;age;diagnoses", *rows]))
    return path


@pytest.mark.parametrize(
    "roles",
    [
        ("--qid", "age", "--sensitive-attributes", "diagnoses", "--multi-valued", "diagnoses"),
        ("--qid", "age", "--set-column", "diagnoses"),
        ("--columns", "items=diagnoses"),
    ],
)
def test_several_values_read_as_one_are_told(
    run: Run, patients: Path, roles: tuple[str, ...]
) -> None:
    told = run("profile", patients, *roles)
    assert told.exit_code == 0, told.stderr
    assert "add --separator ','" in " ".join(told.stderr.split())
    assert "--separator" not in run("profile", patients, *roles, "--separator", ",").stderr


def test_publishing_says_so_too(run: Run, patients: Path, tmp_path: Path) -> None:
    words = ("--columns", "items=diagnoses", "--k", 2, "--m", 1, "--out", tmp_path / "out")
    told = run("publish", "km-anonymity", patients, *words)
    assert "seem to hold several things with ','" in " ".join(told.stderr.split())
