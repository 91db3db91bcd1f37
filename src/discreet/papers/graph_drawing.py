"""Small graphs as drawings: one beside the other, changed edges told apart."""

from collections.abc import Iterable, Mapping
from html import escape
from math import cos, pi, sin

SIZE, RADIUS, NODE = 300, 105, 15
GREY, RED, GREEN = "#5b6770", "#c0392b", "#1e8449"
FILLS = ("#dce6f1", "#fdebd0", "#d5f5e3", "#f5d5e8", "#fcf3cf", "#e8daef")
"""A colour for each group."""

Edge = tuple[str, str]


def before_and_after(
    group: Mapping[str, int],
    before: Iterable[Edge],
    after: Iterable[Edge],
    titles: tuple[str, str] = ("before", "after"),
) -> str:
    """Return an SVG of a graph before and after; ``group`` gives the nodes, in their order.

    On the left edges that go are red, on the right those that came are green and dashed. A node is
    coloured by its group, and its number of edges stands beside it.

    >>> drawing = before_and_after({"1": 0, "2": 0}, [("1", "2")], [])
    >>> drawing.startswith("<svg"), drawing.count("<circle"), drawing.count("#c0392b")
    (True, 4, 1)
    """
    old, new = ({frozenset(edge) for edge in edges} for edges in (before, after))
    left = _panel(group, old, old - new, RED, titles[0])
    right = _panel(group, new, new - old, GREEN, titles[1])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * SIZE} {SIZE + 20}" '
        'font-family="sans-serif" font-size="13" text-anchor="middle">\n'
        f'<rect width="{2 * SIZE}" height="{SIZE + 20}" fill="white"/>\n'
        f'<g>\n{left}\n</g>\n<g transform="translate({SIZE} 0)">\n{right}\n</g>\n</svg>\n'
    )


def _panel(
    group: Mapping[str, int],
    edges: set[frozenset[str]],
    marked: set[frozenset[str]],
    colour: str,
    title: str,
) -> str:
    position = {name: _on_circle(at, len(group), RADIUS) for at, name in enumerate(group)}
    elements = [f'<text x="{SIZE // 2}" y="18" font-weight="bold">{escape(title)}</text>']
    for edge in sorted(edges, key=sorted):
        (x1, y1), (x2, y2) = (position[end] for end in sorted(edge))
        dashed = ' stroke-dasharray="6 4"' if edge in marked and colour == GREEN else ""
        stroke = colour if edge in marked else GREY
        elements.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{stroke}" '
            f'stroke-width="{3 if edge in marked else 1.5}"{dashed}/>'
        )
    for at, name in enumerate(group):
        x, y = position[name]
        fill = FILLS[group[name] % len(FILLS)]
        elements.append(f'<circle cx="{x}" cy="{y}" r="{NODE}" fill="{fill}" stroke="{GREY}"/>')
        elements.append(f'<text x="{x}" y="{y + 5}">{escape(name)}</text>')
        x, y = _on_circle(at, len(group), RADIUS + 28)
        degree = sum(name in edge for edge in edges)
        elements.append(f'<text x="{x}" y="{y + 4}" font-size="11" fill="{GREY}">{degree}</text>')
    return "\n".join(elements)


def _on_circle(at: int, count: int, radius: int) -> tuple[int, int]:
    """Return a point of a circle, the first one on top."""
    angle = 2 * pi * at / max(count, 1) - pi / 2
    return round(SIZE / 2 + radius * cos(angle)), round(SIZE / 2 + 20 + radius * sin(angle))
