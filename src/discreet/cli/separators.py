"""Cells that seem to hold several things, and are read as one."""

from collections.abc import Iterator
from typing import Any

from discreet.cli import show
from discreet.core.microdata import Microdata
from discreet.core.spelling import other_separator
from discreet.core.transactions import Transactions


def warn_of_separator(original: Any) -> None:
    """Say where the cells of a column seem to be separated by something else than was said."""
    for subject, used, mark in _suspects(original):
        show.warn(
            f"{subject} seem to hold several things with {mark!r} between them, and are read as "
            f"one each, since {used!r} separates them; if they do, add --separator {mark!r}"
        )


def _suspects(original: Any) -> Iterator[tuple[str, str, str]]:
    """Yield what is concerned, the separator that was used, and the one that seems to be meant."""
    if isinstance(original, Transactions):
        if mark := other_separator(original.universe):
            yield "most items", "|", mark
    elif isinstance(original, Microdata):
        several = {*original.multi_valued, original.set_column} - {None}
        for name in sorted(map(str, several)):
            cells = original.table[name].unique().drop_nulls().to_list()
            if mark := other_separator(cells, original.separator):
                yield f"most cells of {name}", original.separator, mark
