import json
from typing import Any

import pytest

from discreet.catalog import PUBLISHERS
from discreet.core.family import OfferedPublisher
from discreet.core.histogram import ItemsetHistogram
from discreet.core.transactions import Transactions
from tests.cli.planted import PLAIN_TEXT
from tests.cli.running import Run
from tests.mechanism_audit.auditing import compiled
from tests.mistakes import OneByOne, RoundedScale

FEW = ("--runs", 1000, "--seed", 1)


def told(done: Any) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(done.stdout)
    return record


@pytest.mark.parametrize("method", ["apl-killer", "diff-part", "priv-bayes"])
def test_a_default_is_not_accused(run: Run, method: str) -> None:
    done = run("audit-mechanism", method, "--epsilon", 1, *FEW)
    assert done.exit_code == 0, done.stderr
    assert "No violation found" in done.stdout
    assert "not a proof" in done.stdout
    record = told(run("audit-mechanism", method, "--epsilon", 1, *FEW, "--json"))
    assert record["caught"] is False
    assert record["claimed"] == record["epsilon"] == 1
    assert record["error"] == 1e-4
    shares = [part["statistical"]["error"] for part in record["pairs"]]
    assert sum(shares) == pytest.approx(1e-4)
    assert len(shares) >= 3


@compiled
def test_the_printed_boundary_draw_is_caught_and_told(run: Run) -> None:
    words = ("audit-mechanism", "apl-killer", "--epsilon", 1, "--boundary-noise", "paper")
    done = run(*words, "--seed", 1, "--json")
    assert done.exit_code == 1
    record = told(done)
    first = record["pairs"][0]
    assert record["caught"]
    assert record["runs"] == 20_000
    assert record["claimed"] == pytest.approx(1.2091, abs=1e-4)
    # the runs alone suffice; the exact law says by how much
    assert first["statistical"]["accused"]
    assert 1 < first["statistical"]["bound"] < first["statistical"]["bound_95"] < 1.21
    assert first["exact"]["epsilon"] == pytest.approx(1.2091, abs=1e-4)
    assert (first["one"], first["other"]) == ("1 x {a} and 50 x {a, b}", "2 x {a} and 50 x {a, b}")
    assert [part["caught"] for part in record["pairs"]] == [True, False, False]


def test_an_exact_excess_needs_no_luck(run: Run) -> None:
    words = ("audit-mechanism", "apl-killer", "--epsilon", 1, "--boundary-noise", "paper")
    done = run(*words, "--runs", 100, "--seed", 1)
    assert done.exit_code == 1
    assert "CAUGHT: apl-killer spends more than epsilon 1" in done.stdout
    assert "its own promise is epsilon 1.209" in done.stdout
    assert "by its exact law: 1.2091" in done.stdout


@compiled
def test_the_printed_loop_over_empty_partitions_is_caught(run: Run) -> None:
    words = ("audit-mechanism", "apl-killer", "--epsilon", 1, "--c1", 2, "--empty-tests", "paper")
    done = run(*words, "--runs", 8000, "--seed", 1)
    assert done.exit_code == 1
    assert "whether a partition is empty or holds one person: CAUGHT" in done.stdout
    assert "promises no differential privacy" in done.stdout


@compiled
@pytest.mark.parametrize(("name", "runs"), [("rounded-scale", 20_000), ("one-by-one", 4_000)])
def test_a_planted_mistake_is_caught(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, runs: int
) -> None:
    offered = [
        OfferedPublisher(
            name=spelt,
            when="Never.",
            example=(),
            method=method,
            source="",
            data=Transactions,
            contents=(ItemsetHistogram,),
        )
        for spelt, method in (("rounded-scale", RoundedScale), ("one-by-one", OneByOne))
    ]
    monkeypatch.setattr("discreet.catalog.entry.PUBLISHERS", tuple(offered))
    sound = run("audit-mechanism", name, "--epsilon", "0.5", "--runs", runs, "--seed", 1)
    assert sound.exit_code == 0, sound.stderr
    wrong = run("audit-mechanism", name, "--epsilon", "0.6", "--runs", runs, "--seed", 1)
    assert wrong.exit_code == 1


@pytest.mark.parametrize("name", ["apl-killer", "diff-part", "priv-bayes", "sparse-histogram"])
def test_a_huge_epsilon_is_no_accusation(run: Run, name: str) -> None:
    """Its laws have probabilities below what floating point holds."""
    done = run("audit-mechanism", name, "--epsilon", 5000, "--runs", 100, "--seed", 1)
    assert done.exit_code == 0, done.stdout


def test_the_same_seed_gives_the_same_words(run: Run) -> None:
    words = ("audit-mechanism", "diff-part", "--epsilon", 1, "--runs", 400, "--json")
    first, again, other = (told(run(*words, "--seed", seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert first["randomness"] == "seeded: not for publication"
    assert "AES" in told(run(*words))["randomness"]


def test_a_method_without_a_pair_is_told_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.catalog.entry.PUBLISHERS", (*PUBLISHERS, PLAIN_TEXT))
    listed = run("audit-mechanism", "--help")
    assert "apl-killer" in listed.stdout
    assert "plain-text" not in listed.stdout
    done = run("audit-mechanism", "plain-text", "--k", 1)
    assert done.exit_code == 2
    assert "plain-text proposes no neighbouring data to try it on; this works for" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("apl-killer",), "Missing option '--epsilon'"),
        (("apl-killer", "--epsilon", 0), "epsilon must be above 0"),
        (("diff-part", "--epsilon", 1, "--runs", 99), "runs must be at least 100"),
        (("diff-part", "--epsilon", 1, "--runs", "many"), "must be a whole number"),
        (("dif-part", "--epsilon", 1), "did you mean diff-part?"),
    ],
)
def test_wrong_words_are_one_sentence(run: Run, words: tuple[Any, ...], said: str) -> None:
    done = run("audit-mechanism", *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
