"""Does a sample follow its law? And does it depend on the words of chance only?

All tests of laws together raise a false alarm with probability below one in a million: a single
one is held to a hundredth of that. They are seeded, so they do so always or never.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from math import exp

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.rng import Rng, seeded
from discreet.rng.stream import Sampler, _Keystream, drawn

FALSE_ALARM = 1e-8
LEAST_EXPECTED = 25.0
BLOCKS = (None, 1, 2, 3, 7, 97, 1000, 4096)
QUICK = 2_000 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 20_000


def fit(sample: ArrayLike, law: Mapping[int, float]) -> float:
    """Return how likely so bad a fit is: chi-square, and exact binomial tests of every cell."""
    from scipy.stats import binom, chi2

    values, counts = np.unique(np.asarray(sample), return_counts=True)
    held = dict(zip(values.tolist(), counts.tolist(), strict=True))
    total = sum(held.values())
    if any(law.get(value) == 0.0 for value in held):
        return 0.0
    seen, expected = _cells(held, law, total)
    square = float(((seen - expected) ** 2 / expected).sum())
    share = expected / total
    low, high = binom.cdf(seen, total, share), binom.sf(seen - 1, total, share)
    worst = float(np.minimum(low, high).min()) * 2 * len(seen)
    return min(1.0, 2 * min(worst, float(chi2.sf(square, max(1, len(seen) - 1)))))


def _cells(
    held: Mapping[int, int], law: Mapping[int, float], total: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Join neighbouring values until each cell expects enough; the rest of the law is a value."""
    rest = max(0.0, 1 - sum(law.values()))
    pairs = [(held.get(value, 0), total * law[value]) for value in sorted(law)]
    pairs.append((sum(count for value, count in held.items() if value not in law), total * rest))
    cells: list[tuple[int, float]] = [(0, 0.0)]
    for count, expects in pairs:
        if cells[-1][1] >= LEAST_EXPECTED:
            cells.append((0, 0.0))
        cells[-1] = (cells[-1][0] + count, cells[-1][1] + expects)
    if len(cells) > 1 and cells[-1][1] < LEAST_EXPECTED:
        count, expects = cells.pop()
        cells[-1] = (cells[-1][0] + count, cells[-1][1] + expects)
    return np.array([c for c, _ in cells]), np.array([e for _, e in cells])


def follows(sample: ArrayLike, law: Mapping[int, float]) -> bool:
    """Tell whether nothing speaks against ``law``."""
    return fit(sample, law) >= FALSE_ALARM


def sample(sampler: Sampler, size: int, seed: int = 1) -> list[int]:
    """Draw ``size`` times from a kernel."""
    rng = seeded(seed)
    return [drawn(rng, sampler) for _ in range(size)]


def laplace_law(rate: float) -> dict[int, float]:
    """Return the discrete Laplace law as far as it matters."""
    q = exp(-rate)
    reach = int(30 / rate) + 2
    return {x: (1 - q) / (1 + q) * q ** abs(x) for x in range(-reach, reach + 1)}


def binomial_law(n: int, p: float) -> dict[int, float]:
    """Return the binomial law, as far as it matters for large ``n``."""
    from scipy.stats import binom

    mean, spread = n * p, (n * p) ** 0.5
    low, high = max(0, int(mean - 15 * spread)), min(n, int(mean + 15 * spread) + 40)
    return {k: float(binom.pmf(k, n, p)) for k in range(low, high + 1)}


def flip_law(accept: Sequence[float]) -> dict[int, float]:
    """Return the law of permute-and-flip by walking every order of the candidates."""
    orders = list(permutations(range(len(accept))))
    law = dict.fromkeys(range(len(accept)), 0.0)
    for order in orders:
        left = 1 / len(orders)
        for candidate in order:
            law[candidate] += left * accept[candidate]
            left *= 1 - accept[candidate]
    return law


def depends_on_words_only(
    draw: Callable[[Rng], list[int]], blocks: Sequence[int | None] = BLOCKS
) -> bool:
    """Tell whether ``draw`` gives the same, and uses as many words, whatever the block size."""
    results = []
    for block in blocks:
        rng = _Keystream(5, block)
        results.append((draw(rng), rng.words(3).tolist()))
    return all(result == results[0] for result in results)


class Script:
    """Chance that says what it is told, to steer a sampler into its rare corners."""

    label = "scripted"

    def __init__(self, words: Sequence[int]) -> None:
        self._words = np.array(words, dtype=np.uint64)

    def words(self, n: int) -> NDArray[np.uint64]:
        taken, self._words = self._words[:n], self._words[n:]
        assert len(taken) == n, "the script is over"
        return taken

    @property
    def left(self) -> int:
        return len(self._words)
