"""The few marks that pictures are made of, and the frame that says in words what is to be seen."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

WIDTH: Final = 440
"""How wide a picture is drawn: half a page of a screen, or all of a phone."""
COLOURS: Final = (
    "svg{--ink:#1b2430;--soft:#5b6675;--line:#dfe3e8;--paper:#fff;--accent:#0b5f6e;--care:#8a5a00;"
    "--no:#b3261e;--yes:#1b7a4b;background:#fff}"
)
"""The colours of a picture that stands alone; in a page they are the page's."""
STYLE: Final = (
    "svg text{font:13px system-ui,sans-serif;fill:var(--ink)}svg .soft{fill:var(--soft)}"
    "svg .grid{stroke:var(--line)}svg .axis{stroke:var(--soft)}"
    "svg .mark{fill:var(--accent)}svg .hit{fill:var(--no)}svg .near{fill:var(--care)}"
    "svg .pale{fill:var(--line)}svg .ink{fill:var(--ink)}svg .open{fill:var(--paper)}"
    "svg .stroke,svg .bold,svg .dot,svg .rule,svg .dash{fill:none;stroke:var(--accent);"
    "stroke-width:2}svg .bold{stroke-width:5;stroke-linecap:round}"
    "svg .dot{stroke-width:5;stroke-linecap:round;stroke-opacity:.75}"
    "svg .rule{stroke:var(--ink);stroke-width:2.5}svg .dash{stroke:var(--ink);"
    "stroke-width:1.5;stroke-dasharray:5 4}"
    "svg .s1{stroke:var(--care)}svg .s2{stroke:var(--no)}svg .s3{stroke:var(--soft)}"
    "svg .s4{stroke:var(--yes)}svg .s5{stroke:var(--ink)}"
)
"""What the classes of marks look like."""


def element(name: str, inner: str = "", /, **attributes: str | float) -> str:
    """Return an element; ``class_`` is written as class, and ``_`` in a name as a hyphen.

    >>> element("circle", cx=3.04, cy=2, class_="mark")
    '<circle cx="3" cy="2" class="mark"/>'
    """
    attrs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_written(value)}"'
        for key, value in attributes.items()
        if value != ""
    )
    return f"<{name}{attrs}>{inner}</{name}>" if inner else f"<{name}{attrs}/>"


def _written(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else _short(value)


def _short(value: float) -> str:
    """Write a place to a tenth of a point, without a trailing zero."""
    return f"{round(value, 1):g}" if abs(value) < 100_000 else f"{value:.0f}"


def label(x: float, y: float, text: str, *, kind: str = "", anchor: str = "") -> str:
    """Return words at a place; ``anchor`` is middle or end where they do not start there."""
    return element("text", escape(text, quote=False), x=x, y=y, class_=kind, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, *, kind: str) -> str:
    """Return a straight line."""
    return element("path", d=f"M{_short(x1)} {_short(y1)}L{_short(x2)} {_short(y2)}", class_=kind)


def path(points: Iterable[tuple[float, float]], *, kind: str) -> str:
    """Return a line through points."""
    return element(
        "path", d="M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in points), class_=kind
    )


def dots(points: Iterable[tuple[float, float]], *, kind: str) -> str:
    """Return round dots; those that fall on the same point of the paper are one."""
    placed = sorted({(_short(round(x)), _short(round(y))) for x, y in points})
    return element("path", d="".join(f"M{x} {y}h0" for x, y in placed), class_=kind)


def picture(
    width: float,
    height: float,
    title: str,
    description: str,
    marks: Sequence[str],
    *,
    kind: str = "",
) -> str:
    """Return a picture with its title and a description for who cannot see it."""
    caption = element("title", escape(title, quote=False))
    caption += element("desc", escape(description, quote=False)) if description else ""
    return element(
        "svg",
        caption + "".join(marks),
        viewBox=f"0 0 {_short(width)} {_short(height)}",
        role="img",
        aria_label=f"{title}. {description}" if description else title,
        class_=kind,
    )


def standalone(svg: str) -> str:
    """Return a picture as a file of its own, with its colours."""
    start, content = svg.split(">", 1)
    head = start.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"{head}><style>{COLOURS}{STYLE}</style>{content}"
