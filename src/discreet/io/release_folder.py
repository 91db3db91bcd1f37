"""Release folders: a manifest, a README and tables, with a checksum of each file."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict, Unpack

from discreet.errors import DataError, ParameterError
from discreet.io.json_lines import json_of
from discreet.io.release_tables import (
    column_kinds,
    files_of_tables,
    part_name,
    read_table_files,
    write_table,
)
from discreet.io.source import sha256_of_file
from discreet.io.writing import new_folder
from discreet.lazy import pl

README = "README.txt"
"""The one file of a release that is no table."""
FORMATS = ("parquet", "csv", "jsonl")
"""How the tables of a release may be written."""


class Saving(TypedDict, total=False):
    """How a release is written."""

    file_format: str
    """How its tables are written, ``parquet`` by default."""
    part_rows: int | None
    """How many rows a file holds: a table is then ``NAME-00000``, ``NAME-00001`` and so on."""
    force: bool
    """Whether an old release of the same name is replaced."""
    sealed: Callable[[str], None] | None
    """Told the manifest's seal when all is on the disk, before the folder gets its name."""


def write_release_folder(
    path: Path,
    record: Mapping[str, Any],
    tables: "Mapping[str, pl.DataFrame]",
    readme: str,
    **saving: Unpack[Saving],
) -> Path:
    """Write a release folder, whole or not at all.

    ``record`` is what the manifest says beside the columns and checksums of the files.
    """
    columns = {name: column_kinds(table) for name, table in tables.items()}
    with new_release_folder(path, record, columns, readme, **saving) as folder:
        for name, table in tables.items():
            file_format = saving.get("file_format", "parquet")
            write_table(folder, name, table, file_format, saving.get("part_rows"))
    return path


@contextmanager
def new_release_folder(
    path: Path,
    record: Mapping[str, Any],
    columns: Mapping[str, Mapping[str, str]],
    readme: str,
    **saving: Unpack[Saving],
) -> Iterator[Path]:
    """Give a folder for the files of the tables, which is the release when the block is left well.

    ``columns`` says of each table what its columns hold; its files are named as ``part_name`` does.
    """
    file_format, sealed = saving.get("file_format", "parquet"), saving.get("sealed")
    _refuse_choices(file_format, saving.get("part_rows"))
    _refuse_target(path, force=saving.get("force", False))
    with new_folder(path, "the release") as folder:
        yield folder
        files = _described(folder, columns, file_format)
        (folder / README).write_bytes(readme.encode())
        files[README] = {"sha256": sha256_of_file(folder / README)}
        manifest = {**record, "files": files}
        manifest["seal"] = seal(manifest)
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        (folder / "manifest.json").write_bytes(text.encode())
        if sealed is not None:
            sealed(manifest["seal"])


def _refuse_choices(file_format: str, part_rows: int | None) -> None:
    if file_format not in FORMATS:
        msg = f"the format of a release must be one of {', '.join(FORMATS)}, got {file_format!r}"
        raise ParameterError(msg, parameter="file_format")
    if part_rows is not None and part_rows < 1:
        msg = f"a part of a table must hold at least one row, got `part_rows` {part_rows}"
        raise ParameterError(msg, parameter="part_rows")


def _described(
    folder: Path, columns: Mapping[str, Mapping[str, str]], file_format: str
) -> dict[str, dict[str, Any]]:
    """Return what the manifest says of each file of the tables, in the order of the tables."""
    names = {path.name for path in folder.iterdir()}
    described: dict[str, dict[str, Any]] = {}
    for table, kinds in columns.items():
        numbers: Sequence[int | None] = [None]
        if part_name(table, None, file_format) not in names:
            pattern = re.compile(rf"{re.escape(table)}-([0-9]{{5,}})\.{file_format}")
            numbers = sorted(int(match[1]) for match in map(pattern.fullmatch, names) if match)
        for part in numbers:
            name = part_name(table, part, file_format)
            facts = {"sha256": sha256_of_file(folder / name), "columns": dict(kinds)}
            described[name] = facts if part is None else facts | {"part": part}
    if set(files_of_tables(described)) != set(columns) or names != set(described):
        raise ValueError("a release folder must hold the files of its tables and nothing else")
    return described


def read_release_folder(path: Path) -> "tuple[dict[str, Any], dict[str, pl.DataFrame]]":
    """Return the manifest and the tables, refusing what is incomplete or was changed."""
    manifest, files = checked_release_files(path)
    try:
        tables = {
            table: read_table_files(path, names, manifest["files"][names[0]]["columns"])
            for table, names in files.items()
        }
    except (KeyError, TypeError, AttributeError):
        raise _malformed(path) from None
    return manifest, tables


def checked_release_files(path: Path) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the manifest and the files of each table, after every checksum was compared."""
    manifest = _manifest(path)
    try:
        for name, facts in manifest["files"].items():
            _refuse_changed(path, name, facts["sha256"])
        return manifest, files_of_tables(manifest["files"])
    except (KeyError, TypeError, AttributeError):
        raise _malformed(path) from None


def _malformed(path: Path) -> DataError:
    msg = f"{path.name} is not a release this version can read: its manifest is malformed"
    return DataError(msg)


def unlisted_in(path: Path, manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names in a release folder that its manifest does not list."""
    listed = {"manifest.json", *manifest["files"]}
    return tuple(sorted(each.name for each in path.iterdir() if each.name not in listed))


def seal(manifest: Mapping[str, Any]) -> str:
    """Return the hash that shows whether a manifest was edited; it is no signature."""
    unsealed = {key: value for key, value in manifest.items() if key != "seal"}
    return hashlib.sha256(json.dumps(unsealed, sort_keys=True).encode()).hexdigest()


def seal_in(path: Path) -> str | None:
    """Return the seal of the release in a folder, or None where there is none that is whole."""
    try:
        return str(_manifest(path)["seal"])
    except DataError:
        return None


def _refuse_target(target: Path, *, force: bool) -> None:
    if not target.exists() and not target.is_symlink():
        return
    replaceable = target.is_dir() and (
        (target / "manifest.json").is_file() or not any(target.iterdir())
    )
    if not replaceable:
        msg = (
            f"{target.name} exists and is not a release, so it is not replaced; choose another name"
        )
        raise DataError(msg)
    if not force:
        msg = f"{target.name} exists; choose another name or replace it with `force`"
        raise DataError(msg, parameter="force")


def _manifest(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise DataError(f"{path.name}: there is no such release folder")
    if path.is_file():
        raise DataError(f"{path.name} is a file; a release is a folder that has a manifest.json")
    try:
        manifest = json_of((path / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        msg = f"{path.name} must be a release folder, but its manifest.json is missing or broken"
        raise DataError(msg) from None
    if not isinstance(manifest, dict) or manifest.get("seal") != seal(manifest):
        raise DataError(f"the manifest of {path.name} was changed after the release was written")
    return manifest


def _refuse_changed(path: Path, name: str, sha256: str) -> None:
    """Refuse a file of the release whose bytes are not those its checksum was taken of."""
    if any(each in name for each in "/\\\0") or name in {"", ".", ".."}:
        raise DataError(f"the manifest of {path.name} names a file outside the release")
    try:
        actual = sha256_of_file(path / name)
    except OSError:
        raise DataError(f"{path.name} is incomplete: {name} is missing or unreadable") from None
    if actual != sha256:
        raise DataError(f"{name} in {path.name} was changed after the release was written")
