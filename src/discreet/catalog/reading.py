"""How data are read: one dataclass of choices for each noun, whence its options."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol

from discreet.catalog.syntax import ItemList
from discreet.data.release import Release
from discreet.data.transactions import Transactions

__all__ = ["NOUNS", "Reading", "ReleaseFolder", "SetsFile"]


class Reading(Protocol):
    """A dataclass of choices that reads one kind of data."""

    def read(self, source: str) -> Any:
        """Read the data that ``source`` names."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsFile:
    """A file of sets, one for each person, or a named data set such as dataset:msnbc."""

    input_format: Literal["fimi", "seq", "long", "lists", "matrix"] | None = None
    """The format of the file, where its ending and header do not tell."""
    columns: Mapping[str, str] | None = None
    """Which columns to read, where they are not called id and item, or items; such as
    id=userID,item=artistID."""
    separator: str | None = None
    """What stands between the items of one cell, where a cell holds several."""
    sensitive: ItemList = None
    """A file that names the sensitive items, one a line."""

    def read(self, source: str) -> Transactions:
        """Read the sets that ``source`` names."""
        data = Transactions.read(
            source,
            input_format=self.input_format,
            columns=self.columns,
            separator=self.separator,
        )
        return replace(data, sensitive=frozenset(self.sensitive)) if self.sensitive else data


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFolder:
    """The folder of a release."""

    def read(self, source: str) -> Release[Any]:
        """Read the release in the folder ``source``."""
        return Release.load(source)


NOUNS: Final[Mapping[type[Any], type[Reading]]] = {Transactions: SetsFile, Release: ReleaseFolder}
"""For each kind of data: how it is read. A new noun is one dataclass and one entry."""
