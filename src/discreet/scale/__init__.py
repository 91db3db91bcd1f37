"""The same publishers on data beyond memory: an engine folds, this process decides.

``open`` hands a source to an engine, ``publish`` publishes it as a method would in memory: for the
same seed the same bag of rows. Noise is drawn here and nowhere else.

>>> import tempfile
>>> import polars as pl
>>> from discreet import rng, scale
>>> from discreet.counts import SparseHistogram
>>> rows = pl.DataFrame({"id": [1, 1, 2, 3], "item": ["beer", "bread", "bread", "bread"]})
>>> with tempfile.TemporaryDirectory() as folder:
...     rows.write_parquet(f"{folder}/baskets.parquet")
...     method = SparseHistogram(epsilon=1, universe=("beer", "bread"))
...     with scale.open(f"{folder}/baskets.parquet") as people:
...         release = scale.publish(method, people, f"{folder}/release", rng=rng.seeded(1))
...         release.name
'release'
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Unpack

from discreet.core.randomness import Rng
from discreet.errors import ParameterError
from discreet.io.release_folder import Saving
from discreet.io.text import normalised
from discreet.scale.collect import EngineSets
from discreet.scale.limits import bytes_of
from discreet.scale.source import set_columns
from discreet.scale.verbs import Engine

__all__ = ["engine_of", "open", "publish"]


def engine_of(name: str, memory: str) -> Engine:
    """Start an engine by its name, which keeps to an amount of memory.

    Parameters
    ----------
    name
        ``duckdb``.
    memory
        The amount, such as ``4GB``.

    Returns
    -------
    Engine
        It must be closed.

    Raises
    ------
    ParameterError
        Where there is no such engine.
    """
    if name == "duckdb":
        from discreet.scale.duckdb import DuckDB

        return DuckDB(memory)
    msg = f"`engine` must be memory or duckdb, got {name!r}"
    raise ParameterError(msg, parameter="engine")


@contextmanager
def open(  # noqa: A001 (as one opens a file)
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    sensitive: Iterable[str] = (),
    engine: str = "duckdb",
    memory: str = "4GB",
) -> Iterator[EngineSets]:
    """Hand sets of people to an engine, as a block that lets go of them at its end.

    Parameters
    ----------
    source
        A path, a folder or a pattern of csv or Parquet files, or a relation of DuckDB.
    columns
        Which columns are ``id``, ``item`` or ``items``, where they are called otherwise.
    sensitive
        The items whose possession is nobody's business.
    engine
        Who folds: ``duckdb``.
    memory
        What the engine may use, and what may be collected from it.

    Yields
    ------
    EngineSets
        The people, for ``publish``.

    Raises
    ------
    DataError
        Where the source cannot be read as sets of people.
    """
    working = engine_of(engine, memory)
    try:
        table = working.table(source)
        found = set_columns(working, table, columns or {})
        secret = frozenset(map(normalised, sensitive))
        yield EngineSets.of(working, table, found, bytes_of(memory), secret)
    finally:
        working.close()


def publish(
    method: Any,
    people: EngineSets,
    out: str | Path,
    *,
    rng: Rng | None = None,
    **saving: Unpack[Saving],
) -> Path:
    """Publish people that lie with an engine as a release folder.

    Parameters
    ----------
    method
        The publisher.
    people
        Who is published, from ``open``.
    out
        The folder to write.
    rng
        Where all randomness comes from; None: the secure one of the operating system.
    **saving
        The choices of ``Release.save``.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ParameterError
        Where the method needs whole records in memory; it says why.
    InfeasibleError
        Where what it decides by does not fit, or no release keeps the promise.
    """
    release: Path = method.publish(people, rng).save(out, **saving)
    return release
