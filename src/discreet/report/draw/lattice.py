"""Choices in rows, one above the other, with lines to what is one step further."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from discreet.report.draw.scale import Scale
from discreet.report.draw.svg import WIDTH, element, label, line, picture

STEP: Final = 62.0
Link: TypeAlias = tuple[int, int]
"""The numbers of two nodes that a line joins."""
Shape: TypeAlias = Literal["diamond", "disc", "cross", "ring"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One choice."""

    x: float
    """Where it stands in its row, from the middle."""
    row: int
    """Which row, counted from below."""
    shape: Shape
    """What it is drawn as: states are told by shape, not by colour."""
    state: str
    """What the shape stands for."""
    words: Sequence[str] = ()
    """What stands below it."""


def lattice(title: str, description: str, nodes: Sequence[Node], links: Sequence[Link]) -> str:
    """Draw the choices; a label has paper behind it, so that no line crosses it."""
    rows = sorted({node.row for node in nodes})
    reach = max(abs(node.x) for node in nodes) + 0.5
    x = Scale(-reach, reach, 0, WIDTH)
    high = STEP * len(rows)
    points = [(x(node.x), high - STEP * rows.index(node.row) - 42) for node in nodes]
    marks = [line(*points[start], *points[end], kind="axis") for start, end in links]
    marks += [_label(node, *point) for node, point in zip(nodes, points, strict=True)]
    marks += [_mark(node.shape, *point) for node, point in zip(nodes, points, strict=True)]
    at = 10.0
    for shape, state in dict.fromkeys((node.shape, node.state) for node in nodes):
        marks += [_mark(shape, at, high + 12), label(at + 14, high + 16, state, kind="soft")]
        at += 38 + 6.6 * len(state)
    return picture(WIDTH, high + 24, title, description, marks)


def _label(node: Node, x: float, y: float) -> str:
    if not node.words:
        return ""
    wide = 7.4 * max(map(len, node.words))
    paper = element(
        "rect", x=x - wide / 2, y=y + 9, width=wide, height=15 * len(node.words), class_="open"
    )
    return paper + "".join(
        label(x, y + 21 + 14 * index, text, kind="soft" if index else "", anchor="middle")
        for index, text in enumerate(node.words)
    )


def _mark(shape: Shape, x: float, y: float) -> str:
    match shape:
        case "diamond":
            return element("path", d=f"M{x:.0f} {y - 9:.0f}l9 9-9 9-9-9z", class_="ink")
        case "cross":
            cross = f"M{x - 5:.0f} {y - 5:.0f}l10 10m0-10l-10 10"
            return element("path", d=cross, class_="stroke s3")
        case "disc":
            return element("circle", cx=x, cy=y, r=5.5, class_="mark")
    return element("circle", cx=x, cy=y, r=5, class_="open") + element(
        "circle", cx=x, cy=y, r=5, class_="stroke s3"
    )
