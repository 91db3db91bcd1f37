"""How often an attack is right, with its interval, beside guessing: one line of a table."""

from dataclasses import dataclass

from discreet.core.score import too_wide
from discreet.report.draw.scale import Scale
from discreet.report.draw.svg import element, label, line, picture
from discreet.report.wording import percent

WIDE, HIGH = 380.0, 42.0
LEFT, RIGHT, MIDDLE = 8.0, 372.0, 16.0


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with the ends of its interval."""

    share: float
    low: float
    high: float

    def __str__(self) -> str:
        if too_wide(self.low, self.high):
            return f"{percent(self.share)} (too few people for an interval)"
        return f"{percent(self.share)} ({percent(self.low)} to {percent(self.high)})"


def strip(title: str, success: Interval, chance: float, control: Interval | None = None) -> str:
    """Draw a dot with its interval, an upright stroke for guessing, a ring for the control."""
    scale = Scale(0, 1, LEFT, RIGHT)
    marks = [line(scale(x), 4, scale(x), 28, kind="grid") for x in (0, 0.25, 0.5, 0.75, 1)]
    marks += [
        label(scale(x), HIGH - 2, text, kind="soft", anchor=anchor)
        for x, text, anchor in ((0, "0", "start"), (0.5, "50 %", "middle"), (1, "100 %", "end"))
    ]
    description = f"Right: {success}; guessing: {percent(chance)}"
    if control is not None:
        description += f"; people who did not take part: {control}"
        marks.append(
            line(scale(control.low), MIDDLE, scale(control.high), MIDDLE, kind="stroke s3")
        )
        marks.append(element("circle", cx=scale(control.share), cy=MIDDLE, r=5, class_="open"))
        marks.append(element("circle", cx=scale(control.share), cy=MIDDLE, r=5, class_="stroke s3"))
    marks += [
        line(scale(success.low), MIDDLE, scale(success.high), MIDDLE, kind="bold"),
        element("circle", cx=scale(success.share), cy=MIDDLE, r=6, class_="mark"),
        line(scale(chance), MIDDLE - 10, scale(chance), MIDDLE + 10, kind="rule"),
    ]
    return picture(WIDE, HIGH, title, description, marks, kind="strip")
