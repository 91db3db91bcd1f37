"""Whole text files, plain or gzipped, and names as messages show them."""

from pathlib import Path

from discreet.core.reading.source import fault, whole

__all__ = ["lines_of", "quoted", "read_text"]

_SHOWN = 40
"""Characters of a public name that a message repeats."""


def read_text(path: str | Path) -> str:
    r"""Return the file's text, every line ended by ``\n`` whatever ended it in the file."""
    path = Path(path)
    raw = whole(path)
    zero = raw.find(b"\0")
    if zero >= 0:
        raise fault(path, "must be text and holds a NUL byte", line=_line(raw, zero))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        complaint = "must be text in UTF-8 and is not; save it as UTF-8"
        raise fault(path, complaint, line=_line(raw, error.start)) from None
    if not text.strip():
        raise fault(path, "must hold data, and every line is empty")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _line(raw: bytes, place: int) -> int:
    return raw.count(b"\n", 0, place) + 1


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a text; the last ``\n`` ends a line and does not begin one.

    >>> lines_of("a\n\nb\n")
    ['a', '', 'b']
    """
    return text.removesuffix("\n").split("\n")


def quoted(name: str) -> str:
    """Return a public name as messages show it: in quotes, and cut where it is long.

    >>> quoted("bread"), len(quoted("x" * 1000))
    ("'bread'", 45)
    """
    return repr(name if len(name) <= _SHOWN else f"{name[:_SHOWN]}...")
