"""Where a store is, and how it gets its tables."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.errors import DataError, ParameterError
from discreet.store import Database, Store, write_backup


def test_a_store_is_its_owners_alone(tmp_path: Path) -> None:
    Store(tmp_path / "new" / "store.db")
    assert stat.S_IMODE((tmp_path / "new" / "store.db").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_the_default_is_in_the_users_data_folder(quick: Path) -> None:
    assert Database().address == f"sqlite:///{quick}/data/discreet/store.db"


def test_the_environment_names_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCREET_STORE", str(tmp_path / "team.db"))
    assert Database().address == f"sqlite:///{tmp_path}/team.db"


@pytest.mark.parametrize("address", ["mysql://x/y", "http://x"])
def test_another_kind_of_database_is_refused(address: str) -> None:
    with pytest.raises(ParameterError, match="address of a PostgreSQL"):
        Database(address)


def test_a_file_that_is_no_store_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("id,item\n1,bread\n" * 100)
    with pytest.raises(DataError, match="cannot be used"):
        Database(tmp_path / "x.db")


def test_an_address_that_nobody_answers_shows_no_password() -> None:
    pytest.importorskip("psycopg", reason="the driver of PostgreSQL is not installed")
    with pytest.raises(DataError, match="cannot be used") as caught:
        Database("postgresql://u:hunter2@127.0.0.1:1/x")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("name", ["a?b.db", "a#b.db", "a%20b.db", ":memory:", "file:x?mode=memory"])
def test_a_file_of_any_name_is_that_file_and_its_owners_alone(tmp_path: Path, name: str) -> None:
    Store(tmp_path / name).ledger.set_budget("town", 1)
    assert [each.population for each in Store(tmp_path / name).ledger.accounts()] == ["town"]
    made = [each for each in tmp_path.iterdir() if each.is_file()]
    assert [(each.name, stat.S_IMODE(each.stat().st_mode)) for each in made] == [(name, 0o600)]


@pytest.mark.parametrize("prefix", ["", "sqlite:///"])
def test_a_file_has_one_address_however_it_is_named(
    tmp_path: Path, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "store.db")
    monkeypatch.chdir(tmp_path)
    addresses = {Database(f"{prefix}{name}").address for name in ("store.db", "link", "./store.db")}
    assert addresses == {f"sqlite:///{tmp_path}/store.db"}


@pytest.mark.parametrize("address", ["u:hunter2@h:port/x", "u:hunter2@[x/y"])
def test_an_address_that_is_none_is_refused_in_one_sentence(address: str) -> None:
    pytest.importorskip("psycopg", reason="the driver of PostgreSQL is not installed")
    with pytest.raises((ParameterError, DataError)) as caught:
        Database(f"postgresql://{address}")
    assert "hunter2" not in str(caught.value)


def test_a_store_of_a_newer_version_is_refused(opened: Callable[[], Store], where: str) -> None:
    opened()
    with Database(where).changing() as connection:
        connection.exec_driver_sql("UPDATE store_version SET version = 99")
    with pytest.raises(DataError, match="newer discreet"):
        opened()


def test_a_backup_that_fails_leaves_nothing(
    opened: Callable[[], Store], where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened().ledger.set_budget("town", 3)
    database = Database(where)
    monkeypatch.setattr(Database, "changing", _full)
    with pytest.raises(DataError, match="disk is full"):
        write_backup(database, tmp_path / "backup.db")
    assert list(tmp_path.iterdir()) == []


def _full(_: Database) -> None:
    msg = "the disk is full"
    raise DataError(msg)


def test_a_backup_is_a_store_with_the_same_rows(
    opened: Callable[[], Store], where: str, tmp_path: Path
) -> None:
    store = opened()
    store.ledger.set_budget("town", 3)
    store.ledger.reserve("town", [])
    assert write_backup(Database(where), tmp_path / "backup.db") == 2
    assert Store(tmp_path / "backup.db").ledger.rows() == store.ledger.rows()
    with pytest.raises(DataError, match="never replaced"):
        write_backup(Database(where), tmp_path / "backup.db")
