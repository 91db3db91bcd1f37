"""Amnesia's hierarchies: a head, then ``parent has child child ...``, the lowest level first."""

from collections.abc import Sequence
from pathlib import Path

from discreet.errors import DataError
from discreet.io.source import fault
from discreet.io.text import lines_of, normalised, quoted

KINDS = ("distinct", "range")
"""How such a file begins: names, or ranges of numbers and days without the values in them."""
HAS = "has"


def is_amnesia(text: str) -> bool:
    r"""Tell whether a text is such a file.

    >>> is_amnesia("distinct\nname job\n\n* has nurse spy\n"), is_amnesia("nurse;*\n")
    (True, False)
    """
    return text.partition("\n")[0].strip().lower() in KINDS


def amnesia_pairs(path: Path, text: str) -> tuple[list[tuple[str, str]], list[int]]:
    """Return pairs of child and parent, and the line of each."""
    lines = lines_of(text)
    if normalised(lines[0]).lower() == "range":
        msg = "ranges name no values; build them by `discreet hierarchy intervals` instead"
        raise fault(path, msg, line=1)
    body = next((index for index, line in enumerate(lines) if not line.strip()), len(lines))
    pairs, line_numbers = [], []
    for line, words in enumerate((line.split() for line in lines[body:]), body + 1):
        if words and (len(words) < 3 or words[1] != HAS):
            msg = "a line must read `parent has child child ...`, with names that hold no blanks"
            raise fault(path, msg, line=line)
        for child in words[2:]:
            pairs.append((normalised(child), normalised(words[0])))
            line_numbers.append(line)
    return pairs, line_numbers


def amnesia_text(names: Sequence[str], parents: Sequence[int]) -> str:
    """Return the file of a tree: each name, and the number of the one above it or -1."""
    for name in names:
        if name == HAS or len(name.split()) != 1:
            msg = (
                "names in Amnesia's files must hold no blanks and not be 'has', got "
                f"{quoted(name)}; rename it first"
            )
            raise DataError(msg)
    children: dict[int, list[str]] = {}
    for name, above in zip(names, parents, strict=True):
        if above >= 0:
            children.setdefault(above, []).append(name)
    levels: dict[int, list[str]] = {}
    for parent, below in children.items():
        depth, above = 0, parents[parent]
        while above >= 0:
            depth, above = depth + 1, parents[above]
        levels.setdefault(depth, []).append(f"{names[parent]} has {' '.join(below)}\n")
    head = f"distinct\nname hierarchy\ntype string\nheight {len(levels) + 1}\n"
    return "\n".join([head, *("".join(levels[depth]) for depth in sorted(levels, reverse=True))])
