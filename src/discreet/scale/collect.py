"""What an engine folded, as the statistics that methods decide by in memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.fold import fold
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets, numbering
from discreet.core.transactions import Transactions
from discreet.counts.cutting import cut_folded, item_hashes
from discreet.counts.levels import with_cut
from discreet.errors import DataError
from discreet.io.grouping import public_order
from discreet.io.text import normalised
from discreet.kernels.ragged import offsets_of
from discreet.lazy import pl
from discreet.scale.limits import refuse_people, refuse_rows, refuse_sets
from discreet.scale.verbs import Cut, Engine, SetColumns

BATCH = 1 << 19
"""Distinct sets that are recoded at once."""
D = TypeVar("D")


class Batch(NamedTuple, Generic[D]):
    """Some records, and for how many people each stands."""

    records: D
    people: NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class EngineSets:
    """People whose sets lie with an engine: what is asked of them is folded there.

    It stands for ``Transactions`` wherever a method takes its statistics; a record is never seen.
    """

    stands_for: ClassVar[type[Any]] = Transactions

    engine: Engine
    """Who folds."""
    table: str
    """The table of the engine."""
    columns: SetColumns
    """Where people and items stand in it."""
    texts: tuple[str, ...]
    """Every text of an item as the engine has it."""
    memory: int
    """How many bytes may be collected."""
    sensitive: frozenset[str] = frozenset()
    """The items whose possession is nobody's business."""

    @classmethod
    def of(
        cls,
        engine: Engine,
        table: str,
        columns: SetColumns,
        memory: int,
        sensitive: frozenset[str] = frozenset(),
    ) -> "EngineSets":
        """Look at the rows of a table, refusing what no method could publish."""
        survey = engine.survey(table, columns)
        if not survey.rows:
            raise DataError("data to publish must hold at least one record, got none")
        if survey.nameless:
            msg = (
                f"every row must say by 1 to 256 letters whose it is, and {survey.nameless:,} of "
                f"{survey.rows:,} do not"
            )
            raise DataError(msg)
        if survey.repeated:
            msg = (
                "each record must have its own id, and one is there twice; unite the records of a "
                "person, or leave the ids out"
            )
            raise DataError(msg)
        texts = tuple(engine.vocabulary(table, columns))
        if columns.lists and not all(map(normalised, texts)):
            # in a list an item is meant; in a row of its own there may be none
            raise DataError("an item must have a name, and one in a list is empty or missing")
        return cls(engine, table, columns, texts, memory, sensitive)

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"EngineSets({self.table}, {len(self.universe)} items)"

    @cached_property
    def universe(self) -> tuple[str, ...]:
        """The items that occur, in their public order."""
        return tuple(public_order({name for name in map(normalised, self.texts) if name}))

    @cached_property
    def folded(self) -> ItemsetHistogram:
        """The distinct sets with their counts, ascending by the item numbers of each set."""
        return self.limited(self.universe, len(self.universe), None)

    @cached_property
    def held(self) -> frozenset[str]:
        """The items that somebody holds."""
        return frozenset(self.universe)

    def __len__(self) -> int:
        return self.folded.total

    def refuse(self, method: object) -> None:
        """Refuse a method for which so many people are too many, before any of them is folded."""
        people = self.engine.survey(self.table, self.columns).people
        refuse_people(method, people, len(self.universe), self.memory)

    def batches(self) -> Iterator[Batch[Transactions]]:
        """Yield the distinct sets some at a time, as records, and how many people have each."""
        sets, counts = self.folded.sets, self.folded.counts
        for begin in range(0, len(sets), BATCH):
            records = Transactions(sets.some(begin, BATCH), sensitive=self.sensitive)
            yield Batch(records, counts[begin : begin + BATCH])

    @property
    def nobody(self) -> Transactions:
        """The same kind of records without any."""
        return Transactions(Itemsets.of([], self.universe), sensitive=self.sensitive)

    def limited(
        self, universe: tuple[str, ...] | None, size: int, key: str | None
    ) -> ItemsetHistogram:
        """Return the distinct sets over a universe, of no more than ``size`` items, counted.

        Whoever holds more is cut by a hash under the ``key``, or left out where there is none.
        """
        universe = self.universe if universe is None else universe
        limit = Cut(size, key) if size < len(universe) else None
        by_person = limit is None or key is None or self.columns.person is not None
        codes = self._codes(universe, key if limit else None)
        folded = self._folded(universe, codes, limit if by_person else None)
        if by_person or key is None:
            return folded
        # without ids a record is known by its set, and such a cut needs the sets alone
        short = folded.take(np.flatnonzero(folded.sets.sizes <= size))
        return (
            short if len(short) == len(folded) else with_cut(short, cut_folded(folded, size, key))
        )

    def _folded(self, universe: tuple[str, ...], codes: Path, cut: Cut | None) -> ItemsetHistogram:
        folder = fresh(self.engine.scratch, "folded")
        self.engine.fold(self.table, self.columns, codes, cut, folder)
        return collected(folder, universe, self.memory)

    def _codes(self, universe: tuple[str, ...], key: str | None) -> Path:
        """Write the number of every text, and the hash of its item, where the engine finds them."""
        number = numbering(universe)
        numbered = [(text, number.get(normalised(text))) for text in self.texts]
        known = [(text, index) for text, index in numbered if index is not None]
        code = np.array([index for _, index in known], dtype=np.int32)
        hashes = np.zeros(len(universe), dtype=np.int64)
        if key is not None:
            hashes = item_hashes(universe, key)[:, 0]
        table = {
            "item": pl.Series([text for text, _ in known], dtype=pl.String),
            "code": code,
            "hash": hashes[code],
        }
        file = fresh(self.engine.scratch, "codes").with_suffix(".parquet")
        pl.DataFrame(table).write_parquet(file)
        return file


def collected(folder: Path, universe: tuple[str, ...], memory: int) -> ItemsetHistogram:
    """Return the folded sets in a folder, in their canonical order; too many are refused first."""
    files = parquet_files(folder)
    rows = sum(pl.scan_parquet(file).select(pl.len()).collect().item() for file in files)
    refuse_sets(rows, memory)
    sizes, items, counts = [], [], []
    for file in files:
        table = pl.read_parquet(file)
        sizes.append(table["items"].list.len().to_numpy().astype(np.int64))
        items.append(table["items"].explode(empty_as_null=False).to_numpy().astype(np.int32))
        counts.append(table["people"].to_numpy().astype(np.int64))
    sets = Itemsets(offsets_of(np.concatenate(sizes)), np.concatenate(items), universe)
    return fold(sets, np.concatenate(counts))


def distinct_rows(
    engine: Engine, table: str, columns: Sequence[str], memory: int
) -> "pl.DataFrame":
    """Return the distinct rows over some columns with their counts; too many are refused first."""
    folder = fresh(engine.scratch, "classes")
    engine.classes(table, columns, folder)
    rows = pl.concat([pl.scan_parquet(file) for file in parquet_files(folder)])
    refuse_rows(rows.select(pl.len()).collect().item(), len(columns), memory)
    return rows.collect()


def parquet_files(folder: Path) -> list[Path]:
    """Return the Parquet files of a folder in the order of their names."""
    return sorted(folder.glob("*.parquet"))


def fresh(folder: Path, name: str) -> Path:
    """Return a path in a folder that is not taken yet."""
    taken = (folder / f"{name}-{number}" for number in count())
    return next(
        path for path in taken if not path.exists() and not path.with_suffix(".parquet").exists()
    )
