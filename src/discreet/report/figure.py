"""A picture with the numbers behind it, as a page needs it: nothing is fetched from anywhere."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from discreet.lazy import pl
from discreet.report.draw import standalone

READABLE: Final = " ,;:/=()!*"
"""What an address may hold as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What is drawn, and what it is drawn from."""

    name: str
    """A short name for files."""
    title: str
    """What it shows."""
    words: str
    """What is to be seen, for who cannot see it."""
    table: "pl.DataFrame"
    """The numbers."""
    svgs: tuple[str, ...]
    """The drawing, in one part or several."""

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """Names of files to take along, with their content as addresses that need no server."""
        parts = [
            (f"{self.name}{f'-{number}' if len(self.svgs) > 1 else ''}.svg", svg)
            for number, svg in enumerate(self.svgs, start=1)
        ]
        return (
            (f"{self.name}.csv", address("text/csv", self.table.write_csv())),
            *((name, address("image/svg+xml", standalone(svg))) for name, svg in parts),
        )


def address(kind: str, content: str) -> str:
    """Return content as an address that holds it.

    >>> address("text/csv", "a,b")
    'data:text/csv;charset=utf-8,a,b'
    """
    return f"data:{kind};charset=utf-8,{quote(content, safe=READABLE)}"
