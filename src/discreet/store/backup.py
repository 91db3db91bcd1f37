"""A copy of a whole store as one file of SQLite, whatever database it is in."""

from pathlib import Path
from typing import Final

from discreet.errors import DataError
from discreet.store.database import Database

ROWS_AT_ONCE: Final = 1000


def write_backup(database: Database, path: Path) -> int:
    """Write the copy, private to its owner, and return how many rows of the ledger it has.

    The copy is a store itself: give its name as the store to look into it.
    """
    if path.exists() or path.is_symlink():
        msg = f"{path.name} exists, and a backup is never replaced; choose another name"
        raise DataError(msg, parameter="out")
    try:
        return _copied(database, Database(path))
    except BaseException:
        # half a backup is none
        path.unlink(missing_ok=True)
        raise


def _copied(database: Database, copy: Database) -> int:
    # one view of both tables, so that they agree
    with database.looking() as source, copy.changing() as target:
        for mine, its in ((database.entries, copy.entries), (database.shelved, copy.shelved)):
            rows = source.execute(mine.select()).mappings()
            while batch := rows.fetchmany(ROWS_AT_ONCE):
                target.execute(its.insert(), [dict(row) for row in batch])
        return int(target.exec_driver_sql("SELECT count(*) FROM entry").scalar_one())
