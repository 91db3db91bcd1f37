"""A hundred people, so that a share is seen and not read past."""

from math import ceil

from discreet.report.draw.svg import element, picture

STEP, ACROSS = 13, 20


def people(title: str, hit: float, near: float = 0.0) -> str:
    """Draw a hundred people: a share ``hit``, a further share ``near``; begun ones count.

    >>> people("alone", 0.021).count('class="hit"')
    1
    """
    red = min(100, ceil(100 * hit - 1e-9))
    # both shares together are rounded up once: 1.2 and 7.4 in a hundred are 2 and 7 of 9 people
    both = min(100, ceil(100 * (hit + near) - 1e-9))
    amber = max(both - red, int(near > 0 and red < 100))
    kinds = ("hit", red, 0), ("near", amber, red), ("pale", 100 - red - amber, red + amber)
    marks = [
        element("path", d="".join(_person(first + index) for index in range(count)), class_=kind)
        for kind, count, first in kinds
        if count
    ]
    return picture(ACROSS * STEP, 5 * STEP, title, "", marks, kind="people")


def _person(index: int) -> str:
    x, y = STEP * (index % ACROSS) + 2, STEP * (index // ACROSS) + 6
    return f"M{x} {y}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0"
