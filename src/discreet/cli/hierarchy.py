"""``discreet hierarchy``: build a hierarchy, show it, check it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import click

from discreet.catalog import NOUNS, Source, unknown
from discreet.cli import show
from discreet.cli.listing import Listing
from discreet.cli.options import command, filled
from discreet.core.doc import Doc
from discreet.core.exact import Exact
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

        if self.column is None:
            return read_items(source)
        show.warn(
            f"the values of {self.column} are taken from the data and go with every release that "
            "uses this hierarchy; take a public list of values where they are secret"
        )
        return _column(source, self.column)


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
class Checking:
    """What the hierarchy must cover."""

    against: Annotated[Source | None, Doc("A table whose values must all be in the hierarchy.")] = (
        None
    )
    column: Annotated[str | None, Doc("The column of that table.")] = None


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


BUILDERS: Final[dict[str, type[Widths | Letters | Days | Flat]]] = {
    "intervals": Widths,
    "dates": Days,
    "prefixes": Letters,
    "flat": Flat,
}


def _column(source: str, column: str) -> tuple[str, ...]:
    from discreet.core.microdata import Microdata

    table = Microdata.read(source, qids=[column], sensitive=[]).table
    return tuple(table[column].unique().sort().to_list())


def _build_one(name: str, *, values: str, json: bool, **typed: Any) -> int:
    building = filled(Building, typed)
    builder: Widths | Letters | Days | Flat = filled(BUILDERS[name], typed)
    if building.out.exists():
        msg = f"{building.out} exists; choose another name"
        raise DataError(msg)
    made = builder.build(building.values(values))
    made.save(building.out)
    return _tell(made, json=json)


def _from_data(*, data: str, json: bool, **typed: Any) -> int:
    clusters, reading = filled(Clusters, typed), filled(NOUNS[_sets()], typed)
    if clusters.out.exists():
        msg = f"{clusters.out} exists; choose another name"
        raise DataError(msg)
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


def _show(*, file: str, json: bool) -> int:
    from discreet.core.hierarchy import Hierarchy

    return _tell(Hierarchy.read(file), json=json)


def _tell(made: "Hierarchy", *, json: bool) -> int:
    levels = [sorted({row[level] for row in made.rows()}) for level in range(made.height + 1)]
    sizes = [len(names) for names in levels]
    if json:
        show.as_json({"values": sizes[0], "height": made.height, "names_by_level": sizes})
        return 0
    rows = [
        (str(level), f"{len(names):,}", show.items(names)) for level, names in enumerate(levels)
    ]
    show.table(("level", "names", "such as"), rows)
    return 0


def _check(*, file: str, json: bool, **typed: Any) -> int:
    from discreet.core.hierarchy import Hierarchy

    checking = filled(Checking, typed)
    made = Hierarchy.read(file)
    missing = 0
    if checking.against is not None and checking.column is not None:
        missing = len(set(_column(checking.against, checking.column)) - set(made.values))
    if json:
        show.as_json({"sound": True, "height": made.height, "values_missing": missing})
    else:
        coverage = "knows every value" if not missing else f"lacks {missing:,} values of the column"
        show.lines(f"The hierarchy is sound, has {made.height} levels, and {coverage}.")
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
    file = [click.Argument(["file"], metavar="FILE")]
    if name == "show":
        return command(name, _show, arguments=[*file], sections={}, about=about)
    return command(name, _check, arguments=[*file], sections={"Checking": Checking}, about=about)


hierarchy = Listing(
    "hierarchy",
    offered=lambda: OFFERED,
    build=_build,
    help="Build a hierarchy of generalisation, show it, or check it; each TOOL takes --json.",
    options_metavar=None,
    subcommand_metavar="TOOL [OPTIONS]",
)
