"""Many who spend, and many who die: the ledger and the folders agree."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from discreet.core.release import Release
from discreet.io.release_folder import seal_in
from discreet.store import Store

HERE = Path(__file__).parent
WORKERS = 8


def test_eight_processes_spend_no_more_than_there_is(where: str) -> None:
    Store(where).ledger.set_budget("town", 2)
    words = [sys.executable, str(HERE / "spending.py"), where, "0.1"]
    workers = [subprocess.Popen(words, stdout=subprocess.PIPE) for _ in range(WORKERS)]
    served = [int(worker.communicate()[0]) for worker in workers]
    assert sum(served) == 20
    after = Store(where).ledger
    assert (after.account("town").spent, after.check()) == (2, 21)


def killed(where: str, folder: Path, times: int) -> None:
    """Kill publishing at random moments, then look whether books and folders agree."""
    Store(where).ledger.set_budget("town", times)
    words = [sys.executable, str(HERE / "publishing.py"), where, str(folder), str(times)]
    done, tried = map(int, subprocess.check_output(words).split())
    store = Store(where)
    shelved = {each.location.name: each for each in store.shelf.releases("town")}
    there = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    # moments before, in and after the writing were all met
    assert 0 < done < tried
    assert done <= len(there) - 1 <= tried
    # no half release, and none that the shelf does not know
    assert {name: seal_in(folder / name) for name in there} == {
        name: shelved[name].seal for name in there
    }
    assert {name for name, each in shelved.items() if each.state == "in place"} == there
    assert all(len(Release.load(folder / name).guarantees) == 1 for name in there)
    # no free noise: whatever was released was reserved, and stays spent
    reserved = [each for each in store.ledger.entries("town") if each.kind == "reserve"]
    assert len(reserved) >= len(shelved) >= len(there)
    assert store.ledger.account("town").spent == Fraction(len(reserved), 1000)
    store.ledger.check()


def test_a_killed_publisher_leaves_books_and_folders_in_agreement(where: str, quick: Path) -> None:
    (quick / "out").mkdir()
    killed(where, quick / "out", 25)


@pytest.mark.slow
def test_a_thousand_killed_publishers(where: str, quick: Path) -> None:
    (quick / "out").mkdir()
    killed(where, quick / "out", 1000)
