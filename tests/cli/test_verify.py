import json
from pathlib import Path

import pytest

from tests.cli.running import Run


@pytest.mark.parametrize(
    ("release", "code", "holds", "word"),
    [
        ("safe", 0, True, "keeps its promises"),
        ("leaking", 1, False, "BREAKS"),
        ("untold", 3, None, "Nothing that this release promises can be checked"),
    ],
)
def test_the_exit_code_is_the_verdict(
    run: Run,
    request: pytest.FixtureRequest,
    release: str,
    code: int,
    holds: bool | None,
    word: str,
) -> None:
    folder = request.getfixturevalue(release)
    told = run("verify", folder)
    assert told.exit_code == code
    assert word in told.stdout
    counted = run("verify", folder, "--json")
    assert counted.exit_code == code
    assert json.loads(counted.stdout)["holds"] is holds


def test_a_broken_promise_comes_with_its_witness(run: Run, leaking: Path) -> None:
    done = run("verify", leaking)
    assert "witness: " in done.stdout
    assert "beer" in done.stdout


def test_a_changed_release_is_refused(run: Run, safe: Path) -> None:
    (safe / "itemsets.parquet").write_bytes(b"something else")
    done = run("verify", safe)
    assert done.exit_code == 2
    assert "was changed after" in done.stderr


@pytest.mark.parametrize("option", ["--against", "--after", "--key", "--privacy"])
def test_missing_evidence_is_one_sentence(run: Run, safe: Path, option: str) -> None:
    done = run("verify", safe, option, "nowhere")
    assert done.exit_code == 2
    assert "nowhere" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_evidence_is_taken(run: Run, safe: Path, leaking: Path, baskets: Path) -> None:
    done = run(
        *("verify", safe, "--after", leaking, "--after", safe),
        *("--against", baskets, "--input-format", "fimi"),
    )
    assert done.exit_code == 0, done.stderr


def test_no_release_is_wrong_usage(run: Run, tmp_path: Path) -> None:
    assert run("verify").exit_code == 2
    assert run("verify", tmp_path).exit_code == 2
    assert run("verify", tmp_path / "nowhere").exit_code == 2
