"""Columns of Parquet files; what is wrong with a file is one sentence."""

import io
import mmap
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from discreet.io.parquet_pages import pages_are_sound, rows_of_groups
from discreet.io.source import byte_blocks, ending, fault, whole
from discreet.lazy import pl

MAGIC = b"PAR1"
"""How a Parquet file begins and ends."""

AT_ONCE = 1 << 16
"""Rows that are read at a time, where the file lets them."""

DAMAGED = "the Parquet file is damaged; write it again"


def is_parquet(path: Path) -> bool:
    """Whether the file's ending says that it is Parquet."""
    return ending(path) == ".parquet"


def parquet_content(path: Path) -> bytes | mmap.mmap:
    """Return the bytes of a Parquet file, refusing what polars would stumble over.

    They stay on the disk, unless the file is packed or no plain file.
    """
    mapped = path.is_file() and path.stat().st_size and not path.name.lower().endswith(".gz")
    content = _mapped(path) if mapped else whole(path)
    if len(content) < 3 * len(MAGIC) or content[:4] != MAGIC or content[-4:] != MAGIC:
        raise fault(path, "this must be a whole Parquet file, and it is not; write it again")
    if not pages_are_sound(content):
        raise fault(path, DAMAGED)
    return content


def _mapped(path: Path) -> mmap.mmap:
    next(byte_blocks(path))  # what cannot be read is said as of every file
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def parquet_header(path: Path, content: bytes | mmap.mmap) -> list[str]:
    """Return the names of the columns."""
    with _clear_faults(path), _opened(path, content) as file:
        return list(pl.read_parquet_schema(file))


def parquet_rows(
    path: Path, content: bytes | mmap.mmap, names: Sequence[str]
) -> "Iterator[pl.DataFrame]":
    """Yield the columns of these names, some rows at a time.

    A group of rows is read at once: no smaller part of a file can be unpacked alone.
    """
    bounds = [0, *_bounds(rows_of_groups(content))]
    if len(bounds) == 1 or isinstance(content, bytes):
        frames: Iterable[pl.DataFrame] = [_read(path, content, names)]
    else:
        frames = (
            _slice(path, names, begin, end)
            for begin, end in zip(bounds, [*bounds[1:], None], strict=True)
        )
    for frame in frames:
        yield from frame.iter_slices(AT_ONCE) if frame.height > AT_ONCE else [frame]


def _bounds(groups: Iterable[int]) -> Iterator[int]:
    """Yield where to read on: after whole groups, some small ones together; not the last end.

    >>> list(_bounds([AT_ONCE, 5, 7, 0, AT_ONCE])) == [AT_ONCE, AT_ONCE + 12]
    True
    """
    begin = end = 0
    for rows in groups:
        if end > begin and end + rows - begin > AT_ONCE:
            yield end
            begin = end
        end += rows


def _read(path: Path, content: bytes | mmap.mmap, names: Sequence[str]) -> "pl.DataFrame":
    """Return all rows of some columns."""
    with _clear_faults(path), _opened(path, content) as file:
        return pl.read_parquet(file, columns=list(names)).select(names)


def _slice(path: Path, names: Sequence[str], begin: int, end: int | None) -> "pl.DataFrame":
    """Return some rows of some columns: the last ones where no end is given."""
    rows = None if end is None else end - begin
    with _clear_faults(path):
        lazy = pl.scan_parquet(path, glob=False, hive_partitioning=False).select(names)
        frame = lazy.slice(begin, rows).collect()
    if rows is not None and frame.height != rows:
        raise fault(path, DAMAGED)
    return frame


def _opened(path: Path, content: bytes | mmap.mmap) -> BinaryIO:
    """Return the file that holds the content; polars maps one that is on the disk."""
    return io.BytesIO(content) if isinstance(content, bytes) else path.open("rb")


@contextmanager
def _clear_faults(path: Path) -> Iterator[None]:
    """Turn what polars complains about into one sentence with the file's name."""
    try:
        with hushed():
            yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        # a panic is how polars says that it did not expect what it found in the file
        raise fault(path, DAMAGED) from None


@contextmanager
def hushed() -> Iterator[None]:
    """Keep off the screen what other programs print there, such as polars when it panics."""
    try:
        screen = os.dup(2)
    except OSError:  # there is no screen
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(screen, 2)
        os.close(screen)
