"""One person, one row: a table whose columns play roles."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import DataError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Microdata"]


@dataclass(frozen=True, eq=False)
class Microdata:
    """Rows of people: quasi-identifiers that others may know, and sensitive attributes.

    Every cell is text, a missing one is empty text, and only columns with a role are kept.

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

    def __post_init__(self) -> None:
        _refuse_roles((*self.qids, *self.sensitive), self.table.columns)
        if outside := sorted(self.multi_valued.difference(self.sensitive)):
            msg = f"a multi-valued attribute must be sensitive, and {outside[0]!r} is not"
            raise DataError(msg)
        if not self.separator:
            msg = "the separator of multi-valued attributes must not be empty"
            raise DataError(msg)

    @classmethod
    def of(
        cls,
        table: "pl.DataFrame",
        *,
        qids: Iterable[str],
        sensitive: Iterable[str],
        multi_valued: Iterable[str] = (),
        separator: str = "|",
    ) -> "Microdata":
        """Make microdata from a polars table; numbers become text, columns without role go."""
        import polars as pl

        known, secret = tuple(qids), tuple(sensitive)
        _refuse_roles((*known, *secret), table.columns)
        kept = table.select(pl.col(*known, *secret).cast(pl.String).fill_null(""))
        return cls(kept, known, secret, frozenset(multi_valued), separator)

    @classmethod
    def read(
        cls,
        source: str | Path,
        *,
        qids: Iterable[str],
        sensitive: Iterable[str],
        multi_valued: Iterable[str] = (),
        separator: str = "|",
    ) -> "Microdata":
        """Read a csv (separator guessed) or parquet file, or a named table (``dataset:adult``)."""
        from discreet.data.datasets import source_path
        from discreet.data.read_table import read_table

        return cls.of(
            read_table(source_path(source)),
            qids=qids,
            sensitive=sensitive,
            multi_valued=multi_valued,
            separator=separator,
        )

    def __len__(self) -> int:
        return self.table.height


def _refuse_roles(roles: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse no role at all, two roles for one column, and a role for a column that is not."""
    if not roles:
        msg = "a table must have at least one quasi-identifier or sensitive attribute, got none"
        raise DataError(msg)
    for place, column in enumerate(roles):
        if column in roles[:place]:
            msg = f"a column must have one role, and {column!r} is named twice"
            raise DataError(msg)
        if column not in columns:
            near = get_close_matches(column, columns, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "check its spelling"
            msg = f"a column with a role must be in the table, and {column!r} is not; {hint}"
            raise DataError(msg)
