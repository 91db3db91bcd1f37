"""Which supports to publish, given how sure they are: the table of least expected loss.

A set that few people hold is often better said to be held by nobody, and its people to hold one
item less. How far to go is decided by what is expected of the outcome: every way is judged by the
posterior law of the supports, and the best one is taken. Nothing here sees data.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.randomness import Rng
from discreet.counts.kernels.lattice_model import pushed_down
from discreet.counts.lattice import random_sets, uniforms
from discreet.counts.log_linear import Fitted, NoisyTable
from discreet.kernels.supersets import superset_sums
from discreet.measure import SANITY

__all__ = ["SupportLaw", "decided", "largest_size_law"]

Table: TypeAlias = NDArray[np.float64]

DOUBTS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""How many standard deviations a support must be above 0 to be believed: what is tried."""
QUERIES = 2_000
SEEMING = 2.0
"""Noise takes a number so many times its scale above 0 once in fifteen times."""
LIMITS = 3
"""Largest sizes that are looked at with each of the models that the counts do not rule out."""


def largest_size_law(noisy: NoisyTable) -> Table:
    """Return how likely each size is the largest that anybody's set has.

    Before anything is known every size is as likely; nobody has more items than the largest. How
    many people have a smaller number of items is none or one to all of them, by its order of
    magnitude; as likely they are no more than those with an item less. They hold sets of all kinds,
    or all the same. The noisy numbers of sizes tell, and the noisy counts of their sets.
    """
    known = np.zeros(noisy.largest + 1)
    for size in range(1, noisy.largest + 1):
        nobody, somebody = _evidence(noisy, size)
        known[:size] += nobody
        known[size] += somebody
        known[size + 1 :] += np.logaddexp(nobody, somebody) - np.log(2)
    law = np.exp(known - known.max())
    return np.asarray(law / law.sum())


def _evidence(noisy: NoisyTable, size: int) -> tuple[float, float]:
    """Return the logs of how well nobody, and somebody, with so many items explains the counts."""
    counts = noisy.counts[noisy.size == size].astype(np.float64)
    total, highest = int(noisy.sizes[size]), int(counts.max())
    reach = int(40 / noisy.size_epsilon) + 1
    least = max(1, min(total, highest) - reach)
    people = np.arange(least, max(total, highest, 1) + reach + 1).astype(np.float64)
    by_size = -noisy.size_epsilon * np.abs(total - people)
    by_sets = np.logaddexp(_varied(counts, noisy.epsilon, people), _alike(counts, noisy, people))
    somebody = np.logaddexp.reduce(by_size + by_sets - np.log(2) + _prior(noisy, size, people))
    return -noisy.size_epsilon * abs(total), float(somebody)


def _prior(noisy: NoisyTable, size: int, people: Table) -> Table:
    """Return the logs of how likely so many people have so many items before their counts are seen.

    Each order of magnitude is as likely, up to all people, or up to those with an item less where
    there seem to be some.
    """
    everybody = max(float(noisy.sizes.sum()), 2.0)
    with_one_less = min(float(noisy.sizes[size - 1]), everybody)
    if with_one_less * noisy.size_epsilon < SEEMING:
        with_one_less = everybody
    chance = 1 / _harmonic(everybody) + (people <= with_one_less) / _harmonic(with_one_less)
    return np.asarray(np.log(chance / 2) - np.log(people))


def _harmonic(most: float) -> float:
    """Return the sum of 1/k up to the number, nearly."""
    return float(np.log(most) + np.euler_gamma)


def _varied(counts: Table, epsilon: float, people: Table) -> Table:
    """Return how much better than nobody so many people in sets of all kinds explain the counts."""
    off = epsilon * np.abs(counts.sum() - np.append(people, 0))
    # the sum of many noises is nearly normal
    chance = -off if len(counts) == 1 else -(off**2) / (4 * len(counts))
    return np.asarray(chance[:-1] - chance[-1])


def _alike(counts: Table, noisy: NoisyTable, people: Table) -> Table:
    """Return how much better than nobody so many people with one and the same set explain them."""
    values, times = np.unique(counts, return_counts=True)
    reduction = np.abs(values) - np.abs(values - people[:, None])
    by_value = np.log(times / len(counts)) + noisy.epsilon * reduction
    return np.asarray(np.logaddexp.reduce(by_value, axis=1))


