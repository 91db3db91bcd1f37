"""Who folds the rows of people: this process in memory, or an engine."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from discreet.catalog import NOUNS, Entry
from discreet.catalog.reading import ChosenEngine
from discreet.core.doc import Doc
from discreet.core.release import Release
from discreet.errors import ParameterError

SHARE = 2
"""By itself an engine is chosen where reading takes more than one part in so many of memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineChoice:
    """Who folds the rows."""

    engine: Annotated[
        str,
        Doc(
            "What processes the rows: memory, duckdb (on this machine, for data larger than "
            "memory), spark (a session on this machine), spark://HOST:PORT (a cluster), "
            "sc://HOST:PORT (Spark Connect), or auto, which uses duckdb for several files and "
            "for files that would take more than half of the memory."
        ),
    ] = "auto"
    memory: Annotated[str, Doc("How much memory the engine may use.")] = "4GB"

    def __post_init__(self) -> None:
        from discreet.scale.limits import bytes_of
        from discreet.scale.spark_session import refuse_missing

        bytes_of(self.memory)
        if self.engine.startswith(("spark", "sc:")):
            refuse_missing(self.engine)
        elif self.engine not in ("auto", "memory", "duckdb"):
            msg = (
                "`engine` must be auto, memory, duckdb, spark, spark://HOST:PORT or "
                f"sc://HOST:PORT, got {self.engine!r}"
            )
            raise ParameterError(msg, parameter="engine")

    def chosen(self, source: str) -> ChosenEngine | None:
        """Return the engine for a source; None: it is read into memory."""
        from discreet.scale.limits import is_many_files, memory_here, memory_to_read

        if self.engine == "auto":
            needed = memory_here() if is_many_files(source) else memory_to_read(source)
            return self._by_size(needed)
        return None if self.engine == "memory" else ChosenEngine(self.engine, self.memory)

    def _by_size(self, needed: int) -> ChosenEngine | None:
        from discreet.scale.limits import memory_here

        return ChosenEngine("duckdb", self.memory) if needed * SHARE > memory_here() else None

    def for_sets(self, source: str, *, a_table: bool) -> ChosenEngine | None:
        """Return the engine for a look at sets; tables are looked at in memory."""
        if a_table and self.engine not in ("auto", "memory"):
            msg = "a table is summarised in memory, whatever its size; use `engine` memory"
            raise ParameterError(msg, parameter="engine")
        return None if a_table else self.chosen(source)

    def for_release(self, folder: str) -> ChosenEngine | None:
        """Return the engine for the rows of a release folder; None: they are read into memory."""
        from discreet.scale.limits import memory_to_read

        if self.engine != "auto":
            return self.chosen(folder)
        files = Path(folder).glob("*.parquet") if Path(folder).is_dir() else ()
        return self._by_size(sum(memory_to_read(str(file)) for file in files))

    def for_method(self, entry: Entry, method: Any, source: str) -> ChosenEngine | None:
        """Return the engine for a method, refusing one that was asked for and cannot help."""
        from discreet.scale.limits import refuse_method

        engine = self.chosen(source)
        if engine is None or entry.data is Release:
            return None
        if self.engine == "auto" and not hasattr(NOUNS[entry.data], "open"):
            return None
        if self.engine == "auto" and hasattr(method, "in_memory"):
            return None
        refuse_method(method)
        return engine
