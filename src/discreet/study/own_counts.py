"""A question of the owner's own: how many people hold this, in the data and by the release."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.microdata import Microdata
from discreet.core.network import people_of
from discreet.core.projected_tables import ProjectedTables
from discreet.core.ranges import covers
from discreet.core.spelling import refuse_absent
from discreet.core.transactions import Transactions
from discreet.core.workload import Workload
from discreet.errors import DataError
from discreet.io.text import listed
from discreet.lazy import pl
from discreet.risk.reidentification import standing_for
from discreet.study.counting_loss import Rows, rows_of, rows_of_sets

Floats = NDArray[np.float64]


class Count(NamedTuple):
    """How many people, twice."""

    before: float
    """In the private data."""
    after: float | None
    """As a reader of the release would take it; None where it does not tell."""


def own_count(original: Any, content: Any, question: str) -> Count:
    """Count who holds all that a question names, in the data and by the release.

    Where a release says only that a person has one of several values, each counts for its share.

    Parameters
    ----------
    original
        The private data.
    content
        What was published.
    question
        Of sets: items with a comma between them. Of tables: ``sex=Female; age=30-39``.

    Returns
    -------
    Count
        Both numbers.

    Raises
    ------
    DataError
        Where the data do not have what is asked for.

    Examples
    --------
    >>> from discreet.core.generalised_sets import GeneralisedSets
    >>> people = Transactions.of([["beer", "bread"], ["wine"], ["bread"]])
    >>> release = GeneralisedSets.of([[["beer", "wine"], ["bread"]], [["beer", "wine"]], []])
    >>> own_count(people, release, "beer, bread")
    Count(before=1.0, after=0.5)
    """
    people = people_of(original)
    if isinstance(people, Transactions):
        return _of_sets(people, content, question)
    if isinstance(people, Microdata) and isinstance(content, ProjectedTables):
        (query,) = Workload.of(question.splitlines()[:1] or [""], "question").queries
        return _of_table(people, content, query)
    raise DataError("such data have nobody to count")


def _of_sets(people: Transactions, content: Any, question: str) -> Count:
    asked = set(listed(question)) - {""}
    if not asked:
        raise DataError("a question must name items with a comma between them")
    refuse_absent("items", asked, frozenset(people.universe))
    rows = rows_of(content)
    before = _holders(rows_of_sets(people.sets, None), asked)
    return Count(before, None if rows is None else _holders(rows, asked))


def _holders(rows: Rows, asked: set[str]) -> float:
    """Return how many people hold all items; what a row may hold counts for its share."""
    sets = rows.labels
    owner = sets.rows
    chance = np.ones(len(sets))
    for item in asked:
        share = np.zeros(len(sets.vocabulary))
        for label, name, weight in rows.meanings:
            share[label] += weight if name == item else 0.0
        mine = np.bincount(owner, weights=share[sets.items], minlength=len(sets))
        chance *= np.minimum(1.0, mine)
    return float((chance * rows.people).sum())


def _of_table(
    people: Microdata, content: ProjectedTables, query: Mapping[str, Sequence[str]]
) -> Count:
    columns = (*people.qids, *people.sensitive, *people.kept, *people.set_columns)
    refuse_absent("columns", set(query), frozenset(columns))
    before = np.ones(len(people))
    for name, wanted in query.items():
        before *= _asked_of(people, name, wanted)
    for table in content.parts:
        shares = [_shares(people, content, table, name, query[name]) for name in query]
        known = [each for each in shares if each is not None]
        if len(known) == len(shares):
            return Count(float(before.sum()), float(np.prod(known, axis=0).sum()))
    # columns that stand in different tables cannot be asked for together
    return Count(float(before.sum()), None)


def _asked_of(people: Microdata, name: str, wanted: Sequence[str]) -> Floats:
    cells = people.table[name]
    several = name in people.multi_valued or name == people.set_column
    hit = {}
    for cell in cells.unique().to_list():
        values = cell.split(people.separator) if several else [cell]
        hit[cell] = float(any(_wanted(value.strip(), wanted) for value in values))
    return _by_value(cells, hit)


def _by_value(cells: "pl.Series", numbers: Mapping[str, float]) -> Floats:
    """Return the number of each cell, 0 where its value has none."""
    if not numbers:
        return np.zeros(len(cells))
    known, each = list(numbers), list(numbers.values())
    return cells.replace_strict(known, each, default=0.0, return_dtype=pl.Float64).to_numpy()


def _wanted(value: str, wanted: Sequence[str]) -> bool:
    return any(value == each or covers(each, value) for each in wanted)


def _shares(
    people: Microdata, content: ProjectedTables, table: "pl.DataFrame", name: str,
    wanted: Sequence[str],
) -> Floats | None:  # fmt: skip
    """Return for each row of a table how much of it is asked for; None where it does not tell."""
    if name == content.set_column and name in table.columns:
        blocks = table[name].to_list()
        return np.array(
            [
                min(1.0, sum(_wanted_share(content.items_of(each), wanted) for each in cell or []))
                for cell in blocks
            ]
        )
    if name in people.multi_valued:
        ticked = [f"{name}={value}" for value in wanted if f"{name}={value}" in table.columns]
        if not any(each.startswith(f"{name}=") for each in table.columns):
            return None
        ticks = [table[each].cast(float).to_numpy() for each in ticked]
        return np.max(ticks, axis=0) if ticks else np.zeros(table.height)
    if name not in table.columns:
        return None
    pairs = standing_for(table[name], people.table[name], content.applied.get(name))
    meant: dict[str, list[str]] = {}
    for value, cell in pairs.iter_rows():
        meant.setdefault(cell, []).append(value)
    share = {cell: _wanted_share(values, wanted) for cell, values in meant.items()}
    return _by_value(table[name], share)


def _wanted_share(values: Sequence[str], wanted: Sequence[str]) -> float:
    return sum(_wanted(value, wanted) for value in values) / max(1, len(values))
