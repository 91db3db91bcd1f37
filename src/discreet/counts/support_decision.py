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

DOUBTS = (0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)
"""How many standard deviations a support must be above 0 to be believed: what is tried."""
QUERIES = 2_000
DRAWS = 4
"""Supports that are drawn for each query and model."""
TINY, NEARLY_NORMAL = 1e-6, 200.0


@dataclass(frozen=True, eq=False)
class SupportLaw:
    """What is known of each set's support: a mixture of gamma laws, one for each model."""

    mean: Table
    variance: Table
    means: Table
    """One row for each model that the noisy counts do not rule out."""
    within: Table
    """The variance that is left when the model is taken for granted."""

    @classmethod
    def of(cls, fitted: Fitted) -> "SupportLaw":
        """Add up what is known of the sets that contain each set."""
        mean, within = _supports(fitted.mean), _supports(fitted.variance)
        means = np.array([_supports(other) for other in fitted.others])
        return cls(mean, within + ((means - mean) ** 2).mean(axis=0), means, within)

    def drawn(self, queries: NDArray[np.int64], rng: Rng) -> Table:
        """Draw supports of these sets that the noisy counts do not rule out, a row a draw."""
        from scipy.special import gammaincinv, ndtri

        mean = np.tile(np.maximum(self.means[:, queries], TINY), (DRAWS, 1))
        shape = mean**2 / np.maximum(self.within[queries], TINY)
        chances = uniforms(mean.size, rng).reshape(mean.shape)
        # a law that is hardly wider than a point is normal, and its inverse slow
        wide = shape < NEARLY_NORMAL
        drawn = mean + np.sqrt(mean**2 / shape) * ndtri(chances)
        drawn[wide] = gammaincinv(shape[wide], chances[wide]) * mean[wide] / shape[wide]
        return np.asarray(np.maximum(drawn, 0.0))


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
    true = law.drawn(asked, rng)
    weight = 1 / np.maximum(true, FLOOR * law.mean[0])
    return min(
        tables, key=lambda table: float((np.abs(true - _supports(table)[asked]) * weight).mean())
    )


def _queries(held: Table, sizes: NDArray[np.int64], rng: Rng) -> NDArray[np.int64]:
    """Draw what may be asked: sets that seem to occur, and random sets of a few items."""
    occurs = np.cumsum(np.where(sizes > 0, -np.expm1(-np.maximum(held, 0)), 0.0))
    chosen = np.searchsorted(occurs, uniforms(QUERIES, rng) * occurs[-1])
    random = random_sets(len(held).bit_length() - 1, QUERIES, rng)
    return np.concatenate([np.minimum(chosen, len(held) - 1), random])


def _supports(held: Table) -> Table:
    return superset_sums(held.copy())
