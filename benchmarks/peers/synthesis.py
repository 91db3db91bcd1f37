"""table-bayes beside OpenDP's AIM and MST, and anonymeter's attacks on its synthetic people.

``make bench-peers`` makes the environment of the peers and runs this.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.advice import EPSILONS, Error, error_of
from discreet import Transactions, rng
from discreet.core.fold import fold
from discreet.core.synthetic_people import counts_in
from discreet.counts import TableBayes

PEER = Path(".venv-synthesisers", "bin", "python")
MARGINALS = Path(__file__).parent / "marginals.py"
RISKS = Path(__file__).parent / "risks.py"
PATIENCE = 900
"""Seconds that a peer may take for one release."""
PROMISES = {"0": "epsilon", "1e-6": "(epsilon, 1e-6)"}


def matrix(people: Transactions) -> NDArray[np.int64]:
    """Return people as rows of zeros and ones."""
    sets = people.sets
    held = np.zeros((len(sets), len(sets.vocabulary)), dtype=np.int64)
    held[np.repeat(np.arange(len(sets)), sets.sizes), sets.items] = 1
    return held


def frame(people: Transactions) -> pl.DataFrame:
    """Return people as a table of zeros and ones with short names."""
    held = matrix(people)
    return pl.DataFrame(held, schema=[f"c{item}" for item in range(held.shape[1])])


def ours(data: Transactions, epsilon: str, error: Error) -> str:
    """Publish by table-bayes and tell error, time and promise."""
    method = TableBayes(epsilon=epsilon, universe=data.universe)
    start = process_time()
    content = counts_in(method.publish(data, rng.seeded(1)).release.content)
    return f"table-bayes {error(content):.4f}, {process_time() - start:.0f} s, epsilon"


def theirs(name: str, source: Path, epsilon: str, delta: str, data: Transactions) -> str:
    """Let a peer publish, and tell error, time and promise; or that it took too long."""
    target = source.with_name("made.parquet")
    words = [PEER, MARGINALS, source, target, name, epsilon, delta]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"{name} not done in {PATIENCE} s"
    if done.returncode:
        return f"{name} failed: {done.stderr.strip().splitlines()[-1][:80]}"
    rows = pl.read_parquet(target).to_numpy().astype(np.int64)
    made = Transactions.of(rows, universe=data.universe)
    seconds = float(done.stdout.split()[-1])
    wrong = error_of(data)(fold(made.sets))
    return f"{name} {wrong:.4f}, {seconds:.0f} s, {PROMISES[delta]}"


def risks(data: Transactions, folder: Path) -> str:
    """Let anonymeter attack synthetic people made from half of the data; the rest is control."""
    order = np.random.default_rng(1).permutation(len(data))
    half = len(data) // 2
    taking_part, control = (
        Transactions(data.sets.take(part)) for part in (order[:half], order[half:])
    )
    method = TableBayes(epsilon=1, universe=data.universe, rows=True)
    people = method.publish(taking_part, rng.seeded(1)).release.content
    made = Transactions(people.sets.over(data.universe))
    for name, each in (("original", taking_part), ("control", control), ("synthetic", made)):
        frame(each).write_csv(folder / f"{name}.csv")
    done = subprocess.run(
        [PEER, RISKS, folder], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    if done.returncode:
        return f"anonymeter failed: {done.stderr.strip().splitlines()[-1][:80]}"
    found = json.loads(done.stdout)
    return ", ".join(f"{kind} {low:.3f} to {high:.3f}" for kind, (low, high) in found.items())


def main() -> None:
    if "DISCREET_DATA" not in os.environ or not PEER.exists():
        print("skipped: needs DISCREET_DATA and the environment of make bench-peers")
        return
    for data_name in ("nltcs", "msnbc"):
        data = Transactions.read(f"dataset:{data_name}")
        error = error_of(data)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "in.parquet")
            frame(data).write_parquet(source)
            if data_name == "nltcs":
                print(f"anonymeter, {data_name}, epsilon 1: risk {risks(data, Path(folder))}")
            for epsilon in EPSILONS:
                print(f"{data_name} {epsilon}: {ours(data, epsilon, error)}", flush=True)
                for name in ("MST", "AIM"):
                    for delta in PROMISES:
                        print(f"  {theirs(name, source, epsilon, delta, data)}", flush=True)


if __name__ == "__main__":
    main()
