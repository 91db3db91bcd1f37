import json
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.core.publication import LinkageKey
from discreet.core.transactions import Transactions
from tests.cli.running import Run
from tests.releases import as_released


def test_a_leak_is_told(run: Run, leaking: Path) -> None:
    done = run("attack", "attribute-linkage", leaking)
    assert done.exit_code == 0
    assert "SUCCEEDS" in done.stdout
    assert "100 %" in done.stdout
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
    assert done.stdout.splitlines()[4].split()[0] == "2"


def test_a_long_list_is_cut(run: Run, released: Callable[..., Path]) -> None:
    many = released({(f"a{number}", f"b{number}"): number + 1 for number in range(20)})
    short = run("attack", "attribute-linkage", many, "--show", 3).stdout
    assert "the first 3 of 40" in short
    assert short.count("100 %") == 1 + 3
    assert run("attack", "attribute-linkage", many).stdout.count("100 %") == 1 + 10
    assert run("attack", "attribute-linkage", many, "--show", 0).stdout.count("100 %") == 1


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
    as_released(Transactions.of([["a"]])).save(tmp_path / "sets")
    done = run("attack", "attribute-linkage", tmp_path / "sets")
    assert done.exit_code == 2
    assert "attacks itemset histogram or synthetic people, but" in done.stderr
    assert "holds transactions" in done.stderr
    assert f"discreet audit {tmp_path / 'sets'} runs every attack that applies" in done.stderr


def test_whoever_is_found_and_nothing_more_is_said_to_be(run: Run, tmp_path: Path) -> None:
    sets = Transactions.of([["tea"]] * 9 + [["rum"]])
    as_released(sets).save(tmp_path / "sets")
    told = run("attack", "singling-out", tmp_path / "sets").stdout
    assert "rum which row it is 100 % 1" in " ".join(told.split())


