"""Attacks: one file per family; each sees what was released and never the private data."""

from typing import Any

from discreet.attack.attribute_linkage import AttributeLinkage, Known
from discreet.attack.contract import Attack

__all__ = ["ATTACKS", "Attack", "AttributeLinkage", "Known"]

ATTACKS: tuple[type[Attack[Any]], ...] = (AttributeLinkage,)
"""Every attack on offer."""
