"""Pages that stand alone: one file, no outside request, good on screen and on paper."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.guarantee import spoken
from discreet.io.writing import write_file
from discreet.report.draw.svg import STYLE
from discreet.report.wording import attack_name, choice, coded, number, opening, percent

if TYPE_CHECKING:
    from jinja2 import Environment


def page(template: str, **content: Any) -> str:
    """Return a page from its template; everything put in is escaped."""
    return templates("discreet.report").get_template(template).render(**content)


@cache
def templates(package: str) -> "Environment":
    """Return the templates of a package, as all pages read them."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    rooms = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    rooms.filters |= {
        "number": number, "percent": percent, "flat": flat, "choice": choice,
        "opening": opening, "coded": coded, "attack_name": attack_name,
        "spoken": spoken,
    }  # fmt: skip
    rooms.globals["svg_style"] = STYLE
    return rooms


def write_page(path: Path, text: str, *, private: bool = False) -> Path:
    """Write a page: all of it, or nothing; a ``private`` one for its owner's eyes only."""
    return write_file(path, text, "the page", private=private)


def flat(record: Mapping[str, Any], above: str = "") -> list[tuple[str, Any]]:
    """Return nested names and values as one list.

    >>> flat({"a": 1, "b": {"c_d": 2}})
    [('a', 1), ('b: c d', 2)]
    """
    pairs: list[tuple[str, Any]] = []
    for name, value in record.items():
        heading = f"{above}{name}".replace("_", " ")
        if isinstance(value, Mapping):
            pairs += flat(value, f"{heading}: ")
        else:
            pairs.append((heading, value))
    return pairs
