"""Releases to disk: what the manifest and the README of a release say."""

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Unpack

from discreet.core.release import Release
from discreet.io.release_folder import Saving, write_release_folder
from discreet.io.release_tables import column_kinds, part_name

FORMAT = 2
"""The version of the manifest and the tables; version 1 did not say so."""


def write_release(release: Release[Any], target: Path, **saving: Unpack[Saving]) -> Path:
    """Write ``release`` into the folder ``target``, whole or not at all."""
    tables = release.to_polars()
    columns = {name: column_kinds(table) for name, table in tables.items()}
    readme = readme_of(release, columns, **saving)
    return write_release_folder(target, record_of_release(release), tables, readme, **saving)


def record_of_release(release: Release[Any]) -> dict[str, Any]:
    """Return what the manifest says of a release beside its files."""
    return {"discreet": version("discreet"), "format": FORMAT} | release.record()


def _note_text(note: Any) -> str:
    """Return a note as a reader wants it: what it lists one after the other, or that it is nothing.

    >>> _note_text(["a1", "b2"]), _note_text([]), _note_text(7)
    ('a1, b2', 'nothing', '7')
    """
    if isinstance(note, (list, tuple)):
        return ", ".join(map(str, note)) or "nothing"
    return str(note)


def readme_of(
    release: Release[Any], columns: Mapping[str, Mapping[str, str]], **saving: Unpack[Saving]
) -> str:
    """Return the README of a release whose tables have these columns."""
    manifest, file_format = release.manifest, saving.get("file_format", "parquet")
    split = saving.get("part_rows") is not None
    files = "\n".join(
        f"  {part_name(name, 0 if split else None, file_format)}{' and so on' if split else ''}: "
        + ", ".join(f"{column} ({kind})" for column, kind in kinds.items())
        for name, kinds in columns.items()
    )
    lists = "\nA list in a csv cell is written as JSON." if file_format == "csv" else ""
    promised = "\n".join(f"  - {guarantee.promise}" for guarantee in release.guarantees)
    # two promises may leave the same open
    limits = "\n".join(dict.fromkeys(f"  - {claim.limit}" for claim in release.guarantees))
    notes = "\n".join(f"  {key}: {_note_text(value)}" for key, value in manifest.facts.items())
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
