"""Releases to disk: what the manifest of a release says."""

from importlib.metadata import version
from pathlib import Path
from typing import Any, Unpack

from discreet.core.readme import readme_of
from discreet.core.release import Release
from discreet.io.release_folder import Saving, write_release_folder
from discreet.io.release_tables import column_kinds

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
