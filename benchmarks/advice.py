"""The automatic choice for APLKiller beside DiffPart at the best of fifteen choices.

DiffPart's best is picked by looking at the very data and error, which nobody may do in earnest:
a yardstick, not a rival that can be run.
"""

import sys
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from discreet import Transactions, rng
from discreet.core.histogram import ItemsetHistogram
from discreet.counts import AplFree, AplKiller, DiffPart, SparseHistogram
from discreet.errors import InfeasibleError
from discreet.measure import SANITY, answers, paper_workload, relative_error

RECORDS = {"nltcs": 20_000, "msnbc": 1_000_000}
"""The order of magnitude of the number of people, taken as public."""
EPSILONS = ("0.25", "0.5", "1", "1.5", "2")
FAN_OUTS = (2, 3, 4, 6, 10)
CONSTANTS = ("0.1", "0.5", "1")
SEEDS = 5

Error = Callable[[ItemsetHistogram], float]


def error_of(data: Transactions, sanity: float = SANITY) -> Error:
    """Return the mean relative error on the paper's workload, for anything published."""
    workload = paper_workload(data.folded, rng.seeded(2022))
    halves = [
        (queries, answers(data.folded, queries)) for queries in (workload.existing, workload.random)
    ]
    floor = sanity * len(data)

    def error(published: ItemsetHistogram) -> float:
        errors = [
            relative_error(true, answers(published, queries), floor) for queries, true in halves
        ]
        return float(np.concatenate(errors).mean())

    return error


def mean_error(
    method: Any, data: Transactions, error: Error, *, repaired: bool = False, seeds: int = SEEDS
) -> float:
    """Return the mean over several seeds; without end where the method refuses its parameters."""
    ratios = []
    for seed in range(seeds):
        try:
            release = method.publish(data, rng.seeded(seed)).release
        except InfeasibleError:
            return float("inf")
        if repaired:
            release = AplFree().publish(release, rng.seeded(seed)).release
        ratios.append(error(release.content))
    return float(np.mean(ratios))


def best_diff_part(
    epsilon: str, universe: tuple[str, ...], data: Transactions, error: Error, seeds: int = SEEDS
) -> tuple[float, int, str]:
    """Return the least error of DiffPart, and where it is reached."""
    choices = [
        (DiffPart(epsilon=epsilon, fan_out=fan_out, c1=c1, universe=universe), fan_out, c1)
        for fan_out, c1 in product(FAN_OUTS, CONSTANTS)
    ]
    return min(
        (mean_error(method, data, error, seeds=seeds), fan_out, c1)
        for method, fan_out, c1 in choices
    )


def main(names: Sequence[str] = tuple(RECORDS)) -> None:
    """Print one line for each data set and epsilon."""
    print("data     eps    auto         DiffPart, best auto/best sparse+apl-free")
    for name in names:
        data = Transactions.read(f"dataset:{name}")
        error, universe = error_of(data), data.universe
        for epsilon in EPSILONS:
            auto = AplKiller(epsilon=epsilon, universe=universe, auto=True, records=RECORDS[name])
            ours = mean_error(auto, data, error)
            best, fan_out, c1 = best_diff_part(epsilon, universe, data, error)
            sparse = SparseHistogram(epsilon=epsilon, universe=universe)
            plain = mean_error(sparse, data, error, repaired=True)
            rival = f"{best:.4f} (f {fan_out}, c1 {c1})"
            print(
                f"{name:6} {epsilon:>5} {ours:7.4f} {rival:>22} {ours / best:9.2f} {plain:15.4f}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:] or tuple(RECORDS))
