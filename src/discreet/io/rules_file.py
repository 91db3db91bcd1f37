"""Files of rules: JSON with a mark and a version, read strictly."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from discreet.errors import DataError
from discreet.io.json_lines import json_of

MARK: Final = "discreet rules"
VERSION: Final = 1
MOST_BYTES: Final = 1 << 28
"""A file of rules is no larger than this."""


def damaged(must: str) -> NoReturn:
    """Refuse a file of rules by what it must be."""
    raise DataError(must)


def text_of_rules(record: Mapping[str, Any]) -> str:
    """Return rules as the text of a file."""
    content = {"file": MARK, "version": VERSION} | dict(record)
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def read_rules_file(path: Path) -> dict[str, Any]:
    """Read a file of rules as a plain mapping, refusing another kind of file or a later version."""
    none = f"{path.name} must be a file of rules written by --save-rules, and is not one"
    if path.stat().st_size > MOST_BYTES:
        raise DataError(none)
    try:
        record = json_of(path.read_text(encoding="utf-8"))
    except ValueError:
        raise DataError(none) from None
    if not isinstance(record, dict) or record.get("file") != MARK:
        raise DataError(none)
    if record.get("version") != VERSION:
        msg = f"{path.name} is of another version of rules, and this one reads version {VERSION}"
        raise DataError(msg)
    return record
