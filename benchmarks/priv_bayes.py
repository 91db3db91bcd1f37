"""PrivBayes beside its bars; ``make bench-peers`` puts it beside DataSynthesizer's."""

from time import perf_counter

from benchmarks.results import Results, data_at_hand
from discreet import Transactions, rng
from discreet.counts import PrivBayes

EPSILON = "1"
BARS = {"nltcs": 2.0, "msnbc": 60.0}


def main(results: Results) -> None:
    if not data_at_hand():
        return
    for name, bar in BARS.items():
        data = Transactions.read(f"dataset:{name}")
        for score in ("R", "F", "MI"):
            method = PrivBayes(epsilon=EPSILON, score=score, universe=data.universe)
            start = perf_counter()
            method.publish(data, rng.secure())
            taken = perf_counter() - start
            degree = method.degree_for(len(data), len(data.universe))
            results.seconds(f"priv-bayes, {name}, {score}, degree {degree}", taken, bar)
