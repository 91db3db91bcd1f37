import json
from pathlib import Path

import pytest

from tests.cli.running import Run


def test_measures_are_numbers(run: Run, safe: Path, baskets: Path) -> None:
    told = run("measure", safe, "--against", baskets)
    assert told.exit_code == 0, told.stderr
    assert told.stdout
    counted = run("measure", safe, "--against", baskets, "--json")
    numbers = json.loads(counted.stdout)
    assert numbers
    assert all(value is None or isinstance(value, int | float) for value in numbers.values())


def test_every_measure_has_a_direction_a_unit_and_a_sentence(
    run: Run, safe: Path, baskets: Path
) -> None:
    told = run("measure", safe, "--against", baskets).stdout
    words = " ".join(told.split())
    assert "query error existing 1 how far counts of sets that people hold are off" in words
    assert "(ratio, less is better)" in words


def test_the_original_must_be_named(run: Run, safe: Path) -> None:
    done = run("measure", safe)
    assert done.exit_code == 2
    assert "Missing option '--against'" in done.stderr


def test_a_content_without_measures_is_refused(
    run: Run, safe: Path, baskets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.cli.measure.measures_of", lambda _content, _noun: {})
    done = run("measure", safe, "--against", baskets)
    assert done.exit_code == 2
    assert "no measure yet" in done.stderr


def test_a_profile_is_numbers_and_never_records(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "baskets.csv"
    source.write_text("id,item\nann,verysecret\nann,bread\nbob,bread\n")
    for words in ([], ["--json"]):
        done = run("profile", source, *words)
        assert done.exit_code == 0, done.stderr
        assert "secret" not in done.stdout
        assert "ann" not in done.stdout
    assert json.loads(done.stdout)


def test_a_profile_of_nothing_is_one_sentence(run: Run, tmp_path: Path) -> None:
    done = run("profile", tmp_path / "nowhere.dat")
    assert done.exit_code == 2
    assert "nowhere.dat" in done.stderr
