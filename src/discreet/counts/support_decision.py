"""Which supports to publish, given how sure they are: the table of least expected loss.

A set that few people hold is often better said to be held by nobody, and its people to hold one
item less. How far to go is decided by what is expected of the outcome: every way is judged by the
posterior law of the supports, and the best one is taken. Nothing here sees data.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.randomness import Rng
from discreet.counts.kernels.lattice_model import pushed_down
from discreet.counts.lattice import FLOOR, random_sets, uniforms
from discreet.counts.log_linear import Fitted
from discreet.kernels.supersets import superset_sums

__all__ = ["SupportLaw", "decided"]

Table: TypeAlias = NDArray[np.float64]

DOUBTS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""How many standard deviations a support must be above 0 to be believed: what is tried."""
QUERIES = 2_000


@dataclass(frozen=True, eq=False)
class SupportLaw:
    """What is known of each set's support: its mean, its variance, and equally likely values."""

    mean: Table
    variance: Table
    values: Table
    """One row for each model that the noisy counts do not rule out."""

    @classmethod
    def of(cls, fitted: Fitted) -> "SupportLaw":
        """Add up what is known of the sets that contain each set."""
        mean, within = _supports(fitted.mean), _supports(fitted.variance)
        values = np.array([_supports(other) for other in fitted.others])
        return cls(mean, within + ((values - mean) ** 2).mean(axis=0), values)

    def expected_loss(self, queries: NDArray[np.int64], published: Table) -> float:
        """Return the mean relative error to expect where these sets are asked for."""
        true = self.values[:, queries]
        wrong = np.abs(true - published[queries])
        return float((wrong / np.maximum(true, FLOOR * self.mean[0])).mean())


def decided(fitted: Fitted, sizes: NDArray[np.int64], rng: Rng) -> Table:
    """Return the table, out of several, whose supports are expected to be least wrong."""
    if not sizes.any():
        return fitted.mean
    law = SupportLaw.of(fitted)
    asked = _queries(fitted.mean, sizes, rng)
    deviation, largest_first = np.sqrt(law.variance), np.argsort(-sizes, kind="stable")
    tables = []
    for doubt in DOUBTS:
        doubtful = (law.mean < doubt * deviation) & (sizes > 0)
        tables.append(pushed_down(fitted.mean, law.mean, doubtful, largest_first))
    return min(tables, key=lambda table: law.expected_loss(asked, _supports(table)))


def _queries(held: Table, sizes: NDArray[np.int64], rng: Rng) -> NDArray[np.int64]:
    """Draw what may be asked: sets that seem to occur, and random sets of a few items."""
    occurs = np.cumsum(np.where(sizes > 0, -np.expm1(-np.maximum(held, 0)), 0.0))
    chosen = np.searchsorted(occurs, uniforms(QUERIES, rng) * occurs[-1])
    random = random_sets(len(held).bit_length() - 1, QUERIES, rng)
    return np.concatenate([np.minimum(chosen, len(held) - 1), random])


def _supports(held: Table) -> Table:
    return superset_sums(held.copy())
