"""Attacks: one file per family; each sees what was released and never the private data."""

from typing import Any

from discreet.attack.acquaintance import Acquainted
from discreet.attack.attribute_linkage import AttributeLinkage
from discreet.attack.background import Background
from discreet.attack.background_join import BackgroundJoin
from discreet.attack.composition import Composition, Victim
from discreet.attack.contract import Attack
from discreet.attack.interactive_linkage import Guess, InteractiveLinkage
from discreet.attack.intersection import Intersection
from discreet.attack.knowledge import Known
from discreet.attack.minimality import Minimality, Register
from discreet.attack.neighbourhood import Circle, Neighbourhood
from discreet.attack.probabilistic_linkage import ProbabilisticLinkage
from discreet.attack.semantic import Meaning, Semantic
from discreet.attack.sets_and_degree import SetsAndDegree
from discreet.attack.skewness import Skewness

__all__ = [
    "ATTACKS",
    "Acquainted",
    "Attack",
    "AttributeLinkage",
    "Background",
    "BackgroundJoin",
    "Circle",
    "Composition",
    "Guess",
    "InteractiveLinkage",
    "Intersection",
    "Known",
    "Meaning",
    "Minimality",
    "Neighbourhood",
    "ProbabilisticLinkage",
    "Register",
    "Semantic",
    "SetsAndDegree",
    "Skewness",
    "Victim",
]

ATTACKS: tuple[type[Attack[Any]], ...] = (
    AttributeLinkage,
    ProbabilisticLinkage,
    BackgroundJoin,
    Intersection,
    Skewness,
    Minimality,
    Composition,
    Semantic,
    SetsAndDegree,
    Neighbourhood,
)
"""Every attack on offer."""
