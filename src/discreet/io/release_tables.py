"""The tables of a release as files: one each, or many parts, never held as bytes."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from discreet.errors import DataError
from discreet.io.json_lines import strict_json
from discreet.io.parquet import hushed
from discreet.io.source import byte_blocks, whole_lines
from discreet.lazy import pl

MOST = 2.0**60
"""Sums of a column stay below this: numbers of people do, and they fit a word."""
ROWS = 1 << 17
"""Rows that are written, or turned into text and back, at a time."""


def part_name(table: str, part: int | None, file_format: str) -> str:
    """Return the name of the file of a table, or of one of its parts.

    >>> part_name("itemsets", None, "csv"), part_name("itemsets", 12, "parquet")
    ('itemsets.csv', 'itemsets-00012.parquet')
    """
    return f"{table}.{file_format}" if part is None else f"{table}-{part:05d}.{file_format}"


def column_kinds(table: "pl.DataFrame") -> dict[str, str]:
    """Return what each column holds, in the words of a manifest."""
    kinds = {kind: name for name, kind in _kinds().items()}
    return {name: kinds[kind] for name, kind in table.schema.items()}


def _kinds() -> "dict[str, pl.DataType]":
    return {
        "str": pl.String(),
        "int64": pl.Int64(),
        "list[str]": pl.List(pl.String()),
        "list[int64]": pl.List(pl.Int64()),
        "list[list[str]]": pl.List(pl.List(pl.String())),
    }


def write_table(
    folder: Path, name: str, table: "pl.DataFrame", file_format: str, part_rows: int | None
) -> None:
    """Write a table into a folder: one file, or parts of so many rows each."""
    if part_rows is None:
        _write(folder / part_name(name, None, file_format), table, file_format)
        return
    for part, start in enumerate(range(0, max(1, table.height), part_rows)):
        # more than polars counts to is more than there are
        rows = table.slice(start, min(part_rows, table.height))
        _write(folder / part_name(name, part, file_format), rows, file_format)


def _write(path: Path, table: "pl.DataFrame", file_format: str) -> None:
    with _system_faults():
        if file_format == "parquet":
            table.write_parquet(path, row_group_size=ROWS)
            return
        with path.open("wb") as file:
            for start in range(0, max(1, table.height), ROWS):
                rows = table.slice(start, ROWS)
                if file_format == "jsonl":
                    rows.write_ndjson(file)
                else:
                    _with_json_lists(rows).write_csv(file, include_header=start == 0)


@contextmanager
def _system_faults() -> Iterator[None]:
    """Turn what the system told polars, which repeats it as a text, into an error of its own."""
    try:
        yield
    except (pl.exceptions.ComputeError, OSError) as error:
        number = re.search(r"\(os error (\d+)\)", str(error))
        if number is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1]))) from None


def _with_json_lists(table: "pl.DataFrame") -> "pl.DataFrame":
    def as_json(cell: Any) -> str:
        return json.dumps(cell, ensure_ascii=False)

    lists = [name for name, kind in table.schema.items() if kind.base_type() == pl.List]
    return table.with_columns(
        pl.Series(name, [as_json(cell) for cell in table[name].to_list()], dtype=pl.String)
        for name in lists
    )


def files_of_tables(files: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the files of each table, in their order, refusing parts that do not add up.

    A file of a manifest is a part where it says which: the name alone may be that of a table.

    >>> files_of_tables({"a-00000.csv": {"columns": {}, "part": 0}, "README.txt": {}})
    {'a': ['a-00000.csv']}
    """
    tables: dict[str, list[str]] = {}
    for name, facts in files.items():
        if "columns" in facts:
            stem = name.rpartition(".")[0]
            table = stem.rpartition("-")[0] if "part" in facts else stem
            tables.setdefault(table, []).append(name)
    for table, names in tables.items():
        numbers = [files[name].get("part") for name in names]
        due = [None] if numbers == [None] else list(range(len(names)))
        right = [part_name(table, part, names[0].rpartition(".")[2]) for part in due]
        if numbers != due or names != right or not _alike(files[name] for name in names):
            msg = f"the parts of {table} must be numbered from 0 on, with the same columns"
            raise DataError(msg)
    return tables


