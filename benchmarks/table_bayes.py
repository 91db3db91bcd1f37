"""Time, memory and error of table-bayes beside their limits; each size in its own process."""

import resource
import subprocess
import sys
from time import process_time

import numpy as np

from benchmarks.advice import EPSILONS, error_of, mean_error
from benchmarks.results import Results, data_at_hand
from discreet import Transactions, rng
from discreet.counts import TableBayes

LIMITS = {17: (10, 1_000), 20: (60, 3_000)}
"""CPU seconds and megabytes that a release of so many items may take."""
PEOPLE = 200_000
ERRORS = {"nltcs": (0.045, 0.018, 0.011, 0.009, 0.008), "msnbc": (0.30, 0.16, 0.10, 0.09, 0.075)}
"""The largest mean error over five seeds, for each epsilon of ``benchmarks.advice``."""


def people(items: int) -> Transactions:
    """Make up people of two kinds, one of whom holds more of everything."""
    drawn = np.random.default_rng(1)
    shares = drawn.uniform(0.02, 0.4, items) * (1 + (drawn.random((PEOPLE, 1)) < 0.3))
    bits = (drawn.random((PEOPLE, items)) < shares).astype(np.int64)
    return Transactions.of(bits, universe=[f"i{item:02d}" for item in range(items)])


def measured(items: int) -> None:
    """Publish once and print CPU seconds and the process's largest memory in megabytes."""
    few = people(3)
    TableBayes(epsilon=1, universe=few.universe).publish(few, rng.seeded(1))  # compiles
    data = people(items)
    _ = data.folded
    method = TableBayes(epsilon=1, universe=data.universe)
    start = process_time()
    method.publish(data, rng.secure())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(process_time() - start, memory)


def main(results: Results) -> None:
    for items, (seconds, megabytes) in LIMITS.items():
        command = [sys.executable, "-m", "benchmarks.table_bayes", str(items)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        cpu, memory = map(float, printed.split())
        work = f"table-bayes, {items} items, {PEOPLE:,} people"
        results.seconds(work, cpu, seconds)
        most = f"{megabytes:,} MB"
        results.add(f"{work}, memory", f"{memory:,.0f} MB", most, memory / megabytes)
    if not data_at_hand():
        return
    for name, limits in ERRORS.items():
        data = Transactions.read(f"dataset:{name}")
        error = error_of(data)
        for epsilon, limit in zip(EPSILONS, limits, strict=True):
            method = TableBayes(epsilon=epsilon, universe=data.universe)
            mean = mean_error(method, data, error)
            work = f"table-bayes, {name}, epsilon {epsilon}, error"
            results.add(work, f"{mean:.4f}", f"{limit:g}", mean / limit)


if __name__ == "__main__":
    measured(int(sys.argv[1]))
