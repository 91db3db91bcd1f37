"""Sanony and m-invariance at the command line: what comes before, and what is kept."""

import json
import stat
from pathlib import Path

import pytest

from discreet import Release
from discreet.core.lineage import fingerprint
from tests.cli.running import Run


@pytest.fixture
def years(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Two corpora with ids, and the private terms."""
    rows = [("A", "a", "s"), ("B", "b", ""), ("C", "c", "t"), ("D", "d", ""), ("E", "a", "u")]
    for number, kept in ((1, rows), (2, rows[1:])):
        lines = [f"{who},{item}" for who, *items in kept for item in items if item]
        (tmp_path / f"year{number}.csv").write_text("id,item\n" + "\n".join(lines) + "\n")
    (tmp_path / "private").write_text("s\nt\nu\n")
    return tmp_path / "year1.csv", tmp_path / "year2.csv", tmp_path / "private"


def test_sanony_goes_on_after_a_release(
    run: Run, years: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    one, two, private = years
    words = ["--sensitive", private, "--r-th", 4, "--cluster-size", 2, "--json"]
    first = run("publish", "sanony", one, *words, "--out", tmp_path / "one")
    assert first.exit_code == 0, first.stderr
    out = tmp_path / "two"
    second = run("publish", "sanony", two, *words, "--after", tmp_path / "one", "--out", out)
    assert second.exit_code == 0, second.stderr
    assert set(json.loads(second.stdout)["report"]) == {"counterfeits", "withheld"}
    readme = (out / "README.txt").read_text()
    told = " ".join(readme.split())
    assert "transitive composition), is not promised" in told
    assert "without a cluster number is the bag: its copies are somewhere among all people" in told
    assert f"  follows: {fingerprint(Release.load(tmp_path / 'one').content)}\n" in readme
    assert "  follows: nothing\n" in (tmp_path / "one" / "README.txt").read_text()
    assert run("verify", out, "--after", tmp_path / "one").exit_code == 0
    assert json.loads(run("verify", out, "--json").stdout)["guarantees"][1]["holds"] is None
    again = run("publish", "sanony", two, *words, "--after", out, "--out", tmp_path / "three")
    assert again.exit_code == 2
    assert "oldest first" in again.stderr


def test_m_invariance_reads_its_key_and_writes_it_anew(
    run: Run, years: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    one, two, private = years
    key = tmp_path / "state"
    words = ["--sensitive", private, "--m", 2, "--keep", key, "--json"]
    first = run("publish", "m-invariance", one, *words, "--out", tmp_path / "one")
    assert first.exit_code == 0, first.stderr
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    before = key.read_bytes()
    second = run("publish", "m-invariance", two, *words, "--out", tmp_path / "two")
    assert second.exit_code == 0, second.stderr
    assert set(json.loads(second.stdout)["report"]) == {
        "counterfeits",
        "postponed",
        "postponed_alike",
    }
    assert key.read_bytes() != before
    both = ["verify", tmp_path / "two", "--after", tmp_path / "one", "--key", key]
    assert run(*both).exit_code == 0
    assert run("verify", tmp_path / "one", "--key", key).exit_code == 0
    assert run("verify", tmp_path / "two", "--key", key).exit_code == 3
    assert run("verify", tmp_path / "two").exit_code == 3
