"""What is on offer: the families laid end to end; feeds cli, web, docs and study.

Nothing here knows a method by its name. ``SYNTAXES`` maps the type of a field to what a person
types for it, and ``NOUNS`` maps a kind of data to the choices needed to read it.
"""

from discreet.catalog.choices import Choices
from discreet.catalog.entry import Entry, by_family, entries, find, noun_behind, unknown
from discreet.catalog.families import (
    ATTACKS,
    FAMILIES,
    PUBLISHERS,
    known_by_measures,
    measured,
    measures_of,
    scorer_of,
    truths_of,
)
from discreet.catalog.parameter import REQUIRED, Parameter, parameters_of
from discreet.catalog.reading import NOUNS
from discreet.catalog.syntax import SYNTAXES, ItemList, Source, Words
from discreet.core.family import Measure

__all__ = [
    "ATTACKS",
    "FAMILIES",
    "NOUNS",
    "PUBLISHERS",
    "REQUIRED",
    "SYNTAXES",
    "Choices",
    "Entry",
    "ItemList",
    "Measure",
    "Parameter",
    "Source",
    "Words",
    "by_family",
    "entries",
    "find",
    "known_by_measures",
    "measured",
    "measures_of",
    "noun_behind",
    "parameters_of",
    "scorer_of",
    "truths_of",
    "unknown",
]
