"""The ledger and the shelf from the command line."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.running import Run

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.txt"
    path.write_text("1\n2\n3\n")
    return path


@pytest.fixture
def clinic(tmp_path: Path) -> tuple[Path, Path]:
    """A file of visits and a list of what is private."""
    data, private = tmp_path / "visits.csv", tmp_path / "private.txt"
    rows = [(n, item) for n in range(60) for item in _visit(n)]
    data.write_text("id,item\n" + "".join(f"{n},{item}\n" for n, item in rows))
    private.write_text("flu\nhiv\n")
    return data, private


def _visit(n: int) -> list[str]:
    return [f"town{n % 3}", f"job{n % 2}", "flu" if n % 4 else "hiv"]


def spent(run: Run) -> dict[str, str]:
    told = json.loads(run("ledger", "--json").stdout)
    return {row["population"]: row["spent"] for row in told}


def test_publishing_for_a_population_spends_its_budget(
    run: Run, baskets: Path, items: Path, tmp_path: Path
) -> None:
    assert run("ledger", "budget", "town", "1").exit_code == 0
    words = ("publish", "diff-part", baskets, "--universe", items, "--people", "town")
    done = run(*words, "--epsilon", "0.75", "--out", tmp_path / "one", "--json")
    assert (done.exit_code, json.loads(done.stdout)["flags"]) == (0, [])
    assert spent(run) == {"town": "0.75"}
    refused = run(*words, "--epsilon", "0.5", "--out", tmp_path / "two")
    assert refused.exit_code == 1
    assert "costs an epsilon of 0.5, and 0.25 is left" in refused.stderr
    assert not (tmp_path / "two").exists()
    assert spent(run) == {"town": "0.75"}


def test_an_unknown_population_is_wrong_usage_and_writes_nothing(
    run: Run, baskets: Path, items: Path, tmp_path: Path
) -> None:
    words = ("publish", "diff-part", baskets, "--universe", items, "--epsilon", "1")
    done = run(*words, "--people", "nobody", "--out", tmp_path / "one")
    assert done.exit_code == 2
    assert "no population is called 'nobody'" in done.stderr
    assert not (tmp_path / "one").exists()


def test_what_is_wrong_before_any_noise_costs_nothing(
    run: Run, baskets: Path, tmp_path: Path
) -> None:
    run("ledger", "budget", "town", "1")
    words = ("publish", "diff-part", baskets, "--people", "town", "--out", tmp_path / "one")
    assert run(*words, "--epsilon", "none").exit_code == 2
    assert run(*words, "--epsilon", "1", "--universe", tmp_path / "missing.txt").exit_code == 2
    assert spent(run) == {"town": "0"}


def test_a_failure_after_the_reservation_is_said_to_be_spent_and_can_be_corrected(
    run: Run, baskets: Path, items: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("ledger", "budget", "town", "1")

    def crash(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("discreet.core.publication.Publication.save", crash)
    words = ("publish", "diff-part", baskets, "--universe", items, "--epsilon", "1")
    done = run(*words, "--people", "town", "--out", tmp_path / "one")
    assert done.exit_code == 2
    assert "row 2 of the ledger stays booked as spent (epsilon 1)" in done.stderr
    assert spent(run) == {"town": "1"}
    assert run("ledger", "correct", "2", "--reason", "the disk was full").exit_code == 0
    assert spent(run) == {"town": "0"}
    told = json.loads(run("ledger", "entries", "town", "--json").stdout)
    assert [row["kind"] for row in told["entries"]] == ["budget", "reserve", "correct"]


def test_priv_bayes_needs_a_budget_for_replacing(
    run: Run, baskets: Path, items: Path, tmp_path: Path
) -> None:
    run("ledger", "budget", "town", "1")
    run("ledger", "budget", "city", "1", "--neighbours", "replace")
    words = ("publish", "priv-bayes", baskets, "--universe", items, "--epsilon", "0.5")
    refused = run(*words, "--people", "town", "--out", tmp_path / "one")
    assert refused.exit_code == 2
    assert "--neighbours replace" in refused.stderr or "neighbours replace" in refused.stderr
    assert run(*words, "--people", "city", "--out", tmp_path / "two").exit_code == 0
    other = ("publish", "diff-part", baskets, "--universe", items, "--epsilon", "0.25")
    assert run(*other, "--people", "city", "--out", tmp_path / "three").exit_code == 0
    assert spent(run) == {"city": "1", "town": "0"}


def test_a_series_finds_its_predecessors_by_itself(
    run: Run, clinic: tuple[Path, Path], tmp_path: Path
) -> None:
    data, private = clinic
    run("ledger", "budget", "clinic", "0")
    words = (
        "publish",
        "sanony",
        data,
        "--sensitive",
        private,
        "--r-th",
        "2",
        "--cluster-size",
        "10",
    )
    for name in ("one", "two"):
        done = run(*words, "--people", "clinic", "--out", tmp_path / name)
        assert done.exit_code == 0, done.stderr
    manifest = json.loads((tmp_path / "two" / "manifest.json").read_text())
    assert len(manifest["follows"]) == 1
    told = json.loads(run("shelf", "clinic", "--json").stdout)
    assert told["together"].startswith("one series by sanony")
    other = (
        "publish",
        "anony",
        data,
        "--sensitive",
        private,
        "--r-th",
        "2",
        "--cluster-size",
        "10",
    )
    refused = run(*other, "--people", "clinic", "--out", tmp_path / "three")
    assert (refused.exit_code, (tmp_path / "three").exists()) == (1, False)


def test_m_invariance_goes_on_from_the_key_on_the_shelf(
    run: Run, clinic: tuple[Path, Path], tmp_path: Path
) -> None:
    data, private = clinic
    secret = tmp_path / "passphrase"
    secret.write_text("correct horse\n")
    run("ledger", "budget", "clinic", "0")
    words = ("publish", "m-invariance", data, "--sensitive", private, "--m", "2")
    booked = ("--people", "clinic", "--passphrase-file", secret)
    for name in ("one", "two"):
        done = run(*words, *booked, "--out", tmp_path / name)
        assert done.exit_code == 0, done.stderr
    forgotten = run(*words, "--people", "clinic", "--out", tmp_path / "three")
    assert forgotten.exit_code == 2
    assert "--passphrase-file" in forgotten.stderr
    taken = run(
        "shelf", "clinic", "--key", "2", "--out", tmp_path / "key", "--passphrase-file", secret
    )
    assert taken.exit_code == 0
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    gone = run("shelf", "clinic", "--destroy-key", "2", "--reason", "over", "--json")
    assert [each["key"] for each in json.loads(gone.stdout)["releases"]] == ["destroyed", "shelved"]


def test_two_releases_that_nobody_promises_together_are_flagged(
    run: Run, baskets: Path, items: Path, tmp_path: Path
) -> None:
    run("ledger", "budget", "town", "1")
    km = ("publish", "km-anonymity", baskets, "--k", "2", "--m", "1", "--people", "town")
    assert run(*km, "--out", tmp_path / "one").exit_code == 0
    words = ("publish", "diff-part", baskets, "--universe", items, "--epsilon", "1")
    done = run(*words, "--people", "town", "--out", tmp_path / "two", "--json")
    assert done.exit_code == 0
    assert "no promise covers this release together" in done.stderr
    assert len(json.loads(done.stdout)["flags"]) == 1
    assert "flagged, release" in run("shelf", "town").stdout


def test_every_row_can_be_exported_checked_and_backed_up(run: Run, tmp_path: Path) -> None:
    run("ledger", "budget", "town", "1/3")
    done = run("ledger", "export", tmp_path / "rows.csv")
    assert done.exit_code == 0
    with (tmp_path / "rows.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["population"], row["budget"]) for row in rows] == [("town", "1/3")]
    assert json.loads(run("ledger", "check", "--json").stdout) == {
        "rows": 1,
        "releases": 0,
        "whole": True,
    }
    assert run("ledger", "backup", tmp_path / "copy.db").exit_code == 0
    copied = run("ledger", "--store", tmp_path / "copy.db", "--json")
    assert json.loads(copied.stdout)[0]["budget"] == "1/3"


def test_without_people_nothing_is_booked_and_no_store_is_made(
    run: Run, baskets: Path, items: Path, tmp_path: Path
) -> None:
    words = ("publish", "diff-part", baskets, "--universe", items, "--epsilon", "1")
    assert run(*words, "--out", tmp_path / "one").exit_code == 0
    assert not (tmp_path / "store.db").exists()
    lost = run(*words, "--out", tmp_path / "two", "--recipient", "the ministry")
    assert lost.exit_code == 2
    assert "add --people" in lost.stderr


def test_an_audit_takes_predecessors_and_objections_from_the_shelf(
    run: Run, clinic: tuple[Path, Path], tmp_path: Path
) -> None:
    data, private = clinic
    run("ledger", "budget", "clinic", "0")
    words = ("publish", "sanony", data, "--sensitive", private, "--r-th", "2")
    for name in ("one", "two"):
        out = ("--cluster-size", "10", "--people", "clinic", "--out", tmp_path / name)
        assert run(*words, *out).exit_code == 0
    page = tmp_path / "page.html"
    asked = json.loads(run("audit", tmp_path / "two", "--out", page, "--json").stdout)
    assert any("no population was named" in each for each in asked["judgement"]["unchecked"])
    told = run("audit", tmp_path / "two", "--people", "clinic", "--out", page, "--json")
    record = json.loads(told.stdout)
    assert not any("no population was named" in each for each in record["judgement"]["unchecked"])
    assert not any("--after" in str(each) for each in record["judgement"]["reasons"])
    strange = run("publish", "km-anonymity", data, "--k", "2", "--m", "1", "--out", tmp_path / "km")
    assert strange.exit_code == 0
    mixed = run("audit", tmp_path / "km", "--after", tmp_path / "one", "--out", page)
    assert (mixed.exit_code, "as this one does" in mixed.stderr) == (2, True)
    lost = run("audit", tmp_path / "km", "--people", "clinic", "--out", page)
    assert "no promise covers this release together" in lost.stdout
    booked = ("--people", "clinic", "--out", tmp_path / "flagged")
    assert run("publish", "km-anonymity", data, "--k", "2", "--m", "1", *booked).exit_code == 0
    flagged = run("audit", tmp_path / "flagged", "--people", "clinic", "--out", page)
    assert "no promise covers this release together" in flagged.stdout


def test_an_audit_says_where_nothing_was_booked_for_an_epsilon(
    run: Run, baskets: Path, items: Path, tmp_path: Path
) -> None:
    run("ledger", "budget", "town", "2")
    words = ("publish", "diff-part", baskets, "--universe", items, "--epsilon", "1")
    assert run(*words, "--out", tmp_path / "one").exit_code == 0
    told = run("audit", tmp_path / "one", "--people", "town", "--out", tmp_path / "page.html")
    assert "it is not on the shelf of town: nothing was booked for it" in told.stdout
    late = run("shelf", "town", "--put", tmp_path / "one")
    assert late.exit_code == 2
    assert "booked before its noise is drawn" in late.stderr


def test_a_release_that_was_tried_out_goes_on_the_shelf_when_it_goes_out(
    run: Run, clinic: tuple[Path, Path], tmp_path: Path
) -> None:
    data, _ = clinic
    run("ledger", "budget", "clinic", "0")
    words = ("publish", "km-anonymity", data, "--k", "2", "--m", "1")
    for name in ("one", "two"):
        assert run(*words, "--out", tmp_path / name).exit_code == 0
    for _ in range(2):
        put = run(
            "shelf", "clinic", "--put", tmp_path / "one", "--recipient", "a ministry", "--json"
        )
        shelved = json.loads(put.stdout)["releases"]
        assert [(each["recipient"], each["flags"]) for each in shelved] == [("a ministry", [])]
    flagged = run("shelf", "clinic", "--put", tmp_path / "two")
    assert "no promise covers this release together" in flagged.stdout


def test_an_audit_refuses_the_name_of_other_people(run: Run, baskets: Path, tmp_path: Path) -> None:
    for name in ("town", "village"):
        run("ledger", "budget", name, "1")
    words = ("publish", "km-anonymity", baskets, "--k", "2", "--m", "1", "--people", "town")
    assert run(*words, "--out", tmp_path / "one").exit_code == 0
    told = run("audit", tmp_path / "one", "--people", "village", "--out", tmp_path / "page.html")
    assert told.exit_code == 2
    assert "is on the shelf of town, not of village" in told.stderr
    assert not (tmp_path / "page.html").exists()
