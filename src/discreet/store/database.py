"""Where the store is: SQLite in the user's data folder, or PostgreSQL by its address."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from discreet.errors import DataError, ParameterError
from discreet.lazy import sa

VARIABLE: Final = "DISCREET_STORE"
"""The environment variable that names another store than the default."""
VERSION: Final = 1
"""How many migrations there are."""
PATIENCE: Final = 120
"""Seconds for which a change waits until others are done with theirs."""
LOCK: Final = 7_305_128_614
"""The number of the lock that every change of a PostgreSQL store takes."""


def data_folder() -> Path:
    """Return where this user's programs keep their data."""
    return _user_folder("XDG_DATA_HOME", ".local/share")


def state_folder() -> Path:
    """Return where this user's programs keep what they remember of themselves."""
    return _user_folder("XDG_STATE_HOME", ".local/state")


def _user_folder(variable: str, default: str) -> Path:
    if given := os.environ.get(variable):
        return Path(given) / "discreet"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "discreet"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "discreet"
    return Path.home() / default / "discreet"


class Database:
    """A store that was opened, its tables brought up to date.

    ``where`` is a file of SQLite or the address of a PostgreSQL; None takes what the environment
    variable ``DISCREET_STORE`` names, or ``store.db`` in the user's data folder.
    """

    def __init__(self, where: str | Path | None = None) -> None:
        self.address: Final = _address(
            str(where or os.environ.get(VARIABLE) or data_folder() / "store.db")
        )
        self._engine: Final = _engine(self.address)
        try:
            self._bring_up_to_date()
        except sa.exc.DBAPIError as error:
            raise _unusable(error) from None
        reflected = sa.MetaData()
        reflected.reflect(self._engine, only=["entry", "shelved"])
        self.entries: Final[sa.Table] = reflected.tables["entry"]
        self.shelved: Final[sa.Table] = reflected.tables["shelved"]

    @contextmanager
    def looking(self) -> Iterator["sa.Connection"]:
        """Give a view of the store as it stands now."""
        with _in_words(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def changing(self) -> Iterator["sa.Connection"]:
        """Give a transaction that no other change runs beside; it holds whole or not at all."""
        changes = {"discreet_change": True}
        with (
            _in_words(),
            self._engine.connect().execution_options(**changes) as connection,
            connection.begin(),
        ):
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
            yield connection

    def forget_deleted(self) -> None:
        """See that what was deleted of the shelf is not in the files of the database any more."""
        if self._engine.dialect.name == "postgresql":
            with _in_words(), self._engine.connect() as connection:
                alone = connection.execution_options(isolation_level="AUTOCOMMIT")
                alone.exec_driver_sql("VACUUM FULL shelved")

    def _bring_up_to_date(self) -> None:
        with self.changing() as connection:
            version = 0
            if sa.inspect(connection).has_table("store_version"):
                version = connection.exec_driver_sql(
                    "SELECT version FROM store_version"
                ).scalar_one()
            if version > VERSION:
                msg = (
                    f"this store was made by a newer discreet (version {version} of the store, and "
                    f"{VERSION} is known here); use that discreet"
                )
                raise DataError(msg)
            for number in range(version + 1, VERSION + 1):
                for statement in _statements(number):
                    connection.exec_driver_sql(statement)
            if version == 0:
                connection.exec_driver_sql("CREATE TABLE store_version (version BIGINT NOT NULL)")
                connection.exec_driver_sql(f"INSERT INTO store_version VALUES ({VERSION})")
            elif version < VERSION:
                connection.exec_driver_sql(f"UPDATE store_version SET version = {VERSION}")


def _statements(number: int) -> list[str]:
    written = files("discreet.store").joinpath(f"migrations/{number:04}.sql").read_text()
    script = "\n".join(line for line in written.splitlines() if not line.startswith("--"))
    return [statement for chunk in script.split(";") if (statement := chunk.strip())]


def _address(where: str) -> str:
    if where.startswith("postgresql://"):
        return where.replace("postgresql://", "postgresql+psycopg://", 1)
    if where.startswith("postgresql+psycopg://"):
        return where
    if "://" in where and not where.startswith("sqlite:///"):
        msg = (
            "a store must be a file, or the address of a PostgreSQL such as "
            f"postgresql://user@server/name, got one that begins with {where.split('://')[0]!r}"
        )
        raise ParameterError(msg, parameter="store")
    # one file has one address, however it is named
    return f"sqlite:///{Path(where.removeprefix('sqlite:///')).expanduser().resolve()}"


def _engine(address: str) -> "sa.Engine":
    # a connection of its own for every transaction: none is ever shared by a fork
    common: dict[str, Any] = {"poolclass": sa.pool.NullPool}
    if not address.startswith("sqlite"):
        try:
            return sa.create_engine(address, **common)
        except ModuleNotFoundError:
            msg = 'a store in PostgreSQL needs its driver: pip install "discreet[postgres]"'
            raise DataError(msg) from None
        except (ValueError, sa.exc.ArgumentError):
            # the address is not repeated: it may hold a password
            msg = "the address of a store must be such as postgresql://user@server:5432/name"
            raise ParameterError(msg, parameter="store") from None
    file = address.removeprefix("sqlite:///")
    _make_private(Path(file))
    connecting = {"isolation_level": None, "timeout": PATIENCE}
    # the file by its name, whatever characters are in it: as an address it would be read otherwise
    named = sa.URL.create("sqlite", database=file)
    engine = sa.create_engine(named, connect_args=connecting, **common)

    @sa.event.listens_for(engine, "connect")
    def overwrite(connection: Any, _record: Any) -> None:
        # a key that is destroyed must not stay in a free page of the file
        connection.execute("PRAGMA secure_delete = ON")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: "sa.Connection") -> None:
        changes = connection.get_execution_options().get("discreet_change")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if changes else "BEGIN")

    return engine


def _make_private(path: Path) -> None:
    """See that a new file of SQLite is its owner's alone from its first byte."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise DataError(f"the store {path.name} cannot be opened: {error.strerror}") from None


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except sa.exc.DBAPIError as error:
        raise _unusable(error) from None


def _unusable(error: Any) -> DataError:
    # only the kind of fault: the driver's words may hold an address with its password
    kind = type(error.orig).__name__
    msg = (
        f"the store cannot be used ({kind}); see that it is a store of discreet, that its disk or "
        "server is there, and that you may write to it"
    )
    return DataError(msg)
