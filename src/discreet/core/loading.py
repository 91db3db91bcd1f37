"""Release folders back from disk, refusing what is incomplete or was changed."""

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.clusters import Clusters
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.guarantee import guarantee_of
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Manifest, Release
from discreet.core.saving import seal
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.errors import DataError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CONTENTS", "load_release"]

CONTENTS = (
    ItemsetHistogram,
    Transactions,
    ProjectedTables,
    Clusters,
    GeneralisedSets,
    SetsWithNetwork,
    Network,
)
"""Every content type a release folder can hold."""


def load_release(path: Path) -> Release[Any]:
    """Read the release in the folder ``path``."""
    manifest = _manifest(path)
    kinds = {kind.__name__: kind for kind in CONTENTS}
    try:
        kind = kinds[manifest["content"]]
        guarantees = tuple(guarantee_of(record) for record in manifest["guarantees"])
        described = Manifest(
            method=manifest["method"],
            parameters=manifest["parameters"],
            randomness=manifest["randomness"],
            notes=manifest["notes"],
        )
        files = manifest["files"].items()
        tables = {
            name.rsplit(".", 1)[0]: _table(path, name, facts["columns"])
            for name, facts in files
            if _checked(path, name, facts["sha256"]) and "columns" in facts
        }
        return Release(kind.of_tables(tables), guarantees, described)
    except (KeyError, TypeError, AttributeError):
        msg = f"{path.name} is not a release this version can read: its manifest is malformed"
        raise DataError(msg) from None


def _manifest(path: Path) -> dict[str, Any]:
    source = path / "manifest.json"
    if not path.exists():
        msg = f"the release folder {path.name} does not exist"
        raise DataError(msg)
    try:
        manifest = json.loads(source.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        msg = f"{path.name} must be a release folder, but its manifest.json is missing or broken"
        raise DataError(msg) from None
    if not isinstance(manifest, dict) or manifest.get("seal") != seal(manifest):
        msg = f"the manifest of {path.name} was changed after the release was written"
        raise DataError(msg)
    return manifest


def _checked(path: Path, name: str, sha256: str) -> bool:
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
    return True


def _table(path: Path, name: str, columns: Mapping[str, str]) -> "pl.DataFrame":
    import polars as pl

    content = (path / name).read_bytes()
    try:
        table = _decoded(content, name.rsplit(".", 1)[1], columns)
    except (pl.exceptions.PolarsError, ValueError):
        msg = f"{name} in {path.name} does not hold the columns its manifest states"
        raise DataError(msg) from None
    if table.schema != _schema(columns):
        msg = f"{name} in {path.name} does not hold the columns its manifest states"
        raise DataError(msg)
    return table


def _decoded(content: bytes, file_format: str, columns: Mapping[str, str]) -> "pl.DataFrame":
    import polars as pl

    schema = _schema(columns)
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


def _schema(columns: Mapping[str, str]) -> "pl.Schema":
    import polars as pl

    kinds: dict[str, pl.DataType] = {
        "str": pl.String(),
        "int64": pl.Int64(),
        "list[str]": pl.List(pl.String()),
        "list[list[str]]": pl.List(pl.List(pl.String())),
    }
    return pl.Schema({name: kinds[kind] for name, kind in columns.items()})
