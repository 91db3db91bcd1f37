"""A series of corpora on disk, and its releases, one after the other."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.histogram import list_column
from discreet.core.publication import LinkageKey, Publication, State
from discreet.core.release import Release
from discreet.core.spelling import refuse_absent
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError
from discreet.io.writing import new_folder
from discreet.lazy import pl
from discreet.rng import Rng
from discreet.series.m_invariance import MInvariance
from discreet.series.sanony import Sanony

if TYPE_CHECKING:
    from discreet.series.segen import Serial

KEYS = "keys"
"""The folder of a series in which its keys lie, apart from the releases."""


def following(method: Any, before: Sequence[Publication[Any]]) -> Any:
    """Return the method as it must be for the next release: it sees what it may of the past."""
    match method:
        case Sanony() | MInvariance() if before:
            key = before[-1].linkage_key
            method = replace(method, keep=State(key) if key else None)
    if isinstance(method, Sanony):
        return replace(method, after=(*method.after, *(each.release for each in before)))
    return method


def publish_series(
    method: Any, corpora: Sequence[Transactions], rng: Rng
) -> Iterator[Publication[Any]]:
    """Publish the corpora one after the other, each release in the light of those before it."""
    made: list[Publication[Any]] = []
    for corpus in corpora:
        made.append(following(method, made).publish(corpus, rng))
        yield made[-1]


@dataclass(frozen=True, slots=True)
class SeriesFolder:
    """A folder with the corpora of a series and, by method, their releases and keys."""

    path: Path
    """The folder."""

    def save(self, made: "Serial", facts: dict[str, Any]) -> None:
        """Write the corpora, the list of private terms and how they were made."""
        if self.path.exists():
            raise DataError(f"{self.path} must be a new folder, and it exists")
        with new_folder(self.path, "the series") as folder:
            for number, corpus in enumerate(made.corpora, start=1):
                columns = {"id": corpus.ids, "items": list_column(corpus.sets)}
                pl.DataFrame(columns).write_parquet(folder / f"corpus_{number}.parquet")
            (folder / "private.txt").write_text("".join(f"{item}\n" for item in made.private))
            record = facts | {"drawn again": made.again}
            (folder / "series.json").write_text(json.dumps(record, indent=1) + "\n")

    def corpora(self) -> list[Transactions]:
        """Read the corpora, with their private terms."""
        from discreet.io.public import read_items

        files = self._numbered(self.path, "corpus_", ".parquet")
        if not files or not (self.path / "private.txt").is_file():
            msg = f"{self.path} must hold corpus_1.parquet and private.txt; series make makes them"
            raise DataError(msg)
        private = frozenset(read_items(str(self.path / "private.txt")))
        corpora = [replace(Transactions.read(file), sensitive=private) for file in files]
        refuse_absent("private terms", private, frozenset().union(*(each.held for each in corpora)))
        return corpora

    def new_folder(self, name: str) -> Path:
        """Return the folder for the releases by a method, which must not exist."""
        if Path(name).name != name or name.casefold() == KEYS:
            msg = f"`name` must be that of a folder beside {KEYS}, where the keys go, got {name!r}"
            raise ParameterError(msg, parameter="name")
        folder = self.path / name
        if folder.exists():
            msg = f"{folder} exists; choose another `name`, or delete it"
            raise ParameterError(msg, parameter="name")
        return folder

    def add(
        self,
        folder: Path,
        number: int,
        publication: Publication[Any],
        save: Callable[[Path, LinkageKey | None], None],
    ) -> None:
        """Write the next release of a method, by ``save``, and its key."""
        save(folder / f"release_{number}", publication.linkage_key)
        if publication.linkage_key is not None:
            publication.linkage_key.save(self.keys(folder.name) / f"key_{number}")

    def keys(self, name: str) -> Path:
        """Return the folder for the keys of a method's releases, apart from these."""
        return self.path / KEYS / name

    def published(self) -> list[str]:
        """Return the names under which releases of the series are there."""
        return sorted(each.parent.name for each in self.path.glob("*/release_1"))

    def releases(self, name: str) -> tuple[list[Release[Any]], list[LinkageKey]]:
        """Read the releases by a method, and the keys where all are there."""
        folder = self.path / name
        paths = self._numbered(folder, "release_", "")
        if not paths:
            methods = self.published()
            cure = f"there are {', '.join(methods)}" if methods else "publish the series first"
            raise DataError(f"{folder} has no releases; {cure}")
        keys = self._numbered(self.keys(name), "key_", "")
        if len(keys) != len(paths):
            keys = []
        return [Release.load(each) for each in paths], [LinkageKey.load(each) for each in keys]

    def _numbered(self, folder: Path, before: str, after: str) -> list[Path]:
        paths: list[Path] = []
        while (path := folder / f"{before}{len(paths) + 1}{after}").exists():
            paths.append(path)
        return paths
