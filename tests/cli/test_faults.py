"""Everything that is wrong with a call is told at once."""

from pathlib import Path

import pytest

from tests.cli.running import Run


def test_unknown_missing_and_misread_options_are_told_together(run: Run, baskets: Path) -> None:
    done = run("publish", "km-anonymity", baskets, "--kk", 5, "--m", "two", "--loss", "foo")
    assert done.exit_code == 2
    assert "4 things are wrong" in done.stderr
    assert "No such option '--kk'" in done.stderr
    assert "--m must be a whole number such as 4, got 'two'" in done.stderr
    assert "'foo' is not one of 'names'" in done.stderr
    assert "Missing option '--out'. The folder" in done.stderr
    # what --kk was meant to be is not missed a second time
    assert "Missing option '--k'" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_values_of_different_sections_are_told_together(run: Run, baskets: Path) -> None:
    done = run("publish", "gp-asn", baskets, "--rho", "half", "--columns", "x", "--out", "z")
    assert done.exit_code == 2
    assert "2 things are wrong: (1) --rho must be a number" in done.stderr
    assert "(2) --columns must look like id=userID" in done.stderr


def test_values_out_of_range_are_told_together(run: Run, baskets: Path, tmp_path: Path) -> None:
    done = run("publish", "km-anonymity", baskets, "--k", 0, "--m", 0, "--out", tmp_path / "z")
    assert done.exit_code == 2
    assert done.stderr == (
        "discreet: 2 things are wrong: (1) --k must be at least 1, got 0. "
        "(2) --m must be at least 1, got 0.\n"
    )
    assert not (tmp_path / "z").exists()


def test_a_fault_that_follows_from_another_is_not_told(run: Run, tmp_path: Path) -> None:
    words = ("patients.csv", "--qid", "age", "--sensitive-attributes", "job")
    done = run("publish", "l-diversity", *words, "--k", 0, "--l", 9, "--out", tmp_path / "z")
    assert done.exit_code == 2
    assert done.stderr.count("must be") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--k", "five", "--m", 2, "--out", "z"), "--k must be a whole number such as 4"),
        (("--k", 5, "--m", 2), "Missing option '--out'"),
        (("--k", 5, "--m", 2, "--out", "z", "--nothing=1"), "No such option '--nothing'"),
        (("another", "--k", 5, "--m", 2, "--out", "z"), "unexpected extra argument (another)"),
        (("--k", 5, "--m", 2, "--out"), "'--out' requires an argument"),
    ],
)
def test_one_fault_is_told_as_one(
    run: Run, baskets: Path, words: tuple[object, ...], said: str
) -> None:
    done = run("publish", "km-anonymity", baskets, *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "things are wrong" not in done.stderr


def test_help_is_shown_also_beside_faults(run: Run) -> None:
    assert run("publish", "km-anonymity", "--k", "x", "--m", "y", "--help").exit_code == 0
