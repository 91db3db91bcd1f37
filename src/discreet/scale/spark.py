"""The verbs by Spark: on this machine, on a cluster, or through Spark Connect.

Only folded statistics come from the cluster to this process, over the connection that a session
has anyway, and only codes and rows to publish go there. The parts of a release are written by the
workers, so its folder must lie where they reach it; that every row arrived there is counted.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError, ParameterError
from discreet.io.text import BLANKS
from discreet.lazy import pl
from discreet.scale.limits import refuse_rows, refuse_sets
from discreet.scale.queries import filled, no_file_fits
from discreet.scale.spark_session import composable, spark_session
from discreet.scale.sql_engine import SqlEngine, ending_in
from discreet.scale.verbs import COPIES, PEOPLE, PLACE, Cut, Kind, SetColumns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WHOLE = ("tinyint", "smallint", "int", "bigint")
AT_ONCE = 5_000_000
"""Folded rows that come from the cluster at once, about."""
SEPARATORS = ",;\t"


def is_spark(value: object) -> bool:
    """Whether something is a data frame or a session of Spark, classic or Connect."""
    return type(value).__module__.partition(".")[0] == "pyspark"


_filled = partial(filled, "spark")


def _column(name: str) -> str:
    """Return the name of a column as Spark writes it.

    >>> _column("a`b")
    '`a``b`'
    """
    return "`" + name.replace("`", "``") + "`"


class Spark(SqlEngine):
    """An engine of many machines.

    Parameters
    ----------
    where
        ``spark`` (a session on this machine), the address of a master (``spark://...``) or of a
        Connect server (``sc://...``), a session, or a data frame.
    memory
        What a session on this machine may use.
    """

    def __init__(self, where: Any = "spark", memory: str = "4GB") -> None:
        super().__init__("spark", _column, memory)
        self._owned = isinstance(where, str)
        self._views: list[str] = []
        try:
            self.session: SparkSession = (
                spark_session(where, memory, self.scratch)
                if isinstance(where, str)
                else getattr(where, "sparkSession", where)
            )
        except BaseException:
            shutil.rmtree(self.scratch, ignore_errors=True)
            raise

    def table(self, source: Any) -> str:
        """Return the name under which the verbs know a path, a table, or a data frame."""
        files = list(map(str, source)) if isinstance(source, list) else [str(source)]
        subject = "the data frame" if is_spark(source) else Path(files[0]).name
        with _clear_faults(subject):
            return self._view(source if is_spark(source) else self._read(files))

    def kinds(self, table: str) -> Mapping[str, Kind | str]:
        """Return what each column holds."""
        with _clear_faults("the data"):
            return {name: _kind(kind) for name, kind in self.session.table(table).dtypes}

    def _counted(self, table: str, person: str) -> tuple[int, int, int]:
        survey = _filled("survey", table=table, person=person)
        [(rows, people, nameless, odd)] = self._all(survey, composed=composable())
        if odd:
            msg = (
                f"ids must be in the Unicode form NFC where Spark compares them, and in {odd:,} "
                "rows they may not be; normalise them first, or use the engine duckdb"
            )
            raise DataError(msg)
        return rows, people, nameless

    def vocabulary(self, table: str, columns: SetColumns) -> Iterable[str]:
        """Return every text of the column of items once."""
        query = _filled("vocabulary", people=self._people(table, columns))
        return [str(item) for (item,) in self._all(query)]

    def fold(
        self, table: str, columns: SetColumns, codes: Path, cut: Cut | None, folded: Path
    ) -> None:
        """Write the distinct sets with their counts."""
        view = self._view(self._frame(pl.read_parquet(codes)))
        query = "sets_with_hashes" if cut and cut.key else "sets"
        sets = _filled(query, people=self._people(table, columns), codes=view)
        key = {"key": cut.key} if cut and cut.key else {}
        query = _filled("fold", kept=_cut_sets(sets, cut))
        self._fetch(query, "items", folded, partial(refuse_sets, limit=self.limit), **key)

    def classes(self, table: str, columns: Sequence[str], folded: Path) -> None:
        """Write the distinct rows over some columns with their counts."""
        named = ", ".join(map(_column, columns))
        query = _filled("classes", columns=named, table=table, people=_column(PEOPLE))
        refuse = partial(refuse_rows, columns=len(columns), limit=self.limit)
        self._fetch(query, named, folded, refuse)

    def write(self, rows: Path, table: str, columns: Sequence[str], release: Path) -> None:
        """Write the rows of a published table as parts into the folder of a release."""
        named = ", ".join(map(_column, columns))
        for number in range(sum(1 for _ in rows.iterdir())):
            part = pl.read_parquet(rows / f"part={number}" / "*.parquet", hive_partitioning=False)
            # Spark has no unsigned words; only the order counts
            part = part.sort(PLACE).with_columns(
                pl.int_range(pl.len(), dtype=pl.Int64).alias(PLACE)
            )
            due = int(part.select(pl.col(COPIES).cast(pl.Int64).sum()).item())
            target = release / f"{table}-{number:05}.parquet"
            beside = {"place": _column(PLACE), "copies": _column(COPIES)}
            query = _filled("write", columns=named, rows=self._sent(part), **beside)
            self._write(query, target, due)

    def _sent(self, rows: "pl.DataFrame") -> str:
        """Return the name of rows that were handed to the cluster."""
        wanted = rows.with_columns(pl.col(COPIES).cast(pl.Int64))
        return self._view(self._frame(wanted))

    def _write(self, query: str, target: Path, due: int) -> None:
        """Let the workers write one file, and see that all rows that are due are in it."""
        beside = target.with_name(f".{target.name}")
        with _clear_faults("the release"):
            self.session.sql(query).write.parquet(str(beside))
        files = sorted(beside.glob("part-*.parquet"))
        counts = [pl.scan_parquet(file).select(pl.len()).collect().item() for file in files]
        if sum(counts) != due or sum(map(bool, counts)) > 1 or not files:
            shutil.rmtree(beside, ignore_errors=True)
            msg = (
                f"the workers must write to the folder of the release, and of {due:,} rows "
                f"{sum(counts):,} are there; choose a folder that all of them reach"
            )
            raise DataError(msg)
        # a task without rows may leave an empty file
        max(zip(counts, files, strict=True))[1].rename(target)
        shutil.rmtree(beside)

    def close(self) -> None:
        """Let go of what is held, end a session that was begun here, and remove ``scratch``."""
        try:
            for view in self._views:
                self.session.catalog.dropTempView(view)
            if self._owned:
                self.session.stop()
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def _people(self, table: str, columns: SetColumns) -> str:
        """Return the query of a row for each person and item.

        Where a row is a person without a name, people with the same list are one with a count: a
        number of the row would not be the same when a task is run again.
        """
        item = _column(columns.item)
        if columns.person is None:
            return _filled("people_without_names", table=table, item=item)
        query = "people_of_lists" if columns.lists else "people_of_rows"
        return _filled(query, table=table, item=item, person=self._person(table, columns.person))

    def _person(self, table: str, name: str) -> str:
        """Return how ids are compared: whole numbers as they are, texts without blanks around."""
        if self.kinds(table)[name] == "whole number":
            return _column(name)
        blanks = "".join(f"\\u{ord(blank):04x}" for blank in BLANKS)
        return f"trim(BOTH '{blanks}' FROM CAST({_column(name)} AS STRING))"

    def _read(self, files: list[str]) -> "DataFrame":
        """Return a table of the catalog, or files, those of a folder, or those of a pattern."""
        source = files[0]
        name = source.lower().removesuffix(".gz")
        if Path(source).is_dir():
            name = ending_in(Path(source))
        if name.endswith(".parquet"):
            return self.session.read.parquet(*files)
        if name.endswith((".csv", ".tsv")):
            return self._read_text(files, "\t" if name.endswith(".tsv") else None)
        if not Path(source).exists() and "/" not in source:
            return self.session.table(source)
        msg = (
            "Spark reads files of rows, csv, tsv or parquet, or a table of its catalog, and this "
            "is neither; write it as one of these, or read it with `engine` memory"
        )
        raise ParameterError(msg, parameter="engine")

    def _read_text(self, files: list[str], separator: str | None) -> "DataFrame":
        if separator is None:
            first = self.session.read.text(files[0]).limit(1).collect()
            separator = max(SEPARATORS, key=str(first[0][0]).count) if first else ","
        reader = self.session.read.option("header", "true").option("sep", separator)
        quoting = {"quote": '"', "escape": '"'} if separator != "\t" else {"quote": ""}
        for name, value in ({"mode": "FAILFAST", "multiLine": "true"} | quoting).items():
            reader = reader.option(name, value)
        return reader.csv(files)

    def _frame(self, table: "pl.DataFrame") -> "DataFrame":
        """Hand a table of this process to the cluster."""
        with _clear_faults("the plan"):
            # the layout of arrow that Spark knows has no views of texts
            return self.session.createDataFrame(
                table.to_arrow(compat_level=pl.CompatLevel.oldest())
            )

    def _view(self, frame: "DataFrame") -> str:
        # sessions are shared, and so are their names
        name = f"{self.scratch.name.replace('-', '_')}_{len(self._views)}"
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return name

    def _fetch(
        self, query: str, by: str, folded: Path, refuse: Callable[[int], None], **values: str
    ) -> None:
        """Write the answer of a query into a folder of this process, some rows at a time.

        The cluster keeps the answer and tells how many rows it has before any of them is sent.
        """
        folded.mkdir()
        with _clear_faults("the data"):
            frame = self.session.sql(query, args=values or None).persist()
            try:
                refuse(rows := frame.count())
                batches = -(-rows // AT_ONCE) or 1
                for batch in range(batches):
                    some = frame.where(f"pmod(hash({by}), {batches}) = {batch}")
                    table = pl.from_arrow((some if batches > 1 else frame).toArrow())
                    assert isinstance(table, pl.DataFrame)  # an arrow table is one
                    table.write_parquet(folded / f"{batch:05}.parquet")
            finally:
                frame.unpersist()

    def _all(self, query: str, **values: str) -> list[Any]:
        with _clear_faults("the data"):
            return self.session.sql(query, args=values or None).collect()


def _cut_sets(sets: str, cut: Cut | None) -> str:
    """Return the query of what is counted of each set."""
    if cut is None:
        return _filled("whole", sets=sets)
    return _filled("short" if cut.key is None else "cut", sets=sets, size=cut.size)


def _kind(kind: str) -> Kind | str:
    """Return what a column holds.

    >>> _kind("array<int>"), _kind("string"), _kind("array<double>")
    ('list', 'text', 'array<double>')
    """
    if kind.startswith("array<"):
        inner = _kind(kind.removeprefix("array<").removesuffix(">"))
        return "list" if inner in ("text", "whole number") else kind
    if kind in WHOLE:
        return "whole number"
    return "text" if kind.startswith(("string", "varchar", "char")) else kind


@contextmanager
def _clear_faults(subject: str) -> Iterator[None]:
    """Turn what Spark complains about into one sentence, without what stands in the data."""
    from py4j.protocol import Py4JError
    from pyspark.errors import AnalysisException, PySparkException

    try:
        yield
    except AnalysisException as error:
        why = (error.getCondition() or "not analysed").lower().replace("_", " ")
        if why == "path not found" and has_magic(subject):
            raise DataError(no_file_fits(subject)) from None
        raise DataError(f"{subject} cannot be read by Spark ({why})") from None
    except (PySparkException, Py4JError, ConnectionError) as error:
        why = getattr(error, "getCondition", lambda: None)() or type(error).__name__
        msg = f"Spark could not finish its work on {subject} ({why}); its own log says more"
        raise DataError(msg) from None
