"""Published tables of people: generalised quasi-identifiers beside sensitive attributes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.errors import DataError
from discreet.lazy import pl

KEPT = "kept_columns"
"""The table that names the columns published as they are."""
APPLIED = "hierarchy_"
"""What the name of a table begins with that is the hierarchy of a quasi-identifier."""
GROUND = "ground_"
"""What it begins with where it is the hierarchy of a sensitive attribute."""


@dataclass(frozen=True, eq=False, repr=False)
class ProjectedTables:
    """One or several tables of the same people, each with its own sensitive attributes.

    All of them have the quasi-identifiers, in each table generalised in its own way. A multi-valued
    attribute stands there as columns ``NAME=VALUE`` of 0 and 1. A set-valued quasi-identifier is a
    column of lists of blocks.

    >>> import polars as pl
    >>> table = pl.DataFrame({"age": ["3*", "3*"], "job": ["spy", "nurse"]})
    >>> published = ProjectedTables((table,), {"age": pl.DataFrame()})
    >>> published.qids, published.sensitive
    (('age',), (('job',),))
    """

    parts: "tuple[pl.DataFrame, ...]"
    """The tables."""
    applied: "Mapping[str, pl.DataFrame]"
    """For each quasi-identifier, in order, what is public of its hierarchy: ``child, parent``."""
    ground: "Mapping[str, pl.DataFrame]" = field(default_factory=dict)
    """For a sensitive attribute the public hierarchy of its values, where distances need one."""
    kept: tuple[str, ...] = ()
    """Columns of the first table that were published as they are, and are not protected."""
    people: tuple[NDArray[np.int64], ...] = ()
    """For each table of how many people each row speaks, where equal rows are there once."""
    names: "pl.DataFrame | None" = None
    """The public hierarchy of the items of the set column, where they are lifted in one."""

    def __post_init__(self) -> None:
        for name in (*self.applied, *self.ground):
            if "/" in name or "\\" in name:
                msg = f"the name of a column becomes part of a file name: rename {name!r}"
                raise DataError(msg)
        for number, table in enumerate(self.parts, start=1):
            if missing := sorted(self.applied.keys() - set(table.columns)):
                msg = f"table {number} must hold every quasi-identifier, and {missing[0]!r} is not"
                raise DataError(msg)

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"ProjectedTables({len(self.parts)} tables, {len(self.qids)} quasi-identifiers)"

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def qids(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(self.applied)

    @cached_property
    def sensitive(self) -> tuple[tuple[str, ...], ...]:
        """For each table its sensitive attributes."""
        return tuple(
            tuple(
                name
                for name in table.columns
                if name not in (*self.applied, *self.kept, self.set_column)
            )
            for table in self.parts
        )

    @cached_property
    def set_column(self) -> str | None:
        """The set-valued quasi-identifier, where there is one: each cell a list of blocks.

        A block is a list of items, of which the person has at least one.
        """
        for table in self.parts:
            for name, kind in table.schema.items():
                if kind == pl.List(pl.List(pl.String)):
                    return name
        return None

    @cached_property
    def blocks(self) -> "tuple[NDArray[np.int64], NDArray[np.int64], list[list[str]]]":
        """The row and the block of every entry of the set column, and the items of each block."""
        cells = next(
            table[self.set_column] for table in self.parts if self.set_column in table.columns
        )
        entries = cells.explode(empty_as_null=False)
        distinct = entries.unique().sort()
        known = pl.DataFrame({"block": distinct, "number": np.arange(len(distinct))})
        joined = pl.DataFrame({"block": entries}).join(known, on="block", maintain_order="left")
        rows = np.repeat(np.arange(len(cells)), cells.list.len().to_numpy())
        numbers = joined["number"].to_numpy()
        order = np.lexsort((numbers, rows))
        return rows, numbers[order], distinct.to_list()

    @cached_property
    def meanings(self) -> Mapping[str, tuple[str, ...]]:
        """For each name of the published hierarchy of items the items that it stands for."""
        if self.names is None:
            return {}
        tree = Hierarchy.of_tables({"hierarchy": self.names})
        below: dict[str, dict[str, None]] = {name: {} for name in tree.names}
        for row in tree.levels.tolist():
            for node in row:
                below[tree.names[node]][tree.names[row[0]]] = None
        return {name: tuple(items) for name, items in below.items()}

    def items_of(self, block: Sequence[str]) -> tuple[str, ...]:
        """Return the items that a block stands for: its own, or those below its names."""
        items = (item for name in block for item in self.meanings.get(name, (name,)))
        return tuple(dict.fromkeys(items))

    @property
    def explained(self) -> tuple[str, ...]:
        """What a reader must know of the set column."""
        if self.set_column is None:
            return ()
        return (
            f"A cell of {self.set_column} is a list of blocks of items: the person has at least "
            "one item of each block.",
            *(
                ()
                if self.names is None
                else (f"A name stands for the items below it in {APPLIED}{self.set_column}.",)
            ),
        )

    @cached_property
    def distances(self) -> Mapping[str, Hierarchy]:
        """For a sensitive attribute the hierarchy of its values, where one was published."""
        return {name: Hierarchy.of_tables({"hierarchy": t}) for name, t in self.ground.items()}

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return ``table_1`` ... ``table_r`` and the hierarchies that were applied."""
        numbered = {f"table_{number}": table for number, table in enumerate(self.parts, start=1)}
        applied = {f"{APPLIED}{name}": table for name, table in self.applied.items()}
        if self.names is not None:
            applied[f"{APPLIED}{self.set_column}"] = self.names
        ground = {f"{GROUND}{name}": table for name, table in self.ground.items()}
        kept = {KEPT: pl.DataFrame({"column": list(self.kept)})} if self.kept else {}
        return numbered | applied | ground | kept

    @classmethod
    def of_tables(cls, tables: "Mapping[str, pl.DataFrame]") -> "ProjectedTables":
        """Read the tables back."""
        applied, ground = _called(tables, APPLIED), _called(tables, GROUND)
        kept = tuple(tables[KEPT]["column"].to_list()) if KEPT in tables else ()
        _refuse_kinds(tables, (*applied, *kept))
        numbered = len(tables) - len(applied) - len(ground) - bool(kept)
        parts = tuple(tables[f"table_{number}"] for number in range(1, numbered + 1))
        if not parts:
            raise DataError("a release of tables must hold at least one table")
        # the columns of a table say in which order the quasi-identifiers stand
        order = [name for name in parts[0].columns if name in applied]
        order += [name for name in applied if name not in order]
        content = cls(parts, {name: applied[name] for name in order}, ground, kept)
        if content.set_column not in applied:
            return content
        names = applied.pop(content.set_column)
        return replace(content, applied={n: applied[n] for n in order if n in applied}, names=names)


