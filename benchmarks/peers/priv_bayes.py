"""PrivBayes beside DataSynthesizer's, on the same correlated rows in the same run.

``make bench-peers`` makes the environment of the peers and runs this.
"""

import csv
import subprocess
import sys
import tempfile
from itertools import combinations
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.results import Results
from discreet import Transactions, rng
from discreet.counts import PrivBayes

ROWS, ITEMS, DEGREE, EPSILON = 20_000, 16, 2, "1"
SEEDS = 3
PEER_SEEDS = 1  # the peer takes minutes for each
BAR = 100
"""How many times less CPU time is wanted."""
PEER = Path(".venv-peers", "bin", "python")
SCRIPT = Path(__file__).parent / "data_synthesizer.py"
PATIENCE = 3600


def correlated(rows: int, items: int, seed: int) -> NDArray[np.int64]:
    """Make rows of zeros and ones that hang together.

    The first item is a fair coin. Each further one copies one of the two before it, fixed for the
    item, with probability 3/4; otherwise it is drawn anew with a rate of its own between 0.2 and
    0.8.
    """
    rng = np.random.default_rng(seed)
    table = np.empty((rows, items), dtype=np.int64)
    table[:, 0] = rng.integers(0, 2, rows)
    for item in range(1, items):
        source = table[:, max(0, item - int(rng.integers(1, 3)))]
        anew = rng.random(rows) < rng.uniform(0.2, 0.8)
        table[:, item] = np.where(rng.random(rows) < 0.75, source, anew)
    return table


def distance(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Return the mean total variation distance over all two-way marginals."""
    both = [table.T @ table / len(table) for table in (one, other)]
    return float(
        np.mean(
            [
                abs(np.subtract(*(_cells(shares, i, j) for shares in both))).sum() / 2
                for i, j in combinations(range(one.shape[1]), 2)
            ]
        )
    )


def _cells(shares: NDArray[np.float64], i: int, j: int) -> NDArray[np.float64]:
    both, first, second = shares[i, j], shares[i, i], shares[j, j]
    return np.array([both, first - both, second - both, 1 - first - second + both])


def rows_of(release: Transactions, universe: tuple[str, ...]) -> NDArray[np.int64]:
    """Return sets as rows of zeros and ones."""
    sets = release.sets.over(universe)
    table = np.zeros((len(sets), len(universe)), dtype=np.int64)
    table[np.repeat(np.arange(len(sets)), sets.sizes), sets.items] = 1
    return table


def ours(table: NDArray[np.int64], seed: int) -> tuple[float, float]:
    """Return CPU seconds and distance of our release, folding of the records included."""
    universe = tuple(f"i{item}" for item in range(table.shape[1]))
    sets = [[universe[item] for item in np.flatnonzero(row)] for row in table]
    data = Transactions.of(sets, universe=universe)
    method = PrivBayes(epsilon=EPSILON, degree=DEGREE, universe=universe)
    start = process_time()
    content = method.publish(data, rng.seeded(seed)).release.content
    taken = process_time() - start
    rows = rows_of(Transactions(content.sets), universe)
    return taken, distance(table, np.repeat(rows, content.counts, axis=0))


def theirs(table: NDArray[np.int64], seed: int) -> tuple[float, float]:
    """Return CPU seconds and distance of DataSynthesizer's table."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.csv"), Path(folder, "out.csv")
        with source.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([f"i{item}" for item in range(table.shape[1])])
            writer.writerows(table.tolist())
        command = [PEER, SCRIPT, source, target, EPSILON, str(DEGREE), str(seed)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        if done.returncode:
            why = done.stderr[-2000:]
            sys.exit(f"DataSynthesizer failed with exit code {done.returncode}:\n{why}")
        made = np.loadtxt(target, delimiter=",", skiprows=1, dtype=np.int64)
    return float(done.stdout), distance(table, made)


def main(results: Results) -> None:
    ours(correlated(200, ITEMS, 0), 0)  # compiles
    tables = [correlated(ROWS, ITEMS, seed) for seed in range(SEEDS)]
    taken = np.array([ours(table, seed) for seed, table in enumerate(tables)])
    cpu, far = taken.mean(axis=0)
    print(f"{ROWS} x {ITEMS}, degree {DEGREE}: {cpu:.3f} s of CPU, distance {far:.4f}")
    if not PEER.exists():
        print("DataSynthesizer: skipped, its environment is not there; run make bench-peers")
        return
    # on the same tables
    cpu, far = taken[:PEER_SEEDS].mean(axis=0)
    peers = [theirs(table, seed) for seed, table in enumerate(tables[:PEER_SEEDS])]
    peer_cpu, peer_far = np.mean(peers, axis=0)
    work = f"priv-bayes, {ROWS} x {ITEMS}, degree {DEGREE}"
    times = f"a {BAR}th of DataSynthesizer's {peer_cpu:.1f} s"
    results.add(work, f"{cpu:.3f} s", times, BAR * cpu / peer_cpu)
    results.add(work, f"distance {far:.4f}", f"DataSynthesizer, {peer_far:.4f}", far / peer_far)


if __name__ == "__main__":
    main(Results())
