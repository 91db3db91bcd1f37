"""Transactions in which an item may be hidden among others: sets of blocks of items."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import grouped_column
from discreet.core.itemsets import Itemsets
from discreet.errors import DataError
from discreet.kernels.ragged import offsets_of
from discreet.lazy import pl


@dataclass(frozen=True, eq=False, repr=False)
class GeneralisedSets:
    """Records of people, each a set of blocks: the person holds at least one member of each.

    Blocks share no item. A plain item is a block of one; a suppressed item is simply absent.

    >>> baskets = GeneralisedSets.of([[["bread"], ["wine", "beer"]], [["beer", "wine"]], []])
    >>> baskets.blocks, list(baskets.sets)
    ((('beer', 'wine'), ('bread',)), [('(beer, wine)', 'bread'), ('(beer, wine)',), ()])
    >>> baskets.trivial.tolist(), baskets.supports.tolist()
    ([False, True], [2, 1])
    """

    explained: ClassVar[tuple[str, ...]] = (
        "transactions: each row is one person; the numbers refer to the table of blocks.",
        "blocks: a block of several items means that the person has at least one of them.",
    )
    """What a reader of the tables must be told."""

    sets: Itemsets
    """One set of block numbers per record; the vocabulary is a readable name of each block."""
    blocks: tuple[tuple[str, ...], ...]
    """The member items of each block, sorted; the blocks are sorted too."""

    @classmethod
    def of(cls, records: Iterable[Iterable[Iterable[str]]]) -> "GeneralisedSets":
        """Make generalised sets from Python collections: records of blocks of items."""
        rows = [[list(block) for block in record] for record in records]
        return _of_column(pl.Series(rows, dtype=pl.List(pl.List(pl.String))))

    @classmethod
    def named(
        cls,
        offsets: NDArray[np.int64],
        numbers: NDArray[np.int32],
        blocks: tuple[tuple[str, ...], ...],
    ) -> "GeneralisedSets":
        """Return sets of block numbers under the readable names of ``blocks``."""
        return cls(Itemsets(offsets, numbers, _names_of(blocks)), blocks)

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"GeneralisedSets({len(self)} records over {len(self.blocks)} blocks)"

    def __len__(self) -> int:
        return len(self.sets)

    @cached_property
    def trivial(self) -> NDArray[np.bool_]:
        """For each block whether it is a plain item, a block of one."""
        return np.array([len(block) == 1 for block in self.blocks], dtype=np.bool_)

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """For each block the number of records that hold it."""
        return np.bincount(self.sets.items, minlength=len(self.blocks))

    @cached_property
    def block_of(self) -> dict[str, int]:
        """The block of each published item; suppressed items are in none."""
        return {item: number for number, block in enumerate(self.blocks) for item in block}

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return ``transactions``, the block numbers of each record, and ``blocks``, their items.

        A block's number is its place among the sorted blocks: it tells nothing that they do not.
        """
        numbers = pl.Series(self.sets.items, dtype=pl.Int64)
        members = {
            "block": np.arange(len(self.blocks), dtype=np.int64),
            "items": pl.Series(self.blocks, dtype=pl.List(pl.String)),
        }
        return {
            "transactions": pl.DataFrame({"blocks": grouped_column(numbers, self.sets.sizes)}),
            "blocks": pl.DataFrame(members),
        }

    @classmethod
    def of_tables(cls, tables: "Mapping[str, pl.DataFrame]") -> "GeneralisedSets":
        """Read released generalised sets back; version 1 of the format had no table of blocks."""
        if "blocks" not in tables:
            return _of_column(tables["transactions"]["items"])
        return _of_numbers(tables["transactions"]["blocks"], tables["blocks"])


