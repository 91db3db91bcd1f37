"""The rows of a table that an engine folded, as microdata of which each row is there once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.microdata import Microdata
from discreet.errors import DataError
from discreet.io.text import normalised
from discreet.lazy import pl
from discreet.scale.collect import Batch, distinct_rows
from discreet.scale.verbs import PEOPLE, Engine


@dataclass(frozen=True, eq=False, repr=False)
class EngineTable:
    """People whose table lies with an engine; what is here is each distinct row, and its count.

    It stands for ``Microdata`` where a method takes its statistics; a record is never seen.
    """

    engine: Engine
    """Who folded."""
    distinct: Microdata
    """Each row once, with its roles."""
    people: NDArray[np.int64]
    """How many people have each of them."""
    left_out: tuple[str, ...] = ()
    """The columns of the input that have no role, and are not published."""

    @classmethod
    def of(
        cls,
        engine: Engine,
        table: str,
        memory: int,
        roles: dict[str, Any],
        prepared: Callable[[Microdata], Microdata],
    ) -> "EngineTable":
        """Fold the columns with a role; ``roles`` are those of ``Microdata.of``."""
        kept = (*roles.get("kept", ()), PEOPLE)
        own = roles.get("set_column")
        names = [*roles["qids"], *roles["sensitive"], *kept[:-1], *([own] if own else [])]
        rows = distinct_rows(engine, table, _columns(engine, table, names), memory)
        microdata = prepared(Microdata.of(rows, **roles | {"kept": kept}))
        people = microdata.table[PEOPLE].cast(pl.Int64).to_numpy()
        if not len(people):
            raise DataError("data to publish must hold at least one record, got none")
        distinct = replace(microdata, table=microdata.table.drop(PEOPLE), kept=kept[:-1])
        others = [name for name in map(normalised, engine.kinds(table)) if name not in names]
        return cls(engine, distinct, people, tuple(others))

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"EngineTable({len(self.distinct.table.columns)} columns)"

    def __len__(self) -> int:
        return int(self.people.sum())

    @property
    def set_column(self) -> str | None:
        """The set-valued quasi-identifier, where there is one."""
        return self.distinct.set_column

    @property
    def kept(self) -> tuple[str, ...]:
        """Columns that are published as they are."""
        return self.distinct.kept

    def batches(self) -> Iterator[Batch[Microdata]]:
        """Yield the distinct rows, as records, and how many people have each."""
        # equal rows that differ in kept columns must come together, so all come at once
        yield Batch(self.distinct, self.people)

    @property
    def nobody(self) -> Microdata:
        """The same columns without a row."""
        return replace(self.distinct, table=self.distinct.table.clear())


def _columns(engine: Engine, table: str, names: Sequence[str]) -> list[str]:
    """Return the columns of these names as the engine spells them; the others are refused later."""
    spelled = {normalised(name): name for name in engine.kinds(table)}
    wanted = dict.fromkeys(names)
    if missing := [name for name in wanted if name not in spelled]:
        raise DataError(f"a column that is named must be in the table, and {missing[0]!r} is not")
    return [spelled[name] for name in wanted]
