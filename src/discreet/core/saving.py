"""Releases to disk: a folder that appears whole or not at all."""

import hashlib
import io
import json
import shutil
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.release import Release
from discreet.errors import DataError, ParameterError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FORMATS", "seal", "write_release"]

FORMATS = ("parquet", "csv", "jsonl")


def write_release(
    release: Release[Any], target: Path, *, file_format: str = "parquet", force: bool = False
) -> Path:
    """Write ``release`` into the folder ``target``.

    The files go to a temporary folder beside the target, which is renamed at the end: whatever
    interrupts the writing, no half release is left.
    """
    if file_format not in FORMATS:
        msg = f"the format of a release must be one of {', '.join(FORMATS)}, got {file_format!r}"
        raise ParameterError(msg)
    _refuse_target(target, force=force)
    files = _files(release, file_format)
    partial: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        for name, content in files.items():
            (partial / name).write_bytes(content)
        partial.chmod(0o755)
        _put_in_place(partial, target)
    except OSError as error:
        why = error.strerror
        msg = f"the release could not be written to {target.name}: {why}; nothing is left there"
        raise DataError(msg) from None
    finally:
        if partial is not None:
            shutil.rmtree(partial, ignore_errors=True)
    return target


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
        msg = f"{target.name} exists; choose another name or replace it with --force"
        raise DataError(msg)


def _put_in_place(partial: Path, target: Path) -> None:
    if not target.exists():
        partial.rename(target)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{target.name}.old.", dir=target.parent))
    target.rename(old / "old")
    try:
        partial.rename(target)
    except OSError:
        (old / "old").rename(target)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _files(release: Release[Any], file_format: str) -> dict[str, bytes]:
    tables = release.to_polars()
    files = {
        f"{name}.{file_format}": _encoded(table, file_format) for name, table in tables.items()
    }
    files["README.txt"] = _readme(release, tables, file_format).encode()
    described = {
        name: {"sha256": hashlib.sha256(content).hexdigest()} for name, content in files.items()
    }
    for name, table in tables.items():
        described[f"{name}.{file_format}"]["columns"] = _columns(table)  # type: ignore[assignment]
    manifest = {"discreet": version("discreet")} | release.record() | {"files": described}
    manifest["seal"] = seal(manifest)
    files["manifest.json"] = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    return files


def seal(manifest: dict[str, Any]) -> str:
    """Return the hash that shows whether a manifest was edited; it is no signature."""
    unsealed = {key: value for key, value in manifest.items() if key != "seal"}
    return hashlib.sha256(json.dumps(unsealed, sort_keys=True).encode()).hexdigest()


def _columns(table: "pl.DataFrame") -> dict[str, str]:
    import polars as pl

    names = {pl.String: "str", pl.Int64: "int64", pl.List: "list[str]"}
    return {
        name: "list[list[str]]" if kind == pl.List(pl.List(pl.String)) else names[kind.base_type()]
        for name, kind in table.schema.items()
    }


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


def _told(note: Any) -> str:
    """Return a note as a reader wants it: what it lists one after the other, or that it is nothing.

    >>> _told(["a1", "b2"]), _told([]), _told(7)
    ('a1, b2', 'nothing', '7')
    """
    if isinstance(note, (list, tuple)):
        return ", ".join(map(str, note)) or "nothing"
    return str(note)


def _readme(release: Release[Any], tables: "dict[str, pl.DataFrame]", file_format: str) -> str:
    manifest = release.manifest
    files = "\n".join(
        f"  {name}.{file_format}: "
        + ", ".join(f"{column} ({kind})" for column, kind in _columns(table).items())
        for name, table in tables.items()
    )
    lists = "\nA list in a csv cell is written as JSON." if file_format == "csv" else ""
    promised = "\n".join(f"  - {guarantee.promise}" for guarantee in release.guarantees)
    # two promises may leave the same open
    limits = "\n".join(dict.fromkeys(f"  - {claim.limit}" for claim in release.guarantees))
    notes = "\n".join(f"  {key}: {_told(value)}" for key, value in manifest.notes.items())
    explained = "".join(f"\n  {line}" for line in getattr(release.content, "explained", ()))
    return f"""What this is
  Data published with discreet by the method {manifest.method}.
  Randomness: {manifest.randomness}
{notes}

How to read it
{files}{lists}{explained}
  manifest.json: method, parameters, guarantees, and the hash of each file.
  `discreet verify` checks what can be checked of the promises.

What is promised
{promised or "  nothing: this variant is published for study"}

What is not promised
{limits or "  anything"}
"""
