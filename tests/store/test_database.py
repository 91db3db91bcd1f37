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


def test_a_store_of_a_newer_version_is_refused(opened: Callable[[], Store], where: str) -> None:
    opened()
    with Database(where).changing() as connection:
        connection.exec_driver_sql("UPDATE store_version SET version = 99")
    with pytest.raises(DataError, match="newer discreet"):
        opened()


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