@dataclass(frozen=True, eq=False)
class SupportLaw:
    """What is known of each set's support: its mean, its variance, and equally likely values."""

    mean: Table
    variance: Table
    queries: NDArray[np.int64]
    """The sets that are asked for."""
    means: Table
    """Their supports on average, one row for each model that the noisy counts do not rule out."""
    values: Table
    """Their supports as they may be, one row for each of these models."""

    @classmethod
    def of(cls, fitted: Fitted, noisy: NoisyTable, rng: Rng) -> "SupportLaw":
        """Add up what is known of the sets that contain each set, and draw what may be asked."""
        queries = _queries(fitted.mean, noisy.size, rng)
        mean, means, values = _supports(fitted.mean), [], []
        variance = _supports(fitted.variance)
        share = 1 / (LIMITS * len(fitted.others))
        for possible, other_mean in _models(fitted, noisy):
            supports = _supports(other_mean * possible)
            variance += share * (supports - mean) ** 2
            within = _supports(fitted.variance * possible)[queries]
            means.append(supports[queries])
            values.append(_gamma(means[-1], within, rng))
        return cls(mean, variance, queries, np.array(means), np.array(values))

    def expected_loss(self, table: NDArray[np.number]) -> float:
        """Return the mean relative error to expect of a table where the queries are asked."""
        return self._relative(table, self.queries, self.values)

    def distance(self, table: NDArray[np.number]) -> float:
        """Return how far a table is from what the models say on average.

        By this two changes of a table that was decided on are compared: what is left to chance
        would speak once more for whichever says less. Supports of single items, which are known
        best and are few among what is asked, count as much as all that is asked.
        """
        items = 1 << np.arange(len(table).bit_length() - 1)
        of_queries = self._relative(table, self.queries, self.means)
        return of_queries + self._relative(table, items, self.mean[items])

    def _relative(self, table: NDArray[np.number], asked: NDArray[np.int64], true: Table) -> float:
        """Return the mean error of what is asked, as a share of what it should be."""
        wrong = np.abs(true - _supports(table)[asked])
        return float((wrong / np.maximum(true, SANITY * self.mean[0])).mean()) if asked.size else 0


def _gamma(mean: Table, variance: Table, rng: Rng) -> Table:
    """Draw from gamma laws, which are never below 0."""
    from scipy.special import gammaincinv

    drawn = uniforms(len(mean), rng)
    sure = (mean <= 0) | (variance <= 0)
    mu, var = np.where(sure, 1.0, mean), np.where(sure, 1.0, variance)
    return np.where(sure, mean, gammaincinv(mu**2 / var, drawn) * var / mu)


def _models(fitted: Fitted, noisy: NoisyTable) -> Iterator[tuple[NDArray[np.bool_], Table]]:
    """Yield each model that is not ruled out, with the sets up to each of a few largest sizes."""
    reached = np.cumsum(largest_size_law(noisy))
    number = LIMITS * len(fitted.others)
    for index, mean in enumerate(fitted.others):
        for turn in range(LIMITS):
            # spread evenly over the law, each model with a low, a middle and a high one
            chance = (turn * len(fitted.others) + index + 0.5) / number
            yield noisy.size <= int(np.searchsorted(reached, chance)), mean


def decided(fitted: Fitted, noisy: NoisyTable, law: SupportLaw) -> Table:
    """Return the table, out of several, whose supports are expected to be least wrong."""
    return min(_choices(fitted.mean, noisy, law), key=law.expected_loss)


def _choices(mean: Table, noisy: NoisyTable, law: SupportLaw) -> Iterator[Table]:
    """Yield what is expected, and tables in which what is doubtful or too large is not told."""
    sizes, deviation = noisy.size, np.sqrt(law.variance)
    largest_first = np.argsort(-sizes, kind="stable")

    def moved(table: Table, doubt: float, largest: int) -> Table:
        doubtful = ((law.mean < doubt * deviation) & (sizes > 0)) | (sizes > largest)
        return pushed_down(table, law.mean, doubtful, largest_first)

    yield mean
    best_doubt = min(DOUBTS, key=lambda each: law.expected_loss(moved(mean, each, noisy.largest)))
    for largest in range(noisy.largest + 1):
        # nobody holds more items than that: they hold fewer, or there are no such people
        for table in (mean, np.where(sizes <= largest, mean, 0.0)):
            for doubt in dict.fromkeys((0.0, best_doubt)):
                less = moved(table, doubt, largest)
                yield less
                # where as many may be lost as made up, half way is less wrong than either end
                yield (less + mean) / 2


def _queries(table: Table, sizes: NDArray[np.int64], rng: Rng) -> NDArray[np.int64]:
    """Draw what may be asked: sets that seem to occur, and random sets of a few items."""
    if len(table) == 1:
        return np.zeros(1, dtype=np.int64)
    occurs = np.cumsum(np.where(sizes > 0, -np.expm1(-np.maximum(table, 0)), 0.0))
    chosen = np.searchsorted(occurs, uniforms(QUERIES, rng) * occurs[-1])
    random = random_sets(len(table).bit_length() - 1, QUERIES, rng)
    return np.concatenate([np.minimum(chosen, len(table) - 1), random])


def _supports(table: NDArray[np.number]) -> Table:
    return superset_sums(table.astype(np.float64))
