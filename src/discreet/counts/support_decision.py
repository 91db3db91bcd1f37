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
from discreet.counts.largest_size import FEW_ITEMS, largest_size_law
from discreet.counts.lattice import random_sets, uniforms
from discreet.counts.log_linear import Fitted, NoisyTable
from discreet.kernels.supersets import superset_sums
from discreet.measure import SANITY

__all__ = ["SupportLaw", "decided"]

Table: TypeAlias = NDArray[np.float64]

DOUBTS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""How many standard deviations a support must be above 0 to be believed: what is tried."""
QUERIES, OF_EACH = 2_000, 8
"""How many sets of either kind are asked for, and for how many times all there are at most."""
LIMITS = 3
"""Largest sizes that are looked at with each of the models that the counts do not rule out."""


@dataclass(frozen=True, eq=False)
class SupportLaw:
    """What is known of each set's support: its mean, its variance, and equally likely values."""

    mean: Table
    variance: Table
    queries: NDArray[np.int64]
    """The sets that are asked for: first such as somebody seems to hold, then random ones."""
    means: Table
    """Their supports on average, one row for each model that the noisy counts do not rule out."""
    values: Table
    """Their supports as they may be, one row for each of these models."""
    sooner: Table
    """How much sooner than expected the first ones occur by each model, where items are few."""

    @classmethod
    def of(cls, fitted: Fitted, noisy: NoisyTable, rng: Rng) -> "SupportLaw":
        """Add up what is known of the sets that contain each set, and draw what may be asked."""
        queries, first = _queries(fitted.mean, noisy.size, rng)
        mean, means, values, sooner = _supports(fitted.mean), [], [], []
        variance = _supports(fitted.variance)
        share = 1 / (LIMITS * len(fitted.others))
        for possible, other_mean in _models(fitted, noisy):
            supports = _supports(other_mean * possible)
            variance += share * (supports - mean) ** 2
            within = _supports(fitted.variance * possible)[queries]
            means.append(supports[queries])
            drawn = _gamma(means[-1], within, rng)
            # what is asked because somebody holds it has at least that person
            values.append(np.append(np.maximum(drawn[:first], 1), drawn[first:]))
            asked = queries[:first]
            expected = np.maximum(_occurs(fitted.mean[asked]), np.finfo(np.float64).tiny)
            sooner.append(_occurs((other_mean * possible)[asked]) / expected)
        return cls(mean, variance, queries, np.array(means), np.array(values), np.array(sooner))

    def expected_loss(self, table: NDArray[np.number]) -> float:
        """Return the mean relative error to expect of a table where the queries are asked.

        Who asks for sets that somebody holds asks, whichever model is right, for those of that one.
        """
        wrong = self._errors(table, self.queries, self.values)
        first = self.sooner.shape[1]
        of_random = float(wrong[:, first:].mean())
        if not first:
            return of_random
        asked = np.maximum(self.sooner.sum(axis=1), np.finfo(np.float64).tiny)
        return (
            float(((wrong[:, :first] * self.sooner).sum(axis=1) / asked).mean()) + of_random
        ) / 2

    def distance(self, table: NDArray[np.number]) -> float:
        """Return how far a table is from what the models say on average.

        By this two changes of a table that was decided on are compared: what is left to chance
        would speak once more for whichever says less. Supports of single items, which are known
        best and are few among what is asked, count as much as all that is asked.
        """
        items = 1 << np.arange(len(table).bit_length() - 1)
        return float(
            self._errors(table, self.queries, self.means).mean()
            + (self._errors(table, items, self.mean[items]).mean() if items.size else 0)
        )

    def _errors(self, table: NDArray[np.number], asked: NDArray[np.int64], true: Table) -> Table:
        """Return the error of each thing asked, as a share of what it should be."""
        wrong = np.abs(true - _supports(table)[asked])
        return np.asarray(wrong / np.maximum(true, SANITY * self.mean[0]))


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


def _queries(table: Table, sizes: NDArray[np.int64], rng: Rng) -> tuple[NDArray[np.int64], int]:
    """Draw what may be asked: sets that seem to occur, and random sets of a few items.

    So many of the first are judged by the models in which they occur: all of them where items are
    few. Among many items the models agree too well on sets that only noise speaks for.
    """
    items = len(table).bit_length() - 1
    if not items:
        return np.zeros(1, dtype=np.int64), 0
    count = min(QUERIES, OF_EACH * len(table))
    occurs = np.cumsum(np.where(sizes > 0, _occurs(table), 0.0))
    chosen = np.searchsorted(occurs, uniforms(count, rng) * occurs[-1])
    asked = np.concatenate([np.minimum(chosen, len(table) - 1), random_sets(items, count, rng)])
    return asked, count if items <= FEW_ITEMS else 0


def _occurs(people: Table) -> Table:
    """Return how likely anybody is there where so many are expected."""
    return np.asarray(-np.expm1(-np.maximum(people, 0)))


def _supports(table: NDArray[np.number]) -> Table:
    return superset_sums(table.astype(np.float64))
