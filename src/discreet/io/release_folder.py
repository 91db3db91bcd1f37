"""Release folders: a manifest, a README and tables, with a checksum of each file."""

import hashlib
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from discreet.errors import DataError, ParameterError
from discreet.io.writing import new_folder

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "FORMATS",
    "Saving",
    "column_kinds",
    "read_release_folder",
    "seal",
    "seal_in",
    "unlisted_in",
    "write_release_folder",
]

FORMATS = ("parquet", "csv", "jsonl")
"""How the tables of a release may be written."""
MOST = 2.0**60
"""Sums of a column stay below this: numbers of people do, and they fit a word."""


class Saving(TypedDict, total=False):
    """How a release is written."""

    file_format: str
    """How its tables are written, ``parquet`` by default."""
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
    file_format, sealed = saving.get("file_format", "parquet"), saving.get("sealed")
    if file_format not in FORMATS:
        msg = f"the format of a release must be one of {', '.join(FORMATS)}, got {file_format!r}"
        raise ParameterError(msg, parameter="file_format")
    _refuse_target(path, force=saving.get("force", False))
    files = {
        f"{name}.{file_format}": _encoded(table, file_format) for name, table in tables.items()
    }
    files["README.txt"] = readme.encode()
    described: dict[str, dict[str, Any]] = {
        name: {"sha256": hashlib.sha256(content).hexdigest()} for name, content in files.items()
    }
    for name, table in tables.items():
        described[f"{name}.{file_format}"]["columns"] = column_kinds(table)
    manifest = {**record, "files": described}
    manifest["seal"] = seal(manifest)
    files["manifest.json"] = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    with new_folder(path, "the release") as folder:
        for name, content in files.items():
            (folder / name).write_bytes(content)
        if sealed is not None:
            sealed(manifest["seal"])
    return path


def read_release_folder(path: Path) -> "tuple[dict[str, Any], dict[str, pl.DataFrame]]":
    """Return the manifest and the tables, refusing what is incomplete or was changed."""
    manifest = _manifest(path)
    try:
        files = {
            name: (facts.get("columns"), _content(path, name, facts["sha256"]))
            for name, facts in manifest["files"].items()
        }
        tables = {
            name.rsplit(".", 1)[0]: _table(path, name, content, columns)
            for name, (columns, content) in files.items()
            if columns is not None
        }
    except (KeyError, TypeError, AttributeError):
        msg = f"{path.name} is not a release this version can read: its manifest is malformed"
        raise DataError(msg) from None
    return manifest, tables


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


def column_kinds(table: "pl.DataFrame") -> dict[str, str]:
    """Return what each column holds, in the words of a manifest."""
    kinds = {kind: name for name, kind in _kinds().items()}
    return {name: kinds[kind] for name, kind in table.schema.items()}


def _kinds() -> "dict[str, pl.DataType]":
    import polars as pl

    return {
        "str": pl.String(),
        "int64": pl.Int64(),
        "list[str]": pl.List(pl.String()),
        "list[int64]": pl.List(pl.Int64()),
        "list[list[str]]": pl.List(pl.List(pl.String())),
    }


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


def _encoded(table: "pl.DataFrame", file_format: str) -> bytes:
    buffer = io.BytesIO()
    if file_format == "parquet":
        table.write_parquet(buffer)
    elif file_format == "jsonl":
        table.write_ndjson(buffer)
    else:
        _with_json_lists(table).write_csv(buffer)
    return buffer.getvalue()


def _with_json_lists(table: "pl.DataFrame") -> "pl.DataFrame":
    import polars as pl

    def as_json(cell: Any) -> str:
        return json.dumps(cell, ensure_ascii=False)

    lists = [name for name, kind in table.schema.items() if kind.base_type() == pl.List]
    return table.with_columns(
        pl.Series(name, [as_json(cell) for cell in table[name].to_list()], dtype=pl.String)
        for name in lists
    )


def _manifest(path: Path) -> dict[str, Any]:
    if not path.exists():
        msg = f"the release folder {path.name} does not exist"
        raise DataError(msg)
    try:
        manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        msg = f"{path.name} must be a release folder, but its manifest.json is missing or broken"
        raise DataError(msg) from None
    if not isinstance(manifest, dict) or manifest.get("seal") != seal(manifest):
        msg = f"the manifest of {path.name} was changed after the release was written"
        raise DataError(msg)
    return manifest


def _content(path: Path, name: str, sha256: str) -> bytes:
    """Return the bytes of a file of the release, which must be those its checksum was taken of."""
    if "/" in name or "\\" in name or name in {"", ".", ".."}:
        msg = f"the manifest of {path.name} names a file outside the release"
        raise DataError(msg)
    try:
        content = (path / name).read_bytes()
    except OSError:
        msg = f"{path.name} is incomplete: {name} is missing or unreadable"
        raise DataError(msg) from None
    if hashlib.sha256(content).hexdigest() != sha256:
        msg = f"{name} in {path.name} was changed after the release was written"
        raise DataError(msg)
    return content


def _table(path: Path, name: str, content: bytes, columns: Mapping[str, str]) -> "pl.DataFrame":
    import polars as pl

    kinds = _kinds()
    schema = pl.Schema({column: kinds[kind] for column, kind in columns.items()})
    try:
        table = _decoded(content, name.rsplit(".", 1)[1], schema)
    except (pl.exceptions.PolarsError, ValueError, IndexError, TypeError):
        table = None
    if table is None or table.schema != schema:
        msg = f"{name} in {path.name} does not hold the columns its manifest states"
        raise DataError(msg)
    for column in table.get_columns():
        _refuse_forged(column, f"{name} in {path.name}")
    return table


def _refuse_forged(column: "pl.Series", where: str) -> None:
    """Refuse gaps, and numbers that no count of people reaches."""
    import polars as pl

    if column.dtype.base_type() == pl.List:
        _refuse_forged(column.explode(empty_as_null=False), where)
    # only a private term that is somewhere among all people has no cluster
    if column.null_count() and column.name != "cluster":
        msg = f"{where} must have a value in every cell, and {column.name} has gaps"
        raise DataError(msg)
    if column.dtype == pl.Int64 and len(column):
        total = column.cast(pl.Float64).abs().sum()
        if total > MOST:
            msg = f"{where} must hold numbers of people, and those of {column.name} are too large"
            raise DataError(msg)


def _decoded(content: bytes, file_format: str, schema: "pl.Schema") -> "pl.DataFrame":
    import polars as pl

    if file_format == "parquet":
        return pl.read_parquet(io.BytesIO(content))
    if file_format == "jsonl":
        return pl.read_ndjson(io.BytesIO(content), schema=schema)
    lists = [name for name, kind in schema.items() if kind.base_type() == pl.List]
    flat = {name: pl.String if name in lists else kind for name, kind in schema.items()}
    table = pl.read_csv(io.BytesIO(content), schema=flat)
    return table.with_columns(
        pl.Series(name, [json.loads(cell) for cell in table[name]], dtype=schema[name])
        for name in lists
    )
