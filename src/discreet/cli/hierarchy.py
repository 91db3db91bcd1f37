"""``discreet hierarchy``: build a hierarchy, show it, check it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import click

from discreet.catalog import NOUNS, Source, unknown
from discreet.cli import show
from discreet.cli.listing import Listing
from discreet.cli.options import command, filled
from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.hierarchy import FileKind
from discreet.core.microdata import GAP
from discreet.errors import DataError, ParameterError

if TYPE_CHECKING:
    from discreet.core.hierarchy import Hierarchy
    from discreet.core.transactions import Transactions

__all__ = ["hierarchy"]

OFFERED: Final = {
    "show": "How many values and levels a hierarchy has, and what stands on them.",
    "check": "Whether a hierarchy is sound and knows every value of a column.",
    "intervals": "Build one of numbers: ever wider intervals.",
    "dates": "Build one of days such as 2024-03-09: months, years and decades.",
    "prefixes": "Build one of codes: ever more letters masked from the end.",
    "flat": "Build one that keeps a value or replaces it by *.",
    "quantiles": "Build one of numbers: intervals with about as many people each.",
    "frequency": "Build one of values by how common they are, as many people in each group.",
    "wordnet": "Build one of words by what WordNet puts above them.",
    "convert": "Write a hierarchy as ARX's or Amnesia's file, or as child and parent.",
    "from-data": "Build one of items that the same people hold; it gives something away.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """Where the values come from and where the hierarchy goes."""

    out: Annotated[Path, Doc("The file to write: csv with value;level1;...;top.")]
    column: Annotated[
        str | None,
        Doc(
            "Read the values from this column of a table; without it VALUES is a list, one a line."
        ),
    ] = None

    def values(self, source: str) -> tuple[str, ...]:
        """Return the values in the order of text, or of the list."""
        from discreet.io.public import read_items

        return read_items(source) if self.column is None else self.distinct(source, self.column)

    def distinct(self, source: str, column: str) -> tuple[str, ...]:
        """Return the values of a column in the order of text."""
        show.warn(
            f"the values of {column} are taken from the data and go with every release that "
            "uses this hierarchy; take a public list of values where they are secret"
        )
        return tuple(sorted(set(_column(source, column))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Widths:
    """The intervals."""

    widths: Annotated[
        Exact | tuple[Exact, ...], Doc("How wide the intervals of each level are, such as 5,10,20.")
    ]
    origin: Annotated[Exact, Doc("Where an interval begins.")] = 0

    def build(self, values: tuple[str, ...]) -> "Hierarchy":
        """Return the hierarchy of these values."""
        from discreet.core.hierarchy import Hierarchy

        widths = self.widths if isinstance(self.widths, tuple) else (self.widths,)
        return Hierarchy.intervals(values, widths, origin=self.origin)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters:
    """The masks."""

    letters: Annotated[
        int | tuple[int, ...],
        Doc(
            "How many letters each level leaves, such as 3,2; by default one less from level "
            "to level."
        ),
    ] = ()

    def build(self, values: tuple[str, ...]) -> "Hierarchy":
        """Return the hierarchy of these values."""
        from discreet.core.hierarchy import Hierarchy

        letters = self.letters if isinstance(self.letters, tuple) else (self.letters,)
        return Hierarchy.prefixes(values, letters)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """Nothing to choose."""

    def build(self, values: tuple[str, ...]) -> "Hierarchy":
        """Return the hierarchy of these values."""
        from discreet.core.hierarchy import Hierarchy

        return Hierarchy.flat(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Nothing to choose."""

    def build(self, values: tuple[str, ...]) -> "Hierarchy":
        """Return the hierarchy of these days."""
        from discreet.core.hierarchy import Hierarchy

        return Hierarchy.dates(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The WordNet."""

    wordnet: Annotated[
        Path | None, Doc("The folder of a WordNet; by default the one that DISCREET_DATA names.")
    ] = None

    def build(self, values: tuple[str, ...]) -> "Hierarchy":
        """Return the hierarchy of these words, and say how many are unknown."""
        from discreet.semantics.word_hierarchy import hierarchy_of_words, unknown_words
        from discreet.semantics.wordnet import WordNet

        net = WordNet.read(self.wordnet)
        if unknown := len(unknown_words(values, net)):
            show.warn(
                f"WordNet does not know {unknown:,} of {len(values):,} values; they hang at *"
            )
        return hierarchy_of_words(values, net)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """The groups, where the values come from and where the hierarchy goes."""

    column: Annotated[str, Doc("The column of the table.")]
    out: Annotated[Path, Doc("The file to write: csv with value;level1;...;top.")]
    groups: Annotated[int, Doc("How many groups the first level has; two are joined above.")] = 8


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusters:
    """The clusters."""

    out: Annotated[Path, Doc("The file to write: csv with item;cluster;ALL.")]
    parents: Annotated[
        int,
        Doc("How many clusters there are; groups of people by clusters stay large with 5 to 8."),
    ] = 7

    def __post_init__(self) -> None:
        if self.parents < 2:
            msg = f"there must be at least 2 clusters, got {self.parents}"
            raise ParameterError(msg, parameter="parents")

    def build(self, data: "Transactions") -> "Hierarchy":
        """Return the hierarchy of the items of ``data`` that are not sensitive."""
        from discreet.core.hierarchy import Hierarchy
        from discreet.semantics.co_occurrence import clusters

        plain = data.over([item for item in data.universe if item not in data.sensitive])
        if not plain.universe:
            msg = "the data must hold items that are not sensitive, and hold none"
            raise DataError(msg)
        found = clusters(plain.sets, self.parents)
        named = zip(plain.universe, found.tolist(), strict=True)
        return Hierarchy.of_levels([item, f"cluster {number + 1}", "ALL"] for item, number in named)


Builder: TypeAlias = Widths | Letters | Days | Flat | Words

BUILDERS: Final[dict[str, type[Builder]]] = {
    "intervals": Widths,
    "dates": Days,
    "prefixes": Letters,
    "flat": Flat,
    "wordnet": Words,
}


def _column(source: str, column: str) -> tuple[str, ...]:
    from discreet.core.microdata import Microdata

    table = Microdata.read(source, qids=[column], sensitive=[]).table
    return tuple(table[column].to_list())


def _build_one(name: str, *, values: str, json: bool, **typed: Any) -> int:
    building = filled(Building, typed)
    builder: Builder = filled(BUILDERS[name], typed)
    _refuse_existing(building.out)
    made = builder.build(building.values(values))
    made.save(building.out)
    return _tell(made, json=json)


def _refuse_existing(out: Path) -> None:
    if out.exists():
        msg = f"{out} exists; choose another name"
        raise DataError(msg)


def _grouped(name: str, *, table: str, json: bool, **typed: Any) -> int:
    from discreet.core.data_hierarchies import by_frequency, by_quantiles

    grouping = filled(Grouping, typed)
    _refuse_existing(grouping.out)
    show.warn(
        f"the groups say how the values of {grouping.column} are spread over the people, go with "
        "every release that uses this hierarchy, and no promise of such a release covers them"
    )
    build = by_quantiles if name == "quantiles" else by_frequency
    cells = _column(table, grouping.column)
    made = build(cells, grouping.groups)
    made.save(grouping.out)
    return _tell(made, cells, json=json)


def _convert(*, file: str, json: bool, **typed: Any) -> int:
    from discreet.core.hierarchy import Hierarchy

    conversion = filled(Conversion, typed)
    _refuse_existing(conversion.out)
    made = Hierarchy.read(file)
    made.save(conversion.out, conversion.to)
    return _tell(made, json=json)


def _from_data(*, data: str, json: bool, **typed: Any) -> int:
    clusters, reading = filled(Clusters, typed), filled(NOUNS[_sets()], typed)
    _refuse_existing(clusters.out)
    show.warn(
        "which items stand together is taken from the data: it says who holds what with what, "
        "goes with every release that uses this hierarchy, and no promise of such a release "
        "covers it; take a public catalogue of the items where there is one"
    )
    made = clusters.build(reading.read(data))
    made.save(clusters.out)
    return _tell(made, json=json)


def _sets() -> "type[Transactions]":
    from discreet.core.transactions import Transactions

    return Transactions


def _show(*, file: str, json: bool, **typed: Any) -> int:
    from discreet.core.hierarchy import Hierarchy

    return _tell(Hierarchy.read(file), filled(Checking, typed).cells(), json=json)


def _tell(made: "Hierarchy", cells: Sequence[str] = (), *, json: bool) -> int:
    """Show what stands on each level and, for a column, the people in its smallest group."""
    levels = [sorted({row[level] for row in made.rows()}) for level in range(made.height + 1)]
    sizes = [len(names) for names in levels]
    fewest = _fewest(made, cells) if cells else []
    if json:
        told = {"values": sizes[0], "height": made.height, "names_by_level": sizes}
        show.as_json(told | ({"smallest_group_by_level": fewest} if cells else {}))
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


def _fewest(made: "Hierarchy", cells: Sequence[str]) -> list[int]:
    """Return the people of the smallest group of a column on each level."""
    above = {row[0]: row for row in made.rows()}
    if unknown := _missing(made, cells):
        raise DataError(f"the hierarchy {unknown} of the column; add them to it")
    return [
        min(Counter(above[cell][level] for cell in cells).values())
        for level in range(made.height + 1)
    ]


def _missing(made: "Hierarchy", cells: Sequence[str]) -> str:
    """Say how many values of a column are not in the hierarchy, or nothing."""
    lacking = set(cells) - set(made.values)
    gap = f", {GAP} (a missing cell) among them" if GAP in lacking else ""
    return f"lacks {len(lacking):,} values{gap}" if lacking else ""


def _check(*, file: str, json: bool, **typed: Any) -> int:
    from discreet.core.hierarchy import Hierarchy

    checking = filled(Checking, typed)
    made = Hierarchy.read(file)
    cells = checking.cells()
    missing = _missing(made, cells)
    if json:
        lacking = len(set(cells) - set(made.values))
        show.as_json({"sound": True, "height": made.height, "values_missing": lacking})
    else:
        coverage = f"{missing} of the column" if missing else "knows every value"
        show.lines(
            "Every name stands under one name, so its groups are nested. "
            f"The hierarchy has {made.height} levels, and {coverage}."
        )
    return 1 if missing else 0


def _build(name: str) -> click.Command:
    if name not in OFFERED:
        raise unknown("tool", name, OFFERED)
    about = OFFERED[name]
    if name in BUILDERS:
        values = [click.Argument(["values"], metavar="VALUES")]
        sections = {"Building": BUILDERS[name], "Values and result": Building}
        run: Callable[..., int] = partial(_build_one, name)
        return command(name, run, arguments=[*values], sections=sections, about=about)
    if name == "from-data":
        parts: dict[str, Any] = {"Building": Clusters, "Reading DATA": NOUNS[_sets()]}
        data = [click.Argument(["data"], metavar="DATA")]
        return command(name, _from_data, arguments=[*data], sections=parts, about=about)
    if name in ("quantiles", "frequency"):
        table = [click.Argument(["table"], metavar="TABLE")]
        run = partial(_grouped, name)
        return command(name, run, arguments=[*table], sections={"Building": Grouping}, about=about)
    file = [click.Argument(["file"], metavar="FILE")]
    if name == "convert":
        parts = {"Writing": Conversion}
        return command(name, _convert, arguments=[*file], sections=parts, about=about)
    if name == "show":
        parts = {"Preview": Checking}
        return command(name, _show, arguments=[*file], sections=parts, about=about)
    return command(name, _check, arguments=[*file], sections={"Checking": Checking}, about=about)


hierarchy = Listing(
    "hierarchy",
    offered=lambda: OFFERED,
    build=_build,
    help="Build a hierarchy of generalisation, show it, or check it; each TOOL takes --json.",
    options_metavar=None,
    subcommand_metavar="TOOL [OPTIONS]",
)
