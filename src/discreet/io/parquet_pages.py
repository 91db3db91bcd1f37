"""What a Parquet file says about its own pages, read before polars trusts it.

A page whose header claims fewer than no values makes polars ask for more memory than there is, and
that ends the whole process instead of raising an error. So the headers are looked at first. They
are written in Thrift's compact protocol, of which this reads what Parquet uses.
"""

from collections.abc import Iterator
from mmap import mmap
from typing import Any

# kinds of fields in Thrift's compact protocol
STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(13)

# numbers of the fields that matter here
ROW_GROUPS, COLUMNS, ROWS, CHUNK, VALUES = 4, 1, 3, 3, 5
PACKED_SIZE, FIRST_DATA, DICTIONARY = 7, 9, 11
PAGE_SIZE, PAGE_PACKED, DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_2 = 2, 3, 5, 7, 8
PAGE_VALUES = 1


def pages_are_sound(content: bytes | mmap) -> bool:
    """Whether every page of the file claims a number of values that can be true."""
    try:
        return all(
            _chunk_is_sound(content, column[CHUNK])
            for group in _groups(content)
            for column in group[COLUMNS]
        )
    except (IndexError, KeyError, TypeError, AttributeError, ValueError, RecursionError):
        return False


def rows_of_groups(content: bytes | mmap) -> list[int]:
    """Return how many rows each group of a sound file has."""
    return [group[ROWS] for group in _groups(content)]


def _groups(content: bytes | mmap) -> list[dict[int, Any]]:
    """Return what the end of the file says about its groups of rows."""
    footer = int.from_bytes(content[-8:-4], "little")
    described = _Thrift(content, len(content) - 8 - footer).struct()
    groups: list[dict[int, Any]] = described.get(ROW_GROUPS, [])
    return groups


def _chunk_is_sound(content: bytes | mmap, chunk: dict[int, Any]) -> bool:
    """Whether the pages of one column in one group of rows add up to what the footer says."""
    left = chunk[VALUES]
    for header in _page_headers(content, chunk):
        values = [header[kind][PAGE_VALUES] for kind in (DATA_PAGE, DATA_PAGE_2) if kind in header]
        entries = header.get(DICTIONARY_PAGE, {}).get(PAGE_VALUES, 0)
        if min([header[PAGE_SIZE], header[PAGE_PACKED], entries, *values]) < 0:
            return False
        left -= sum(values)
    return bool(left == 0)


def _page_headers(content: bytes | mmap, chunk: dict[int, Any]) -> Iterator[dict[int, Any]]:
    """Yield the header of each page of a chunk."""
    # a chunk without values may have no page of data: its place is then 0, where the magic stands
    offset = min(filter(None, (chunk[FIRST_DATA], chunk.get(DICTIONARY))), default=len(content))
    end = offset + chunk[PACKED_SIZE]
    while 0 <= offset < end <= len(content):
        thrift = _Thrift(content, offset)
        header = thrift.struct()
        yield header
        offset = thrift.offset + header[PAGE_PACKED]


class _Thrift:
    """A reader that stands at an offset in the bytes."""

    def __init__(self, content: bytes | mmap, offset: int) -> None:
        if not 0 <= offset < len(content):
            raise IndexError
        self.content = content
        self.offset = offset

    def struct(self) -> dict[int, Any]:
        """Read a struct as field number to value."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self.byte():
            number = number + (head >> 4) if head >> 4 else self.zigzag()
            kind = head & 15
            fields[number] = kind == TRUE if kind in (TRUE, FALSE) else self.value(kind)
        return fields

    def value(self, kind: int) -> Any:
        """Read a value of a kind."""
        if kind in (I16, I32, I64):
            return self.zigzag()
        if kind in (TRUE, FALSE, BYTE):
            return self.byte()
        if kind == DOUBLE:
            return self.skip(8)
        if kind == BINARY:
            return self.skip(self.varint())
        if kind == STRUCT:
            return self.struct()
        if kind in (LIST, SET):
            head = self.byte()
            size = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(size)]
        raise ValueError

    def byte(self) -> int:
        """Read a byte."""
        self.offset += 1
        return self.content[self.offset - 1]

    def skip(self, size: int) -> None:
        """Pass over some bytes; nothing here asks what they are."""
        self.offset += size

    def varint(self) -> int:
        """Read a number that is not negative."""
        value = shift = 0
        while (byte := self.byte()) >> 7:
            value |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise ValueError
        return value | byte << shift

    def zigzag(self) -> int:
        """Read a number that may be negative."""
        value = self.varint()
        return value >> 1 ^ -(value & 1)
