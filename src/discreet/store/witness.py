"""The newest rows that this machine has seen of ledgers, kept apart from them.

A chain shows that rows were changed, not that the last ones are gone: an old copy of the file is a
chain as well. Whoever puts one back, or goes on from a copy elsewhere, is found out by whoever
remembers a later row.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from discreet.errors import DataError
from discreet.io.writing import write_file
from discreet.store.database import state_folder


class Witness:
    """Which ledger was at an address, and the newest row that was seen of it, wherever it was."""

    def __init__(self, address: str) -> None:
        self._place = _file("places", address)

    def ledger(self) -> str | None:
        """Return which ledger was at the address, by the hash of its first row, if one was."""
        seen = _read(self._place)
        return None if seen is None else str(seen["ledger"])

    def newest(self, ledger: str) -> tuple[int, str] | None:
        """Return the number and the hash of the newest row that was seen of a ledger, if any."""
        seen = _read(_file("ledgers", ledger))
        return None if seen is None else (int(seen["number"]), str(seen["hash"]))

    def remember(self, ledger: str, number: int, hashed: str) -> None:
        """Remember a row, unless a later one is remembered already."""
        seen = self.newest(ledger)
        if seen is None or number > seen[0]:
            _write(_file("ledgers", ledger), {"number": number, "hash": hashed})
        self._note_place(ledger)

    def accept(self, ledger: str, number: int, hashed: str) -> None:
        """Remember this row as the newest, whatever was remembered before."""
        _write(_file("ledgers", ledger), {"number": number, "hash": hashed})
        self._note_place(ledger)

    def _note_place(self, ledger: str) -> None:
        if self.ledger() != ledger:
            _write(self._place, {"ledger": ledger})


def _file(folder: str, name: str) -> Path:
    return state_folder() / folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.json"


def _read(file: Path) -> dict[str, Any] | None:
    try:
        seen = json.loads(file.read_text())
        if not seen.keys() >= {"ledger"} and not seen.keys() >= {"number", "hash"}:
            raise ValueError
    except FileNotFoundError:
        return None
    except (OSError, ValueError, AttributeError):
        msg = (
            f"what was remembered of the ledger is damaged: delete {file.parent.name}/{file.name} "
            "in the user's state folder, and check the ledger against a backup"
        )
        raise DataError(msg) from None
    return dict(seen)


def _write(file: Path, record: dict[str, Any]) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_file(file, json.dumps(record), "what is remembered of the ledger", private=True)
