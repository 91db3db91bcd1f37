"""Itemsets that a custodian wants protected, or kept apart from others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from discreet.errors import DataError

__all__ = ["Constraints", "itemset"]


@dataclass(frozen=True)
class Constraints:
    """Itemsets, each a constraint: sorted items, every itemset once, in the order given.

    >>> Constraints.of([["wine", "bread"], ["beer"], ["bread", "wine"]])
    Constraints(itemsets=(('bread', 'wine'), ('beer',)))
    """

    itemsets: tuple[tuple[str, ...], ...]
    """The constraints."""

    @classmethod
    def of(cls, itemsets: Iterable[Iterable[str]]) -> "Constraints":
        """Make constraints from Python collections."""
        rows = enumerate(itemsets, 1)
        found = tuple(
            dict.fromkeys(itemset(items, where=f"constraint {place}") for place, items in rows)
        )
        if not found:
            msg = "constraints must hold at least one itemset, got none"
            raise DataError(msg)
        return cls(found)

    @classmethod
    def read(cls, path: str | Path) -> "Constraints":
        """Read one constraint a line, items apart by spaces, or by tabs where items hold spaces."""
        from discreet.data.read_public import read_constraints

        return read_constraints(path)

    def __len__(self) -> int:
        return len(self.itemsets)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.itemsets)

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Every item that some constraint names, sorted as text."""
        return tuple(sorted({item for items in self.itemsets for item in items}))


def itemset(items: Iterable[str], *, where: str) -> tuple[str, ...]:
    """Return ``items`` sorted, refusing none at all, an empty name, or one item twice."""
    found = tuple(sorted(items))
    if not all(found):
        msg = f"{where}: every item must have a name, and one is empty"
        raise DataError(msg)
    if not found:
        msg = f"{where}: must name at least one item"
        raise DataError(msg)
    if len(set(found)) < len(found):
        msg = f"{where}: must name each item once and names one twice"
        raise DataError(msg)
    return found
