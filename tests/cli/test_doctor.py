import json
from pathlib import Path

import pytest

from discreet import rng
from discreet.rng import seeded
from tests.cli.running import Run


def test_this_installation_works(run: Run) -> None:
    told = run("doctor")
    assert told.exit_code == 0, told.stdout
    assert "Everything works." in told.stdout
    record = json.loads(run("doctor", "--json").stdout)
    assert record["healthy"] is True
    names = {check["name"] for check in record["checks"]}
    assert names >= {
        "python",
        "discreet",
        "numpy",
        "cores",
        "compiled code",
        "secure chance",
        "discreet[plots]",
        "sentence model",
    }


def test_code_compiled_ahead_is_looked_for(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "archive.zip"
    monkeypatch.setattr("discreet.cli.doctor.archive_here", lambda: archive)
    assert _found(run, "code compiled ahead")["works"] is None
    archive.touch()
    assert _found(run, "code compiled ahead")["works"] is True


def _found(run: Run, name: str) -> dict[str, object]:
    checks = json.loads(run("doctor", "--json").stdout)["checks"]
    (check,) = [check for check in checks if check["name"] == name]
    return dict(check)


def test_broken_chance_is_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rng, "secure", lambda: seeded(1))
    done = run("doctor", "--json")
    assert done.exit_code == 1
    (broken,) = [check for check in json.loads(done.stdout)["checks"] if check["works"] is False]
    assert broken["name"] == "secure chance"
    assert "Something does NOT work" in run("doctor").stdout


def test_a_missing_data_folder_is_no_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCREET_DATA", raising=False)
    done = run("doctor")
    assert done.exit_code == 0
    assert "not set" in done.stdout


def test_data_sets_are_looked_for(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCREET_DATA", str(tmp_path))
    checks = json.loads(run("doctor", "--json").stdout)["checks"]
    (found,) = [check for check in checks if check["name"] == "dataset:msnbc"]
    assert found["works"] is None
    monkeypatch.setenv("DISCREET_DATA", str(tmp_path / "nowhere"))
    assert run("doctor").exit_code == 1
