"""APLKiller and DiffPart from folded data to the content in memory.

As ratios to reading the file, and to the same kernels with the compiler off. The limits in
milliseconds are those of a calm machine; nothing fails when they are passed.
"""

import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from benchmarks.results import Results, data_at_hand
from discreet import Transactions, rng
from discreet.counts import AplKiller, DiffPart

CASES = (
    ("msnbc990928.seq.gz", AplKiller, {"fan_out": 2, "c1": 1, "c2": 1}, 10),
    ("msnbc990928.seq.gz", DiffPart, {"fan_out": 2, "c1": 1, "c2": 1}, None),
    ("nltcs.dat.gz", AplKiller, {"fan_out": 2, "c1": 1}, None),
    ("bms1.dat.gz", AplKiller, {"fan_out": 4, "c1": 1, "max_size": 3}, None),
    ("bms2.dat.gz", AplKiller, {"fan_out": 4, "c1": 1, "max_size": 3}, 50),
    ("bms2.dat.gz", DiffPart, {"fan_out": 4, "c1": 1, "max_size": 3}, None),
)
RUNS = 30


def seconds_of(number: int, runs: int) -> tuple[float, float]:
    """Return the least time to publish and the time to read, in this process."""
    file, kind, options, _ = CASES[number]
    path = Path(os.environ["DISCREET_DATA"]) / file
    Transactions.read(path)  # compiles
    begin = perf_counter()
    data = Transactions.read(path)
    reading = perf_counter() - begin
    method = kind(epsilon=1, universe=data.universe, **options)
    if runs > 1:
        method.publish(data, rng.secure())
    times = []
    for _ in range(runs):
        begin = perf_counter()
        method.publish(data, rng.secure())
        times.append(perf_counter() - begin)
    return min(times), reading


def interpreted(number: int) -> float:
    """Return the time of one run with the compiler off, in a process of its own."""
    code = (
        "import pickle, sys\n"
        "from benchmarks.partitioning import interpreted_here\n"
        f"print(interpreted_here({number}))\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def interpreted_here(number: int) -> float:
    """Publish once; the file is read by plain Python, for the reader is a kernel too."""
    import gzip

    file, kind, options, _ = CASES[number]
    with gzip.open(Path(os.environ["DISCREET_DATA"]) / file, "rt") as lines:
        records = [line.split() for line in lines if not line.strip() or line[0].isdigit()]
    universe = sorted({item for record in records for item in record}, key=int)
    data = Transactions.of(records, universe=universe)
    _ = data.folded
    method = kind(epsilon=1, universe=data.universe, **options)
    begin = perf_counter()
    method.publish(data, rng.secure())
    return perf_counter() - begin


def main(results: Results) -> None:
    if not data_at_hand():
        return
    for number, (file, kind, options, bar) in enumerate(CASES):
        publishing, reading = seconds_of(number, RUNS)
        spoken = ", ".join(f"{name} {value}" for name, value in options.items())
        work, ours = f"{kind.__name__} on {file} ({spoken})", f"{publishing * 1e3:.1f} ms"
        results.add(work, ours, "reading the file", publishing / reading)
        if bar:
            slow = interpreted(number) / publishing
            note = f"1/{slow:,.0f} of the interpreted kernels' time"
            results.add(f"{work}, limit", ours, f"{bar} ms", publishing * 1e3 / bar, note)
