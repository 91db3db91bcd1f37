"""``discreet hierarchy``: build a hierarchy, show it, check it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import click

from discreet.catalog import NOUNS, Source
from discreet.catalog.hierarchies import BUILDERS, FromSets, WordsAbove
from discreet.cli import show
from discreet.cli.listing import Listing
from discreet.cli.options import Sections, command, filled
from discreet.cli.sections import refuse_existing
from discreet.core.doc import Doc
from discreet.core.hierarchy import FileKind, Hierarchy
from discreet.core.microdata import GAP, Microdata
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError

OFFERED: Final = {
    "show": "Show how many values and levels a hierarchy has, and the names on each level.",
    "check": "Check that a hierarchy is well-formed and covers every value of a column.",
    "intervals": "Build one for numbers, with ever wider intervals.",
    "dates": "Build one for dates such as 2024-03-09: months, years, decades.",
    "prefixes": "Build one for codes, masking ever more letters from the end.",
    "flat": "Build one that keeps a value or replaces it with *.",
    "quantiles": "Build one for numbers, with about as many people in each interval.",
    "frequency": "Build one by frequency, with about as many people in each group.",
    "wordnet": "Build one for words from their WordNet hypernyms.",
    "convert": "Convert a hierarchy to the format of ARX or Amnesia, or to child and parent.",
    "from-data": (
        "Build one from items that the same people hold; this reveals something about the data."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """Where the values come from and where the hierarchy goes."""

    out: Annotated[Path, Doc("The file to write: csv with value;level1;...;top.")]
    column: Annotated[
        str | None,
        Doc(
            "Read the values from this column of a table; without it, VALUES is a list with one "
            "value per line."
        ),
    ] = None

    def values(self, source: str) -> tuple[str, ...]:
        """Return the values in the order of text, or of the list."""
        from discreet.io.public import read_items

        return read_items(source) if self.column is None else self.distinct(source, self.column)

    def distinct(self, source: str, column: str) -> tuple[str, ...]:
        """Return the values of a column in the order of text."""
        show.warn(
            f"the values of {column} come from the data and are part of every release that uses "
            "this hierarchy; if they are secret, use a public list of values instead"
        )
        return tuple(sorted(set(_column(source, column))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The column, and where the hierarchy goes."""

    column: Annotated[str, Doc("The column of the table.")]
    out: Annotated[Path, Doc("The file to write: csv with value;level1;...;top.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Where the hierarchy goes."""

    out: Annotated[Path, Doc("The file to write: csv with item;cluster;ALL.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """What is written."""

    out: Annotated[Path, Doc("The file to write.")]
    to: Annotated[FileKind, Doc("Whose file: ARX's csv, Amnesia's text, or child,parent.")] = "arx"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checking:
    """A table to hold the hierarchy against."""

    against: Annotated[Source | None, Doc("A table whose values must all be in the hierarchy.")] = (
        None
    )
    column: Annotated[str | None, Doc("The column of that table.")] = None

    def __post_init__(self) -> None:
        if (self.against is None) != (self.column is None):
            lacking = "column" if self.column is None else "against"
            msg = "`against` and `column` go together: a table and its column"
            raise ParameterError(msg, parameter=lacking)

    def cells(self) -> tuple[str, ...]:
        """Return the cells of the column, none where no table is given."""
        if self.against is None or self.column is None:
            return ()
        return _column(self.against, self.column)


def _column(source: str, column: str) -> tuple[str, ...]:
    table = Microdata.read(source, qids=[column], sensitive=[]).table
    return tuple(table[column].to_list())


def _build_one(name: str, *, values: str, json: bool, **typed: Any) -> int:
    building = filled(Building, typed)
    builder: Any = filled(BUILDERS[name], typed)
    refuse_existing(building.out)
    leaves = building.values(values)
    made = builder.build(leaves)
    if isinstance(builder, WordsAbove) and (unknown := builder.unknown(leaves)):
        show.warn(f"WordNet does not know {unknown:,} of {len(leaves):,} values; they hang at *")
    made.save(building.out)
    return _tell(made, json=json)


def _grouped(name: str, *, table: str, json: bool, **typed: Any) -> int:
    grouping = filled(Table, typed)
    builder: Any = filled(BUILDERS[name], typed)
    refuse_existing(grouping.out)
    cells = _column(table, grouping.column)
    made = builder.build(cells)
    show.warn(
        f"the groups say how the values of {grouping.column} are spread over the people, go with "
        "every release that uses this hierarchy, and no promise of such a release covers them"
    )
    made.save(grouping.out)
    return _tell(made, cells, json=json)


def _convert(*, file: str, json: bool, **typed: Any) -> int:
    conversion = filled(Conversion, typed)
    refuse_existing(conversion.out)
    made = Hierarchy.read(file)
    made.save(conversion.out, conversion.to)
    return _tell(made, json=json)


def _from_data(*, data: str, json: bool, **typed: Any) -> int:
    clusters, reading = filled(FromSets, typed), filled(NOUNS[Transactions], typed)
    out = filled(Result, typed).out
    refuse_existing(out)
    show.warn(
        "which items stand together is taken from the data: it says who holds what with what, "
        "goes with every release that uses this hierarchy, and no promise of such a release "
        "covers it; take a public catalogue of the items where there is one"
    )
    made = clusters.build(reading.read(data))
    made.save(out)
    return _tell(made, json=json)


def _show(*, file: str, json: bool, **typed: Any) -> int:
    return _tell(Hierarchy.read(file), filled(Checking, typed).cells(), json=json)


def _tell(made: Hierarchy, cells: Sequence[str] = (), *, json: bool) -> int:
    """Show what stands on each level and, for a column, the people in its smallest group."""
    levels = [sorted({row[level] for row in made.rows()}) for level in range(made.height + 1)]
    sizes = [len(names) for names in levels]
    fewest = _fewest(made, cells) if cells else []
    if json:
        record = {"values": sizes[0], "height": made.height, "names_by_level": sizes}
        show.as_json(record | ({"smallest_group_by_level": fewest} if cells else {}))
        return 0
    rows = [
        (
            str(level),
            f"{len(names):,}",
            *(f"{count:,}" for count in fewest[level : level + 1]),
            show.items(names),
        )
        for level, names in enumerate(levels)
    ]
    show.table(("level", "names", *(("smallest group",) if cells else ()), "such as"), rows)
    return 0


def _fewest(made: Hierarchy, cells: Sequence[str]) -> list[int]:
    """Return the people of the smallest group of a column on each level."""
    above = {row[0]: row for row in made.rows()}
    if unknown := _missing(made, cells):
        raise DataError(f"the hierarchy {unknown}; add what it lacks")
    return [
        min(Counter(above[cell][level] for cell in cells).values())
        for level in range(made.height + 1)
    ]


def _missing(made: Hierarchy, cells: Sequence[str]) -> str:
    """Say how many values of a column are not in the hierarchy, or nothing."""
    lacking = set(cells) - set(made.values)
    if not lacking:
        return ""
    values = "one value" if len(lacking) == 1 else f"{len(lacking):,} values"
    gap = "among them" if len(lacking) > 1 else "namely"
    named = f", {gap} {GAP} (a missing cell)" if GAP in lacking else ""
    return f"lacks {values} of the column{named}"


def _check(*, file: str, json: bool, **typed: Any) -> int:
    checking = filled(Checking, typed)
    made = Hierarchy.read(file)
    cells = checking.cells()
    missing = _missing(made, cells)
    if json:
        lacking = len(set(cells) - set(made.values))
        show.as_json({"sound": True, "height": made.height, "values_missing": lacking})
    else:
        coverage = missing or "knows every value"
        show.lines(
            "Every name stands under one name, so its groups are nested. "
            f"The hierarchy has {made.height} levels, and {coverage}."
        )
    return 1 if missing else 0


FILES: Final[Mapping[str, tuple[Callable[..., int], Sections]]] = {
    "show": (_show, {"Preview": Checking}),
    "check": (_check, {"Checking": Checking}),
    "convert": (_convert, {"Writing": Conversion}),
}
"""The tools that take the file of a hierarchy, each with its options."""


def _build(name: str) -> click.Command:
    run, argument, sections = _tool(name)
    taken = click.Argument([argument], metavar=argument.upper())
    return command(name, run, arguments=[taken], sections=sections, about=OFFERED[name])


def _tool(name: str) -> tuple[Callable[..., int], str, Sections]:
    """Return what a tool runs, what it takes, and its options."""
    if name in FILES:
        run, sections = FILES[name]
        return run, "file", sections
    building: dict[str, type[Any]] = {"Building": BUILDERS[name]}
    match BUILDERS[name].takes:
        case "sets":
            building |= {"The result": Result, "Reading DATA": NOUNS[Transactions]}
            return _from_data, "data", building
        case "cells":
            return partial(_grouped, name), "table", building | {"Column and result": Table}
        case _:
            return partial(_build_one, name), "values", building | {"Values and result": Building}


hierarchy = Listing(
    "hierarchy",
    kind="tool",
    offered=lambda: OFFERED,
    build=_build,
    help="Build, show, check or convert a generalisation hierarchy; each TOOL takes --json.",
    subcommand_metavar="TOOL [OPTIONS]",
)
