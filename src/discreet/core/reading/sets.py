"""Files to transactions: which format a file has, and the two formats of plain numbers.

| format | files | what they hold |
|---|---|---|
| ``fimi`` | .dat .fimi .txt | a set a line: whole numbers separated by blanks or tabs |
| ``seq`` | .seq | MSNBC's: the same, after header lines that do not begin with a digit |
| ``long`` | .csv .tsv .parquet | a row for each person and item: columns ``id`` and ``item`` |
| ``lists`` | .csv .tsv .parquet .jsonl | a row for each person: a list in the column ``items`` |
| ``matrix`` | .csv .tsv | a row for each person, a column of 0 and 1 for each item |

All of them also as ``.gz``. Repeated items of a record collapse; an empty line, list or row of 0
is an empty record and counts.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from discreet.core.reading.cells import open_table
from discreet.core.reading.lists import is_json_lines, read_lists
from discreet.core.reading.parquet import is_parquet, parquet_header
from discreet.core.reading.parse import number_sets
from discreet.core.reading.rows import read_long, read_matrix
from discreet.core.reading.source import (
    byte_blocks,
    ending,
    fault,
    read_ahead,
    text_blocks,
    whole_lines,
)
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError

__all__ = ["FORMATS", "read_fimi", "read_seq", "read_transactions"]

FORMATS: Mapping[str, tuple[str, ...]] = {
    "fimi": (),
    "seq": (),
    "long": ("id", "item"),
    "lists": ("id", "items"),
    "matrix": ("id",),
}
"""The formats, each with the columns that a person may name."""

NUMBERS = {".dat": "fimi", ".fimi": "fimi", ".txt": "fimi", ".seq": "seq"}
"""What the endings of files of plain numbers say."""

RECORD = re.compile(rb"^[0-9]", re.MULTILINE)
"""Where the first record of MSNBC's file begins."""


def read_transactions(
    source: str | Path,
    *,
    input_format: str | None,
    columns: Mapping[str, str],
    separator: str | None,
) -> Transactions:
    """Read a file of sets, or a named data set such as ``dataset:msnbc``.

    ``columns`` says which column plays which part, as in ``{"id": "userID", "item": "artistID"}``.
    ``separator`` stands between the items in the cells of ``lists``.
    """
    from discreet.core.datasets import is_dataset, read_dataset

    if is_dataset(source):
        _check_options("the named data sets", (), columns, separator)
        return read_dataset(str(source))
    path = Path(source)
    if input_format is not None and input_format not in FORMATS:
        msg = f"the input format must be one of {', '.join(FORMATS)}, got {input_format!r}"
        raise ParameterError(msg, parameter="input_format")
    name = input_format or _guess(path, columns)
    _check_options(f"the format {name}", FORMATS[name], columns, separator)
    match name:
        case "fimi":
            return read_fimi(path)
        case "seq":
            return read_seq(path)
        case "long":
            return read_long(path, columns)
        case "lists":
            return read_lists(path, columns, separator)
        case _:
            return read_matrix(path, columns)


def read_fimi(path: Path) -> Transactions:
    """Read a set a line; an empty line is an empty record, the last newline adds none."""
    return Transactions(number_sets(path, whole_lines(read_ahead(text_blocks(path)))))


def read_seq(path: Path) -> Transactions:
    """Read MSNBC's sequences as sets.

    Before the first line that begins with a digit everything is header. After it an empty line is
    an empty record, and anything else but numbers is an error.
    """
    pieces = whole_lines(read_ahead(text_blocks(path)))
    skipped, records = _after_header(path, pieces)
    return Transactions(number_sets(path, records, strict=True, skipped=skipped))


def _after_header(path: Path, pieces: Iterator[bytes]) -> tuple[int, Iterator[bytes]]:
    """Return how many lines the header has, and the text after it."""
    skipped = 0
    for piece in pieces:
        record = RECORD.search(piece)
        begin = record.start() if record else len(piece)
        if (junk := piece.find(b"\0", 0, begin)) >= 0:
            line = skipped + piece.count(b"\n", 0, junk) + 1
            raise fault(path, "the file must be plain text, and here it is not", line=line)
        skipped += piece.count(b"\n", 0, begin)
        if record:
            return skipped, chain([piece[begin:]], pieces)
    raise fault(path, "there must be a line that begins with a digit, and there is none")


def _guess(path: Path, columns: Mapping[str, str]) -> str:
    """Return the format that the file's ending and header speak for."""
    if ending(path) in NUMBERS:
        return NUMBERS[ending(path)]
    if is_json_lines(path):
        return "lists"
    if not is_parquet(path) and ending(path) not in (".csv", ".tsv"):
        next(byte_blocks(path), b"")  # what is no file at all is said first
        msg = f"the ending of the name does not tell the format; say one of {', '.join(FORMATS)}"
        raise fault(path, msg)
    header = parquet_header(path) if is_parquet(path) else open_table(path).header
    if columns.get("item", "item") in header or "item" in columns:
        return "long"
    if columns.get("items", "items") in header or "items" in columns or is_parquet(path):
        return "lists"
    if "id" in header and "id" not in columns:
        msg = (
            "there is a column 'id' but none 'item' or 'items'; name it (item=NAME), or say matrix"
        )
        raise fault(path, msg)
    return "matrix"


def _check_options(
    what: str, known: tuple[str, ...], columns: Mapping[str, str], separator: str | None
) -> None:
    """Refuse options that the format has no use for."""
    if unknown := [part for part in columns if part not in known]:
        cure = f"takes columns for {' and '.join(known)}" if known else "takes no columns"
        msg = f"{what} {cure}, got {', '.join(unknown)}"
        raise ParameterError(msg, parameter="columns")
    if separator is not None and ("items" not in known or not separator):
        msg = f"a separator is a text between the items of lists, got {separator!r} for {what}"
        raise ParameterError(msg, parameter="separator")
