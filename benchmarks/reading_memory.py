"""Memory to read a million people, in bytes a person above the start, by format of the file.

Made-up people: items by Zipf's law, 1 + Poisson(5) draws each. A file is read in a process of its
own, after a small one of the same format, so that what is compiled and imported does not count.
polars keeps for a while what it has let go of, so one run may take some bytes more than the next.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.results import Results
from discreet import Transactions

BAR = 150
"""Bytes a person that reading may take at most."""
PEOPLE = 1_000_000
ITEMS = 1_000


def people(rows: int) -> pl.DataFrame:
    """Return a row for each person and item."""
    rng = np.random.default_rng(0)
    who = np.repeat(np.arange(rows), 1 + rng.poisson(5, rows))
    weights = 1 / np.arange(1, ITEMS + 1) ** 1.1
    drawn = np.searchsorted(np.cumsum(weights / weights.sum()), rng.random(len(who)))
    return pl.DataFrame({"id": who, "item": drawn.clip(max=ITEMS - 1)})


def write(table: pl.DataFrame, path: Path) -> None:
    """Write the people in the format that the name says."""
    lists = table.group_by("id", maintain_order=True).agg(pl.col("item").unique().sort())
    match path.name.split("_")[1]:
        case "long.parquet":
            table.write_parquet(path)
        case "long.csv":
            table.write_csv(path)
        case "lists.parquet":
            lists.select(items=pl.col("item").cast(pl.List(pl.String))).write_parquet(path)
        case _:
            lines = lists.select(pl.col("item").cast(pl.List(pl.String)).list.join(" "))
            lines.write_csv(path, include_header=False, quote_style="never")


def peak() -> int:
    """Return the most memory that this program had, in bytes, by Linux.

    The system's count of a process would go on from who started it, which made the files.
    """
    [figure] = [
        line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line
    ]
    return int(figure.split()[1]) * 1024


def measure(small: Path, path: Path) -> None:
    """Read in this process and print what it took a person."""
    Transactions.read(small)  # compiles
    idle = peak()
    read = Transactions.read(path)
    print((peak() - idle) / len(read))


def main(results: Results) -> None:
    """Print the bytes a person of each format beside the bar."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("numbers.dat", "lists.parquet", "long.parquet", "long.csv"):
            small, path = Path(folder) / f"small_{kind}", Path(folder) / f"large_{kind}"
            write(people(1_000), small)
            write(people(PEOPLE), path)
            command = [sys.executable, "-m", "benchmarks.reading_memory", str(small), str(path)]
            answer = subprocess.run(command, check=True, capture_output=True, text=True)
            taken = float(answer.stdout)
            work, ours = f"{PEOPLE:,} people read, {kind}", f"{taken:.0f} bytes a person"
            results.add(work, ours, f"{BAR} bytes a person", taken / BAR)
            path.unlink()


if __name__ == "__main__":
    measure(*map(Path, sys.argv[1:]))
