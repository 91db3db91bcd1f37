"""Noisy counts of all sets of four items, made by hand."""

import numpy as np

from discreet.counts.posterior.log_linear import NoisyTable

ITEMS = 4


def noisy_table(held: dict[int, int], sizes: list[int], epsilon: float = 1.0) -> NoisyTable:
    counts = np.zeros(1 << ITEMS, dtype=np.int64)
    for cell, people in held.items():
        counts[cell] = people
    return NoisyTable(
        counts=counts,
        sizes=np.array(sizes),
        epsilon=epsilon,
        size_epsilon=epsilon / 2,
        largest=ITEMS,
    )
