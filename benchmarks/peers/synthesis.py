"""table-bayes beside OpenDP's AIM and MST, and anonymeter's attacks on its synthetic people.

``make bench-peers`` makes the environment of the peers and runs this.
"""

import json
import os
import resource
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.advice import EPSILONS, Error, error_of
from benchmarks.results import Results
from discreet import Transactions, rng
from discreet.core.fold import fold
from discreet.core.synthetic_people import counts_in
from discreet.counts import TableBayes
from discreet.risk.release import occurring

PEER = Path(".venv-synthesisers", "bin", "python")
MARGINALS = Path(__file__).parent / "marginals.py"
RISKS = Path(__file__).parent / "risks.py"
PATIENCE = 1_800
"""Seconds of processor time that a peer may take for one release; AIM needs most of them."""
PROMISES = {"0": "epsilon", "1e-6": "(epsilon, 1e-6)"}
PEERS = (("MST", "0"), ("MST", "1e-6"), ("AIM", "1e-6"))
AIM_EPSILON = "1"
"""Half an hour for one release is enough for one epsilon."""


def matrix(people: Transactions) -> NDArray[np.int64]:
    """Return people as rows of zeros and ones."""
    sets = people.sets
    bits = np.zeros((len(sets), len(sets.vocabulary)), dtype=np.int64)
    bits[np.repeat(np.arange(len(sets)), sets.sizes), sets.items] = 1
    return bits


def frame(people: Transactions) -> pl.DataFrame:
    """Return people as a table of zeros and ones with short names."""
    bits = matrix(people)
    return pl.DataFrame(bits, schema=[f"c{item}" for item in range(bits.shape[1])])


@dataclass(frozen=True, slots=True)
class Synthesis:
    """How wrong a method is, how long it takes, and under which promise."""

    method: str
    error: float
    seconds: float
    promise: str

    def __str__(self) -> str:
        return f"{self.method} {self.error:.4f}, {self.seconds:.0f} s, {self.promise}"


def ours(data: Transactions, epsilon: str, error: Error) -> Synthesis:
    """Publish by table-bayes."""
    method = TableBayes(epsilon=epsilon, universe=data.universe)
    start = process_time()
    content = counts_in(method.publish(data, rng.seeded(1)).release.content)
    return Synthesis("table-bayes", error(content), process_time() - start, "epsilon")


def theirs(
    name: str, source: Path, epsilon: str, delta: str, data: Transactions
) -> Synthesis | str:
    """Let a peer publish; or say why it did not."""
    target = source.with_name("made.parquet")
    command: list[Path | str] = [PEER, MARGINALS, source, target, name, epsilon, delta]
    done = _by_peer(command)
    if done.returncode == -signal.SIGXCPU:
        return f"{name}, {PROMISES[delta]}, was not done in {PATIENCE:,} s of processor time"
    if done.returncode:
        return f"{name}, {PROMISES[delta]}, failed: {done.stderr.strip().splitlines()[-1][:80]}"
    rows = pl.read_parquet(target).to_numpy().astype(np.int64)
    made = Transactions.of(rows, universe=data.universe)
    wrong = error_of(data)(fold(made.sets))
    return Synthesis(name, wrong, float(done.stdout.split()[-1]), PROMISES[delta])


def _by_peer(command: list[Path | str]) -> "subprocess.CompletedProcess[str]":
    """Run a program in the environment of the peers, which may not work without end."""
    limits = (PATIENCE, PATIENCE + 60)  # the second, which nothing survives, is for the deaf
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limits),
    )


def risks(data: Transactions, folder: Path) -> str:
    """Let anonymeter attack synthetic people made from half of the data; the rest is control.

    Beside it stands how many of those whose set nobody else has find it among the synthetic ones.
    """
    order = np.random.default_rng(1).permutation(len(data))
    half = len(data) // 2
    taking_part, control = (
        Transactions(data.sets.take(rows)) for rows in (order[:half], order[half:])
    )
    method = TableBayes(epsilon=1, universe=data.universe, rows=True)
    people = method.publish(taking_part, rng.seeded(1)).release.content
    made = Transactions(people.sets.over(data.universe))
    for name, each in (("original", taking_part), ("control", control), ("synthetic", made)):
        frame(each).write_csv(folder / f"{name}.csv")
    done = _by_peer([PEER, RISKS, folder])
    if done.returncode:
        return f"anonymeter failed: {done.stderr.strip().splitlines()[-1][:80]}"
    remarks = [
        f"{kind} {of['low']:.3f} to {of['high']:.3f} "
        f"({of['on people']:.3f} of people, {of['on the control group']:.3f} of the control group)"
        for kind, of in json.loads(done.stdout).items()
    ]
    return "; ".join(
        [*remarks, f"ours: {occurring(made.folded, taking_part, control)['occurring']}"]
    )


def main(results: Results) -> None:
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
                beside(results, f"{data_name} at epsilon {epsilon}", ours(data, epsilon, error), [
                    theirs(name, source, epsilon, delta, data)
                    for name, delta in PEERS
                    if name == "MST" or epsilon == AIM_EPSILON
                ])  # fmt: skip


def beside(results: Results, work: str, mine: Synthesis, peers: list[Synthesis | str]) -> None:
    """Tell the error beside that of each peer."""
    for peer in peers:
        if isinstance(peer, str):
            print(f"{work}: {mine}; {peer}", flush=True)
        else:
            results.add(work, str(mine), str(peer), mine.error / peer.error)


if __name__ == "__main__":
    main(Results())
