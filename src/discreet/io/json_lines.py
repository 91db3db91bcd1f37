"""Lines of JSON: each with its number, and strict where the standard library is lenient."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discreet.io.source import ending, fault
from discreet.io.text import text_bytes


def is_json_lines(path: Path) -> bool:
    """Whether the file's ending says that each line is JSON."""
    return ending(path) in (".jsonl", ".ndjson")


def json_lines(path: Path, complaint: str) -> Iterator[tuple[int, Any]]:
    """Yield number and value of each line that is not blank; what is no JSON is the complaint."""
    for line, raw in enumerate(text_bytes(path).split(b"\n"), 1):
        if raw.strip():
            try:
                value = strict_json(raw.decode())
                yield line, _whole_letters(value) if b"\\u" in raw else value
            except (ValueError, RecursionError):
                raise fault(path, complaint, line=line) from None


def json_of(text: str | bytes) -> Any:
    """Return what a text of JSON says, by any fault a ``ValueError``.

    Half a letter is one, which JSON can name and no other file can hold; so is what lies deeper
    than can be read.
    """
    try:
        return _whole_letters(json.loads(text))
    except RecursionError:
        raise ValueError from None


def _whole_letters(value: Any) -> Any:
    """Return a value, refusing half a letter."""
    json.dumps(value, ensure_ascii=False).encode()
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, which must not repeat a key."""
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError
    return record


strict_json = json.JSONDecoder(object_pairs_hook=_once).decode
"""Return what a text of JSON says, refusing an object that repeats a key."""