def _called(tables: "Mapping[str, pl.DataFrame]", prefix: str) -> "dict[str, pl.DataFrame]":
    return {
        name.removeprefix(prefix): table
        for name, table in tables.items()
        if name.startswith(prefix)
    }


def _refuse_kinds(tables: "Mapping[str, pl.DataFrame]", texts: Iterable[str]) -> None:
    """Refuse columns of another kind than tables of people have: who reads them would stumble.

    ``texts`` are the columns of people that hold texts, where they are no sets.
    """
    text, sets = pl.String(), pl.List(pl.List(pl.String))
    for name, table in tables.items():
        kinds = dict(table.schema)
        if name == KEPT:
            right = kinds == {"column": text}
        elif name.startswith((APPLIED, GROUND)):
            right = kinds == {"child": text, "parent": text}
            if right and table.height:
                # it may have several roots, but whoever goes up must come to one
                Hierarchy.of_pairs(table.select("child", "parent").iter_rows(), root="\0")
        else:
            known = [kinds[each] for each in texts if each in kinds]
            right = {*kinds.values()} <= {text, pl.Int64(), sets} and {*known} <= {text, sets}
            # sets are published in one table, in one of its columns
            right = right and list(kinds.values()).count(sets) <= ("table_2" not in tables)
        if not right or "" in kinds:
            raise DataError(f"{name} of a release must hold columns of its own kind, and does not")
