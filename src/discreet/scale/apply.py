"""A plan turned into a release folder of many parts: rows recoded some at a time.

What a plan makes of a record depends on the record alone, so it is enough to recode each distinct
one and to repeat its row. Rows go into parts, and stand in them, by a keyed hash of what they
show: their order tells nothing that they do not, and is the same whoever writes them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from discreet.core.publication import Publication
from discreet.core.randomness import Rng
from discreet.core.readme import readme_of
from discreet.core.release import Content, Release
from discreet.core.saving import record_of_release
from discreet.errors import ParameterError
from discreet.io.release_folder import Saving, new_release_folder
from discreet.io.release_tables import column_kinds, write_table
from discreet.lazy import pl
from discreet.scale.collect import Batch, EngineSets, fresh
from discreet.scale.collect_table import EngineTable
from discreet.scale.queries import refuse_same_in_sql
from discreet.scale.verbs import COPIES, PLACE
from discreet.tables.applying import TablesPlan

PART = 1_000_000
"""Rows of a part, about: they are divided by chance."""
ROWS = ("transactions", "sets")
"""The tables with a row for each record, where the content is no ``ProjectedTables``."""
NUMBER = "part of this row"


class Applied(NamedTuple):
    """Rows of one published table, and how often each is repeated."""

    name: str
    table: "pl.DataFrame"
    copies: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EnginePublication(Publication[Any]):
    """A release that is decided on and not yet made: its rows are written when it is saved.

    ``release`` is what it says of itself, without the rows of people.
    """

    method: Any = None
    plan: Any = None
    people: EngineSets | EngineTable | None = None
    seed: int = 0
    """The key of the hash by which rows are put in order."""
    written: dict[str, int] = field(default_factory=dict)
    """How many rows each table got, once it is saved."""

    @classmethod
    def of(cls, method: Any, people: EngineSets | EngineTable, rng: Rng) -> "EnginePublication":
        """Decide on the folded people."""
        plan = method.decide(method.statistics(people, rng), rng)
        claims = method.claims(plan, people, rng)
        release: Release[Any] = Release(method.apply(plan, people.nobody), *claims)
        for table in release.to_polars().values():
            refuse_same_in_sql(table.columns)
        return cls(release, None, method, plan, people, int(rng.words(1)[0]))

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each published table has; those of people only once it is saved."""
        return Publication.rows.fget(self) | self.written  # type: ignore[attr-defined, no-any-return]

    def save(self, path: str | Path, **saving: Unpack[Saving]) -> Path:
        """Write the release as a folder of many parts, whole or not at all.

        Parameters
        ----------
        path
            The folder to write.
        **saving
            The choices of ``Release.save``; an engine writes parquet only.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        DataError
            Where the folder exists and ``force`` is not given, or cannot be written.
        """
        assert self.people is not None  # it is made by ``of``
        if saving.get("file_format", "parquet") != "parquet":
            msg = "an engine writes parquet, and another format was asked for"
            raise ParameterError(msg, parameter="file_format")
        part_rows = saving.get("part_rows") or PART
        saving["part_rows"] = part_rows
        tables, engine = self.release.to_polars(), self.people.engine
        columns = {name: column_kinds(table) for name, table in tables.items()}
        readme = readme_of(self.release, columns, **saving)
        record = record_of_release(self.release)
        with new_release_folder(Path(path), record, columns, readme, **saving) as folder:
            rows = fresh(engine.scratch, "rows")
            self.written.update(self._divided(rows, part_rows))
            for name, table in tables.items():
                if name in self.written:
                    engine.write(rows / name, name, list(columns[name]), folder)
                else:
                    write_table(folder, name, table, "parquet", part_rows)
        return Path(path)

    def _divided(self, rows: Path, part_rows: int) -> dict[str, int]:
        """Write the rows of each table by parts into a folder; return how many each has."""
        assert self.people is not None
        parts = -(-len(self.people) // part_rows)
        written: dict[str, int] = {}
        batches: Iterator[Batch[Any]] = self.people.batches()
        for number, batch in enumerate(batches):
            for applied in _applied(self.method, self.plan, batch):
                n_rows = written.get(applied.name, 0) + int(applied.copies.sum())
                written[applied.name] = n_rows
                _divide(applied, rows / applied.name, parts, f"{number:05}.parquet", self.seed)
        return written


def _applied(method: Any, plan: Any, batch: Batch[Any]) -> Iterator[Applied]:
    """Yield the rows that some records become, and how often each is repeated."""
    if isinstance(plan, TablesPlan):
        for number, result in enumerate(plan.rows(*batch), start=1):
            yield Applied(f"table_{number}", result.table, result.people)
        return
    content: Content = method.apply(plan, batch.records)
    for name, table in content.tables().items():
        if name in ROWS:
            yield Applied(name, table, batch.people)


def _divide(applied: Applied, folder: Path, parts: int, file: str, seed: int) -> None:
    """Write rows into the folders of their parts; each part has at least a file without rows."""
    hashes = applied.table.hash_rows(seed)
    # the upper half of a word, spread evenly over the parts
    number = ((hashes.to_numpy() >> np.uint64(32)) * np.uint64(parts)) >> np.uint64(32)
    rows = applied.table.with_columns(
        hashes.alias(PLACE), pl.Series(COPIES, applied.copies), pl.Series(NUMBER, number)
    )
    for part in range(parts):
        target = folder / f"part={part}"
        target.mkdir(parents=True, exist_ok=True)
        rows.filter(pl.col(NUMBER) == part).drop(NUMBER).write_parquet(target / file)
