"""Ways to publish: one file per method, named as in its paper."""

from typing import Any

from discreet.publish.apl_killer import AplKiller
from discreet.publish.contract import Publisher
from discreet.publish.diff_part import DiffPart

__all__ = ["PUBLISHERS", "AplKiller", "DiffPart", "Publisher"]

PUBLISHERS: tuple[type[Publisher[Any]], ...] = (AplKiller, DiffPart)
"""Every method on offer."""
