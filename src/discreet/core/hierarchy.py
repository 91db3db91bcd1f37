"""What a value may be replaced by: a tree of ever more general names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import Exact
from discreet.core.noun import Compared
from discreet.core.tree import tree_of_levels, tree_of_pairs
from discreet.errors import DataError, ParameterError
from discreet.io.amnesia import amnesia_text
from discreet.io.text import normalised, quoted
from discreet.io.writing import write_file
from discreet.lazy import pl

FileKind: TypeAlias = Literal["arx", "amnesia", "pairs"]
"""Whose file a hierarchy is written as."""


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy(Compared):
    """A tree whose leaves are values and whose inner nodes generalise what hangs below them.

    Every node has a name of its own. In a table of levels (ARX's files) one label may stand on
    several levels. A value that stays as it is for a while is one node, and so is a label whose
    next level repeats it. A label that means two different things, such as the value ``Other`` and
    a group ``Other`` that holds more than this value, is told apart by its level: the value keeps
    the plain name and the group is ``Other (level 1)``.

    >>> drinks = Hierarchy.of_levels([["beer", "alcohol", "*"], ["tea", "hot", "*"]])
    >>> drinks.parent("tea"), drinks.ancestors("beer"), drinks.leaves("*"), drinks.height
    ('hot', ('alcohol', '*'), ('beer', 'tea'), 2)
    """

    names: tuple[str, ...]
    """Every node: the values first, then what generalises them."""
    parents: NDArray[np.int32]
    """The number of the node above each node; -1 above the root."""
    levels: NDArray[np.int32]
    """A row for each value: its node on level 0 (itself), level 1, ..., up to the root."""

    def __repr__(self) -> str:
        return f"Hierarchy({len(self.values)} values, height {self.height})"

    def __post_init__(self) -> None:
        self.parents.setflags(write=False)
        self.levels.setflags(write=False)

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[str, str]], *, root: str | None = None) -> "Hierarchy":
        """Make a hierarchy from pairs of child and parent.

        Level ``n`` is the tree cut ``height - n`` steps below the root; a value that hangs higher
        stays as it is up to its own place. With ``root`` several trees are put under that name.

        Parameters
        ----------
        pairs
            A value or a name, and the name just above it.
        root
            The name put above several trees; without it there must be one.

        Returns
        -------
        Hierarchy
            The tree of all pairs.

        Raises
        ------
        DataError
            Where a value has two parents, or the pairs run in a circle or make several trees.
        """
        pairs = [(normalised(child), normalised(parent)) for child, parent in pairs]
        return cls(*tree_of_pairs(pairs, lambda index: f"pair {index + 1}", root=root))

    @classmethod
    def of_levels(cls, rows: Iterable[Sequence[str]]) -> "Hierarchy":
        """Make a hierarchy from one row for each value: the value, level 1, ..., the top.

        Parameters
        ----------
        rows
            One row a value, all of one length.

        Returns
        -------
        Hierarchy
            The tree, with the levels of the rows.

        Raises
        ------
        DataError
            Where rows are of several lengths or a name has two parents.
        """
        rows = [[normalised(label) for label in row] for row in rows]
        return cls(*tree_of_levels(rows, lambda index: f"row {index + 1}"))

    @classmethod
    def flat(cls, values: Iterable[str], root: str = "*") -> "Hierarchy":
        """Return the hierarchy that keeps a value or replaces it by ``root``.

        Parameters
        ----------
        values
            The values.
        root
            What stands for any of them.

        Returns
        -------
        Hierarchy
            A tree of height 1.
        """
        return cls.of_pairs((value, root) for value in values)

    @classmethod
    def prefixes(
        cls, values: Iterable[str], keep: Sequence[int] = (), *, mask: str = "*"
    ) -> "Hierarchy":
        """Mask ever more of a code from its end: ``47677``, ``4767*``, ..., ``*****``.

        ``keep`` says how many letters each level leaves, by default one less from level to level.

        Parameters
        ----------
        values
            The codes.
        keep
            How many letters each level leaves, descending; by default one less from level to level.
        mask
            The letter that takes the place of a masked one.

        Returns
        -------
        Hierarchy
            The tree of prefixes.

        Examples
        --------
        >>> Hierarchy.prefixes(["47677", "47602"], [3]).ancestors("47677")
        ('476**', '*')
        """
        codes = list(dict.fromkeys(values))
        width = max(map(len, codes), default=0)
        lengths = tuple(keep) or tuple(range(width - 1, 0, -1))
        if any(not 0 < length < width for length in lengths) or list(lengths) != sorted(
            set(lengths), reverse=True
        ):
            msg = f"the letters to keep must fall from below {width} to 1, got {list(lengths)}"
            raise ParameterError(msg, parameter="keep")
        padded = [code.ljust(width) for code in codes]
        masked = [[code[:n] + mask * (width - n) for n in lengths] for code in padded]
        return cls.of_levels([code, *row, mask] for code, row in zip(codes, masked, strict=True))

    @classmethod
    def intervals(
        cls, values: Iterable[str], widths: Sequence[Exact], *, origin: Exact = 0, root: str = "*"
    ) -> "Hierarchy":
        """Put numbers into ever wider intervals, each width a multiple of the one before.

        Parameters
        ----------
        values
            Numbers as they are written in the data.
        widths
            The width of each level, ascending.
        origin
            Where an interval begins.
        root
            What stands for any number.

        Returns
        -------
        Hierarchy
            The tree of intervals.

        Raises
        ------
        DataError
            Where a value is no number.

        Examples
        --------
        >>> Hierarchy.intervals(["7", "23"], [5, 10]).ancestors("23")
        ('20..<25', '20..<30', '*')
        """
        from discreet.core.discretise import nested_intervals

        return cls.of_levels(nested_intervals(list(dict.fromkeys(values)), widths, origin, root))

    @classmethod
    def dates(cls, values: Iterable[str], *, root: str = "*") -> "Hierarchy":
        """Put days such as 2024-03-09 into months, years and decades.

        Parameters
        ----------
        values
            Days as year-month-day.
        root
            What stands for any day.

        Returns
        -------
        Hierarchy
            The tree of days, months, years and decades.

        Raises
        ------
        DataError
            Where a value is no day.

        Examples
        --------
        >>> Hierarchy.dates(["2024-03-09", "2019-11-30"]).ancestors("2024-03-09")
        ('2024-03', '2024', '2020..<2030', '*')
        """
        from discreet.core.discretise import nested_dates

        return cls.of_levels(nested_dates(list(dict.fromkeys(values)), root))

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        columns: Mapping[str, str] | None = None,
        root: str | None = None,
    ) -> "Hierarchy":
        """Read ARX's csv, or child and parent from a file whose header names these columns.

        Parameters
        ----------
        path
            The file.
        columns
            Which columns are ``child`` and ``parent``, where they are called otherwise.
        root
            The name put above several trees.

        Returns
        -------
        Hierarchy
            The tree of the file.

        Raises
        ------
        DataError
            Where the file is no hierarchy; the line is said.
        """
        from discreet.io.public import Pairs, read_hierarchy_file

        content = read_hierarchy_file(path, columns=columns)
        if isinstance(content, Pairs):
            return cls(*tree_of_pairs(content.rows, content.where, root=root))
        return cls(*tree_of_levels(content.rows, content.where))

    @property
    def values(self) -> tuple[str, ...]:
        """The leaves, in the order given."""
        return self.names[: len(self.levels)]

    @property
    def root(self) -> str:
        """The most general name."""
        return self.names[int(self.levels[0, -1])]

    @property
    def height(self) -> int:
        """How many levels there are above the values."""
        return int(self.levels.shape[1]) - 1

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each node."""
        return {name: number for number, name in enumerate(self.names)}

    def _number(self, name: str) -> int:
        try:
            return self.numbers[name]
        except KeyError:
            # The name may come from a record, so it is not repeated; ? is no record's own.
            which = "? (a missing cell)" if name == "?" else "one"
            msg = f"every value must be in the hierarchy, and {which} is not; add it there"
            raise DataError(msg) from None

    def parent(self, value: str) -> str | None:
        """Return the name just above ``value``, None above the root."""
        above = int(self.parents[self._number(value)])
        return None if above < 0 else self.names[above]

    def ancestors(self, value: str) -> tuple[str, ...]:
        """Return the names above ``value``, from its parent to the root."""
        names = []
        above = int(self.parents[self._number(value)])
        while above >= 0:
            names.append(self.names[above])
            above = int(self.parents[above])
        return tuple(names)

    def leaves(self, node: str) -> tuple[str, ...]:
        """Return the values that ``node`` stands for; a value stands for itself."""
        below = (self.levels == self._number(node)).any(axis=1)
        return tuple(self.names[number] for number in np.flatnonzero(below))

    def level(self, value: str, n: int) -> str:
        """Return what replaces ``value`` on level ``n``: 0 is itself, ``height`` the root.

        Parameters
        ----------
        value
            A value.
        n
            The level.

        Returns
        -------
        str
            The value or a name above it.

        Examples
        --------
        >>> Hierarchy.of_pairs([("a", "g"), ("b", "g"), ("g", "*"), ("c", "*")]).level("c", 1)
        'c'
        """
        if not 0 <= n <= self.height:
            msg = f"a level of this hierarchy must be from 0 to {self.height}, got {n}"
            raise ParameterError(msg, parameter="n")
        number = self._number(value)
        if number >= len(self.levels):
            msg = f"only a value has levels, but {quoted(value)} stands for several values"
            raise DataError(msg)
        return self.names[int(self.levels[number, n])]

    def rows(self) -> list[list[str]]:
        """Return a row for each value: the value, level 1, ..., the top."""
        return [[self.names[node] for node in row] for row in self.levels.tolist()]

    def save(self, path: str | Path, kind: FileKind = "arx") -> Path:
        """Write the hierarchy: as ARX's csv, Amnesia's text, or pairs of child and parent.

        Parameters
        ----------
        path
            The file to write.
        kind
            ``arx``: ``value;level1;...;top``; ``amnesia``: its text, whose names hold no blanks.

        Returns
        -------
        Path
            The file.
        """
        import csv

        text = StringIO()
        if kind == "amnesia":
            text.write(amnesia_text(self.names, self.parents.tolist()))
        elif kind == "pairs":
            text.write(self.tables()["hierarchy"].write_csv())
        else:
            csv.writer(text, delimiter=";", lineterminator="\n").writerows(self.rows())
        return write_file(Path(path), text.getvalue(), "the hierarchy")

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return the hierarchy as it goes with a release: ``hierarchy`` with ``child, parent``."""
        pairs = [
            (name, self.names[above])
            for name, above in zip(self.names, self.parents.tolist(), strict=True)
            if above >= 0
        ]
        schema = {"child": pl.String, "parent": pl.String}
        return {"hierarchy": pl.DataFrame(pairs, schema=schema, orient="row")}

    @classmethod
    def of_tables(cls, tables: "Mapping[str, pl.DataFrame]") -> "Hierarchy":
        """Read a published hierarchy back; its levels are the cuts of the tree.

        Parameters
        ----------
        tables
            The table ``hierarchy`` with the columns child and parent.

        Returns
        -------
        Hierarchy
            The tree.
        """
        return cls.of_pairs(tables["hierarchy"].select("child", "parent").iter_rows())
