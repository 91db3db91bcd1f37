"""``discreet reconstruct`` at the terminal."""

import json
from pathlib import Path

import pytest

from discreet import Transactions, rng
from discreet.generalised import Disassociation, Km
from tests.cli.running import Run

BASKETS = Transactions.of([["beer", "bread"]] * 6 + [["bread"]] * 6 + [["wine"]] * 3)


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    return Disassociation(k=3, m=2).publish(BASKETS, rng.seeded(1)).save(tmp_path / "parts")


def test_a_possible_original_is_written_and_can_be_published(
    run: Run, parts: Path, tmp_path: Path
) -> None:
    out = tmp_path / "possible.jsonl"
    done = run("reconstruct", parts, "--out", out, "--seed", 1, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["people"] == len(BASKETS) == len(Transactions.read(out))
    again = run("reconstruct", parts, "--out", out)
    assert (again.exit_code, "exists; choose another name" in again.stderr) == (2, True)


def test_other_releases_have_no_parts(run: Run, tmp_path: Path) -> None:
    whole = Km(k=3, m=2).publish(BASKETS, rng.seeded(1)).save(tmp_path / "whole")
    done = run("reconstruct", whole, "--out", tmp_path / "possible.jsonl")
    assert (done.exit_code, "only a disassociated release" in done.stderr) == (2, True)
    assert not (tmp_path / "possible.jsonl").exists()
