"""Neighbouring data on which an audit of PrivBayes sees the most, and the law of its smallest case.

Records are sampled from the noisy tables, and the sample hides what the tables show. It hides
least where few people are there and a table is as likely empty as not.
"""

import math
from fractions import Fraction

from discreet.counts.bayes.network import Negatives
from discreet.mechanism_audit.neighbouring import Law, NeighbouringPair, crowd, laws_of

SIDE_BY_SIDE = ("a", "b", "c", "d")
"""Items of which each person holds one: a network cannot know that of all of them."""
MOST_ROWS = 500
"""Sampled records up to which their law is written down."""


def count_pair(epsilon: Fraction, negatives: Negatives, rows: int | None) -> NeighbouringPair:
    """Return two people of whom one loses the only item: there is one table, with all of epsilon.

    Of one person less is seen, since the sample has but one record; of more people too, since what
    one of them changes is small beside the chance of the sample.
    """
    universe, sampled = ("a",), 2 if rows is None else rows
    laws = None
    if negatives == "spread" and sampled <= MOST_ROWS:
        laws = laws_of(lambda holders: count_law(2, holders, epsilon, sampled), (2, 1), epsilon)
    return NeighbouringPair(
        shows="how many people hold an item",
        one=crowd(universe, {universe: 2}),
        other=crowd(universe, {universe: 1, (): 1}),
        universe=universe,
        laws=laws,
    )


def shared_pair() -> NeighbouringPair:
    """Return a person who holds nothing, or all: every table changes and has but a share."""
    return NeighbouringPair(
        shows="a person in all tables",
        one=crowd(SIDE_BY_SIDE, {(): 1}),
        other=crowd(SIDE_BY_SIDE, {SIDE_BY_SIDE: 1}),
        universe=SIDE_BY_SIDE,
    )


def network_pair(records: int) -> NeighbouringPair:
    """Return people with one item each, all items alike: one person more makes one a better parent.

    Items that the network does not join occur together in the sample, so that it shows the choice.
    """
    each = records // len(SIDE_BY_SIDE)
    counts: dict[tuple[str, ...], int] = {(item,): each for item in SIDE_BY_SIDE}
    return NeighbouringPair(
        shows="which network was chosen",
        one=crowd(SIDE_BY_SIDE, counts),
        other=crowd(SIDE_BY_SIDE, counts | {("a",): each + 1, ("d",): each - 1}),
        universe=SIDE_BY_SIDE,
    )


def count_law(records: int, holders: int, epsilon: Fraction, rows: int) -> Law:
    """Return the exact law of the sampled records that hold the only item, with ``spread``.

    >>> law = count_law(1, 1, Fraction(1), 1)
    >>> round(law[1], 4)
    0.6225
    """
    shift, n = 2 * holders - records, records
    # the nearest table of the right sum depends on the difference of the two noisy counts alone
    weights = {d: _difference(d - shift, epsilon / 2) for d in range(1 - n, n)}
    weights[n] = _at_least(n - shift, epsilon / 2)
    weights[-n] = _at_least(n + shift, epsilon / 2)
    shares = {(n + d) / (2 * n): weight for d, weight in weights.items()}
    return {
        y: sum(w * math.comb(rows, y) * p**y * (1 - p) ** (rows - y) for p, w in shares.items())
        for y in range(rows + 1)
    }


def _difference(x: int, rate: Fraction) -> float:
    """Return the probability that two draws of discrete Laplace noise differ by ``x``."""
    q, gap, far = math.exp(-rate), -math.expm1(-rate), abs(x)
    both = (far + 1) * q**far + 2 * q ** (far + 2) / (gap * (1 + q))
    return float((gap / (1 + q)) ** 2 * both)


def _at_least(x: int, rate: Fraction) -> float:
    """Return the probability that the one exceeds the other by at least ``x``, from 0 on.

    Added up term by term, not taken from 1: the ratio of two small probabilities must be right.
    """
    q, gap = math.exp(-rate), -math.expm1(-rate)
    both = (x + 1 + q / gap) * q**x + 2 * q ** (x + 2) / (gap * (1 + q))
    return float(gap / (1 + q) ** 2 * both)
