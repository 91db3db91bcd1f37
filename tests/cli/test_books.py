"""The options of the store, and what they ask of each other."""

from pathlib import Path

import pytest

from discreet.catalog import find
from discreet.cli.books import Books
from discreet.errors import DataError, ParameterError
from discreet.store import Store

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.mark.parametrize("given", [{"recipient": "x"}, {"store": "x"}])
def test_what_is_said_of_a_population_needs_its_name(given: dict[str, str]) -> None:
    with pytest.raises(ParameterError, match="add people"):
        Books(**given)


def test_a_passphrase_comes_from_its_file_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Books().passphrase is None
    monkeypatch.setenv("DISCREET_PASSPHRASE", "from outside")
    assert Books().passphrase == "from outside"
    file = tmp_path / "words"
    file.write_text(" correct horse \n")
    assert Books(people="town", passphrase_file=file).passphrase == "correct horse"


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe"])
def test_a_passphrase_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "words"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(DataError, match="must hold the passphrase"):
        _ = Books(people="town", passphrase_file=file).passphrase


@pytest.mark.parametrize("recipient", ["a\nb", "a\x1b[2J", "\udcff"])
def test_a_recipient_must_be_a_name_that_can_be_shown(recipient: str) -> None:
    with pytest.raises(ParameterError, match="recipient must be a name"):
        Books(people="town", recipient=recipient)


def test_a_passphrase_that_cannot_be_read_is_found_before_anything_is_booked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(tmp_path / "store.db").ledger.set_budget("town", 1)
    with pytest.raises(DataError, match="must hold the passphrase"):
        Books(people="town", passphrase_file=tmp_path / "nothing").open_for_people()
    monkeypatch.setenv("DISCREET_PASSPHRASE", "\udcff")
    with pytest.raises(DataError, match="must be in UTF-8"):
        Books(people="town").open_for_people()


def test_a_place_that_cannot_be_written_down_is_found_before_anything_is_booked(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "store.db")
    store.ledger.set_budget("town", 1)
    with pytest.raises(ParameterError, match="keeps where a release is"):
        Books(people="town").reserve(store, find("diff-part", "publisher"), None, Path("\udcff"))
    assert [each.kind for each in store.ledger.entries("town")] == ["budget"]


def test_without_a_population_no_store_is_opened(tmp_path: Path) -> None:
    assert Books().open_for_people() is None
    assert not (tmp_path / "store.db").exists()
    with pytest.raises(ParameterError, match="no population is called"):
        Books(people="town").open_for_people()
