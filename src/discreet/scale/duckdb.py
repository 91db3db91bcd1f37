"""The verbs by DuckDB, in this process: larger than memory, on one machine."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from glob import has_magic
from pathlib import Path
from typing import Any

import duckdb

from discreet.errors import DataError, ParameterError
from discreet.io.delimited import NO_HEADER
from discreet.io.source import fault, text_blocks, whole_lines
from discreet.io.text import BLANKS
from discreet.scale.limits import refuse_sets
from discreet.scale.queries import column, filled, no_file_fits, queries, text
from discreet.scale.sql_engine import SqlEngine, ending_in
from discreet.scale.verbs import COPIES, PEOPLE, PLACE, Cut, Kind, SetColumns

ROW = 60
"""Bytes that a row takes while the rows of a person are gathered: twice what was measured."""
SHARE = 512
"""Of the distinct sets one in so many is counted while folding, by its hash."""
WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
TEXTS = ("VARCHAR", "ENUM")


_filled = partial(filled, "duckdb")


class DuckDB(SqlEngine):
    """An engine in this process that keeps to a limit of memory and spills to the disk.

    Parameters
    ----------
    memory
        The limit, such as ``4GB``.
    """

    def __init__(self, memory: str = "4GB") -> None:
        super().__init__("duckdb", column, memory)
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{self.limit // 1_000_000}MB",
            "temp_directory": str(self.scratch / "spill"),
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,
            "threads": os.cpu_count() or 1,
        }
        self.session = duckdb.connect(config=config)
        self.session.execute(queries("duckdb")["words"])
        self._tables = 0

    def table(self, source: Any) -> str:
        """Return the name under which the verbs know a path, pattern, relation or table."""
        self._tables += 1
        name = f"source_{self._tables}"
        if isinstance(source, duckdb.DuckDBPyRelation):
            # a relation belongs to the session it was made in
            file = self.scratch / f"{name}.parquet"
            source.write_parquet(str(file))
            source = file
        files = list(map(str, source)) if isinstance(source, list) else [str(source)]
        reader = _reader(files)
        with _clear_faults(Path(files[0]).name):
            self.session.execute(f"CREATE TEMP VIEW {name} AS SELECT * FROM {reader}")
        return name

    def kinds(self, table: str) -> Mapping[str, Kind | str]:
        """Return what each column holds."""
        rows = self._all(f"DESCRIBE {table}")
        return {name: _kind(str(kind)) for name, kind, *_ in rows}

    def vocabulary(self, table: str, columns: SetColumns) -> Iterable[str]:
        """Return every text of the column of items once."""
        rows = self._all(_filled("vocabulary", view=self._people(table, columns)))
        return [item for (item,) in rows]

    def fold(
        self, table: str, columns: SetColumns, codes: Path, cut: Cut | None, folded: Path
    ) -> None:
        """Write the distinct sets with their counts, some people at a time where they are many."""
        folded.mkdir()
        view, buckets = self._people(table, columns), self._buckets(table, columns)
        folders = [folded if buckets == 1 else Path(f"{folded}-parts")]
        folders[0].mkdir(exist_ok=True)
        sampled: set[tuple[int]] = set()
        for bucket in range(buckets):
            some = f"hash(person) % {buckets} = {bucket}" if buckets > 1 else "TRUE"
            query = "sets_with_hashes" if cut and cut.key else "sets"
            sets = _filled(query, view=view, codes=text(codes), bucket=some)
            counted = _cut_sets(sets, cut)
            file = text(folders[0] / f"{bucket:05}.parquet")
            self._run("fold", kept=counted, file=file)
            sampled.update(self._all(_filled("sampled", file=file, share=SHARE)))
            refuse_sets(_surely(len(sampled)), self.limit)
        if buckets > 1:
            self._merge(folders[0], buckets, folded)

    def _merge(self, folder: Path, buckets: int, folded: Path) -> None:
        """Add up the sets that people of several buckets hold."""
        for bucket in range(buckets):
            some = f"hash(items) % {buckets} = {bucket}"
            file = text(folded / f"{bucket:05}.parquet")
            self._run("merge", files=text(folder / "*.parquet"), bucket=some, file=file)
        shutil.rmtree(folder)

    def classes(self, table: str, columns: Sequence[str], folded: Path) -> None:
        """Write the distinct rows over some columns with their counts."""
        folded.mkdir()
        named, file = ", ".join(map(column, columns)), text(folded / "00000.parquet")
        self._run("classes", columns=named, table=table, people=column(PEOPLE), file=file)

    def write(self, rows: Path, table: str, columns: Sequence[str], release: Path) -> None:
        """Write the rows of a published table as parts into the folder of a release."""
        named = ", ".join(map(column, columns))
        for number in range(sum(1 for _ in rows.iterdir())):
            files = text(rows / f"part={number}" / "*.parquet")
            file = text(release / f"{table}-{number:05}.parquet")
            beside = {"place": column(PLACE), "copies": column(COPIES)}
            self._run("write", columns=named, files=files, file=file, **beside)

    def close(self) -> None:
        """Let go of what is held, and remove ``scratch``."""
        self.session.close()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _counted(self, table: str, person: str) -> tuple[int, int, int]:
        [(rows, people, nameless)] = self._all(_filled("survey", table=table, person=person))
        return rows, people, nameless

    def _people(self, table: str, columns: SetColumns) -> str:
        """Return the view with a row for each person and item."""
        view = f"{table}_people"
        person = "row_number() OVER ()"
        if columns.person is not None:
            person = self._person(table, columns.person)
        query = "people_of_lists" if columns.lists else "people_of_rows"
        self._run(query, view=view, table=table, person=person, item=column(columns.item))
        return view

    def _person(self, table: str, name: str) -> str:
        """Return how ids are compared: whole numbers as they are, texts normalised."""
        if self.kinds(table)[name] == "whole number":
            return column(name)
        return f"trim(nfc_normalize({column(name)}::VARCHAR), {text(BLANKS)})"

    def _buckets(self, table: str, columns: SetColumns) -> int:
        """Return into how many parts people are divided, so that the rows of each fit."""
        if columns.person is None:
            return 1  # a row is a person; nobody's rows must be found together
        rows = self.survey(table, columns).rows
        return -(-rows * ROW // self.limit) or 1

    def _run(self, name: str, **values: object) -> None:
        self._all(_filled(name, **values))

    def _all(self, query: str) -> list[Any]:
        with _clear_faults("the data"):
            return self.session.execute(query).fetchall()


def _surely(sampled: int) -> int:
    """Return how many distinct sets there are at least, by a count of one in ``SHARE``.

    Five standard deviations below what it says.

    >>> _surely(1), _surely(10_000)
    (0, 4864000)
    """
    return max(0, int(SHARE * (sampled - 5 * sampled**0.5)))


def _cut_sets(sets: str, cut: Cut | None) -> str:
    """Return the query of what is counted of each set."""
    if cut is None:
        return _filled("whole", sets=sets)
    if cut.key is None:
        return _filled("short", sets=sets, size=cut.size)
    return _filled("cut", sets=sets, size=cut.size, key=text(cut.key))


def _kind(kind: str) -> Kind | str:
    if kind.endswith("[]"):
        inner = _kind(kind.removesuffix("[]"))
        return "list" if inner in ("text", "whole number") else kind
    if kind in WHOLE or kind.removeprefix("U") in WHOLE:
        return "whole number"
    return "text" if kind.startswith(TEXTS) else kind


def _reader(files: list[str]) -> str:
    """Return the function that reads files of these names, all of one kind."""
    name = files[0].lower().removesuffix(".gz")
    if Path(files[0]).is_dir():
        folder = Path(files[0])
        files = [name := str(folder / f"*{ending_in(folder)}")]
    listed = f"[{', '.join(map(text, files))}]"
    if files[0].startswith("dataset:"):
        msg = "named data sets are small and read into memory; use `engine` memory"
        raise ParameterError(msg, parameter="engine")
    _refuse_absent(files[0])
    if name.endswith(".parquet"):
        return f"read_parquet({listed})"
    if name.endswith((".csv", ".tsv")):
        separator = _separator(files[0], name)
        quote = "" if separator == "\t" else '"'
        choices = f"delim = {text(separator)}, quote = {text(quote)}, escape = {text(quote)}"
        # what is not said the engine guesses: rows and cells with a # could be lost as comments
        choices += ", comment = '', skip = 0"
        return f"read_csv({listed}, all_varchar = true, header = true, {choices})"
    msg = (
        "an engine reads files of rows, csv, tsv or parquet, and the name of this one ends "
        "otherwise; write it as one of these, or read it with `engine` memory"
    )
    raise ParameterError(msg, parameter="engine")


def _refuse_absent(file: str) -> None:
    """Refuse the name of a file that is not there, and a pattern that none fits."""
    if has_magic(file) and not Path(file).is_file():
        root = Path(Path(file).anchor)
        if next(root.glob(str(Path(file).relative_to(root))), None) is None:
            raise DataError(no_file_fits(file))
    elif not Path(file).is_file():
        raise DataError(f"{Path(file).name}: there is no such file")


def _separator(file: str, name: str) -> str:
    """Return what separates the cells of a text table, by its name or its first line."""
    first = next(Path(file).parent.glob(Path(file).name), Path(file))
    line = next(whole_lines(text_blocks(first))).splitlines()[0].decode(errors="replace")
    if not line.strip():
        raise fault(first, NO_HEADER, line=1)
    return "\t" if name.endswith(".tsv") else max(",;\t", key=line.count)


@contextmanager
def _clear_faults(subject: str) -> Iterator[None]:
    """Turn what the engine complains about into one sentence, without what stands in the data."""
    try:
        yield
    except duckdb.OutOfMemoryException:
        msg = "the engine needs more memory for this; give it more with `memory`"
        raise ParameterError(msg, parameter="memory") from None
    except duckdb.IOException:
        msg = f"{subject} cannot be read, or there is no room left for spilling"
        raise DataError(msg) from None
    except (duckdb.InvalidInputException, duckdb.ConversionException, duckdb.BinderException):
        msg = f"{subject} must hold whole rows of one kind throughout, and the engine met others"
        raise DataError(msg) from None
