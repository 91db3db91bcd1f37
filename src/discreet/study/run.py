"""All cells of a study on all cores; what is done is kept, so a study can go on."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from discreet.core.exact import at_least_one
from discreet.lazy import pl
from discreet.study.cell import Row, run
from discreet.study.plan import Cell, Study
from discreet.study.result_cache import ResultCache, code_version
from discreet.study.table import tidy

K = TypeVar("K")
R = TypeVar("R")
Progress: TypeAlias = Callable[[int, int], None]
"""Told how many are done, and of how many."""


def studied(
    study: Study,
    folder: Path | None = None,
    *,
    workers: int | None = None,
    progress: Progress = lambda _done, _all: None,
) -> "pl.DataFrame":
    """Return every number of every cell as one tidy table; cells in ``folder`` are not run again.

    A cell is known by the content of its data, its method with all parameters, its attacks, its
    seed and the version of this package. One that fails is a row that says why.

    Parameters
    ----------
    study
        The settings.
    folder
        Where results are kept; None: nowhere.
    workers
        How many processes run cells; None: as many as there are cores.
    progress
        Called with how many cells are done, and of how many.

    Returns
    -------
    polars.DataFrame
        A row for each number.
    """
    cells, cache = study.cells(), ResultCache(folder)
    results = {index: rows for index, cell in enumerate(cells) if (rows := _cached(cache, cell))}
    missing = [index for index in range(len(cells)) if index not in results]
    progress(len(results), len(cells))
    for index, rows in _done(cells, missing, os.cpu_count() or 1 if workers is None else workers):
        results[index] = rows
        cache.keep(_key(cells[index]), {"rows": rows})
        progress(len(results), len(cells))
    return tidy([(cell, results[index]) for index, cell in enumerate(cells)])


def so_far(study: Study, folder: Path) -> "tuple[pl.DataFrame, int, int]":
    """Return the table of the cells that are in ``folder``, their number, and that of all."""
    cells, cache = study.cells(), ResultCache(folder)
    finished = [(cell, rows) for cell in cells if (rows := _cached(cache, cell))]
    return tidy(finished), len(finished), len(cells)


def _key(cell: Cell) -> dict[str, Any]:
    return cell.key | {"version": code_version()}


def _cached(cache: ResultCache, cell: Cell) -> list[Row] | None:
    record = cache.find(_key(cell))
    return record["rows"] if record else None


def _done(
    cells: Sequence[Cell], missing: Sequence[int], workers: int
) -> Iterator[tuple[int, list[Row]]]:
    """Give the missing cells with their rows, in the order in which they end."""
    count = max(1, min(workers, len(missing)))
    force = workforce(count)
    try:
        waiting: dict[Future[list[Row]], int] = {
            force.submit(run, cells[index]): index for index in missing
        }
        yield from as_they_end(waiting)
    except BaseException:
        dismiss(force)
        raise
    force.shutdown()


def as_they_end(waiting: dict[Future[R], K]) -> Iterator[tuple[K, R]]:
    """Give each result with its label as soon as it is there; more may be put in on the way."""
    while waiting:
        ended, _ = wait(waiting, return_when=FIRST_COMPLETED)
        yield from ((waiting.pop(future), future.result()) for future in ended)


def dismiss(force: Executor) -> None:
    """End the work at once: whoever interrupts, perhaps twice, does not wait for what goes on."""
    force.shutdown(wait=False, cancel_futures=True)
    for worker in active_children():
        worker.terminate()


def workforce(workers: int) -> Executor:
    """Return processes to work in; one worker works in this process."""
    at_least_one(workers=workers)
    if workers == 1:
        return ThreadPoolExecutor(1)
    # a forked process would inherit the locks of threads it does not have
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
