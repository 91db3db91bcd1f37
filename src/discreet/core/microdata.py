"""One person, one row: a table whose columns play roles."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, overload

from discreet.core.exact import Exact
from discreet.core.noun import Noun
from discreet.core.spelling import nearest
from discreet.core.table_roles import names_of, refuse_roles
from discreet.errors import DataError
from discreet.lazy import pl

Missing: TypeAlias = Literal["drop", "value", "error"]
"""What becomes of a row with a missing cell: it goes, the gap is a value, or it is refused."""

GAP = "?"
"""What a missing cell becomes."""
MISSING = ("", GAP)
"""The texts of a missing cell; an empty multi-valued cell is no gap: the person has no value."""


@dataclass(frozen=True, eq=False, repr=False)
class Microdata(Noun):
    """Rows of people: quasi-identifiers that others may know, and sensitive attributes.

    Every cell is text, and only columns with a role are kept. A missing cell is ``?``, a value that
    a hierarchy can name; where a person may have several values an empty one says there are none.

    >>> import polars as pl
    >>> table = pl.DataFrame({"name": ["Ann"], "age": ["39"], "diagnosis": ["flu|cough"]})
    >>> people = Microdata.of(table, qids=["age"], sensitive=["diagnosis"])
    >>> len(people), people.table.columns
    (1, ['age', 'diagnosis'])
    """

    table: "pl.DataFrame"
    """The columns with a role, as text."""
    qids: tuple[str, ...]
    """Quasi-identifiers: what an attacker may know of a person."""
    sensitive: tuple[str, ...]
    """Sensitive attributes: what nobody should learn of a person."""
    multi_valued: frozenset[str] = field(default_factory=frozenset)
    """The sensitive attributes of which a person may have several values, or none."""
    separator: str = "|"
    """What stands between the values of a multi-valued attribute."""
    non_sensitive: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """For an attribute the values that need no protection, such as nil; by default none."""
    left_out: tuple[str, ...] = ()
    """The columns of the input that have no role, and are not published."""
    kept: tuple[str, ...] = ()
    """Columns that are published as they are: an attacker may know them, nobody protects them."""
    set_column: str | None = None
    """The set-valued quasi-identifier: what a person has, such as purchases or diagnoses."""

    def __post_init__(self) -> None:
        refuse_roles((*self.qids, *self.sensitive, *self.kept, *self.set_columns), self.table)
        from discreet.io.text import normalised

        harmless = {
            name: frozenset(map(normalised, values)) for name, values in self.non_sensitive.items()
        }
        object.__setattr__(self, "non_sensitive", MappingProxyType(harmless))
        if unknown := sorted(harmless.keys() - set(self.sensitive)):
            msg = (
                "only values of a sensitive attribute can be declared non-sensitive, and "
                f"{unknown[0]!r} is not one{nearest(unknown[0], self.sensitive)}"
            )
            raise DataError(msg)
        if outside := sorted(self.multi_valued.difference(self.sensitive)):
            hint = nearest(outside[0], self.sensitive)
            msg = f"a multi-valued attribute must be sensitive, and {outside[0]!r} is not{hint}"
            raise DataError(msg)
        if not self.separator:
            raise DataError("the separator of multi-valued attributes must not be empty")

    @classmethod
    def of(  # noqa: PLR0913 (each role is a choice of its own)
        cls,
        table: Any,
        *,
        qids: Iterable[str],
        sensitive: Iterable[str],
        multi_valued: Iterable[str] = (),
        separator: str = "|",
        kept: Iterable[str] = (),
        set_column: str | None = None,
    ) -> "Microdata":
        """Make microdata from a frame; numbers become text, columns without role go.

        Parameters
        ----------
        table
            A frame of pandas, polars (also lazy) or pyarrow, or a mapping of names to columns.
        qids
            The columns that an attacker may know of a person.
        sensitive
            The columns that nobody should learn of a person.
        multi_valued
            The sensitive columns of which a person may have several values, or none.
        separator
            What stands between the values of such a column; a column of lists needs none.
        kept
            The columns that are published as they are; nothing protects them.
        set_column
            A column with a set in each cell of which an attacker may know some items; a frame may
            hold lists there.

        Returns
        -------
        Microdata
            Columns, cells and the values in a cell are trimmed and in the Unicode form NFC.

        Raises
        ------
        ParameterError
            Where the table is none, or roles are a text in place of a list of names.
        DataError
            Where a column with a role is not in the table.

        Examples
        --------
        >>> people = Microdata.of(
        ...     {"age": [39, 40], "ill": ["flu", ""]}, qids=["age"], sensitive=["ill"]
        ... )
        >>> people[0]
        {'age': '39', 'ill': 'flu'}
        """
        from discreet.core.bitmap import joined_values
        from discreet.io.frames import as_polars, texts_of

        table = as_polars(_frame_of(table) if isinstance(table, Mapping) else table)
        known, secret = names_of("qids", qids), names_of("sensitive", sensitive)
        several, as_is = names_of("multi_valued", multi_valued), names_of("kept", kept)
        sets = () if set_column is None else names_of("set_column", [set_column])
        refuse_roles((*known, *secret, *as_is, *sets), table)
        chosen = pl.DataFrame(
            joined_values(table[name], separator)
            if name in (*several, *sets) and separator
            else texts_of(table[name]).fill_null("").replace("", GAP)
            for name in (*known, *secret, *as_is, *sets)
        )
        left_out = tuple(name for name in table.columns if name not in chosen.columns)
        arguments = (chosen, known, secret, frozenset(several), separator)
        return cls(*arguments, left_out=left_out, kept=as_is, set_column=next(iter(sets), None))

    from_frame = of

    @classmethod
    def read(  # noqa: PLR0913 (each role is a choice of its own)
        cls,
        source: str | Path,
        *,
        qids: Iterable[str],
        sensitive: Iterable[str],
        multi_valued: Iterable[str] = (),
        separator: str = "|",
        kept: Iterable[str] = (),
        set_column: str | None = None,
    ) -> "Microdata":
        """Read a table (csv, jsonl, parquet, xlsx), or a named one (``dataset:adult``).

        Parameters
        ----------
        source
            The file, or a named data set.
        qids
            The quasi-identifiers.
        sensitive
            The sensitive attributes.
        multi_valued
            Those of them with several values in a cell.
        separator
            What stands between these values.
        kept
            Further columns that are published as they are.
        set_column
            A column with a set in each cell, of which an attacker may know some items.

        Returns
        -------
        Microdata
            A row a person, every cell a text.

        Raises
        ------
        DataError
            Where the file cannot be read or a column is not in it.
        """
        from discreet.io.datasets import source_path
        from discreet.io.table import read_table

        return cls.of(
            read_table(source_path(source), separator=separator),
            qids=qids,
            sensitive=sensitive,
            multi_valued=multi_valued,
            separator=separator,
            kept=kept,
            set_column=set_column,
        )

    @property
    def set_columns(self) -> tuple[str, ...]:
        """The set-valued quasi-identifier, where there is one."""
        return () if self.set_column is None else (self.set_column,)

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"Microdata({len(self)} rows, qids={self.qids}, sensitive={self.sensitive})"

    def __len__(self) -> int:
        return self.table.height

    @overload
    def __getitem__(self, index: int) -> dict[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> "Microdata": ...
    def __getitem__(self, index: int | slice) -> "dict[str, str] | Microdata":
        """Return the row of one person, or some of the people."""
        if isinstance(index, slice):
            return replace(self, table=self.table[index])
        return self.table.row(range(len(self))[index], named=True)

    def head(self, n: int = 5) -> "Microdata":
        """Return the first people.

        Parameters
        ----------
        n
            How many.

        Returns
        -------
        Microdata
            The same roles over fewer people.
        """
        return self[:n]

    def to_polars(self) -> "pl.DataFrame":
        """Return a row for each person, with the columns that have a role."""
        return self.table

    def treat_missing(self, policy: Missing) -> "Microdata":
        """Drop the rows with a missing cell, keep the gap as a value, or refuse it.

        Parameters
        ----------
        policy
            ``drop``, ``value`` or ``error``.

        Returns
        -------
        Microdata
            The table without gaps, or with the gap as a value.

        Raises
        ------
        DataError
            By ``error`` where a cell is missing.
        """
        several = (*self.multi_valued, *self.set_columns)
        single = [name for name in self.table.columns if name not in several]
        gap = self.table.select(pl.any_horizontal(pl.col(single).is_in(MISSING))).to_series()
        if policy == "value" or not gap.any():
            return self
        if policy == "error":
            row = gap.arg_true()[0] + 1
            msg = (
                f"row {row} has a missing cell, and {gap.sum():,} rows have; drop such rows or "
                "keep the gap as a value (`missing` drop, `missing` value)"
            )
            raise DataError(msg, parameter="missing")
        if gap.all():
            msg = "every row has a missing cell, so none would be left; choose fewer columns"
            raise DataError(msg)
        return replace(self, table=self.table.filter(~gap))

    def discretise(self, name: str, bounds: Sequence[Exact]) -> "Microdata":
        """Replace the numbers of a column by the interval they are in: ``<1``, ``1..<5``, ``>=5``.

        A missing cell stays as it is.

        Parameters
        ----------
        name
            The column.
        bounds
            Where intervals end, ascending.

        Returns
        -------
        Microdata
            The table with intervals in this column.

        Raises
        ------
        DataError
            Where a cell is no number.
        """
        from discreet.core.discretise import intervals

        refuse_roles((name,), self.table)
        return replace(self, table=self.table.with_columns(intervals(self.table[name], bounds)))

    def code_ends(
        self, name: str, *, below: Exact | None = None, from_: Exact | None = None
    ) -> "Microdata":
        """Replace numbers below, or from, a bound by ``<20`` or ``>=80``: bottom and top coding.

        Parameters
        ----------
        name
            The column.
        below
            Numbers below it become one value.
        from_
            Numbers from it on become one value.

        Returns
        -------
        Microdata
            The table with coded ends in this column.

        Raises
        ------
        DataError
            Where a cell is no number.
        """
        from discreet.core.discretise import coded_ends

        refuse_roles((name,), self.table)
        column = coded_ends(self.table[name], below, from_)
        return replace(self, table=self.table.with_columns(column))

    @cached_property
    def bitmap(self) -> "Microdata":
        """The same people with 0/1 columns ``NAME=VALUE`` for each multi-valued attribute.

        Definition 2 of Fang, Ashrafi and Ng 2011. Nothing is lost: who has which values stands in
        the ones. A value declared non-sensitive is so whether a person has it or not.
        """
        from discreet.core.bitmap import bitmap_of

        if not self.multi_valued:
            return self
        return replace(self, **bitmap_of(self))

    def sens(self, name: str, value: str) -> bool:
        """Whether a value of a sensitive attribute needs protection: the predicate Sens(x).

        Parameters
        ----------
        name
            A sensitive attribute.
        value
            A value of it.

        Returns
        -------
        bool
            False where the value was named as harmless.
        """
        return value not in self.non_sensitive.get(name, frozenset())


def _frame_of(columns: Mapping[str, Any]) -> "pl.DataFrame":
    """Return a mapping of names to columns as a frame."""
    try:
        return pl.DataFrame(dict(columns))
    except (pl.exceptions.PolarsError, TypeError, ValueError):
        # what polars says may hold a value, which is private
        msg = "columns must be equally long, and each hold values of one kind, such as texts"
        raise DataError(msg) from None
