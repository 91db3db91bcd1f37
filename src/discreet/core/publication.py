"""What a publisher returns: a release for the world and a key for the owner."""

import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Generic, NewType, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from discreet.core.release import Content, Release
from discreet.errors import DataError, ParameterError
from discreet.io.json_lines import json_of
from discreet.io.parquet import hushed
from discreet.io.release_folder import Saving
from discreet.io.writing import write_file
from discreet.lazy import pl

C = TypeVar("C", bound=Content)

OTHER_ROWS: Final = (
    "the key must belong to this release, and it does not fit its rows; give with `key` the file "
    "that was kept with it"
)


@dataclass(frozen=True, eq=False, repr=False)
class LinkageKey:
    """What only the owner may see: which record is behind which row, and the method's state."""

    tables: "Mapping[str, pl.DataFrame]"
    """For example ``rows``: release row and record number."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """State that is not a table."""

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"LinkageKey({', '.join([*self.tables, *self.facts])})"

    def records(self, rows: int, people: int, table: str = "rows") -> NDArray[np.int64]:
        """Return the record behind each of so many rows, out of so many people.

        A key of another release, or of more people than there are, is refused.

        Parameters
        ----------
        rows
            The rows of the release.
        people
            The records of the private data.
        table
            Which table of the key is read.

        Returns
        -------
        array of int
            For each row its record.

        Raises
        ------
        DataError
            Where the key does not fit the rows or the data.
        """
        row, record = self._linked(table, rows, people)
        if len(row) != rows:
            raise DataError(OTHER_ROWS, parameter="key")
        return record[np.argsort(row, kind="stable")]

    def real_records(
        self, rows: int, people: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of a release behind which somebody stands, and whose record it is.

        Counterfeits are nobody's. A key of another release, or of more people than there are, is
        refused.

        Parameters
        ----------
        rows
            The rows of the release.
        people
            The records of the private data; None where they are not at hand.

        Returns
        -------
        pair of arrays of int
            The rows, and the record behind each.

        Raises
        ------
        DataError
            Where the key does not fit the rows or the data.
        """
        row, record = self._linked("rows", rows, people)
        real = record >= 0
        return row[real], record[real]

    def _linked(
        self, table: str, rows: int, people: int | None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return rows that are listed in a table of the key, and the record behind each."""
        links = self.tables.get(table)
        if links is None or not {"row", "record"} <= set(links.columns):
            raise DataError(OTHER_ROWS, parameter="key")
        row, record = (links[name].to_numpy().astype(np.int64) for name in ("row", "record"))
        if row.min(initial=0) < 0 or row.max(initial=-1) >= rows:
            raise DataError(OTHER_ROWS, parameter="key")
        if people is not None and record.max(initial=-1) >= people:
            msg = "the truth must be the data that were published, and it has fewer records"
            raise DataError(msg)
        return row, record

    @property
    def names_people(self) -> bool:
        """Whether the key says by name who is behind each row, as that of a graph does."""
        links = self.tables.get("rows")
        return links is not None and {"row", "id"} <= set(links.columns)

    def records_by_name(self, rows: int, ids: NDArray[np.str_]) -> NDArray[np.int64]:
        """Return who of ``ids`` is behind each of so many rows, by the names in the key.

        Parameters
        ----------
        rows
            The rows of the release.
        ids
            The names of the people in the order of the private data.

        Returns
        -------
        array of int
            For each row the index in ``ids``.

        Raises
        ------
        DataError
            Where the key names others.
        """
        number = {name: index for index, name in enumerate(ids.tolist())}
        names = self.tables["rows"].sort("row")["id"].to_list()
        if len(names) != rows or not set(names) <= number.keys():
            msg = "the key must belong to this graph and these people, and it names others"
            raise DataError(msg)
        return np.array([number[name] for name in names], dtype=np.int64)

    def packed(self) -> bytes:
        """Return the key as the content of one file."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            _add(archive, "facts.json", json.dumps(dict(self.facts)).encode())
            for name, table in self.tables.items():
                buffer = io.BytesIO()
                table.write_parquet(buffer)
                _add(archive, f"{name}.parquet", buffer.getvalue())
        return packed.getvalue()

    def save(self, path: str | Path) -> Path:
        """Write the key as one file that only its owner can read (mode 0600).

        Parameters
        ----------
        path
            The file to write.

        Returns
        -------
        Path
            The file.
        """
        return write_file(Path(path), self.packed(), "the key", private=True)

    @classmethod
    def load(cls, path: str | Path) -> "LinkageKey":
        """Read a key file back.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        LinkageKey
            The key.

        Raises
        ------
        DataError
            Where the file is no key.
        """
        source = Path(path)
        try:
            return cls.unpacked(source.read_bytes(), source.name)
        except FileNotFoundError:
            raise DataError(f"the key file {source.name} does not exist") from None
        except OSError:
            raise _damaged(source.name) from None

    @classmethod
    def unpacked(cls, content: bytes, name: str) -> "LinkageKey":
        """Read the content of a key file back.

        Parameters
        ----------
        content
            The bytes of the file.
        name
            What an error calls it.

        Returns
        -------
        LinkageKey
            The key.

        Raises
        ------
        DataError
            Where the content is no key.
        """
        try:
            with hushed(), zipfile.ZipFile(io.BytesIO(content)) as archive:
                facts = json_of(archive.read("facts.json"))
                tables = {
                    name.removesuffix(".parquet"): pl.read_parquet(io.BytesIO(archive.read(name)))
                    for name in archive.namelist()
                    if name.endswith(".parquet")
                }
        except (*BROKEN, pl.exceptions.PolarsError, pl.exceptions.PanicException):
            raise _damaged(name) from None
        if not isinstance(facts, dict):
            raise _damaged(name)
        return cls(tables, facts)


BROKEN: Final = (zipfile.BadZipFile, zlib.error, LookupError, ValueError, RuntimeError, EOFError)
"""What an archive whose bytes were changed may raise."""


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    # a ZipInfo of its own has no clock in it: one key is one file, whenever it is written
    archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def _damaged(name: str) -> DataError:
    msg = f"{name} must be a key file written by --keep, and is not one or is damaged"
    return DataError(msg)


State = NewType("State", LinkageKey)
"""The key of the release before, for a method that goes on from there and writes it anew."""


@dataclass(frozen=True, eq=False)
class Publication(Generic[C]):
    """A release for the world beside what its owner keeps."""

    release: Release[C]
    """For everyone."""
    linkage_key: LinkageKey | None = None
    """For the owner only; None where a method leaves nothing to keep."""

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each published table has."""
        return {name: table.height for name, table in self.release.to_polars().items()}

    def save(self, path: str | Path, **saving: Unpack[Saving]) -> Path:
        """Write the release, and only the release, as a folder.

        Parameters
        ----------
        path
            The folder to write.
        **saving
            The choices of ``Release.save``.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        DataError
            Where the folder exists and ``force`` is not given.
        """
        return self.release.save(path, **saving)

    def keyed(self, data: Any, before: LinkageKey | None = None) -> "Publication[C]":
        """Return this with a key that knows its release and the data it was made from.

        As ``discreet publish --keep`` writes it: beside this key, other data and other releases
        are refused, and an audit takes ``data`` for confirmed.

        Parameters
        ----------
        data
            The private data that were published.
        before
            The key of the release before, where this one takes its place.

        Returns
        -------
        Publication
            The same release, with that key.

        Examples
        --------
        >>> from discreet import Transactions, audit
        >>> from discreet.generalised import Km
        >>> baskets = Transactions.of([["bread", "beer"]] * 60 + [["bread"]] * 40)
        >>> made = Km(k=5, m=2).publish(baskets)
        >>> audit(made, against=baskets).level
        'release with care'
        >>> audit(made.keyed(baskets), against=baskets).level
        'release'
        """
        from discreet.core.truth import with_truth

        key = with_truth(self.linkage_key, data, self.release, {}, before)
        return replace(self, linkage_key=key)


def release_of(given: object, name: str = "release") -> Release[Any]:
    """Return a release, or that of a publication; anything else is refused."""
    if isinstance(given, Publication):
        return given.release
    if isinstance(given, Release):
        return given
    msg = (
        f"`{name}` must be a release or a publication, got something of type {type(given).__name__}"
    )
    raise ParameterError(msg, parameter=name)


def releases_of(given: object, name: str = "releases") -> list[Release[Any]]:
    """Return one release as a series of one, and several as they are; publications too."""
    if isinstance(given, Iterable) and not isinstance(given, Release):
        return [release_of(each, name) for each in given]
    return [release_of(given, name)]


def key_beside(given: object, key: object) -> LinkageKey | None:
    """Return the key that was handed in, or else that of a publication, which is its owner's."""
    if key is None and isinstance(given, Publication):
        return given.linkage_key
    if key is None or isinstance(key, LinkageKey):
        return key
    msg = f"`key` must be a linkage key, got something of type {type(key).__name__}"
    raise ParameterError(msg, parameter="key")
