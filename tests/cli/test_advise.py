import json
from pathlib import Path

from discreet.core.release import Release
from discreet.counts.partition.advice import advise
from tests.cli.running import Run


def test_advice_is_a_table_with_what_to_expect(run: Run) -> None:
    told = run("advise", "apl-killer", "--epsilon", 1, "--items", 17, "--max-size", 3)
    assert told.exit_code == 0, told.stderr
    sizes = [line.split()[0] for line in told.stdout.splitlines() if line[:1].isdigit()]
    assert sizes == ["1", "2", "3"]
    assert "--auto --max-size 3" in told.stdout
    assert "sparse-histogram" in told.stdout


def test_advice_for_machines_is_the_advice(run: Run) -> None:
    words = ("advise", "apl-killer", "--epsilon", "0.5", "--items", 12, "--records", 900, "--json")
    printed = json.loads(run(*words).stdout)
    expected = advise("0.5", 12, records=900)
    assert printed["method"] == "apl-killer"
    assert [part["fan_out"] for part in printed["sizes"]] == [part.fan_out for part in expected]
    assert [part["survives"] for part in printed["sizes"]] == [part.survives for part in expected]


def test_a_universe_stands_for_its_number_of_items(run: Run, tmp_path: Path) -> None:
    universe = tmp_path / "items.txt"
    universe.write_text("beer\nbread\nmilk\n")
    by_file = run("advise", "apl-killer", "--epsilon", 1, "--universe", universe, "--json")
    by_number = run("advise", "apl-killer", "--epsilon", 1, "--items", 3, "--json")
    assert by_file.exit_code == 0, by_file.stderr
    assert by_file.stdout == by_number.stdout


def test_the_number_of_items_must_be_known(run: Run) -> None:
    done = run("advise", "apl-killer", "--epsilon", 1)
    assert done.exit_code == 2
    assert "--items or --universe" in done.stderr


def test_other_methods_have_no_advice(run: Run) -> None:
    done = run("advise", "diff-part", "--epsilon", 1, "--items", 3)
    assert done.exit_code == 2
    assert "there are apl-killer" in done.stderr
    near = run("advise", "apl-kiler")
    assert near.exit_code == 2
    assert "did you mean apl-killer" in near.stderr


def test_publishing_can_choose_by_itself(run: Run, baskets: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    words = ("publish", "apl-killer", baskets, "--epsilon", 1, "--auto", "--out", out)
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    assert "public facts only" in done.stdout
    assert Release.load(out).manifest.parameters["fan_out"] == [
        part.fan_out for part in advise(1, 3)
    ]


def test_a_release_is_made_leak_free_from_its_folder(
    run: Run, leaking: Path, tmp_path: Path
) -> None:
    out = tmp_path / "repaired"
    done = run("publish", "apl-free", leaking, "--out", out)
    assert done.exit_code == 0, done.stderr
    assert run("verify", leaking).exit_code == 1
    assert run("verify", out).exit_code == 0
    assert Release.load(out).manifest.notes["source"]["method"] == "planted"


def test_apl_free_takes_releases_only(run: Run, baskets: Path, tmp_path: Path) -> None:
    done = run("publish", "apl-free", baskets, "--out", tmp_path / "repaired")
    assert done.exit_code == 2
    assert not (tmp_path / "repaired").exists()
