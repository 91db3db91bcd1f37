import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.running import Run

from discreet.data.release import Manifest, Release
from discreet.data.transactions import Transactions


def test_a_leak_is_told(run: Run, leaking: Path) -> None:
    done = run("attack", "attribute-linkage", leaking)
    assert done.exit_code == 0
    assert "SUCCEEDS" in done.stdout
    assert "100%" in done.stdout
    assert "in numbers" in done.stdout


def test_nothing_found_is_told(run: Run, safe: Path) -> None:
    done = run("attack", "attribute-linkage", safe)
    assert done.exit_code == 0
    assert "The attack finds nothing." in done.stdout


def test_json_holds_every_claim(run: Run, leaking: Path) -> None:
    done = run("attack", "attribute-linkage", leaking, "--json", "--show", 0)
    record = json.loads(done.stdout)
    assert record["attack"] == "attribute-linkage"
    assert record["claims"]
    assert record["claims"][0]["inferred"] == ["bread"]


def test_what_is_known_steers_the_attack(run: Run, leaking: Path) -> None:
    done = run("attack", "attribute-linkage", leaking, "--knows", "beer", "--json")
    (claim,) = json.loads(done.stdout)["claims"]
    assert (claim["known"], claim["inferred"]) == (["beer"], ["bread"])
    nothing = run("attack", "attribute-linkage", leaking, "--knows", "bread", "--json")
    assert json.loads(nothing.stdout)["claims"] == []


def test_several_releases_are_told_apart(run: Run, leaking: Path, safe: Path) -> None:
    done = run("attack", "attribute-linkage", safe, leaking)
    assert done.stdout.splitlines()[3].split()[0] == "release"
    assert done.stdout.splitlines()[4].split()[0] == "1"


def test_a_long_list_is_cut(run: Run, released: Callable[..., Path]) -> None:
    many = released({(f"a{number}", f"b{number}"): number + 1 for number in range(20)})
    short = run("attack", "attribute-linkage", many, "--show", 3).stdout
    assert "the first 3 of 40" in short
    assert short.count("100%") == 1 + 3
    assert run("attack", "attribute-linkage", many).stdout.count("100%") == 1 + 10
    assert run("attack", "attribute-linkage", many, "--show", 0).stdout.count("100%") == 1


def test_a_wrong_number_of_claims_is_refused(run: Run, safe: Path) -> None:
    done = run("attack", "attribute-linkage", safe, "--show", -1)
    assert done.exit_code == 2
    assert "--show must be at least 0" in done.stderr


def test_items_cannot_steer_the_terminal(run: Run, released: Callable[..., Path]) -> None:
    nasty = released({("\x1b[2J", "[bold]bread[/bold]"): 5, ("[bold]bread[/bold]",): 2})
    done = run("attack", "attribute-linkage", nasty)
    assert "\x1b" not in done.stdout
    assert "\\x1b[2J" in done.stdout
    assert "[bold]bread[/bold]" in done.stdout


def test_another_content_is_refused(run: Run, tmp_path: Path) -> None:
    manifest = Manifest(method="planted", parameters={}, randomness="none")
    Release(Transactions.of([["a"]]), (), manifest).save(tmp_path / "sets")
    done = run("attack", "attribute-linkage", tmp_path / "sets")
    assert done.exit_code == 2
    assert "attacks ItemsetHistogram, but" in done.stderr
    assert "holds Transactions" in done.stderr


@pytest.mark.parametrize(
    "words", [[], ["attribute-linkage"], ["attribute-link", "x"], ["attribute-linkage", "nowhere"]]
)
def test_wrong_usage(run: Run, words: list[str]) -> None:
    done = run("attack", *words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr
