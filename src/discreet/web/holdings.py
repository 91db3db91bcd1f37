"""What the people of a project hold, and what a hierarchy makes of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from discreet.catalog import parameters_of
from discreet.catalog.hierarchies import BUILDERS
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions
from discreet.web.projects import Project
from discreet.web.reading import read

ROWS: Final = 8
"""How many rows a preview has."""
OCCURRENCES: Final = 5_000_000
"""Sets with more items in all are not counted again at every click."""
SEEN: Final = 50_000_000
"""Up to so many pairs of a person and a group are ticked off; more are sorted."""


@dataclass(frozen=True, slots=True)
class Holdings:
    """The values of a column, or the items of sets, with how many people hold each."""

    people: Mapping[str, int] = field(repr=False)
    cells: Sequence[str] = field(repr=False)
    """The cell of each person; for sets, each item as often as it is held."""
    sets: Transactions | None = field(default=None, repr=False)


def holdings_in(project: Project, column: str) -> Holdings:
    """Return what is held in a column of a project, or by its sets where it has none."""
    noun = Microdata if column else Transactions
    return _holdings(read(project.folder, project.choices, noun), column)


@lru_cache(maxsize=8)
def _holdings(data: Any, column: str) -> Holdings:
    if column:
        cells = tuple(data.table[column].cast(str).to_list())
        return Holdings(Counter(cells), cells)
    people = dict(zip(data.universe, data.supports.tolist(), strict=True))
    return Holdings({name: support for name, support in people.items() if support}, (), data)


def built(name: str, typed: Mapping[str, str], holdings: Holdings) -> Hierarchy:
    """Build a hierarchy of what is held, as the command line builds it."""
    kind: Any = BUILDERS[name]
    known = {parameter.name: parameter for parameter in parameters_of(kind)}
    values = {
        parameter: known[parameter].read(text)
        for parameter, text in typed.items()
        if parameter in known and text
    }
    builder = kind(**values)
    sources = {"values": sorted(holdings.people), "cells": holdings.cells, "sets": holdings.sets}
    if kind.takes == "cells" and holdings.sets is not None:
        universe = np.array(holdings.sets.universe, dtype=object)
        sources["cells"] = universe[holdings.sets.sets.items].tolist()
    made: Hierarchy = builder.build(sources[kind.takes])
    return made


@dataclass(frozen=True, slots=True)
class Level:
    """What stands on one level of a hierarchy."""

    names: tuple[str, ...]
    fewest: int | None
    """The people of its smallest group; None where it was not counted."""


def levels_of(made: Hierarchy, holdings: Holdings) -> list[Level]:
    """Return what stands on each level, and how many people are in its smallest group."""
    rows = made.rows()
    levels = []
    for level in range(made.height + 1):
        above = {row[0]: row[level] for row in rows}
        levels.append(Level(tuple(dict.fromkeys(above.values())), _fewest(above, holdings)))
    return levels


def _fewest(above: Mapping[str, str], holdings: Holdings) -> int | None:
    covered = [(name, people) for name, people in holdings.people.items() if name in above]
    names = {name: number for number, name in enumerate(dict.fromkeys(above.values()))}
    if holdings.sets is None or len(names) == len(above):
        sizes: Counter[str] = Counter()
        for value, people in covered:
            sizes[above[value]] += people
        return min(sizes.values(), default=None)
    sets = holdings.sets.sets
    if len(sets.items) > OCCURRENCES:
        return None
    code = np.array([names.get(above.get(item, ""), -1) for item in holdings.sets.universe])
    counts = _people_by_group(sets, code, len(names))
    return int(counts[counts > 0].min()) if counts.any() else None


def _people_by_group(sets: Any, code: NDArray[np.int64], groups: int) -> NDArray[np.int64]:
    """Return how many people hold something of each group, who hold two of it once."""
    group = code[sets.items]
    pairs = sets.rows[group >= 0] * groups + group[group >= 0]
    if len(sets) * groups <= SEEN:
        seen = np.zeros(len(sets) * groups, dtype=np.bool_)
        seen[pairs] = True
        return np.asarray(np.count_nonzero(seen.reshape(-1, groups), axis=0))
    return np.bincount(np.unique(pairs) % groups, minlength=groups)


def rows_at(made: Hierarchy, holdings: Holdings, level: int) -> list[tuple[str, str]]:
    """Return the first rows as they are, and as they are on a level; what is not covered is ?."""
    above = {row[0]: row[min(level, made.height)] for row in made.rows()}
    if holdings.sets is None:
        return [(cell, above.get(cell, "?")) for cell in holdings.cells[:ROWS]]
    rows = [holdings.sets[row] for row in range(min(ROWS, len(holdings.sets)))]
    return [
        (", ".join(row), ", ".join(dict.fromkeys(above.get(item, "?") for item in row)))
        for row in rows
    ]
