"""Whether a release says nothing of anybody, so that nothing can be checked in it."""

from typing import Any

from discreet.core.disassociated import Disassociated
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.core.synthetic_people import SyntheticPeople
from discreet.errors import DataError

WITHOUT_ROWS = "nothing: the release holds no row"
"""What was checked in such a release."""


def without_rows(content: Any) -> bool:
    """Whether a content about people has no row, of several tables one without.

    Counts are another matter: noise may leave none, and that nothing follows from them is true.
    """
    if isinstance(content, ItemsetHistogram | SyntheticPeople):
        return False
    if isinstance(content, ProjectedTables):
        return not all(table.height for table in content.parts)
    if isinstance(content, Disassociated):
        # how many people a cluster has is no row about anybody
        return not content.universe
    return len(content) == 0


def refuse_without_rows(release: Release[Any]) -> None:
    """Refuse a release in which nobody is, so that there is nothing to attack or to measure."""
    if without_rows(release.content):
        raise DataError("a release must hold rows, and this one, or a table of it, holds none")
