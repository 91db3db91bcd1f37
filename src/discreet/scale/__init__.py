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

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Unpack

from discreet.core.microdata import Microdata
from discreet.core.publication import Publication
from discreet.core.publisher import RowwisePublisher
from discreet.core.randomness import Rng
from discreet.core.verdict import Verdicts
from discreet.errors import ParameterError
from discreet.io.release_folder import Saving
from discreet.io.text import normalised
from discreet.rng import secure
from discreet.scale.apply import EnginePublication
from discreet.scale.check import verified
from discreet.scale.collect import EngineSets
from discreet.scale.collect_table import EngineTable
from discreet.scale.limits import bytes_of, refuse_method
from discreet.scale.source import set_columns
from discreet.scale.spark import Spark, is_spark
from discreet.scale.spark_session import ADDRESSES
from discreet.scale.verbs import Engine

__all__ = ["decided", "engine_of", "open", "open_table", "publish", "verify"]


def engine_of(name: Any, memory: str) -> Engine:
    """Start an engine by its name, which keeps to an amount of memory.

    Parameters
    ----------
    name
        ``duckdb``, ``spark``, an address of Spark (``spark://...``, ``sc://...``), or a session
        or data frame of Spark.
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
    if not isinstance(name, str) or name == "spark" or name.startswith(ADDRESSES):
        return Spark(name, memory)
    msg = f"`engine` must be duckdb, spark, spark://HOST:PORT or sc://HOST:PORT, got {name!r}"
    raise ParameterError(msg, parameter="engine")


@contextmanager
def open(  # noqa: A001 (as one opens a file)
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    sensitive: Iterable[str] = (),
    engine: Any = "duckdb",
    memory: str = "4GB",
) -> Iterator[EngineSets]:
    """Hand sets of people to an engine, as a block that lets go of them at its end.

    Parameters
    ----------
    source
        A path, a folder or a pattern of csv or Parquet files, a relation of DuckDB, a data frame
        of Spark, which brings its own session, or a table of Spark's catalog.
    columns
        Which columns are ``id``, ``item`` or ``items``, where they are called otherwise.
    sensitive
        The items whose possession is nobody's business.
    engine
        Who folds: ``duckdb``, ``spark`` (a session on this machine), the address of a cluster
        (``spark://...``) or of a Connect server (``sc://...``), or a session of Spark.
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
    with closing(engine_of(source if is_spark(source) else engine, memory)) as working:
        table = working.table(source)
        layout = set_columns(working, table, columns or {})
        secret = frozenset(map(normalised, sensitive))
        yield EngineSets.of(working, table, layout, bytes_of(memory), secret)


@contextmanager
def open_table(
    source: Any,
    *,
    engine: Any = "duckdb",
    memory: str = "4GB",
    prepared: Callable[[Microdata], Microdata] = lambda rows: rows,
    **roles: Any,
) -> Iterator[EngineTable]:
    """Hand a table of people to an engine, as a block that lets go of it at its end.

    Parameters
    ----------
    source
        A path, a folder or a pattern of csv or Parquet files, a relation of DuckDB, or a data
        frame or table of Spark.
    engine
        Who folds, as for ``open``.
    memory
        What the engine may use, and what may be collected from it.
    prepared
        What is done to the distinct rows first, such as intervals in place of numbers.
    **roles
        ``qids``, ``sensitive`` and the other roles of ``Microdata.of``.

    Yields
    ------
    EngineTable
        The people, for ``publish``.

    Raises
    ------
    DataError
        Where the source cannot be read, or a column with a role is not in it.
    """
    with closing(engine_of(source if is_spark(source) else engine, memory)) as working:
        yield EngineTable.of(working, working.table(source), bytes_of(memory), roles, prepared)


def verify(
    release: str | Path, *, engine: Any = "duckdb", memory: str = "4GB", **beside: Any
) -> Verdicts:
    """Check every guarantee of a release folder; what it holds is counted by an engine.

    Sets of known items are counted where they lie, tables are folded to their distinct rows, and
    the verdict is that of ``discreet.verify``. Other contents are read into memory.

    Parameters
    ----------
    release
        The folder.
    engine
        Who counts, as for ``open``.
    memory
        What the engine may use, and what may be collected from it.
    **beside
        What lies beside the release, as for ``discreet.verify``.

    Returns
    -------
    Verdicts
        ``holds`` is True, False or None: cannot be told.

    Raises
    ------
    DataError
        Where a file is missing, was changed or is malformed.
    """
    with closing(engine_of(engine, memory)) as working:
        return verified(Path(release), working, bytes_of(memory), beside)


def publish(
    method: Any,
    people: EngineSets | EngineTable,
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
    return decided(method, people, rng).save(out, **saving)


def decided(
    method: Any, people: EngineSets | EngineTable, rng: Rng | None = None
) -> Publication[Any]:
    """Decide on people that lie with an engine; what is published of them is written by ``save``.

    Parameters
    ----------
    method
        The publisher.
    people
        Who is published, from ``open``, which stays open until the release is saved.
    rng
        Where all randomness comes from; None: the secure one of the operating system.

    Returns
    -------
    Publication
        The release as far as it is known without its rows, and how to save it.

    Raises
    ------
    ParameterError
        Where the method needs whole records in memory; it says why.
    InfeasibleError
        Where what it decides by does not fit, or no release keeps the promise.
    """
    refuse_method(method)
    if isinstance(people, EngineSets):
        people.refuse(method)
    rng = rng or secure()
    if isinstance(method, RowwisePublisher):
        return EnginePublication.of(method, people, rng)
    publication: Publication[Any] = method.publish(people, rng)
    return publication
