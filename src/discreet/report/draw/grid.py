"""Which of some rows have a mark in which of some columns."""

from collections.abc import Collection, Sequence

from discreet.report.draw.svg import WIDTH, element, label, line, picture

STEP, HEAD, SIDE = 22.0, 22.0, 190.0


def grid(
    title: str,
    description: str,
    rows: Sequence[str],
    columns: Sequence[str],
    marked: Collection[tuple[int, int]],
) -> str:
    """Draw a square where a row is in a column."""
    wide = min(90.0, (WIDTH - SIDE) / max(1, len(columns)))
    marks = [
        label(SIDE + (column + 0.5) * wide, 14, name, kind="soft", anchor="middle")
        for column, name in enumerate(columns)
    ]
    for row, name in enumerate(rows):
        y = HEAD + row * STEP
        marks += [line(0, y + STEP, SIDE + wide * len(columns), y + STEP, kind="grid")]
        marks.append(label(0, y + 15, name if len(name) < 29 else f"{name[:27]}…"))
        marks += [
            element("rect", x=SIDE + (column + 0.5) * wide - 6, y=y + 5, width=12, height=12,
                    class_="mark")
            for column in range(len(columns)) if (row, column) in marked
        ]  # fmt: skip
    return picture(WIDTH, HEAD + STEP * len(rows) + 2, title, description, marks)
