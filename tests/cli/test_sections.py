"""A seed is for tests and studies, and a release made by one is loudly said to be."""

import json
from pathlib import Path

import pytest

from discreet.cli.sections import Randomness, ReleaseRandomness
from tests.cli.running import Run


@pytest.mark.parametrize("kind", [Randomness, ReleaseRandomness])
def test_without_a_seed_it_is_the_operating_systems(
    kind: type[Randomness], capsys: pytest.CaptureFixture[str]
) -> None:
    assert kind().rng().seeded is False
    assert capsys.readouterr().err == ""


def test_a_seed_repeats_the_draws() -> None:
    one, two = (Randomness(seed=7).rng() for _ in range(2))
    assert one.integers(100, 9).tolist() == two.integers(100, 9).tolist()


def test_a_seeded_release_is_not_for_publication(capsys: pytest.CaptureFixture[str]) -> None:
    assert ReleaseRandomness(seed=7).rng().seeded is True
    assert "NOT FOR PUBLICATION" in capsys.readouterr().err


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
