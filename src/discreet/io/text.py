"""Text: whole files, plain or gzipped, and names in the one form in which they are compared."""

import csv
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

from discreet.io.source import MARK, fault, read_ahead, text_blocks, whole, whole_lines
from discreet.lazy import pl

_SHOWN = 40
"""Characters of a public name that a message repeats."""

BLANKS = "".join(letter for letter in map(chr, range(0x3001)) if letter.isspace())
"""What is cut off on both sides of a name: every blank that Python knows."""


def normalised(name: str) -> str:
    r"""Return a name without blanks around it, its letters composed (NFC).

    Data, universe, sensitive list, constraints and hierarchy are all brought into this form, so
    that names that look alike are alike.

    >>> normalised(" cafe\u0301\u00a0") == "caf\u00e9"
    True
    """
    return normalize("NFC", name).strip(BLANKS)


def normalised_series(names: "pl.Series") -> "pl.Series":
    """Return a column of text with every name normalised."""
    if (names.str.len_bytes() != names.str.len_chars()).any():
        names = names.str.normalize("NFC")  # plain ASCII is composed
    return names.str.strip_chars(BLANKS)


def text_bytes(path: Path) -> bytes:
    r"""Return the file's text as UTF-8 without byte order mark, every line ended by ``\n``."""
    raw = whole(path).removeprefix(MARK)
    if not raw:
        raise fault(path, "the file is empty")
    return _checked(path, raw, 1)


def checked_blocks(path: Path) -> Iterator[bytes]:
    r"""Yield the same text as whole lines, many at a time; the last one has its ``\n`` too."""
    line = 1
    for raw in whole_lines(read_ahead(text_blocks(path))):
        yield _checked(path, raw, line)
        line += raw.count(b"\n")


NUL_IN_ID = "an id must hold no NUL character, and this one does"
"""What is said of an id that no array of texts could hold as it is."""


def _checked(path: Path, raw: bytes, line: int) -> bytes:
    """Return text that begins on a line with its lines ended alike, refusing what is no text."""
    if not raw.isascii():
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            complaint = (
                "the file must be UTF-8 text, and here it is not; save it as UTF-8 (in Excel: the "
                "file type CSV UTF-8)"
            )
            line += raw.count(b"\n", 0, error.start)
            raise fault(path, complaint, line=line) from None
    if (zero := raw.find(b"\0")) >= 0:
        complaint = "the file must be text, and here it holds a NUL byte"
        raise fault(path, complaint, line=line + raw.count(b"\n", 0, zero))
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def read_text(path: str | Path) -> str:
    r"""Return the file's text, every line ended by ``\n`` whatever ended it in the file."""
    path = Path(path)
    text = text_bytes(path).decode()
    if not text.strip():
        raise fault(path, "must hold data, and every line is empty")
    return text


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a text; the last ``\n`` ends a line and does not begin one.

    >>> lines_of("a\n\nb\n")
    ['a', '', 'b']
    """
    return text.removesuffix("\n").split("\n")


def listed(text: str) -> list[str]:
    """Return the names in a line of csv, normalised; of what is none, one empty name.

    >>> listed(' beer ,"salt, fine"')
    ['beer', 'salt, fine']
    """
    try:
        return [normalised(name) for row in csv.reader([text]) for name in row]
    except csv.Error:
        return [""]


def quoted(name: str) -> str:
    """Return a public name as messages show it: in quotes, and cut where it is long.

    >>> quoted("bread"), len(quoted("x" * 1000))
    ("'bread'", 45)
    """
    return repr(name if len(name) <= _SHOWN else f"{name[:_SHOWN]}...")
