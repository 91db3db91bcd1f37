"""Files to sets: which format a file has, and the two formats of plain numbers.

| format | files | what they hold |
|---|---|---|
| ``fimi`` | .dat .fimi .txt | a set a line: whole numbers separated by blanks or tabs |
| ``seq`` | .seq | MSNBC's: the same, after header lines that do not begin with a digit |
| ``long`` | .csv .tsv .parquet .xlsx | a row for each person and item: ``id`` and ``item`` |
| ``lists`` | the same, .jsonl | a row for each person: a list in the column ``items`` |
| ``matrix`` | .csv .tsv .xlsx | a row for each person, a column of 0 and 1 for each item |

All of them also as ``.gz``. Repeated items of a record collapse; an empty line, list or row of 0
is an empty record and counts.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from discreet.errors import ParameterError
from discreet.io.grouping import Sets
from discreet.io.json_lines import is_json_lines
from discreet.io.number_lines import number_sets
from discreet.io.set_tables import NO_SETS, json_sets, list_sets, long_sets, matrix_sets
from discreet.io.source import byte_blocks, ending, fault, read_ahead, text_blocks, whole_lines
from discreet.io.table import TABLES, Table, open_table, refuse_other_format

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


def read_sets(
    path: Path,
    *,
    input_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    separator: str | None = None,
) -> Sets:
    """Read a file of sets in any of the formats.

    ``columns`` says which column plays which part, as in ``{"id": "userID", "item": "artistID"}``.
    ``separator`` stands between the items in the cells of ``lists``.
    """
    if input_format is not None and input_format not in FORMATS:
        msg = f"the input format must be one of {', '.join(FORMATS)}, got {input_format!r}"
        raise ParameterError(msg, parameter="input_format")
    columns = columns or {}
    numbers = input_format or NUMBERS.get(ending(path))
    if numbers in NUMBERS.values():
        check_set_options(f"the format {numbers}", (), columns, separator)
        return _read_fimi(path) if numbers == "fimi" else _read_seq(path)
    if is_json_lines(path) and input_format in (None, "lists"):
        check_set_options("the format lists", FORMATS["lists"], columns, separator)
        return json_sets(path, columns)
    return _of_table(path, input_format, columns, separator)


def _of_table(
    path: Path, input_format: str | None, columns: Mapping[str, str], separator: str | None
) -> Sets:
    """Read sets from a table, which is opened once: its header may have to tell the format."""
    if input_format is None and ending(path) not in TABLES:
        next(byte_blocks(path), b"")  # what is no file at all is said first
        refuse_other_format(path)
        msg = (
            "the ending of the name does not tell the format; say one of "
            f"{', '.join(FORMATS)} with `input_format`"
        )
        raise fault(path, msg)
    table = open_table(path)
    name = input_format or _guess(table, columns)
    check_set_options(f"the format {name}", FORMATS[name], columns, separator)
    match name:
        case "long":
            return long_sets(table, columns)
        case "lists":
            return list_sets(table, columns, separator)
        case _:
            return matrix_sets(table, columns)


def _read_fimi(path: Path) -> Sets:
    """Read a set a line; an empty line is an empty record, the last newline adds none."""
    return number_sets(path, whole_lines(read_ahead(text_blocks(path))))


def _read_seq(path: Path) -> Sets:
    """Read MSNBC's sequences as sets.

    Before the first line that begins with a digit everything is header. After it an empty line is
    an empty record, and anything else but numbers is an error.
    """
    pieces = whole_lines(read_ahead(text_blocks(path)))
    skipped, records = _after_header(path, pieces)
    return number_sets(path, records, strict=True, skipped=skipped)


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


def _guess(table: Table, columns: Mapping[str, str]) -> str:
    """Return the format that the file's header speaks for."""
    if columns.get("item", "item") in table.header or "item" in columns:
        return "long"
    lists = columns.get("items", "items") in table.header or "items" in columns
    if lists:
        return "lists"
    if ending(table.path) == ".parquet":
        raise fault(table.path, f"there is no column 'item' or 'items'; {NO_SETS}{table.listing}")
    if "id" in table.header and "id" not in columns:
        msg = (
            "there is a column 'id' but none 'item' or 'items'; name it (item=NAME), or say matrix"
            f"{table.listing}"
        )
        raise fault(table.path, msg)
    return "matrix"


def check_set_options(
    subject: str, known: tuple[str, ...], columns: Mapping[str, str], separator: str | None
) -> None:
    """Refuse options that the format has no use for."""
    if unknown := [role for role in columns if role not in known]:
        cure = f"takes columns for {' and '.join(known)}" if known else "takes no columns"
        raise ParameterError(f"{subject} {cure}, got {', '.join(unknown)}", parameter="columns")
    if separator is not None and ("items" not in known or not separator):
        msg = f"a separator is a text between the items of lists, got {separator!r} for {subject}"
        raise ParameterError(msg, parameter="separator")
