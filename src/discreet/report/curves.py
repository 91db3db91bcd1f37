"""Curves of a study: what is lost and what is exposed, by each parameter that is swept."""

from typing import TYPE_CHECKING, Any, Final

from discreet.report.draw import Axis, Series, plot
from discreet.report.figure import Figure

if TYPE_CHECKING:
    import polars as pl

__all__ = ["curves"]

LINES: Final = 6
"""The most lines of a picture: what colours tell apart."""


def curves(settings: "pl.DataFrame") -> list[Figure]:
    """Draw loss and exposure of the settings of a study over each parameter that is swept.

    Parameters
    ----------
    settings
        What ``study.front`` returns.

    Returns
    -------
    list of Figure
        One figure for each parameter with two values or more, with a picture of each quantity.
    """
    rows = [row | {"typed": _typed(row["parameters"])} for row in settings.to_dicts()]
    names = dict.fromkeys(name for row in rows for name in row["typed"])
    figures = []
    for name in names:
        svgs = [_curve(rows, name, quantity) for quantity in ("loss", "exposure")]
        if drawn := tuple(svg for svg in svgs if svg):
            words = "A line for each method; other parameters, where there are some, beside it."
            title = f"By {name}"
            figures.append(
                Figure(name=f"by-{name}", title=title, words=words, table=settings, svgs=drawn)
            )
    return figures


def _typed(parameters: str) -> dict[str, float]:
    """Return the parameters that are numbers.

    >>> _typed("k=5 m=2 loss=ncp")
    {'k': 5.0, 'm': 2.0}
    """
    numbers = {}
    for word in parameters.split(" "):
        name, _, text = word.partition("=")
        try:
            numbers[name] = float(text)
        except ValueError:
            continue
    return numbers


def _curve(rows: list[dict[str, Any]], name: str, quantity: str) -> str | None:
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if name in row["typed"] and row[quantity] is not None:
            rest = " ".join(
                f"{each}={row['typed'][each]:g}" for each in row["typed"] if each != name
            )
            lines.setdefault(f"{row['method']} {rest}".strip(), []).append(
                (row["typed"][name], float(row[quantity]))
            )
    swept = {line: sorted(points) for line, points in lines.items() if len(points) > 1}
    if not swept:
        return None
    shown = [
        Series(name=line, points=points, kind="line") for line, points in [*swept.items()][:LINES]
    ]
    title = f"{quantity} by {name}"
    return plot(title, title, Axis(title=name), Axis(title=quantity), shown)
