"""The newest row that this machine has seen of a ledger, kept apart from it.

A chain shows that rows were changed, not that the last ones are gone: an old copy of the file is a
chain as well. Whoever puts one back is found out by whoever remembers a later row.
"""

import hashlib
import json
from pathlib import Path

from discreet.errors import DataError
from discreet.io.writing import write_file
from discreet.store.database import state_folder

__all__ = ["Witness"]


class Witness:
    """What is remembered of the ledger at one address."""

    def __init__(self, address: str) -> None:
        name = hashlib.sha256(address.encode()).hexdigest()[:32]
        self._file = state_folder() / "ledgers" / f"{name}.json"

    def newest(self) -> tuple[int, str] | None:
        """Return the number and the hash of the newest row that was seen, if any was."""
        try:
            seen = json.loads(self._file.read_text())
            return int(seen["number"]), str(seen["hash"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            msg = (
                f"what was remembered of the ledger is damaged: delete {self._file.name} in the "
                "user's state folder, and check the ledger against a backup"
            )
            raise DataError(msg) from None

    def remember(self, number: int, hashed: str) -> None:
        """Remember a row, unless a later one is remembered already."""
        seen = self.newest()
        if seen is None or number > seen[0]:
            self.accept(number, hashed)

    def accept(self, number: int, hashed: str) -> Path:
        """Remember this row as the newest, whatever was remembered before."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        told = json.dumps({"number": number, "hash": hashed})
        return write_file(self._file, told, "what is remembered of the ledger", private=True)
