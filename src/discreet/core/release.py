"""What goes out into the world: content, the guarantees claimed for it, and a manifest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Generic,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    Unpack,
)

from discreet.core.guarantee import Guarantee, record_of
from discreet.io.release_folder import Saving
from discreet.lazy import pl

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Universe: TypeAlias = Literal["public", "taken from the data: not covered by epsilon"]
"""Where the items that a differentially private method works on come from."""
Readme: TypeAlias = Literal["as the manifest says", "not as the manifest says", "not compared"]
"""Whether the README.txt of a release says what its manifest says."""
PUBLIC: Final = "public"
TAKEN: Final = "taken from the data: not covered by epsilon"


def universe_of(given: object) -> Universe:
    """Return what a manifest says of a universe that was given, or of None: it was not."""
    return TAKEN if given is None else PUBLIC


class Content(Protocol):
    """Anything that can be published: it turns into tables."""

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return the tables by file name."""
        ...


C = TypeVar("C", bound=Content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """How a release was made: numbers, names and choices only, nothing of the data."""

    method: str
    """The method's name in the catalog."""
    parameters: Mapping[str, Any]
    """The parameters as they were chosen."""
    randomness: str
    """Where the chance came from, in words."""
    seeded: bool = False
    """Whether the chance can be repeated: such a release is not for publication."""
    universe: Universe | None = None
    """Where the item universe came from; None where the method needs none."""
    sensitive: tuple[str, ...] | None = None
    """The items that are hidden, sorted; None where the release does not name any."""
    follows: tuple[str, ...] | None = None
    """The fingerprints of all earlier releases, oldest first; None outside a series."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Further facts about the method's choices that a reader must know."""

    @property
    def facts(self) -> dict[str, Any]:
        """What a reader must know beside method, parameters and randomness: fields and notes."""
        record = self.record()
        filled = {
            name: record[name]
            for name in ("universe", "sensitive", "follows")
            if record[name] is not None
        }
        return filled | dict(self.notes)

    def record(self) -> dict[str, Any]:
        """Return the manifest as a plain mapping."""
        return {
            "method": self.method,
            "parameters": dict(self.parameters),
            "randomness": self.randomness,
            "seeded": self.seeded,
            "universe": self.universe,
            "sensitive": None if self.sensitive is None else list(self.sensitive),
            "follows": None if self.follows is None else list(self.follows),
            "notes": dict(self.notes),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Release(Generic[C]):
    """Published content with the guarantees claimed for it. Nothing private is in it."""

    content: C
    """The published data."""
    guarantees: tuple[Guarantee, ...]
    """What is promised."""
    manifest: Manifest
    """How it was made."""
    unlisted: tuple[str, ...] = ()
    """What lies in its folder and is not in the manifest, so that nobody vouches for it."""
    readme: Readme = "as the manifest says"
    """Whether the README.txt in its folder is the one that its manifest gives."""

    @property
    def folder_fault(self) -> str | None:
        """What is wrong with the folder it was read from, beside its promises; None for nothing."""
        if self.unlisted:
            strange = ", ".join(self.unlisted)
            return f"the folder of the release holds what its manifest does not list: {strange}"
        if self.readme == "not as the manifest says":
            return "the README.txt of the release does not say what its manifest says"
        return None

    @cached_property
    def content_digest(self) -> str:
        """A hash of what it says, whatever the format it was written in."""
        from discreet.core.truth import content_digest

        return content_digest(self.content)

    @property
    def sensitive(self) -> frozenset[str] | None:
        """The items that were hidden, where the manifest names any."""
        items = self.manifest.sensitive
        return None if items is None else frozenset(items)

    def to_polars(self) -> "dict[str, pl.DataFrame]":
        """Return the published tables by name."""
        return self.content.tables()

    def to_pandas(self) -> "dict[str, pd.DataFrame]":
        """Return the published tables by name as frames of pandas, which must be installed."""
        return {name: table.to_pandas() for name, table in self.to_polars().items()}

    def to_arrow(self) -> "dict[str, pa.Table]":
        """Return the published tables by name as tables of pyarrow, which must be installed."""
        return {name: table.to_arrow() for name, table in self.to_polars().items()}

    def __getitem__(self, name: str) -> "pl.DataFrame":
        """Return the published table of this name."""
        tables = self.to_polars()
        if name not in tables:
            msg = f"a release has tables by name, here {', '.join(tables)}, not {name!r}"
            raise KeyError(msg)
        return tables[name]

    def head(self, n: int = 5) -> "dict[str, pl.DataFrame]":
        """Return the first rows of each published table.

        Parameters
        ----------
        n
            How many rows.

        Returns
        -------
        dict of DataFrame
            The tables by name.
        """
        return {name: table.head(n) for name, table in self.to_polars().items()}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Release):
            return NotImplemented
        if self.record() != other.record():
            return False
        own, others = self.to_polars(), other.to_polars()
        return own.keys() == others.keys() and all(own[name].equals(others[name]) for name in own)

    def __hash__(self) -> int:
        return hash((self.manifest.method, len(self.guarantees)))

    def __repr__(self) -> str:
        return f"Release({self.manifest.method}: {self.content!r})"

    def _repr_html_(self) -> str:
        return f"<code>{escape(repr(self))}</code>"

    def save(self, path: str | Path, **saving: Unpack[Saving]) -> Path:
        """Write the release as a folder, whole or not at all; ``force`` replaces an old one.

        Parameters
        ----------
        path
            The folder to write.
        **saving
            ``file_format`` is ``parquet``, ``csv`` or ``jsonl``. ``part_rows`` writes each table in
            files of so many rows. ``force`` replaces an old release of this name. ``sealed`` is
            told the manifest's hash when all is written and before the folder has its name, so
            that whoever keeps books knows of it first.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        DataError
            Where the folder exists and ``force`` is not given, or cannot be written.
        """
        from discreet.core.saving import write_release

        return write_release(self, Path(path), **saving)

    @staticmethod
    def load(path: str | Path) -> "Release[Any]":
        """Read a release folder, refusing one that is incomplete or was changed.

        Parameters
        ----------
        path
            The folder.

        Returns
        -------
        Release
            The content as its type, the guarantees and the manifest.

        Raises
        ------
        DataError
            Where a file is missing, changed or of an unknown kind.
        """
        from discreet.core.loading import load_release

        return load_release(Path(path))

    def record(self) -> dict[str, Any]:
        """Return everything but the content as a plain mapping."""
        return self.manifest.record() | {
            "content": getattr(self.content, "published_as", type(self.content).__name__),
            "guarantees": [record_of(guarantee) for guarantee in self.guarantees],
        }
