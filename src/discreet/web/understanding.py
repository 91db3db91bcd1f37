"""What a file seems to hold: read as the command line reads it, shown row by row to its owner."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork, people_of
from discreet.core.spelling import other_separator
from discreet.core.transactions import Transactions
from discreet.errors import DataError, DiscreetError
from discreet.io.source import ending
from discreet.io.table import TABLES
from discreet.measure.score import refuse_shared_people
from discreet.web.projects import Project
from discreet.web.reading import LEFT_OUT, NO_EDGES, frame, header, noun_of, options_of, read

ROWS: Final = 20
"""How many rows are shown."""
MOST: Final = 2000
"""How many values can be chosen from by click; there may be more in the file."""
FEW: Final = 60
"""A column with more different values than this has no list of them."""

SETS_NAMED: Final = {"item", "items"}
"""Columns by which a file is known to hold sets."""

Values = tuple[tuple[str, int], ...]
"""Values with how many people have each, commonest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table."""

    name: str
    different: int
    """How many different values it has."""
    values: Values = field(default=(), repr=False)
    """The values, where they are few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """What a page shows of a file."""

    kind: str
    """Sets, a series of them, a table, or a network."""
    header: tuple[str, ...] = ()
    """The columns of the file, where it has some."""
    columns: tuple[Column, ...] = field(default=(), repr=False)
    rows: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    values: Values = field(default=(), repr=False)
    """The items with how many people hold each, commonest first."""
    people: int = 0
    edges: int = 0
    oddities: tuple[str, ...] = ()
    fault: str = ""
    """Why it cannot be read so."""


def understood(project: Project) -> Understood:
    """Read the data of a project as chosen, or as they seem to be where nothing was chosen."""
    header = header_of(project.data)
    if project.choices.get("kind") == "table" or _is_no_set(project, header):
        return _table(project, header)
    try:
        if project.choices.get("kind") == "network" and not project.choices.get("edges"):
            raise DataError(NO_EDGES)
        return _people(project, header)
    except DiscreetError as error:
        if project.choices.get("kind") is None and header:
            return _table(project, header)
        kind = str(project.choices.get("kind") or "sets")
        return Understood(kind=kind, header=header, rows=_raw(project.data), fault=str(error))


def _is_no_set(project: Project, header: tuple[str, ...]) -> bool:
    """Whether nothing was said of a file, and its first rows show that it holds no sets.

    Then it is not read as such only to be refused.
    """
    if project.choices.get("kind") is not None or not header or SETS_NAMED & set(header):
        return False
    if project.choices.get("columns") or project.choices.get("input_format"):
        return False
    return any(cell not in ("0", "1") for row in _raw(project.data) for cell in row)


def columns_guessed(project: Project) -> dict[str, str]:
    """Return which columns hold people and items where a file lists one item a row.

    It does so by the names of its columns, in capitals or not, or where of two columns the first
    repeats: as a table it would have several rows for one person. Nothing is guessed of a file
    whose header says enough, or of which something was said.
    """
    header = header_of(project.data)
    if not _is_no_set(project, header):
        return {}
    named = {name.casefold(): name for name in header}
    if {"id", "item"} <= named.keys():
        return {"id": named["id"], "item": named["item"]}
    if len(header) == 2 and _lists_items(frame(project.data)):
        return dict(zip(("id", "item"), header, strict=True))
    return {}


def _lists_items(pairs: Any) -> bool:
    """Whether rows of two columns are people, each in several rows, with an item in each.

    Two facts about people come together more than once; an item of a person does so where it was
    bought twice, and then the rows of a person stand together.
    """
    who = pairs.to_series(0)
    people, different = who.n_unique(), pairs.n_unique()
    if people == len(who):
        return False
    together = int((who != who.shift()).fill_null(value=True).sum()) == people
    return bool(different == len(who) or (together and different * 2 > len(who)))


def header_of(path: Path) -> tuple[str, ...]:
    """Return the columns of a file, none where it has none."""
    try:
        return header(path) if ending(path) in TABLES else ()
    except DataError:
        return ()


def _raw(path: Path) -> tuple[tuple[str, ...], ...]:
    if ending(path) not in TABLES:
        return ()
    try:
        return _first_rows(frame(path))
    except DataError:
        return ()


def _first_rows(table: Any) -> tuple[tuple[str, ...], ...]:
    rows = table.head(ROWS).rows()
    return tuple(tuple("" if cell is None else str(cell) for cell in row) for row in rows)


