"""Itemsets that a custodian wants protected, or kept apart from others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from discreet.core.noun import Compared
from discreet.errors import DataError
from discreet.io.text import normalised
from discreet.io.writing import write_file


@dataclass(frozen=True, eq=False, repr=False)
class Constraints(Compared):
    """Itemsets, each a constraint: sorted items, every itemset once, in the order given.

    >>> list(Constraints.of([["wine", "bread"], ["beer"], ["bread", "wine"]]))
    [('bread', 'wine'), ('beer',)]
    """

    itemsets: tuple[tuple[str, ...], ...]
    """The constraints."""
    least: tuple[int, ...] = ()
    """For each constraint the support it needs, 0 where it has none of its own; () for all 0."""

    @classmethod
    def of(cls, itemsets: Iterable[Iterable[str]], least: Iterable[int] = ()) -> "Constraints":
        """Make constraints from Python collections; of equal ones the larger support counts.

        Parameters
        ----------
        itemsets
            The constraints, each a collection of items.
        least
            How many people must support each, where that is more than k; none: k for all.

        Returns
        -------
        Constraints
            Items sorted, each constraint once.

        Raises
        ------
        DataError
            Where a constraint holds no item, or ``least`` does not have one number for each.
        """
        rows = [
            itemset(items, where=f"constraint {index}") for index, items in enumerate(itemsets, 1)
        ]
        if not rows:
            raise DataError("constraints must hold at least one itemset, got none")
        needed = list(least) or [0] * len(rows)
        if len(needed) != len(rows) or min(needed) < 0:
            msg = "give every constraint a support (0: the general one), or give no supports at all"
            raise DataError(msg)
        supports = dict.fromkeys(rows, 0)
        for items, support in zip(rows, needed, strict=True):
            supports[items] = max(supports[items], support)
        return cls(tuple(supports), tuple(supports.values()) if any(needed) else ())

    @classmethod
    def read(cls, path: str | Path) -> "Constraints":
        """Read one constraint a line, items apart by spaces, or by tabs where items hold spaces.

        Parameters
        ----------
        path
            The file; ``>=10`` at the end of a line asks for a support of 10.

        Returns
        -------
        Constraints
            The constraints of the file.

        Raises
        ------
        DataError
            Where the file cannot be read.
        """
        from discreet.io.public import read_constraint_lines

        lines = list(read_constraint_lines(path))
        itemsets = [itemset(items, where=where) for where, items, _ in lines]
        return cls.of(itemsets, [support for *_, support in lines])

    def save(self, path: str | Path) -> Path:
        """Write one constraint a line, as they are read: tabs between items where some hold spaces.

        Parameters
        ----------
        path
            The file to write; it is closed to others, since what is protected is the owner's.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        DataError
            Where an item holds a tab, or at the end of a constraint reads as a support (``>=10``).
        """
        spaced = any(" " in item for item in self.items)
        lines = []
        for items, least in self.needs(0):
            last = items[-1].removeprefix(">=")
            reads_as_support = last != items[-1] and last.isdigit() and not least
            if reads_as_support or any({"\t", "\n", "\r"} & set(item) for item in items):
                msg = "an item of a constraint must hold no tab and not end it like >=10; rename it"
                raise DataError(msg)
            words = [*items, *([f">={least}"] if least else [])]
            # a tab somewhere says that spaces belong to items
            lines.append("\t".join(words) + "\t" if spaced else " ".join(words))
        return write_file(Path(path), "\n".join(lines) + "\n", "the constraints", private=True)

    def __repr__(self) -> str:
        # never the content: what is protected is the owner's
        return f"Constraints({len(self)} itemsets over {len(self.items)} items)"

    def __len__(self) -> int:
        return len(self.itemsets)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.itemsets)

    def needs(self, k: int) -> Iterator[tuple[tuple[str, ...], int]]:
        """Return each constraint with the support it needs: ``k``, or its own where that is more.

        Parameters
        ----------
        k
            The support that a constraint without its own needs.

        Returns
        -------
        iterator of (tuple of str, int)
            The items of each constraint and the support.

        Examples
        --------
        >>> list(Constraints.of([["beer"], ["wine"]], least=[2, 9]).needs(5))
        [(('beer',), 5), (('wine',), 9)]
        """
        supports = self.least or (0,) * len(self.itemsets)
        return ((items, max(own, k)) for items, own in zip(self.itemsets, supports, strict=True))

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Every item that some constraint names, sorted as text."""
        return tuple(sorted({item for items in self.itemsets for item in items}))


def itemset(items: Iterable[str], *, where: str) -> tuple[str, ...]:
    """Return ``items`` sorted, refusing none at all, an empty name, or one item twice."""
    names = tuple(sorted(map(normalised, items)))
    if not all(names):
        raise DataError(f"{where}: every item must have a name, and one is empty")
    if not names:
        raise DataError(f"{where}: must name at least one item")
    if len(set(names)) < len(names):
        raise DataError(f"{where}: must name each item once and names one twice")
    return names
