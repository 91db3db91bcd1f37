"""The same people in memory and with an engine, and whether two releases are the same bags."""

from collections import Counter
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import polars as pl

from discreet import Microdata, Release, Transactions, rng, scale


def opened(data: Any, folder: Path, **engine: Any) -> AbstractContextManager[Any]:
    """Write the people to a file, and hand that to an engine."""
    file = folder / "people.parquet"
    if isinstance(data, Transactions):
        data.to_polars().write_parquet(file)
        return scale.open(file, sensitive=data.sensitive, **engine)
    assert isinstance(data, Microdata)
    data.table.write_parquet(file)
    roles = {
        "qids": data.qids,
        "sensitive": data.sensitive,
        "multi_valued": data.multi_valued,
        "kept": data.kept,
        "set_column": data.set_column,
    }
    return scale.open_table(file, **engine, **roles)


def bags(release: Release[Any]) -> dict[str, Counter[str]]:
    """Return for each table how often each row is in it."""
    return {
        name: Counter(map(str, table.iter_rows())) for name, table in release.to_polars().items()
    }


def same_release(
    method: Any, data: Any, folder: Path, seed: int = 7, **engine: Any
) -> Release[Any]:
    """Publish with an engine, and compare with what is published in memory."""
    # a release that was read back has the items of a row in the order of text
    method.publish(data, rng.seeded(seed)).save(folder / "in memory", force=True)
    expected = Release.load(folder / "in memory")
    with opened(data, folder, memory="1GB", **engine) as people:
        scale.publish(method, people, folder / "release", rng=rng.seeded(seed), force=True)
    found = Release.load(folder / "release")
    assert found.readme == "as the manifest says"
    assert found.record() == expected.record()
    assert schemas(found) == schemas(expected)
    assert bags(found) == bags(expected)
    return found


def schemas(release: Release[Any]) -> dict[str, pl.Schema]:
    return {name: table.schema for name, table in release.to_polars().items()}