def _people(project: Project, header: tuple[str, ...]) -> Understood:
    noun = noun_of(project.choices)
    # which items are secret changes no row
    plain = {**project.choices, "sensitive": None}
    data = read(project.folder, plain, noun)
    people: Transactions = people_of(data)
    counted = zip(people.universe, people.supports.tolist(), strict=True)
    values = tuple(sorted(counted, key=lambda pair: (-pair[1], pair[0])))
    later = [read(project.folder, plain, noun, source) for source in project.later]
    return Understood(
        kind=str(project.choices.get("kind") or "sets"),
        header=header,
        rows=tuple(people[row] for row in range(min(ROWS, len(people)))),
        values=_together(values, later),
        people=len(people),
        edges=len(data.edges) if isinstance(data, SocialNetwork) else 0,
        oddities=(
            *_odd_sets(people, values),
            *(_odd_edges(data) if isinstance(data, SocialNetwork) else ()),
            *_odd_series(people, later),
        ),
        fault=_control_fault(project, plain, people),
    )


def _control_fault(project: Project, choices: Mapping[str, Any], people: Transactions) -> str:
    """Return what is wrong with the people beside the data, before anything is spent on these."""
    beside = project.choices.get("control")
    if not beside:
        return ""
    try:
        refuse_shared_people(people, read(project.folder, choices, Transactions, beside))
    except DiscreetError as error:
        return str(error)
    return ""


def _together(values: Values, later: list[Transactions]) -> Values:
    """Return the items of all files, each with how many people hold it in the first of its."""
    counted = dict(values)
    for people in later:
        for name, support in zip(people.universe, people.supports.tolist(), strict=True):
            counted.setdefault(name, support)
    return tuple(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def _odd_sets(data: Transactions, values: Values) -> Iterator[str]:
    sizes = data.sets.sizes
    if empty := int((sizes == 0).sum()):
        yield f"{empty:,} people hold nothing"
    if len(sizes) and sizes.max() > 10 * max(1.0, float(sizes.mean())):
        yield f"the longest set has {int(sizes.max()):,} items, the average {sizes.mean():.1f}"
    if alone := sum(support == 1 for _, support in values):
        yield f"{alone:,} of {len(values):,} items are held by one person only"
    if mark := other_separator(data.universe):
        yield f"most items seem to be several, separated by {mark!r}; if so, say so above"
    spelled = Counter(" ".join(name.casefold().split()) for name, _ in values)
    if twice := sum(count > 1 for count in spelled.values()):
        yield f"{twice:,} items differ from another only by capitals or blanks"


def _odd_edges(network: SocialNetwork) -> Iterator[str]:
    for fault, count in network.folded_edges.report.items():
        yield f"{fault}: {count:,}"
    if alone := int((network.degrees == 0).sum()):
        yield f"{alone:,} people have no friend in the file"


def _odd_series(people: Transactions, later: list[Transactions]) -> Iterator[str]:
    if not later:
        return
    corpora = [people, *later]
    if any(corpus.ids is None for corpus in corpora):
        yield "a file has no ids: nobody can be followed from one file to the next"
        return
    named = [set(corpus.ids.tolist()) for corpus in corpora if corpus.ids is not None]
    for number, (before, after) in enumerate(pairwise(named), start=2):
        again = len(before & after)
        yield f"of {len(after):,} people in file {number}, {again:,} were in the one before"


def _table(project: Project, header: tuple[str, ...]) -> Understood:
    try:
        table = frame(project.data)
    except DataError as error:
        return Understood(kind="table", header=header, fault=str(error))
    choices, fault = {**project.choices, "kind": "table"}, ""
    try:
        if options_of(choices, Microdata):
            read(project.folder, choices, Microdata)
    except DiscreetError as error:
        fault = str(error)
    columns = tuple(_column(table[name]) for name in table.columns)
    return Understood(
        kind="table", header=header, columns=columns, rows=_first_rows(table), people=table.height,
        oddities=tuple(_odd_columns(project.choices, table, columns)), fault=fault,
    )  # fmt: skip


def _column(series: Any) -> Column:
    different = series.n_unique()
    if different > FEW:
        return Column(name=series.name, different=different)
    # the column may itself be called count
    counted = series.alias("value").value_counts().rows()
    ordered = sorted(counted, key=lambda pair: (-pair[1], pair[0]))
    return Column(name=series.name, different=different, values=tuple(ordered))


def _odd_columns(
    choices: Mapping[str, Any], table: Any, columns: tuple[Column, ...]
) -> Iterator[str]:
    for column in columns:
        name, different = column.name, column.different
        if gaps := int((table[name] == "").sum()):
            yield f"the column {name} has {gaps:,} empty {'cell' if gaps == 1 else 'cells'}"
        if different == 1:
            yield f"the column {name} has the same value everywhere"
        elif different == table.height > 1:
            role = choices.get("roles", {}).get(name, "")
            cure = "" if role in LEFT_OUT else ", so it should be left out"
            yield f"the column {name} is different for everybody: it may name people{cure}"
        if choices.get("roles", {}).get(name) in ("multi_valued", "set_column"):
            cells = table[name].unique().to_list()
            if mark := other_separator(cells, choices.get("separator") or "|"):
                yield f"cells of {name} seem to be separated by {mark!r}; if so, say so above"
