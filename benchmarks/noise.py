"""Exact discrete Laplace noise beside numpy's, which is neither exact nor unforeseeable."""

from collections.abc import Callable
from fractions import Fraction
from math import expm1
from time import perf_counter

import numpy as np

from benchmarks.results import Results
from discreet import rng as rng
from discreet.rng import Rng, discrete_laplace, secure

DRAWS = 2_000_000
EPSILONS = ("1", "0.1", "0.7")
LEAST = 5e6


def fastest(run: Callable[[], object], times: int = 5) -> float:
    """Return the seconds of the fastest of several runs."""
    seconds = []
    for _ in range(times):
        start = perf_counter()
        run()
        seconds.append(perf_counter() - start)
    return min(seconds)


def rates(epsilon: Fraction, rng: Rng) -> tuple[float, float]:
    """Return our draws a second and those of numpy's difference of two geometric draws."""
    unsafe, p = np.random.default_rng(), -expm1(-float(epsilon))
    ours = fastest(lambda: discrete_laplace(DRAWS, epsilon, rng))
    numpys = fastest(lambda: unsafe.geometric(p, DRAWS) - unsafe.geometric(p, DRAWS))
    return DRAWS / ours, DRAWS / numpys


def main(results: Results) -> None:
    """Print draws a second from secure chance, and their ratio to numpy's in the same run."""
    rng = secure()
    discrete_laplace(1000, Fraction(1, 2), rng)  # compiles
    for epsilon in EPSILONS:
        ours, numpys = rates(Fraction(epsilon), rng)
        results.add(
            f"discrete Laplace, epsilon {epsilon}",
            f"{ours / 1e6:.1f} million draws a second",
            f"{LEAST / 1e6:g} million a second",
            LEAST / ours,
            f"{ours / numpys:.2f} times numpy's unsafe {numpys / 1e6:.1f} million",
        )
