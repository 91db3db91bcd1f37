"""What was computed once, kept in a folder and found again by all that it depends on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

from discreet.io.writing import write_file

Key: TypeAlias = Mapping[str, Any]
"""Everything that a result depends on, in words and numbers."""
ROOMS = (
    "catalog",
    "core",
    "counts",
    "generalised",
    "io",
    "kernels",
    "measure",
    "networks",
    "rng",
    "semantics",
    "series",
    "study",
    "tables",
    "verify",
)
"""Where the numbers of a study come from."""


@dataclass(frozen=True, slots=True)
class ResultCache:
    """A folder with one file for each result; a file that does not fit its key is no result."""

    folder: Path | None
    """Where the files lie; without a folder nothing is kept."""

    def find(self, key: Key) -> dict[str, Any] | None:
        """Return what was kept for ``key``, if it was."""
        file = self._file(key)
        try:
            record = json.loads(file.read_text(encoding="utf-8")) if file else None
        except (OSError, ValueError):
            # there is none yet, or it was cut off: it is computed again
            return None
        fits = isinstance(record, dict) and record.get("key") == json.loads(json.dumps(dict(key)))
        return record if fits else None

    def keep(self, key: Key, result: Mapping[str, Any]) -> None:
        """Keep ``result``; whoever interrupts this leaves the old file or the new one."""
        file = self._file(key)
        if file is None:
            return
        write_file(file, json.dumps({"key": dict(key), **result}), "the result", private=True)

    def _file(self, key: Key) -> Path | None:
        return self.folder and self.folder / f"{name_of(key)}.json"


def name_of(key: Key) -> str:
    """Return a short name of a key: its checksum.

    >>> name_of({"a": 1, "b": 2}) == name_of({"b": 2, "a": 1})
    True
    """
    return sha256(json.dumps(dict(key), sort_keys=True).encode()).hexdigest()[:32]


@lru_cache(maxsize=4)
def code_version(further: tuple[str, ...] = ()) -> str:
    """Return the version, and the checksum of the source that a number comes from."""
    house = Path(__file__).parents[1]
    files = sorted(file for room in (*ROOMS, *further) for file in (house / room).rglob("*.py"))
    sources = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    return f"{version('discreet')}+{sources[:12]}"
