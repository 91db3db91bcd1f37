"""Reading and folding, as ratios: time against plain decompression, memory against the arrays.

The time needs MSNBC's file in the folder that ``DISCREET_DATA`` names; the memory is measured on
ten million generated lines, which take a third of a gigabyte in a temporary folder.
"""

import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.reading_memory import peak
from benchmarks.results import Results
from discreet import Transactions

TIME_BAR = 3
"""MSNBC is read and folded within this many times its plain decompression."""

MEMORY_BAR = 4
"""The lines are read and folded within this many times the arrays that come out."""

LINES = 10_000_000
ITEMS = 2_000
CHUNK = 100_000


def seconds(work: Callable[[], object]) -> float:
    """Return how long it takes."""
    begin = perf_counter()
    work()
    return perf_counter() - begin


def time_ratio(path: Path, runs: int = 15) -> float:
    """Return the median time to read and fold over that to decompress, by turns in one process."""

    def unpack() -> None:
        with gzip.open(path) as file:
            file.read()

    def read() -> None:
        _ = Transactions.read(path).folded

    read()  # compiles
    times = [(seconds(read), seconds(unpack)) for _ in range(runs)]
    return median(ours for ours, _ in times) / median(plain for _, plain in times)


def write_lines(path: Path, lines: int) -> None:
    """Write random baskets: 1 to 11 draws out of 2,000 items, item i with weight 1 / (i + 10)."""
    rng = np.random.default_rng(0)
    pieces = [b"%d " % item for item in range(ITEMS)] + [b"\n"]
    weights = 1 / np.arange(10, ITEMS + 10)
    shares = np.cumsum(weights / weights.sum())
    with path.open("wb") as file:
        for written in range(0, lines, CHUNK):
            ends = np.cumsum(rng.integers(1, 12, size=min(CHUNK, lines - written)))
            items = np.searchsorted(shares, rng.random(ends[-1])).clip(max=ITEMS - 1)
            tokens = np.insert(items, ends, ITEMS)
            file.write(b"".join(map(pieces.__getitem__, tokens.tolist())))


def measure(path: Path) -> None:
    """Read and fold in this process and print what it took, in bytes."""
    small = path.with_name("small.dat")
    small.write_bytes(b"".join(b"%d\n" % item for item in range(2_000)))
    _ = Transactions.read(small).folded  # compiles
    idle = peak()
    transactions = Transactions.read(path)
    read = peak()
    distinct = len(transactions.folded)
    arrays = transactions.offsets.nbytes + transactions.items.nbytes
    print(arrays, idle, read, peak(), distinct)


def measured(lines: int) -> list[int]:
    """Return what a fresh process took: arrays, idle, reading, folding; and the distinct sets."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines.dat"
        write_lines(path, lines)
        command = [sys.executable, "-m", "benchmarks.reading", str(path)]
        answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return [int(number) for number in answer.stdout.split()]


def main(results: Results) -> None:
    """Print both ratios, each beside its bar."""
    folder = os.environ.get("DISCREET_DATA")
    if folder:
        ratio = time_ratio(Path(folder) / "msnbc990928.seq.gz")
        work, bar = "MSNBC, read and folded", f"{TIME_BAR} times its decompression"
        results.add(work, f"{ratio:.2f} times", bar, ratio / TIME_BAR)
    else:
        print("MSNBC: skipped, DISCREET_DATA is not set")
    arrays, idle, read, folded, distinct = measured(LINES)
    bar = f"{MEMORY_BAR} times the arrays"
    note = f"{distinct:,} distinct sets, interpreter and compiler {idle >> 20} MB"
    for work, most in (("read", read), ("read and folded", folded)):
        ours, ratio = f"{most >> 20:,} MB", most / arrays / MEMORY_BAR
        results.add(f"{LINES:,} lines, {work}, memory", ours, bar, ratio, note)


if __name__ == "__main__":
    measure(Path(sys.argv[1]))
