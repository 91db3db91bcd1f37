"""Files that commands write, none of them over what is there."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from discreet.core.doc import Doc
from discreet.errors import DataError
from discreet.io.writing import write_file

__all__ = ["SetsTarget", "refuse_existing"]


def refuse_existing(out: Path) -> None:
    """Refuse to write over a file."""
    if out.exists():
        msg = f"{out} exists; choose another name"
        raise DataError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsTarget:
    """Where the sets go."""

    out: Annotated[
        Path, Doc("The file to write: JSON lines, each a list of items, as publish reads them.")
    ]

    def write(self, sets: Iterable[Sequence[str]]) -> None:
        """Write the sets, whole or not at all."""
        refuse_existing(self.out)
        lines = (json.dumps({"items": items}, ensure_ascii=False) + "\n" for items in sets)
        write_file(self.out, "".join(lines), "the sets")
