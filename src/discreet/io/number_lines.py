"""Lines of numbers to sets, compiled: one pass over the bytes, whatever the length of a line.

Items get codes in the order in which they first occur, through an open-addressing table whose rows
hold number, code and the last record that held it; ``arrange`` gives them their public order.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.io.grouping import Sets, arrange, stitched
from discreet.io.source import fault

__all__ = ["number_sets"]

NEWLINE, RETURN, BLANK, TAB, ZERO, NINE = 10, 13, 32, 9, 48, 57

LONGEST = 18
"""Most digits of an item number: whatever has so few fits a machine word."""
ROOM = 10 ** (LONGEST - 1)
"""A number below this has room for one more digit."""

# where the scanner's memory holds what
POSITION, RECORDS, FILLED, LINES, DISTINCT, STRICT = range(6)

# why the scanner stopped
DONE, FULL, NO_NUMBER, TOO_LONG, LONE_RETURN, INDENTED = range(6)

COMPLAINTS = {
    NO_NUMBER: "a line must hold whole numbers from 0 up, separated by blanks, and nothing else; "
    "items with other names are read from .csv, .jsonl or .parquet",
    TOO_LONG: f"an item number must have at most {LONGEST} digits",
    LONE_RETURN: "a line must end with a newline, not with a carriage return alone",
    INDENTED: "after the first record every line must begin with a digit",
}


def number_sets(
    path: Path, pieces: Iterable[bytes], *, strict: bool = False, skipped: int = 0
) -> Sets:
    """Return the set of numbers on each line of ``pieces``: whole lines, newlines included.

    The vocabulary are the numbers as text, in the order of the numbers. A ``strict`` line begins
    with its first digit. Complaints name ``path`` and count the ``skipped`` lines before.
    """
    memory = np.zeros(6, dtype=np.int64)
    memory[STRICT] = strict
    table = np.full((1 << 10, 3), -1, dtype=np.int64)
    item_parts: list[NDArray[np.int32]] = []
    end_parts: list[NDArray[np.int32]] = []
    for piece in pieces:
        block = np.frombuffer(piece, dtype=np.uint8)
        items = np.empty(len(block) // 2 + 1, dtype=np.int32)
        ends = np.empty(np.count_nonzero(block == NEWLINE), dtype=np.int32)
        memory[POSITION] = memory[FILLED] = memory[LINES] = 0
        while (outcome := _scan(block, memory, table, items, ends)) == FULL:
            table = _grown(table)
        if outcome != DONE:
            line = skipped + int(memory[RECORDS]) + 1
            raise fault(path, _complaint(outcome, int(block[memory[POSITION]])), line=line)
        item_parts.append(items[: memory[FILLED]].copy())
        end_parts.append(ends)
    used = table[table[:, 0] >= 0]
    numbers = np.empty(len(used), dtype=np.int64)
    numbers[used[:, 1]] = used[:, 0]
    order = np.argsort(numbers)
    offsets, items = stitched(end_parts, item_parts)
    arrange(offsets, items, np.argsort(order).astype(np.int32))
    return Sets(offsets, items, tuple(map(str, numbers[order].tolist())))


def _complaint(outcome: int, byte: int) -> str:
    if outcome == NO_NUMBER and not 0 < byte < 128:
        return "the file must be plain text, and here it is not"
    return COMPLAINTS[outcome]


@kernel
def _scan(  # noqa: C901, PLR0915  one pass over the bytes is what makes it fast
    block: NDArray[np.uint8],
    memory: NDArray[np.int64],
    table: NDArray[np.int64],
    items: NDArray[np.int32],
    ends: NDArray[np.int32],
) -> int:
    """Fill ``items`` and ``ends`` from the bytes, going on where the memory says; say why it ends.

    Unsigned positions spare the compiler a test for negative ones at each access.
    """
    one = np.uint64(1)
    size = np.uint64(len(block))
    position, filled, lines = (
        np.uint64(memory[POSITION]),
        np.uint64(memory[FILLED]),
        np.uint64(memory[LINES]),
    )
    record, distinct = memory[RECORDS], memory[DISTINCT]
    strict = memory[STRICT] != 0
    outcome = INDENTED if strict and _indented(block, position) else DONE
    while position < size and outcome == DONE:
        byte = block[position]
        if ZERO <= byte <= NINE:
            begin = position
            value = np.int64(byte) - ZERO
            position += one
            byte = block[position]
            while ZERO <= byte <= NINE and value < ROOM:
                value = value * 10 + (np.int64(byte) - ZERO)
                position += one
                byte = block[position]
            if ZERO <= byte <= NINE:
                outcome = TOO_LONG
                break
            slot = _slot(table, value)
            if table[slot, 0] < 0:
                if 2 * distinct >= len(table):
                    outcome = FULL
                    position = begin
                    break
                table[slot, 0] = value
                table[slot, 1] = distinct
                distinct += 1
            # without branches: most numbers of a line repeat, at random
            items[filled] = table[slot, 1]
            filled += np.uint64(table[slot, 2] != record)
            table[slot, 2] = record
            position += np.uint64(byte == BLANK)
        elif byte in (BLANK, TAB):
            position += one
        else:
            if byte == RETURN:
                position += one
            if block[position] != NEWLINE:
                outcome = LONE_RETURN if byte == RETURN else NO_NUMBER
                break
            ends[lines] = filled
            lines += one
            record += 1
            position += one
            if strict and _indented(block, position):
                outcome = INDENTED
    memory[POSITION], memory[FILLED], memory[LINES] = position, filled, lines
    memory[RECORDS], memory[DISTINCT] = record, distinct
    return outcome


@kernel
def _indented(block: NDArray[np.uint8], position: np.uint64) -> bool:
    """Whether a line begins here with blanks and has a digit after them."""
    while position < len(block) and block[position] in (BLANK, TAB):
        position += np.uint64(1)
        if ZERO <= block[position] <= NINE:
            return True
    return False


@kernel
def _slot(table: NDArray[np.int64], number: np.int64) -> np.uint64:
    """Return where in the table the number is, or where it belongs."""
    one = np.uint64(1)
    last = np.uint64(len(table) - 1)
    low = (number ^ (number >> 30)) & 0x3FFFFFFF
    slot = np.uint64((low * 0x9E3779B1) >> 20) & last
    while table[slot, 0] != number and table[slot, 0] >= 0:
        slot = (slot + one) & last
    return slot


@kernel
def _grown(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a table of twice the size that holds the same."""
    larger = np.full((2 * len(table), 3), -1, dtype=np.int64)
    for row in table:
        if row[0] >= 0:
            larger[_slot(larger, row[0])] = row
    return larger
