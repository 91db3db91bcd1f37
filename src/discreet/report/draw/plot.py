"""Points, lines and steps between two axes, with what they are called beside or below them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from discreet.report.draw.scale import Kind, Scale
from discreet.report.draw.svg import WIDTH, dots, element, label, line, path, picture
from discreet.report.wording import number

LEFT, RIGHT, TOP = 62.0, 14.0, 26.0
LETTERS = 52
"""Letters that fit across a picture, wide ones too."""
COLOURS = 6
"""Series that are told apart by colour; what follows begins anew."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One direction of a plot."""

    title: str
    """What it shows."""
    kind: Kind = "linear"
    """How numbers become places."""
    words: Sequence[str] = ()
    """Names of the places 0, 1, 2 ... where it has no numbers."""
    percent: bool = False
    """Whether its numbers are shares."""

    def named(self, value: float) -> str:
        """Return what stands at a tick."""
        return f"{number(round(100 * value, 9))} %" if self.percent else number(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Points that belong together."""

    name: str
    """What it is called; nothing for no entry below."""
    points: Sequence[Point]
    """Where they are."""
    kind: Literal["dots", "line", "step", "dash"] = "dots"
    """How they are drawn."""
    labels: Sequence[str] = ()
    """Words beside the points, where they have some."""
    pale: bool = False
    """Whether they stand back."""
    ranges: Sequence[tuple[float, float]] = field(default=())
    """The ends of an interval for each point, up and down."""


def plot(
    title: str,
    description: str,
    across: Axis,
    up: Axis,
    shown: Sequence[Series],
    *,
    height: float = 260,
) -> str:
    """Draw series between two axes."""
    x = _scale(
        across, [point[0] for series in shown for point in series.points], LEFT, WIDTH - RIGHT
    )
    ends = [end for series in shown for ends in series.ranges for end in ends]
    ups = [point[1] for series in shown for point in series.points]
    y = _scale(up, ups + ends, TOP + height, TOP)
    marks = [*_up(up, y), *_across(across, x, TOP + height)]
    for index, series in enumerate(shown):
        marks += _series(series, index % COLOURS, x, y)
    below = TOP + height + 42
    for index, series in enumerate(shown):
        if series.name:
            marks += _entry(series, index % COLOURS, below)
            below += 19
    return picture(WIDTH, below - 4, title, description, marks)


def _fitted(text: str) -> str:
    """Return words that fit across the picture."""
    return text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…"


def _scale(axis: Axis, values: Sequence[float], start: float, end: float) -> Scale:
    if axis.words:
        return Scale(-0.5, len(axis.words) - 0.5, start, end)
    low, high = min(values, default=0.0), max(values, default=1.0)
    if axis.kind == "linear":
        low = min(0.0, low)
    if low == high:
        low, high = (low / 2, high * 2) if axis.kind == "log" else (low, low + 1)
    scale = Scale(low, high, start, end, axis.kind)
    return scale.to_next_tick(5) if axis.kind == "linear" else scale


def _up(axis: Axis, y: Scale) -> list[str]:
    marks = [label(0, 14, _fitted(axis.title), kind="soft")]
    for tick in y.ticks(5):
        marks.append(line(LEFT, y(tick), WIDTH - RIGHT, y(tick), kind="grid"))
        marks.append(label(LEFT - 8, y(tick) + 4, axis.named(tick), kind="soft", anchor="end"))
    return marks


def _across(axis: Axis, x: Scale, bottom: float) -> list[str]:
    marks = [
        line(LEFT, bottom, WIDTH - RIGHT, bottom, kind="axis"),
        label(WIDTH - RIGHT, bottom + 34, _fitted(axis.title), kind="soft", anchor="end"),
    ]
    ticks = [(float(index), text) for index, text in enumerate(axis.words)]
    for tick, text in ticks or [(tick, axis.named(tick)) for tick in x.ticks(5)]:
        # the last may stand at the very edge
        anchor = "end" if x(tick) > WIDTH - RIGHT - 4 * len(text) + 8 else "middle"
        marks.append(label(x(tick), bottom + 17, text, kind="soft", anchor=anchor))
    return marks


def _series(series: Series, index: int, x: Scale, y: Scale) -> list[str]:
    colour = "s3" if series.pale else f"s{index}" if index else ""
    points = [(x(across), y(up)) for across, up in series.points]
    marks = [
        line(at, y(low), at, y(high), kind=f"stroke {colour}".strip())
        for (at, _), (low, high) in zip(points, series.ranges, strict=False)
    ]
    if series.kind == "dots":
        marks.append(dots(points, kind=f"dot {colour}".strip()) if points else "")
    else:
        drawn = [*_stepped(points)] if series.kind == "step" else points
        marks.append(
            path(drawn, kind="dash" if series.kind == "dash" else f"stroke {colour}".strip())
        )
        if series.kind != "dash":
            marks.append(dots(points, kind=f"dot {colour}".strip()))
    for (at, up), text in zip(points, series.labels, strict=False):
        end = at > WIDTH - 60
        marks.append(label(at - 7 if end else at + 7, up - 6, text, anchor="end" if end else ""))
    return marks


def _stepped(points: Sequence[Point]) -> list[Point]:
    """Return the corners of stairs through points."""
    corners = [(after[0], before[1]) for before, after in pairwise(points)]
    return [point for pair in zip(points, corners, strict=False) for point in pair] + [*points[-1:]]


def _entry(series: Series, index: int, y: float) -> list[str]:
    colour = "s3" if series.pale else f"s{index}" if index else ""
    if series.kind == "dots":
        mark = element("path", d=f"M{LEFT + 10} {y - 4}h0", class_=f"dot {colour}".strip())
    else:
        kind = "dash" if series.kind == "dash" else f"stroke {colour}".strip()
        mark = line(LEFT, y - 4, LEFT + 20, y - 4, kind=kind)
    return [mark, label(LEFT + 28, y, _fitted(series.name))]
