"""A plot with the numbers behind it, drawn once and put into a page without any outside help."""

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Drawn", "Figure", "drawn", "plots_at_hand"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What is to be drawn."""

    name: str
    """A short name for files."""
    title: str
    """What it shows."""
    words: str
    """What is to be seen, for who cannot see it."""
    table: "pl.DataFrame"
    """The numbers."""
    chart: Any
    """The Altair chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A figure as a page needs it."""

    name: str
    """A short name for files."""
    title: str
    """What it shows."""
    words: str
    """What is to be seen, for who cannot see it."""
    svg: str
    """The drawing itself."""
    files: tuple[tuple[str, str], ...]
    """Names of files with their content as addresses that need no server."""


def plots_at_hand() -> bool:
    """Whether the extra packages for plots are installed."""
    from importlib.util import find_spec

    return bool(find_spec("altair") and find_spec("vl_convert"))


def drawn(figure: Figure) -> Drawn:
    """Draw a figure as SVG, with SVG, PNG and CSV to take away."""
    import vl_convert

    spec = figure.chart.to_json()
    svg = vl_convert.vegalite_to_svg(spec)
    png = vl_convert.vegalite_to_png(spec, scale=2)
    csv = figure.table.write_csv()
    files = (
        (f"{figure.name}.csv", _address("text/csv", csv.encode())),
        (f"{figure.name}.svg", _address("image/svg+xml", svg.encode())),
        (f"{figure.name}.png", _address("image/png", png)),
    )
    return Drawn(name=figure.name, title=figure.title, words=figure.words, svg=svg, files=files)


def _address(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"
