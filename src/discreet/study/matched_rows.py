"""Rows before and after: what became of a person's record, for the owner who has the key."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from discreet.core.clusters import Clusters
from discreet.core.disassociated import Disassociated
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.microdata import Microdata
from discreet.core.network import people_of
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.synthetic_people import SyntheticPeople
from discreet.core.transactions import Transactions
from discreet.lazy import pl

LOOKED_AT: Final = 300
"""Among how many of the first records those that changed are sought: a page should not wait."""


class MatchedRow(NamedTuple):
    """One person before and after."""

    record: int
    """The record of the private data, counted from 0."""
    before: tuple[str, ...]
    """What it holds."""
    after: tuple[tuple[str, ...], ...]
    """What is published of it, a row each; none where it was left out."""

    @property
    def changed(self) -> bool:
        """Whether anything but the very same went out."""
        return self.after != (self.before,)


def matched_rows(original: Any, content: Any, key: LinkageKey, most: int) -> list[MatchedRow]:
    """Return some records with the published rows that are theirs, those that changed first.

    Only the first few hundred records are looked at.

    Parameters
    ----------
    original
        The private data.
    content
        What was published.
    key
        The owner's key of that release.
    most
        How many records are shown.

    Returns
    -------
    list of MatchedRow
        Empty where a release has no rows of people, as counts have none.

    Examples
    --------
    >>> import polars as pl
    >>> people = Transactions.of([["a", "b"], ["c"]])
    >>> key = LinkageKey({"rows": pl.DataFrame({"row": [0, 1], "record": [1, 0]})})
    >>> for each in matched_rows(people, Transactions.of([["c"], ["a"]]), key, 2):
    ...     print(each.before, "->", each.after)
    ('a', 'b') -> (('a',),)
    ('c',) -> (('c',),)
    """
    people = people_of(original)
    known = len(people) if isinstance(people, Transactions | Microdata) else 0
    records = range(min(max(most, LOOKED_AT), known))
    published: dict[int, list[tuple[str, ...]]] = {}
    for record, cells in _published(content, key, set(records)):
        published.setdefault(record, []).append(cells)
    if not published:
        return []
    rows = [
        MatchedRow(record, _cells(people, record), tuple(published.get(record, ())))
        for record in records
    ]
    return sorted(rows, key=lambda row: not row.changed)[:most]


def _cells(people: Transactions | Microdata, record: int) -> tuple[str, ...]:
    if isinstance(people, Transactions):
        return people[record]
    return tuple(f"{name}: {value}" for name, value in people[record].items())


def _published(
    content: Any, key: LinkageKey, records: set[int]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    for name, cells in _rows_of(content):
        for record, row in _records_and_rows(key.tables, name, records):
            yield record, cells(row)


def _rows_of(content: Any) -> list[tuple[str, Callable[[int], tuple[str, ...]]]]:
    """Return the tables of a key that tell whose rows these are, and what a row says."""
    match content:
        case Clusters():
            return [("rows", partial(_clustered, content))]
        case SyntheticPeople():
            return []
        case GeneralisedSets() | Transactions() | SetsWithNetwork():
            return [("rows", content.sets.__getitem__)]
        case Disassociated():
            chunks = {"rows": content.chunks, "shared": content.shared}
            return [(name, chunk.sets.__getitem__) for name, chunk in chunks.items()]
        case ProjectedTables():
            return [
                (f"rows_{number}", partial(_of_table, table))
                for number, table in enumerate(content.parts, start=1)
            ]
    return []


def _clustered(content: Clusters, row: int) -> tuple[str, ...]:
    terms = ", ".join(content.copies(int(content.cluster[row])))
    return (*content.sets[row], *((f"in its group: {terms}",) if terms else ()))


def _of_table(table: "pl.DataFrame", row: int) -> tuple[str, ...]:
    return tuple(f"{name}: {_text(value)}" for name, value in table.row(row, named=True).items())


def _records_and_rows(
    tables: "Mapping[str, pl.DataFrame]", name: str, records: set[int]
) -> Iterator[tuple[int, int]]:
    """Yield the wanted records with their rows."""
    table = tables.get(name)
    if table is None or not {"row", "record"} <= set(table.columns):
        return
    wanted = table.filter(pl.col("record").is_in(list(records))).sort("record", "row")
    yield from wanted.select("record", "row").iter_rows()


def _text(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    blocks = [each if isinstance(each, list) else [each] for each in value]
    return ", ".join(" or ".join(map(str, block)) for block in blocks)