def _names_of(blocks: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Return blocks as people read them: a plain item as it is, others in brackets.

    No two are called alike: an item may be called what a block would be, and gets no brackets.

    >>> _names_of((("(ale, rum)",), ("ale", "rum"), ("beer",), ("beer, gin", "tea")))
    ('(ale, rum)', '((ale, rum))', 'beer', '(beer, gin, tea)')
    """
    taken = {block[0] for block in blocks if len(block) == 1}
    names = []
    for block in blocks:
        name = block[0]
        if len(block) > 1:
            name = f"({', '.join(block)})"
            while name in taken:
                name = f"({name})"
            taken.add(name)
        names.append(name)
    return tuple(names)


def _of_numbers(column: "pl.Series", members: "pl.DataFrame") -> GeneralisedSets:
    """Return the sets of a column of lists of block numbers, whose items stand in ``members``."""
    blocks = [tuple(sorted(items or ())) for items in members["items"].to_list()]
    _refuse_blocks(blocks, members["block"])
    order = sorted(range(len(blocks)), key=blocks.__getitem__)
    # numbers may be given in any order: only what they stand for counts
    renumbered = {members["block"][old]: new for new, old in enumerate(order)}
    sizes = column.list.len().fill_null(0).to_numpy().astype(np.int64)
    rows = np.repeat(np.arange(len(column)), sizes)
    entries = column.explode(empty_as_null=False)
    known = entries.is_in(members["block"].implode()).fill_null(value=False).to_numpy()
    _refuse(~known, rows, "a block must be one of the table of blocks, and one is not")
    numbers = entries.replace_strict(renumbered, return_dtype=pl.Int64).to_numpy()
    return _arranged(sizes, rows, numbers, tuple(blocks[old] for old in order))


def _refuse_blocks(blocks: list[tuple[str, ...]], numbers: "pl.Series") -> None:
    if numbers.null_count() or numbers.n_unique() < len(numbers):
        raise DataError("the table of blocks must number each block once")
    items = [item for block in blocks for item in block]
    if not all(blocks) or len(set(items)) < len(items):
        msg = "a block must hold at least one item, and an item must be in one block, once"
        raise DataError(msg)


def _of_column(column: "pl.Series") -> GeneralisedSets:
    """Return the sets of a column of lists of lists of items."""
    sizes = column.list.len().fill_null(0).to_numpy().astype(np.int64)
    entries = column.explode(empty_as_null=False).cast(pl.List(pl.String))
    lengths = entries.list.len().fill_null(0).to_numpy().astype(np.int64)
    rows = np.repeat(np.arange(len(column)), sizes)
    _refuse(lengths < 1, rows, "a block must hold at least one item, and one is empty")
    names = entries.explode(empty_as_null=False)
    items = names.unique().sort()
    codes = names.replace_strict(items, np.arange(len(items)), return_dtype=pl.Int64).to_numpy()
    owner = _owners(codes, lengths, rows, len(items))
    first = np.flatnonzero(owner == np.arange(len(items)))
    number = np.full(len(items), -1, dtype=np.int64)
    number[first] = np.arange(len(first))
    starts = np.cumsum(lengths) - lengths
    blocks = number[owner[codes[starts]]] if len(codes) else np.zeros(0, dtype=np.int64)
    members: list[list[str]] = [[] for _ in first]
    for code, item in enumerate(items.to_list()):
        members[number[owner[code]]].append(item)
    return _arranged(sizes, rows, blocks, tuple(map(tuple, members)))


def _owners(
    codes: NDArray[np.int64], lengths: NDArray[np.int64], rows: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    """Return for each item the first item of its block, refusing blocks that share an item."""
    owner = np.arange(count)
    if not len(codes):
        return owner
    least = np.minimum.reduceat(codes, np.cumsum(lengths) - lengths)
    index = np.repeat(np.arange(len(lengths)), lengths)
    order = np.lexsort((codes, index))
    again = (np.diff(codes[order]) == 0) & (np.diff(index) == 0)
    _refuse(again, rows[index[1:]], "a block must hold each item once, and one repeats an item")
    owner[codes] = least[index]
    sizes = np.bincount(owner, minlength=count)
    same = np.logical_and.reduceat(owner[codes] == least[index], np.cumsum(lengths) - lengths) & (
        sizes[least] == lengths
    )
    _refuse(~same, rows, "an item must be in the same block throughout, and one is in two")
    return owner


def _arranged(
    sizes: NDArray[np.int64],
    rows: NDArray[np.int64],
    numbers: NDArray[np.int64],
    blocks: tuple[tuple[str, ...], ...],
) -> GeneralisedSets:
    """Return the sets with their block numbers ascending, refusing a block twice in a record."""
    order = np.lexsort((numbers, rows))
    ascending = numbers[order]
    again = (np.diff(ascending) == 0) & (np.diff(rows) == 0)
    _refuse(again, rows[1:], "a record must hold each block once, and one repeats a block")
    return GeneralisedSets.named(offsets_of(sizes), ascending.astype(np.int32), blocks)


def _refuse(fault: NDArray[np.bool_], rows: NDArray[np.int64], must: str) -> None:
    if fault.any():
        raise DataError(f"row {int(rows[np.flatnonzero(fault)[0]]) + 1}: {must}")
