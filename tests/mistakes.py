"""Mechanisms with a planted mistake that an audit must find."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact, positive
from discreet.core.guarantee import DifferentialPrivacy, Guarantee
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publication import Publication
from discreet.core.release import Manifest, Release
from discreet.core.transactions import Transactions
from discreet.counts import PrivBayes
from discreet.counts.bayes.network import Pair, Records, structure
from discreet.mechanism_audit.neighbouring import NeighbouringPair, crowd
from discreet.rng import Rng, discrete_laplace


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundedScale:
    """Count the people who hold nothing, with noise whose scale is rounded down to a whole number.

    Nobody, Journal of Bad Ideas 2, 2000. At epsilon 0.7 the scale is 1 and not 1.43.
    """

    epsilon: Annotated[
        Exact, Doc("Privacy budget, which is not kept unless its inverse is a whole number.")
    ]

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What it wrongly promises."""
        return (DifferentialPrivacy(epsilon=self.epsilon),)

    def counts(self, data: Transactions, rng: Rng, runs: int) -> NDArray[np.int64]:
        scale = max(1, math.floor(1 / positive("epsilon", self.epsilon)))
        noisy = len(data) + discrete_laplace(runs, Fraction(1, scale), rng)
        return np.maximum(noisy, 1)

    def publish(self, data: Transactions, rng: Rng) -> Publication[ItemsetHistogram]:
        """Publish the noisy count."""
        content = ItemsetHistogram.of({(): int(self.counts(data, rng, 1)[0])})
        manifest = Manifest(method="rounded-scale", parameters={}, randomness=rng.label)
        return Publication(Release(content, self.guarantees, manifest))

    def outcomes(
        self, data: Transactions, rng: Rng, runs: int, *, smallest: int = 0
    ) -> list[frozenset[tuple[tuple[str, ...], int]]]:
        """Return what each of many runs publishes."""
        assert smallest == 0
        return [frozenset({((), count)}) for count in self.counts(data, rng, runs).tolist()]

    def worst_pair(self) -> tuple[NeighbouringPair, ...]:
        """Fifty people, and one more."""
        return (
            NeighbouringPair(
                shows="the count", one=crowd((), {(): 50}), other=crowd((), {(): 51}), universe=()
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OneByOne:
    """The same without a batch: an audit must do with ``publish``."""

    epsilon: Annotated[Exact, Doc("Privacy budget.")]

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What it wrongly promises."""
        return RoundedScale(epsilon=self.epsilon).guarantees

    def publish(self, data: Transactions, rng: Rng) -> Publication[ItemsetHistogram]:
        """Publish the noisy count."""
        return RoundedScale(epsilon=self.epsilon).publish(data, rng)

    def worst_pair(self) -> tuple[NeighbouringPair, ...]:
        """Fifty people, and one more."""
        return RoundedScale(epsilon=self.epsilon).worst_pair()


class HalfTheNoise(PrivBayes):
    """PrivBayes that forgets that a replaced record leaves one cell and enters another."""

    def for_tables(self, items: int, degree: int) -> Fraction:
        """Twice what there is."""
        return 2 * PrivBayes.for_tables(self, items, degree)


class UnsharedTables(PrivBayes):
    """PrivBayes that forgets that a person is in every table."""

    def for_tables(self, items: int, degree: int) -> Fraction:
        """The same for each table instead of a share."""
        return (items - degree) * PrivBayes.for_tables(self, items, degree)


class BestNetwork(PrivBayes):
    """PrivBayes that chooses the network as if only a huge budget were at stake."""

    def pairs(self, records: Records, degree: int, rng: Rng) -> list[Pair]:
        """The best pairs, nearly always."""
        return structure(records, degree, Fraction(10**6), self.score, rng)