def _alike(facts: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the files of a table have the same columns in the same order."""
    return len({tuple(each["columns"].items()) for each in facts}) == 1


def read_table_files(
    folder: Path, names: Sequence[str], columns: Mapping[str, str]
) -> "pl.DataFrame":
    """Return the table whose files these are, refusing other columns, gaps and forged numbers.

    Of no files it is a table without rows.
    """
    kinds = _kinds()
    schema = pl.Schema({column: kinds[kind] for column, kind in columns.items()})
    if not names:
        return pl.DataFrame(schema=schema)
    table = pl.concat([_part(folder, name, schema) for name in names])
    where = names[0] if len(names) == 1 else f"{names[0]} with the parts after it"
    for column in table.get_columns():
        _refuse_forged(column, f"{where} in {folder.name}")
    return table


def _part(folder: Path, name: str, schema: "pl.Schema") -> "pl.DataFrame":
    try:
        with hushed():
            table = _decoded(folder / name, name.rpartition(".")[2], schema)
    except (
        pl.exceptions.PolarsError, pl.exceptions.PanicException, ValueError, IndexError, TypeError,
        RecursionError,
    ):  # fmt: skip
        table = None
    if table is None or table.schema != schema:
        raise DataError(f"{name} in {folder.name} does not hold the columns its manifest states")
    return table


def _refuse_forged(column: "pl.Series", where: str) -> None:
    """Refuse gaps, and numbers that no count of people reaches."""
    if column.dtype.base_type() == pl.List:
        _refuse_forged(column.explode(empty_as_null=False), where)
    # only a private term that is somewhere among all people has no cluster
    if column.null_count() and column.name != "cluster":
        raise DataError(f"{where} must have a value in every cell, and {column.name} has gaps")
    if column.dtype == pl.Int64 and len(column):
        total = column.cast(pl.Float64).abs().sum()
        if total > MOST:
            msg = f"{where} must hold numbers of people, and those of {column.name} are too large"
            raise DataError(msg)


def _decoded(path: Path, file_format: str, schema: "pl.Schema") -> "pl.DataFrame":
    if file_format == "parquet":
        return pl.read_parquet(path, glob=False, hive_partitioning=False)
    if file_format == "jsonl":
        pieces = whole_lines(byte_blocks(path))
        tables = [_of_lines(piece, schema) for piece in pieces]
        return pl.concat([pl.DataFrame(schema=schema), *tables])
    lists = [name for name, kind in schema.items() if kind.base_type() == pl.List]
    flat = {name: pl.String if name in lists else kind for name, kind in schema.items()}
    # read as a header, a name with a quote in it would keep the quote doubled
    first = pl.read_csv(path, has_header=False, n_rows=2, infer_schema=False, glob=False)
    if first.row(0) != tuple(flat):
        return first
    if len(first) == 1:
        # of a header alone, skipped, some versions of polars make a row of gaps
        return pl.DataFrame(schema=schema)
    table = pl.read_csv(path, has_header=False, skip_rows=1, schema=flat, glob=False)
    for name in lists:
        table = table.with_columns(_of_json(table[name], schema[name]))
    return table


def _of_lines(piece: bytes, schema: "pl.Schema") -> "pl.DataFrame":
    """Return lines of JSON as a table, refusing what it would not hold: it would go unseen."""
    lines = (strict_json(line) for line in piece.decode().split("\n") if line)
    if any(line.keys() - schema.keys() for line in lines):
        raise ValueError
    return pl.read_ndjson(piece, schema=schema)


def _of_json(cells: "pl.Series", kind: "pl.DataType") -> "pl.Series":
    """Return a column of JSON texts as what they say, some rows at a time."""
    chunks = [pl.Series(cells.name, [], dtype=kind)]
    for start in range(0, len(cells), ROWS):
        rows = [json.loads(cell) for cell in cells.slice(start, ROWS)]
        chunks.append(pl.Series(cells.name, rows, dtype=kind))
    return pl.concat(chunks)
