"""Papers re-measured: one file per paper, one function per figure or table, each a table."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from discreet.lazy import pl
from discreet.papers import aplkiller, codip, gpasn, sanony, semantic
from discreet.papers.sampling import Lab

if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = ["BY_NAME", "LONG", "PAPERS", "Figures", "Lab"]

Figures: TypeAlias = "Mapping[str, Callable[[Lab], pl.DataFrame]]"
"""The figures and tables of a paper by name."""

PAPERS: Mapping[str, Figures] = {
    "aplkiller": aplkiller.FIGURES,
    "codip": codip.FIGURES,
    "gpasn": gpasn.FIGURES,
    "sanony": sanony.FIGURES,
    "semantic": semantic.FIGURES,
}
"""Every paper that can be re-measured."""

LONG = frozenset({"flixster"})
"""Figures that a quick run leaves out unless they are named."""
BY_NAME = frozenset({"girvan-newman"})
"""Figures that take half an hour: left out where all are asked for, measured where named."""
