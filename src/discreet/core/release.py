"""What goes out into the world: content, the guarantees claimed for it, and a manifest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from discreet.core.guarantee import Guarantee, record_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Content", "Manifest", "Release"]


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
    """Where the chance came from."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Further facts a reader must know, such as where the universe came from."""

    def record(self) -> dict[str, Any]:
        """Return the manifest as a plain mapping."""
        return {
            "method": self.method,
            "parameters": dict(self.parameters),
            "randomness": self.randomness,
            "notes": dict(self.notes),
        }


@dataclass(frozen=True, eq=False)
class Release(Generic[C]):
    """Published content with the guarantees claimed for it. Nothing private is in it."""

    content: C
    """The published data."""
    guarantees: tuple[Guarantee, ...]
    """What is promised."""
    manifest: Manifest
    """How it was made."""

    @property
    def sensitive(self) -> frozenset[str] | None:
        """The items that were hidden, where the release names any.

        One on disk names them in its manifest, one just made in its sets.
        """
        told = self.manifest.notes.get("sensitive")
        held = getattr(self.content, "sensitive", None)
        if told is not None:
            return frozenset(told)
        return held if isinstance(held, frozenset) and held else None

    def to_polars(self) -> "dict[str, pl.DataFrame]":
        """Return the published tables by name."""
        return self.content.tables()

    def save(self, path: str | Path, *, file_format: str = "parquet", force: bool = False) -> Path:
        """Write the release as a folder, whole or not at all; ``force`` replaces an old one."""
        from discreet.core.saving import write_release

        return write_release(self, Path(path), file_format=file_format, force=force)

    @staticmethod
    def load(path: str | Path) -> "Release[Any]":
        """Read a release folder, refusing one that is incomplete or was changed."""
        from discreet.core.loading import load_release

        return load_release(Path(path))

    def record(self) -> dict[str, Any]:
        """Return everything but the content as a plain mapping."""
        return self.manifest.record() | {
            "content": type(self.content).__name__,
            "guarantees": [record_of(guarantee) for guarantee in self.guarantees],
        }