@pytest.mark.parametrize(
    "words", [[], ["attribute-linkage"], ["attribute-link", "x"], ["attribute-linkage", "nowhere"]]
)
def test_wrong_usage(run: Run, words: list[str]) -> None:
    done = run("attack", *words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr


@pytest.fixture
def nearly(released: Callable[..., Path]) -> Path:
    """Nothing is certain, and who holds 1 holds 2 in 23 of 25 cases."""
    return released({("1", "2"): 23, ("1",): 2, ("2",): 40}, name="nearly")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.dat"
    path.write_text("1 2\n" * 30 + "1\n" * 10 + "2\n" * 60)
    return path


def test_what_is_likely_is_told_and_is_not_certain(run: Run, nearly: Path) -> None:
    assert "finds nothing" in run("attack", "attribute-linkage", nearly).stdout
    done = run("attack", "probabilistic-linkage", nearly)
    assert "confidence up to 92.0 %" in done.stdout
    assert "share affected" in done.stdout
    lenient = run("attack", "probabilistic-linkage", nearly, "--above", "0.92")
    assert "finds nothing" in lenient.stdout


def test_near_certainty_is_not_rounded_up(run: Run, released: Callable[..., Path]) -> None:
    release = released({("beer", "bread"): 9_999, ("beer",): 1, ("bread",): 9_999})
    assert "confidence up to 99.9 %" in run("attack", "probabilistic-linkage", release).stdout


def test_claims_are_scored_against_the_truth(run: Run, nearly: Path, people: Path) -> None:
    words = ("attack", "probabilistic-linkage", nearly, "--truth", people)
    breach = json.loads(run(*words, "--json").stdout)["breach"]
    assert breach["success"] == {
        "share": 0.75,
        "people": 40,
        "low": pytest.approx(0.598, abs=1e-3),
        "high": pytest.approx(0.858, abs=1e-3),
    }
    assert breach["baseline"]["share"] == pytest.approx(0.9)
    assert "control" not in breach
    told = run(*words).stdout
    assert "right about people in the data" in told
    assert "75.0 %" in told
    assert "Taking part" not in told


def test_a_control_group_stands_beside_the_truth(
    run: Run, nearly: Path, people: Path, tmp_path: Path
) -> None:
    others = tmp_path / "others.dat"
    others.write_text("1 2\n" * 10 + "1\n" * 30)
    words = ("attack", "probabilistic-linkage", nearly, "--truth", people, "--control", others)
    breach = json.loads(run(*words, "--json").stdout)["breach"]
    assert breach["control"]["share"] == 0.25
    assert breach["by_taking_part"]["share"] == 0.5
    assert "Taking part adds +50.0 percentage points" in run(*words).stdout


def test_a_control_group_needs_the_truth(run: Run, nearly: Path, people: Path) -> None:
    done = run("attack", "probabilistic-linkage", nearly, "--control", people)
    assert done.exit_code == 2
    assert "--control is compared with --truth" in done.stderr


def test_without_truth_nothing_is_scored(run: Run, nearly: Path) -> None:
    assert "breach" not in json.loads(
        run("attack", "probabilistic-linkage", nearly, "--json").stdout
    )


def test_a_key_is_read(run: Run, nearly: Path, people: Path, tmp_path: Path) -> None:
    key = LinkageKey({}).save(tmp_path / "key")
    words = ("attack", "probabilistic-linkage", nearly, "--truth", people, "--key")
    assert run(*words, key).exit_code == 0
    assert run(*words, people).exit_code == 2


def test_questions_are_asked_many_times(run: Run, people: Path) -> None:
    words = ("attack", "interactive-linkage", people, "--knows", 1, "--guess", 2)
    done = run(*words, "--epsilon", "0.1", "--runs", 400, "--seed", 1, "--json")
    numbers = json.loads(done.stdout)
    assert numbers["truth"] == {
        "people_with_exactly_what_is_known": 10,
        "people_with_what_is_known_and_the_guess": 30,
        "people_with_what_is_known": 40,
        "share_with_the_guess": 0.75,
    }
    # within five standard deviations of what the law says
    assert abs(numbers["success"]["share"] - numbers["probability"]) < 0.1
    assert numbers["epsilon_of_a_run"] == "1/5"
    told = run(*words, "--epsilon", 1).stdout
    assert "of 1,000 runs the two answers say" in told


@pytest.mark.parametrize("lacking", ["--knows", "--guess", "--epsilon"])
def test_questions_need_their_words(run: Run, people: Path, lacking: str) -> None:
    given = {"--knows": "1", "--guess": "2", "--epsilon": "1"}
    words = [word for name, value in given.items() if name != lacking for word in (name, value)]
    done = run("attack", "interactive-linkage", people, *words)
    assert done.exit_code == 2
    assert lacking in done.stderr


def test_a_number_of_runs_is_checked(run: Run, people: Path) -> None:
    words = ("--knows", 1, "--guess", 2, "--epsilon", 1, "--runs", 0)
    done = run("attack", "interactive-linkage", people, *words)
    assert (done.exit_code, "--runs must be at least 1" in done.stderr) == (2, True)


def test_all_attacks_are_listed(run: Run) -> None:
    listed = run("attack", "--help").stdout
    for name in ("attribute-linkage", "probabilistic-linkage", "interactive-linkage"):
        assert name in listed


def test_the_truth_decides_whether_an_attack_succeeds(
    run: Run, nearly: Path, people: Path, tmp_path: Path
) -> None:
    words = ("attack", "probabilistic-linkage", nearly)
    assert "SUCCEEDS" in run(*words).stdout
    # three in four are right, where nine in ten have the item anyway
    chance = run(*words, "--truth", people)
    assert chance.exit_code == 0
    assert "WORSE THAN CHANCE: 1 inference" in chance.stdout
    assert "SUCCEEDS" not in chance.stdout
    assert json.loads(run(*words, "--truth", people, "--json").stdout)["beats_chance"] is False
    telling, others = tmp_path / "telling.dat", tmp_path / "others.dat"
    telling.write_text("1 2\n" * 30 + "3\n" * 60)
    others.write_text("2\n" * 30)
    assert "SUCCEEDS" in run(*words, "--truth", telling).stdout
    assert json.loads(run(*words, "--truth", telling, "--json").stdout)["beats_chance"] is True
    assert "NOBODY" in run(*words, "--truth", others).stdout
    few = tmp_path / "few.dat"
    few.write_text("1 2\n" + "2\n" * 3 + "3\n" * 4)
    assert "MAY BE CHANCE" in run(*words, "--truth", few).stdout
