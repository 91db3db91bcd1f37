"""Whether what a method decides by fits this process, asked before anything is collected."""

import os
import re
from pathlib import Path

from discreet.errors import InfeasibleError, ParameterError
from discreet.io.parquet import hushed
from discreet.lazy import pl

SET_BYTES = 250
"""Bytes that a collected set and its share of a decision take at most."""
COLLECTED = 2
"""What collected sets may take, in times of what an engine may use before it spills."""
RECORD_BYTES = 400
"""Bytes that a record takes where every one is held to decide, besides a bit for each item."""
CELL_BYTES = 100
"""Bytes that a cell of a distinct row takes at most, its share of a decision included."""
ROW_BYTES, BYTES_A_BYTE = 150, 12
"""What a row of Parquet, and a byte of csv, take while they are read into memory."""
_UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_LEAST = 200 * 10**6


def refuse_method(method: object) -> None:
    """Refuse a method that cannot decide by folded records, with its reason."""
    reason = getattr(method, "in_memory", None)
    if reason is not None:
        msg = f"this method needs all records in memory, for {reason}; use `engine` memory"
        raise ParameterError(msg, parameter="engine")


def bytes_of(memory: str) -> int:
    """Return an amount of memory in bytes.

    >>> bytes_of("4GB"), bytes_of("1.5 gb")
    (4000000000, 1500000000)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?B)\s*", memory.upper())
    amount = int(float(match[1]) * _UNITS[match[2]]) if match else 0
    if amount < _LEAST:
        msg = f"`memory` must be an amount of at least 200MB, such as 4GB, got {memory!r}"
        raise ParameterError(msg, parameter="memory")
    return amount


def memory_to_read(source: str) -> int:
    """Return about how many bytes a file of rows takes while it is read into memory.

    150 for each row of Parquet, 12 for each byte of csv, as measured; 0 for other files.
    """
    name = Path(source).name.lower()
    if not Path(source).is_file():
        return 0
    if name.endswith(".parquet"):
        try:
            with hushed():
                rows: int = pl.scan_parquet(source, glob=False).select(pl.len()).collect().item()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
            return 0  # whoever reads it says what is wrong with it
        return rows * ROW_BYTES
    return Path(source).stat().st_size * BYTES_A_BYTE if name.endswith((".csv", ".tsv")) else 0


def is_many_files(source: str) -> bool:
    """Whether a source is a folder with tables in it, or a pattern of names.

    >>> is_many_files("baskets-*.parquet"), is_many_files("baskets.parquet")
    (True, False)
    """
    if Path(source).is_dir():
        return any(file.suffix in (".csv", ".parquet") for file in Path(source).iterdir())
    return "*" in source and source.endswith((".csv", ".tsv", ".parquet"))


def memory_here() -> int:
    """Return the bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def refuse_people(method: object, people: int, items: int, limit: int) -> None:
    """Refuse a method that needs every record while it decides, where they have no room.

    A record takes a bit for each item, and some words.
    """
    reason = getattr(method, "spelled_out", None)
    each = RECORD_BYTES + items // 8
    if reason is not None and people * each > limit:
        msg = (
            f"this method holds all {people:,} records to decide, for {reason}, and `memory` has "
            f"room for {limit // each:,}; more memory makes room, and fewer items do"
        )
        raise InfeasibleError(msg, parameter="memory")


def refuse_rows(rows: int, columns: int, limit: int) -> None:
    """Refuse to collect more distinct rows than the memory that is allowed has room for."""
    if rows * columns * CELL_BYTES > limit:
        msg = (
            f"{rows:,} distinct rows must be held to decide, and `memory` has room for "
            f"{limit // (columns * CELL_BYTES):,}; fewer columns, or coarser ones by intervals or "
            "coded ends, make them fewer, and more memory makes room"
        )
        raise InfeasibleError(msg, parameter="memory")


def refuse_sets(sets: int, limit: int) -> None:
    """Refuse to collect more distinct sets than the memory that is allowed has room for."""
    room = COLLECTED * limit // SET_BYTES
    if sets > room:
        msg = (
            f"about {sets:,} distinct sets must be held to decide, and `memory` has room for "
            f"{room:,}; a lower max_size, a hierarchy or a smaller universe makes "
            "them fewer, and more memory makes room"
        )
        raise InfeasibleError(msg, parameter="memory")
