"""What verifiers count, counted by an engine from the files of a release.

Sets of known items are counted by the engine, and tables are folded by it to their distinct rows;
the verdicts are those of ``discreet.verify``. What is not counted so is read into memory.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from discreet.core.guarantee import KmAnonymity, RtAnonymity
from discreet.core.loading import release_of
from discreet.core.release import Release
from discreet.core.transactions import ITEM_TREE
from discreet.core.verdict import Verdict, Verdicts
from discreet.errors import DataError
from discreet.io.release_folder import checked_release_files
from discreet.io.release_tables import read_table_files
from discreet.lazy import pl
from discreet.scale.collect import distinct_rows
from discreet.scale.queries import same_in_sql
from discreet.scale.verbs import PEOPLE, Engine, SetColumns
from discreet.verify import verify
from discreet.verify.km_anonymity import Rare, km_verdict

SETS = "transactions"
"""The table of sets."""


def verified(folder: Path, engine: Engine, memory: int, beside: Mapping[str, Any]) -> Verdicts:
    """Check every guarantee that a release claims; ``beside`` is what ``verify`` takes too."""
    if beside.get("key") is not None or beside.get("against") is not None:
        # it is held against every row of the release, which are then read
        return verify(Release.load(folder), **beside)
    checking = _Checking(folder, *checked_release_files(folder), engine, memory)
    if not checking.counts_sets and not checking.folds_tables:
        return verify(Release.load(folder), **beside)
    release = checking.read(())
    kinds = set(map(type, release.guarantees))
    if checking.counts_sets and kinds == {KmAnonymity} and checking.members:
        parts = tuple(map(checking.km, release.guarantees))
        return Verdicts.on(release, parts)
    if checking.folds_tables and RtAnonymity not in kinds:
        return verify(checking.folded(), **beside)
    return verify(Release.load(folder), **beside)


class _Checking:
    """A release whose files were compared with their checksums."""

    def __init__(
        self,
        folder: Path,
        manifest: dict[str, Any],
        files: Mapping[str, list[str]],
        engine: Engine,
        memory: int,
    ) -> None:
        self.folder, self.manifest, self.files = folder, manifest, files
        self.engine, self.memory = engine, memory

    @property
    def rows(self) -> list[str]:
        """The tables with a row for each person."""
        return [name for name in self.files if name == SETS or name.startswith("table_")]

    @property
    def counts_sets(self) -> bool:
        """Whether it has plain sets, whose members are what people may know."""
        plain = self.rows == [SETS] and ITEM_TREE not in self.files
        return plain and self._in_parquet and self.lists in ("blocks", "items")

    @property
    def folds_tables(self) -> bool:
        """Whether its tables have a row a person, and columns that an engine can tell apart."""
        tables = bool(self.rows) and SETS not in self.files and self._in_parquet
        return tables and not any(same_in_sql(self._columns(name)) for name in self.rows)

    @property
    def lists(self) -> str:
        """The column of sets."""
        return next(iter(self._columns(SETS)), "")

    @cached_property
    def members(self) -> frozenset[str]:
        """What its sets hold; nothing where there are no rows, or where all of them are empty."""
        columns = SetColumns(self.lists, None, lists=True)
        return frozenset(self.engine.vocabulary(self._opened(SETS), columns)) - {""}

    def read(self, folded: "Mapping[str, pl.DataFrame] | tuple[()]") -> Release[Any]:
        """Return the release with other tables of people, or with none of their rows."""
        tables = dict(folded)
        for name, files in self.files.items():
            if name not in tables:
                some = files if name not in self.rows else []
                tables[name] = read_table_files(self.folder, some, self._columns(name))
        return release_of(self.folder, self.manifest, tables)

    def folded(self) -> Release[Any]:
        """Return the release with each distinct row of its tables once."""
        tables = {name: self._classes(name) for name in self.rows}
        release = self.read({name: table.drop(PEOPLE) for name, table in tables.items()})
        people = tuple(table[PEOPLE].cast(pl.Int64).to_numpy() for table in tables.values())
        return replace(release, content=replace(release.content, people=people))

    def km(self, claim: Any) -> Verdict:
        """Count the records of sets of up to m members by the engine."""
        table = self._opened(SETS)
        names = self._names()
        strange = names is not None and not names.keys() >= self.members
        if strange or self.engine.faulty(table, self.lists):
            msg = (
                f"a record in {self.folder.name} must hold blocks of the table of blocks, each "
                "once, and one does not"
            )
            raise DataError(msg)
        rare = self.engine.subsets(table, self.lists, claim.m, claim.k)
        itemset, rows = rare or ((), 0)
        named = itemset if names is None else [names[member] for member in itemset]
        return km_verdict(claim, Rare(rows, tuple(range(len(itemset)))), named)

    def _names(self) -> dict[str, str] | None:
        """Return how people read the numbers of blocks; None where members are items."""
        if "blocks" not in self.files:
            return None
        content = self.read(()).content
        members = read_table_files(self.folder, self.files["blocks"], self._columns("blocks"))
        named = {
            tuple(sorted(block)): name
            for block, name in zip(content.blocks, content.sets.vocabulary, strict=True)
        }
        pairs = zip(members["block"].to_list(), members["items"].to_list(), strict=True)
        return {str(number): named[tuple(sorted(items))] for number, items in pairs}

    @property
    def _in_parquet(self) -> bool:
        return all(name.endswith(".parquet") for table in self.rows for name in self.files[table])

    def _columns(self, table: str) -> dict[str, str]:
        columns: dict[str, str] = self.manifest["files"][self.files[table][0]]["columns"]
        return columns

    def _opened(self, table: str) -> str:
        """Return the engine's name for a table of the release."""
        return self.engine.table([self.folder / name for name in self.files[table]])

    def _classes(self, name: str) -> "pl.DataFrame":
        """Return the distinct rows of a table and how often each is there."""
        columns = list(self._columns(name))
        table = distinct_rows(self.engine, self._opened(name), columns, self.memory)
        stated = self.read(()).to_polars()[name].schema
        if table.drop(PEOPLE).schema != stated or any(table.null_count().row(0)):
            msg = f"{name} in {self.folder.name} does not hold the columns its manifest states"
            raise DataError(msg)
        return table
