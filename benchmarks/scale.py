"""Beyond memory: folding, publishing and checking by an engine, in time and in memory.

Each piece of work runs in a process of its own, so that its peak is its own. Times are of the
processor. ``DISCREET_PEOPLE`` says how many people there are at most, 2,000,000 by default (six
rows each); the bars were set for 16,700,000 of them, 1e8 rows, which takes about twenty minutes.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import polars as pl

from benchmarks.reading_memory import peak
from benchmarks.results import Results
from discreet import Release, Transactions, scale, verify
from discreet.counts import DiffPart, SparseHistogram
from discreet.generalised import Km

ITEMS, SKEW, MEAN = 1000, 1.1, 5
BLOCK = 1_000_000
MOST_MICROSECONDS = 1.5
"""CPU time to fold a row."""
MOST_GROWTH = 2.3
"""How much longer twice as many rows may take."""
MOST_TIMES = 1.5
"""How much longer publishing and checking may take than in memory, in the same run."""
ABOVE = 500e6
SET_BYTES = 250
"""The peak is the limit, and so much, and so much for each set that is collected."""


def main(results: Results) -> None:
    people = int(float(os.environ.get("DISCREET_PEOPLE", 2_000_000)))
    with TemporaryDirectory() as folder:
        half, whole = Path(folder, "half"), Path(folder, "whole")
        rows = write_people(half, people // 2), write_people(whole, people)
        folding(results, half, whole, rows)
        for name in ("sparse", "diff"):
            figures = run(name, whole, Path(folder, name))
            results.add(
                f"{name}, {rows[1]:,} rows, limit 2 GB, memory",
                f"{figures['peak'] / 1e9:.2f} GB",
                "3 GB",
                figures["peak"] / 3e9,
                f"{figures['seconds']:.0f} s",
            )
        against_memory(results, half, Path(folder))


def write_people(folder: Path, people: int) -> int:
    """Write rows of id and item in files of a million people: 1 + Poisson(5) items by Zipf."""
    folder.mkdir()
    draw = np.random.default_rng(7)
    shares = 1 / np.arange(1, ITEMS + 1) ** SKEW
    bounds = np.cumsum(shares / shares.sum())
    names = pl.Series([f"i{item:04}" for item in range(ITEMS)])
    rows = 0
    for start in range(0, people, BLOCK):
        sizes = 1 + draw.poisson(MEAN, min(BLOCK, people - start))
        ids = np.repeat(np.arange(start, start + len(sizes)), sizes)
        items = np.minimum(np.searchsorted(bounds, draw.random(len(ids))), ITEMS - 1)
        table = pl.DataFrame({"id": ids, "item": names.gather(items)})
        table.write_parquet(folder / f"{start:010}.parquet")
        rows += len(ids)
    return rows


def folding(results: Results, half: Path, whole: Path, rows: tuple[int, int]) -> None:
    first, second = run("fold", half, half), run("fold", whole, whole)
    each = second["seconds"] / rows[1] * 1e6
    growth = second["seconds"] / first["seconds"]
    bar = 2e9 + ABOVE + SET_BYTES * second["sets"]
    work, times = f"fold, {rows[1]:,} rows, limit 2 GB", f"{MOST_GROWTH:g} times"
    limit = f"{MOST_MICROSECONDS:g} us a row"
    results.add(work, f"{each:.2f} us a row", limit, each / MOST_MICROSECONDS)
    results.add(f"{work}, beside half", f"{growth:.2f} times", times, growth / MOST_GROWTH)
    peak = second["peak"]
    results.add(f"{work}, memory", f"{peak / 1e9:.2f} GB", f"{bar / 1e9:.2f} GB", peak / bar)


def against_memory(results: Results, source: Path, folder: Path) -> None:
    """Publish and check by k^m-anonymity with the engine and in memory."""
    one_file = folder / "people.parquet"
    pl.scan_parquet(source / "*.parquet").sink_parquet(one_file)
    engine = run("km", source, folder / "engine")
    memory = run("memory", one_file, folder / "memory")
    times = engine["seconds"] / memory["seconds"]
    results.add(
        f"km-anonymity, published and verified by the engine, {engine['people']:,} people",
        f"{engine['seconds']:.0f} s",
        f"{MOST_TIMES:g} times in memory",
        times / MOST_TIMES,
        f"{engine['peak'] / 1e9:.2f} GB; {memory['peak'] / 1e9:.2f} GB in memory",
    )


def run(work: str, source: Path, out: Path) -> dict[str, float]:
    """Do a piece of work in a process of its own; return its CPU seconds, peak and numbers."""
    command = [sys.executable, "-m", "benchmarks.scale", work, str(source), str(out)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def fold(source: Path, _: Path) -> dict[str, int]:
    with scale.open(source, memory="2GB") as people:
        codes = people._codes(people.universe, None)
        target = people.engine.scratch / "folded"
        people.engine.fold(people.table, people.columns, codes, None, target)
        return {"sets": pl.scan_parquet(target / "*.parquet").select(pl.len()).collect().item()}


def sparse(source: Path, out: Path) -> dict[str, int]:
    with scale.open(source, memory="2GB") as people:
        scale.publish(SparseHistogram(epsilon=1, max_size=3), people, out)
    return {}


def diff(source: Path, out: Path) -> dict[str, int]:
    with scale.open(source, memory="2GB") as people:
        scale.publish(DiffPart(epsilon=1, max_size=3), people, out)
    return {}


def km(source: Path, out: Path) -> dict[str, int]:
    with scale.open(source, memory="2GB") as people:
        scale.publish(Km(k=5, m=2), people, out)
        rows = len(people)
    assert scale.verify(out, memory="2GB").holds
    return {"people": rows}


def memory(source: Path, out: Path) -> dict[str, int]:
    Km(k=5, m=2).publish(Transactions.read(source)).save(out)
    assert verify(Release.load(out)).holds
    return {}


WORK: dict[str, Callable[[Path, Path], dict[str, int]]] = {
    "fold": fold,
    "sparse": sparse,
    "diff": diff,
    "km": km,
    "memory": memory,
}


def worker(work: str, source: str, out: str) -> None:
    """Do the work, and print what it took."""
    start = process_time()
    figures = WORK[work](Path(source), Path(out))
    seconds = process_time() - start
    print(json.dumps(figures | {"seconds": seconds, "peak": peak()}))


if __name__ == "__main__":
    worker(*sys.argv[1:])
