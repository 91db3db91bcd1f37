"""How many items the largest set has that anybody holds, as far as noisy counts tell.

A person with many items is part of very many supports, so that it matters most whether there are
such people or only noise. Nothing here sees data: all is post-processing of noise.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.counts.posterior.log_linear import NoisyTable

__all__ = ["FEW_ITEMS", "largest_size_law"]

Table: TypeAlias = NDArray[np.float64]

FEW_ITEMS = 10
"""Items up to which every set has so many people that more can be made of its own count.

The numbers of sizes are then also taken to fall off evenly. With more items there are more sizes
that noise speaks for, and one such size makes the next ones likely too: on projections to 11 to 14
items this did more harm than good.
"""
SEEMING = 2.0
"""Noise takes a number so many times its scale above 0 once in fifteen times."""
UNHEARD_OF = 30
"""Of so many tables noise makes up a size in one, by the stricter rule of an even falling off."""
FEWEST = 1e-9
"""The least number of people that is expected of a size."""


def largest_size_law(noisy: NoisyTable) -> Table:
    """Return how likely each size is the largest that anybody's set has.

    Two kinds of people are as likely beforehand. By the first every size is as likely the largest,
    and nobody has more items; how many people have fewer is none or one to all of them, by its
    order of magnitude; as likely they are no more than those with an item less; they hold sets of
    all kinds, or all the same. By the second, which is asked where items are few, people fall off
    evenly from size to size: as likely all who have a size, or those for each set of it. The noisy
    numbers of sizes tell, and the noisy counts of their sets.
    """
    sizes = [_Size.of(noisy, size) for size in range(1, noisy.largest + 1)]
    known = _by_largest(sizes)
    if noisy.items <= FEW_ITEMS:
        sets = np.bincount(noisy.size)[: noisy.largest + 1].astype(np.float64)
        evenly = [_by_falling_off(sizes, _falling_off(noisy, per)) for per in (sets, sets**0)]
        known = np.logaddexp(known - np.log(len(known)), np.logaddexp(*evenly) - np.log(2))
    law = np.exp(known - known.max())
    return np.asarray(law / law.sum())


@dataclass(frozen=True, eq=False)
class _Size:
    """How well each number of people with so many items explains the noisy counts, as logs."""

    people: Table
    """The numbers from 1 that are not ruled out, ascending."""
    nobody: float
    varied: Table
    """If they hold sets of all kinds."""
    alike: Table
    """If they all hold the same set."""
    prior: Table
    """How likely each number is, by its order of magnitude."""

    @classmethod
    def of(cls, noisy: NoisyTable, size: int) -> "_Size":
        """Look at the noisy number of people of a size, and at the noisy counts of its sets."""
        counts = noisy.counts[noisy.size == size].astype(np.float64)
        total, highest = int(noisy.sizes[size]), int(counts.max())
        # they may all hold the same set, or each another: all between is far less likely
        reach = int(40 / noisy.size_epsilon) + 1
        near = [np.arange(max(1, n - reach), max(n, 1) + reach + 1) for n in (highest, total)]
        people = np.unique(np.concatenate(near)).astype(np.float64)
        by_size = -noisy.size_epsilon * np.abs(total - people)
        return cls(
            people,
            -noisy.size_epsilon * abs(total),
            by_size + _varied(counts, noisy.epsilon, people),
            by_size + _alike(counts, noisy, people),
            _prior(noisy, size, people),
        )

    @property
    def somebody(self) -> float:
        """How well people in numbers of any order of magnitude explain the counts."""
        either = np.logaddexp(self.varied, self.alike) - np.log(2)
        return float(np.logaddexp.reduce(either + self.prior))

    def falling_off(self, expected: float) -> tuple[float, float]:
        """Return the logs of nobody and of somebody, where so many are expected."""
        by_number = self.people * np.log(expected / (1 + expected))
        none = np.log1p(expected)
        return self.nobody - none, float(np.logaddexp.reduce(self.varied + by_number) - none)


def _by_largest(sizes: list[_Size]) -> Table:
    """Return the log of how well each largest size explains the counts; below it all is open."""
    known = np.zeros(len(sizes) + 1)
    for size, seen in enumerate(sizes, start=1):
        known[:size] += seen.nobody
        known[size] += seen.somebody
        known[size + 1 :] += np.logaddexp(seen.nobody, seen.somebody) - np.log(2)
    return known


def _by_falling_off(sizes: list[_Size], expecting: Table) -> Table:
    """Return the same where each size has about as many people as the two before make expect."""
    known = np.zeros(len(sizes) + 1)
    for size, (seen, expected) in enumerate(zip(sizes, expecting, strict=True), start=1):
        if size == 1:
            nobody, somebody = seen.nobody - np.log(2), seen.somebody - np.log(2)
        else:
            nobody, somebody = seen.falling_off(expected)
        known[:size] += nobody
        known[size] += somebody
        known[size + 1 :] += np.logaddexp(nobody, somebody)
    return known


def _falling_off(noisy: NoisyTable, per: Table) -> Table:
    """Return how many people each size from 1 would have if they fell off as they did before.

    The people ``per`` so many of each size change by the same factor from size to size, and are no
    more than those with an item less. A size that does not stand out of the noise has what is
    expected.
    """
    standing_out = np.log(UNHEARD_OF * max(noisy.items, 1)) / noisy.size_epsilon
    people = np.maximum(noisy.sizes[: noisy.largest + 1], 0.5)
    expected = np.full(noisy.largest + 1, 0.5)
    for size in range(noisy.largest + 1):
        if size > 1:
            density, before = people[[size - 1, size - 2]] / per[[size - 1, size - 2]]
            even = per[size] * density * (density / before)
            expected[size] = max(min(even, people[size - 1]), FEWEST)
        if noisy.sizes[size] < standing_out:
            people[size] = expected[size]
    return expected[1:]


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
    by_value = np.log(times / len(counts)) + noisy.epsilon * np.abs(values)
    # noise falls off by the same factor with each step, so that sums up to each value will do
    up_to = np.logaddexp.accumulate(by_value + noisy.epsilon * values)
    beyond = np.logaddexp.accumulate((by_value - noisy.epsilon * values)[::-1])[::-1]
    smaller = np.searchsorted(values, people, side="right")
    below = np.append(-np.inf, up_to)[smaller] - noisy.epsilon * people
    above = np.append(beyond, -np.inf)[smaller] + noisy.epsilon * people
    return np.asarray(np.logaddexp(below, above))
