"""Attacks: one file per family; each sees what was released and never the private data."""

from typing import Any

from discreet.attack.attribute_linkage import AttributeLinkage
from discreet.attack.background import Background
from discreet.attack.background_join import BackgroundJoin
from discreet.attack.contract import Attack
from discreet.attack.interactive_linkage import Guess, InteractiveLinkage
from discreet.attack.intersection import Intersection
from discreet.attack.knowledge import Known
from discreet.attack.minimality import Minimality, Register
from discreet.attack.probabilistic_linkage import ProbabilisticLinkage
from discreet.attack.skewness import Skewness

__all__ = [
    "ATTACKS",
    "Attack",
    "AttributeLinkage",
    "Background",
    "BackgroundJoin",
    "Guess",
    "InteractiveLinkage",
    "Intersection",
    "Known",
    "Minimality",
    "ProbabilisticLinkage",
    "Register",
    "Skewness",
]

ATTACKS: tuple[type[Attack[Any]], ...] = (
    AttributeLinkage,
    ProbabilisticLinkage,
    BackgroundJoin,
    Intersection,
    Skewness,
    Minimality,
)
"""Every attack on offer."""
