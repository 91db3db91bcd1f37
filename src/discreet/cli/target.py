"""Where a publication goes: the release, and beside it the key, the rules and the choices."""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from discreet.catalog import Choices, Entry
from discreet.core.doc import Doc
from discreet.core.publication import LinkageKey
from discreet.errors import DataError, DiscreetError, ParameterError
from discreet.io.release_folder import Saving
from discreet.io.rules_file import read_rules_file
from discreet.io.writing import new_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a publication goes."""

    out: Annotated[Path, Doc("The folder to write the release to.")]
    keep: Annotated[
        Path | None,
        Doc(
            "A file for the linkage key, which says which record became which row; keep it secret."
        ),
    ] = None
    file_format: Annotated[
        Literal["parquet", "csv", "jsonl"], Doc("The format of the release's tables.")
    ] = field(default="parquet", metadata={"option": "--format"})
    part_rows: Annotated[
        int | None,
        Doc(
            "Split each table into files of this many rows, NAME-00000 and so on; by default it "
            "is one file."
        ),
    ] = None
    save_rules: Annotated[
        Path | None,
        Doc(
            "A file for how each value was recoded in this release, to be reused with `rules` "
            "later."
        ),
    ] = None
    rules: Annotated[
        Path | None,
        Doc(
            "Recode as an earlier release did, from the file it saved, instead of deciding anew; "
            "refused if the promise would not hold."
        ),
    ] = None
    save_choices: Annotated[
        Path | None,
        Doc(
            "A file for all choices (method, parameters, how data are read, the content of lists "
            "and hierarchies), to publish the next data with `discreet publish --like FILE "
            "DATA`; keep it to yourself."
        ),
    ] = None
    force: Annotated[
        bool, Doc("Replace an existing release, key, or file of rules or choices of the same name.")
    ] = False

    def __post_init__(self) -> None:
        if self.part_rows is not None and self.part_rows < 1:
            msg = f"a part of a table must hold at least one row, got `part_rows` {self.part_rows}"
            raise ParameterError(msg, parameter="part_rows")

    def refuse(self, *, goes_on: bool = False) -> None:
        """Refuse, before the work starts, a place where the result could not go.

        A method that ``goes_on`` from the key of the release before writes it anew.
        """
        if self.keep and self.out.resolve() in (self.keep.resolve(), *self.keep.resolve().parents):
            msg = "`keep` must be outside the release folder, which is for everyone"
            raise ParameterError(msg, parameter="keep")
        _refuse_existing(self.out, ours=_is_release(self.out), replace=self.force)
        if self.keep:
            # whoever goes on reads the key first, and says so where it is none
            ours = (goes_on and self.keep.is_file()) or _is_ours(self.keep, LinkageKey.load)
            _refuse_existing(self.keep, ours=ours, replace=self.force or goes_on)
        taken = {self.out.resolve(), *([self.keep.resolve()] if self.keep else [])}
        readers = {"save_rules": read_rules_file, "save_choices": Choices.read}
        for name, read in readers.items():
            path: Path | None = getattr(self, name)
            if path is None:
                continue
            if self.out.resolve() in path.resolve().parents or path.resolve() in taken:
                msg = f"`{name}` must be a file of its own, outside the release folder"
                raise ParameterError(msg, parameter=name)
            _refuse_existing(path, ours=_is_ours(path, read), replace=self.force)
            taken.add(path.resolve())

    def refuse_engine(self) -> None:
        """Refuse what takes the records themselves, which an engine does not hand out."""
        for name in ("keep", "rules", "save_rules"):
            if getattr(self, name) is not None:
                msg = f"`{name}` needs the records, and an engine folds them; use `engine` memory"
                raise ParameterError(msg, parameter=name)

    def refuse_rules(self, entry: Entry, method: Any) -> None:
        """Refuse rules of what no rule can say, before the work starts."""
        from discreet.study.ruling import refuse_unruled

        for name in ("rules", "save_rules"):
            if getattr(self, name) is not None:
                refuse_unruled(entry, method, name)

    @property
    def _saving(self) -> Saving:
        return {
            "file_format": self.file_format,
            "part_rows": self.part_rows,
            "force": self.force,
        }

    def write(
        self, save: Callable[..., None], key: "LinkageKey | None", beside: Mapping[Path, str]
    ) -> Path | None:
        """Write the release, the files beside it and the key: all or none; return the key."""
        with ExitStack() as written:
            for path, text in beside.items():
                private = path == self.save_choices
                file = written.enter_context(new_file(path, path.name, private=private))
                file.write(text.encode())
            return self._write(save, key)

    def _write(self, save: Callable[..., None], key: "LinkageKey | None") -> Path | None:
        if self.keep is None or key is None:
            save(self.out, key, **self._saving)
            return None
        # the key is on the disk before the release is, and gets its name after it
        with new_file(self.keep, "the key", private=True) as file:
            file.write(key.packed())
            save(self.out, key, **self._saving)
        return self.keep


def _refuse_existing(path: Path, *, ours: bool, replace: bool) -> None:
    """Refuse a name that is taken; only what is ``ours`` to write may be replaced."""
    if path.exists() and not (ours and replace):
        cure = " or replace it with `force`" if ours else ""
        raise DataError(f"{path} exists; choose another name{cure}")
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise DataError(f"{path} cannot be written; choose a place inside a folder that is yours")


def _is_release(path: Path) -> bool:
    return path.is_dir() and ((path / "manifest.json").is_file() or not any(path.iterdir()))


def _is_ours(path: Path, read: Callable[[Path], Any]) -> bool:
    """Whether a file is empty, or one that ``read`` takes: no data are lost with it."""
    if not path.is_file():
        return False
    try:
        return path.stat().st_size == 0 or read(path) is not None
    except (OSError, DiscreetError):
        return False
