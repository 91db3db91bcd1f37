"""The shelf's own refusals; what it lists is tested with the ledger."""

import pytest

from tests.cli.running import Run

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nobody"], "no population is called"),
        (["town", "--key", "1"], "give both"),
        (["town", "--recipient", "x"], "give both"),
        (["town", "--put", "nowhere"], "nowhere"),
        (["town", "--destroy-key", "1"], "need a --reason"),
        (["town", "--destroy-key", "9", "--reason", "x"], "no release 9 on the shelf"),
    ],
)
def test_a_wrong_call_is_one_sentence(run: Run, words: list[str], said: str) -> None:
    run("ledger", "budget", "town", "1")
    done = run("shelf", *words)
    assert done.exit_code == 2
    assert said in done.stderr


def test_an_empty_shelf_says_so(run: Run) -> None:
    run("ledger", "budget", "town", "1")
    assert "nothing is on the shelf yet" in run("shelf", "town").stdout
