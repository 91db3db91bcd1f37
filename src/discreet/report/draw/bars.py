"""Numbers of things as bars, each with its words above and its number beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from discreet.report.draw.scale import Scale
from discreet.report.draw.svg import WIDTH, element, label, line, picture
from discreet.report.wording import number

SIDE, ROOM, STEP, HEAD = 150.0, 74.0, 22.0, 26.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar."""

    group: str
    """What it is about; bars of one group share a scale and a heading."""
    words: str
    value: float
    low: float | None = None
    high: float | None = None


def bars(title: str, description: str, shown: Sequence[Bar], *, together: bool = False) -> str:
    """Draw bars group by group, each group to its own scale unless all go ``together``."""
    marks: list[str] = []
    y, top = 0.0, max((_end(bar) for bar in shown), default=0.0)
    for group in dict.fromkeys(bar.group for bar in shown):
        own = [bar for bar in shown if bar.group == group]
        marks.append(label(0, y + 16, group))
        y += HEAD
        most = top if together else max(map(_end, own))
        scale = Scale(0, most or 1, SIDE, WIDTH - ROOM)
        for bar in own:
            marks += _bar(bar, y, scale)
            y += STEP
        y += 8
    return picture(WIDTH, y, title, description, marks)


def _end(bar: Bar) -> float:
    return max(bar.value, bar.high or 0.0)


def _bar(bar: Bar, y: float, scale: Scale) -> list[str]:
    end = scale(bar.value)
    marks = [
        label(SIDE - 8, y + 13, bar.words, kind="soft", anchor="end"),
        element("rect", x=SIDE, y=y + 2, width=max(1.0, end - SIDE), height=14, class_="mark"),
    ]
    if bar.low is not None and bar.high is not None and bar.high > bar.low:
        marks.append(line(scale(bar.low), y + 9, scale(bar.high), y + 9, kind="rule"))
        end = max(end, scale(bar.high))
    return [*marks, label(end + 6, y + 13, number(bar.value))]
