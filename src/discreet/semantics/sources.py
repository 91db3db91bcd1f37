"""Texts from files: plain, one a line, or a column of a table, plain or gzipped."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from discreet.core.reading.source import byte_blocks, ending, fault
from discreet.core.reading.table import read_table
from discreet.core.reading.text import lines_of, quoted, read_text
from discreet.errors import DataError

__all__ = ["Split", "Texts", "read_corpus", "read_texts"]

Split: TypeAlias = Literal["file", "paragraph", "line"]
"""What one text of a plain file is."""
Texts: TypeAlias = tuple[list[str], list[str] | None]
"""Texts, and whom each belongs to where the file says so."""

_TABLES = (".csv", ".tsv", ".parquet")


def read_corpus(
    paths: Sequence[str | Path], *, columns: Mapping[str, str] | None = None, split: Split = "file"
) -> list[str]:
    """Return the texts of all files, and of all files in a folder, in the order of their names."""
    return [text for path in paths for text in read_texts(path, columns=columns, split=split)[0]]


def read_texts(
    path: str | Path, *, columns: Mapping[str, str] | None = None, split: Split = "file"
) -> Texts:
    """Read texts from a file or a folder of files.

    A plain file is one text, or one for each paragraph or line. A table (csv, tsv, parquet, JSON
    lines) has a column ``text``, and may have a column ``id``; ``columns`` names others, several
    of them with ``+`` between them.
    """
    place = Path(path)
    if place.is_dir():
        return _of_folder(place, columns, split), None
    kind = ending(place)
    if kind == ".jsonl":
        return _chosen(place, _json_lines(place), columns or {})
    if kind in _TABLES:
        table = read_table(place)
        return _chosen(
            place, {name: table[name].to_list() for name in table.columns}, columns or {}
        )
    return list(_plain(read_text(place), split)), None


def _of_folder(folder: Path, columns: Mapping[str, str] | None, split: Split) -> list[str]:
    """Return the texts of all files of a folder; among others an empty file is an empty text."""
    files = [
        file
        for file in sorted(folder.iterdir())
        if file.is_file() and not file.name.startswith(".")
    ]
    if not files:
        raise DataError(f"{folder.name}: must hold at least one file of text, and has none")
    found: list[str] = []
    for file in files:
        plain = ending(file) not in (".jsonl", *_TABLES)
        if plain and not any(block.strip() for block in byte_blocks(file)):
            found += [""] if split == "file" else []
        else:
            found += read_texts(file, columns=columns, split=split)[0]
    return found


def _plain(text: str, split: Split) -> Iterator[str]:
    if split == "file":
        yield text
    elif split == "line":
        yield from (line for line in lines_of(text) if line.strip())
    else:
        yield from (part for part in text.split("\n\n") if part.strip())


def _chosen(path: Path, held: Mapping[str, list[object]], columns: Mapping[str, str]) -> Texts:
    """Return the text column, or several joined, and the id column where there is one."""
    names = columns.get("text", "text").split("+")
    who = columns.get("id", "id")
    for name in [*names, *([who] if "id" in columns else [])]:
        if name not in held:
            known = ", ".join(sorted(held))
            msg = f"there is no column {quoted(name)}; name one by `columns` text=..., of: {known}"
            raise DataError(f"{path.name}: {msg}", parameter="columns")
    rows = zip(*(held[name] for name in names), strict=True)
    texts = [". ".join(str(part) for part in row if part) for row in rows]
    return texts, [str(each) for each in held[who]] if who in held else None


def _json_lines(path: Path) -> dict[str, list[object]]:
    """Return the fields of all lines by name; a field that a line lacks is empty there."""
    rows = []
    for number, line in enumerate(lines_of(read_text(path)), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise fault(path, "every line must be a JSON object", line=number)
        rows.append(row)
    if not rows:
        raise DataError(f"{path.name}: must hold at least one text")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}
