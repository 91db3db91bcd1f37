"""Rows that each carry the hash of the one before, so that no row can change unseen."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from discreet.errors import DataError

BEGINNING: Final = "0" * 64
"""What the first row carries in place of the hash of one before."""


def hash_of(row: Mapping[str, Any]) -> str:
    """Return the hash of a row, over everything in it but the hash itself."""
    fields = {name: value for name, value in row.items() if name != "hash"}
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def checked(rows: Iterable[Mapping[str, Any]]) -> int:
    """Return how many rows there are, refusing a chain with a row changed, added or left out."""
    before, number = BEGINNING, 0
    for row in rows:
        if row["number"] != number + 1 or row["before"] != before or row["hash"] != hash_of(row):
            raise changed_by_hand(number + 1)
        before, number = row["hash"], number + 1
    return number


def changed_by_hand(number: int) -> DataError:
    """Return the error that says which row is not as it was written."""
    msg = (
        f"the ledger was changed by hand: its row {number} does not follow from those before it; "
        "go back to a backup, and book what is missing there"
    )
    return DataError(msg)
