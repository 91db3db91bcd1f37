"""Pages that stand alone: one file, no outside request, good on screen and on paper."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discreet.core.findings import in_percent
from discreet.io.writing import write_file

__all__ = ["number", "page", "write_page"]


def page(template: str, **content: Any) -> str:
    """Return a page from its template; everything put in is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    rooms = Environment(
        loader=PackageLoader("discreet.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    rooms.filters |= {"number": number, "percent": percent, "flat": flat}
    return rooms.get_template(template).render(**content)


def write_page(path: Path, text: str, *, private: bool = False) -> Path:
    """Write a page: all of it, or nothing; a ``private`` one for its owner's eyes only."""
    return write_file(path, text, "the page", private=private)


def number(value: Any) -> str:
    """Return a number as a table shows it.

    >>> number(1234567), number(0.123456), number(None)
    ('1,234,567', '0.123', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{int(value):,}" if isinstance(value, int | float) else str(value)


def percent(share: float | None) -> str:
    """Return a share in percent; only certainty is 100.

    >>> percent(0.4567), percent(0.9999), percent(1.0)
    ('45.6 %', '99.9 %', '100 %')
    """
    return "-" if share is None else in_percent(share, " %")


def flat(record: Mapping[str, Any], above: str = "") -> list[tuple[str, Any]]:
    """Return nested names and values as one list.

    >>> flat({"a": 1, "b": {"c_d": 2}})
    [('a', 1), ('b: c d', 2)]
    """
    found: list[tuple[str, Any]] = []
    for name, value in record.items():
        words = f"{above}{name}".replace("_", " ")
        if isinstance(value, Mapping):
            found += flat(value, f"{words}: ")
        else:
            found.append((words, ", ".join(map(str, value)) if isinstance(value, list) else value))
    return found
