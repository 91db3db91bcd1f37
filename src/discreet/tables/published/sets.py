"""The sets in a published table: a set column, or the columns of a multi-valued attribute."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.core.projected_tables import ProjectedTables
from discreet.core.ranges import set_name
from discreet.kernels.ragged import offsets_of
from discreet.lazy import pl


@dataclass(frozen=True, eq=False)
class PublishedSets:
    """What each row of a table holds of one attribute."""

    name: str
    """The attribute."""
    table: "pl.DataFrame"
    """The table."""
    offsets: NDArray[np.int64]
    """Where the items of each row begin."""
    items: NDArray[np.int64]
    """The items, ascending in a row; a block counts as an item."""
    facts: tuple[str, ...]
    """What it says of a person to have each item."""

    def items_of(self, row: int) -> list[int]:
        """Return the items of a row."""
        return [int(item) for item in self.items[self.offsets[row] : self.offsets[row + 1]]]


def published_sets(content: ProjectedTables) -> Iterator[PublishedSets]:
    """Yield the set column of a release and every multi-valued attribute, where there are any."""
    for table, names in zip(content.parts, content.sensitive, strict=True):
        if content.set_column in table.columns:
            yield _of_blocks(content, table)
        bits: dict[str, list[str]] = {}
        for column in names:
            if is_bit(table, column):
                bits.setdefault(column.partition("=")[0], []).append(column)
        for name, columns in bits.items():
            rows, items = np.nonzero(table.select(columns).to_numpy() == 1)
            facts = tuple(f"{column}=1" for column in columns)
            offsets = offsets_of(np.bincount(rows, minlength=table.height))
            yield PublishedSets(name, table, offsets, items, facts)


def is_bit(table: "pl.DataFrame", name: str) -> bool:
    """Whether a column says of one value of a multi-valued attribute who has it."""
    return "=" in name and table[name].dtype.is_integer()


def _of_blocks(content: ProjectedTables, table: "pl.DataFrame") -> PublishedSets:
    rows, numbers, blocks = content.blocks
    facts = tuple(f"{content.set_column}={name}" for name in map(block_name, blocks))
    offsets = offsets_of(np.bincount(rows, minlength=table.height))
    return PublishedSets(str(content.set_column), table, offsets, numbers, facts)


def block_name(block: Sequence[str]) -> str:
    """Return a block as people read it: an item, or a set of them."""
    return block[0] if len(block) == 1 else set_name(block)
