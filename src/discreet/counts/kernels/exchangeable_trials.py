"""Exact samplers for many exchangeable trials at once, on counts; integers only.

The constructions and the handling of ``words`` and ``pos`` are those of ``noise``.
"""

import numpy as np

from discreet.compiled import kernel
from discreet.kernels.bits import ones
from discreet.kernels.noise import Position, Words, below, bernoulli_exp

__all__ = ["binomial_exp", "binomial_half", "binomial_ratio", "binomial_tail"]

FEW = 12
"""Up to here a trial after the other takes less time than all of them on counts."""


@kernel
def binomial_half(n: int, words: Words, pos: Position) -> int:
    """Draw the number of heads among ``n`` tosses of a fair coin; takes ``n / 64`` words."""
    full_words = n // 64
    spare_bits = n % 64
    end = pos[0] + full_words + (1 if spare_bits else 0)
    if end > words.size:
        pos[0] = words.size + 1
        return 0
    heads = 0
    for index in range(pos[0], pos[0] + full_words):
        heads += ones(words[index])
    if spare_bits:
        heads += ones(words[end - 1] >> np.uint64(64 - spare_bits))
    pos[0] = end
    return heads


@kernel
def binomial_ratio(n: int, num: int, den: int, words: Words, pos: Position) -> int:
    """Draw the successes among ``n`` trials of probability ``num / den <= 1``, ``den < 2**62``.

    A trial succeeds when a uniform number is below ``num / den``. The binary digits of all ``n``
    numbers are drawn one place at a time, and a number is decided where it first differs from
    ``num / den``, whose digits come from long division.
    """
    if num >= den:
        return n
    successes = 0
    undecided = n
    remainder = num
    # once the digits of num / den end, a number that still agrees cannot fall below it
    while undecided > 0 and remainder > 0 and pos[0] <= words.size:
        high = binomial_half(undecided, words, pos)
        remainder *= 2
        if remainder >= den:
            remainder -= den
            successes += undecided - high
            undecided = high
        else:
            undecided -= high
    return successes


@kernel
def _binomial_exp_unit(n: int, num: int, den: int, words: Words, pos: Position) -> int:
    """Draw the successes among ``n`` trials of probability ``exp(-num / den)``, ``num <= den``."""
    successes = 0
    undecided = n
    k = 1
    while undecided > 0 and pos[0] <= words.size:
        going = binomial_ratio(undecided, num, den, words, pos)
        going = binomial_ratio(going, 1, k, words, pos)
        if k & 1:
            successes += undecided - going
        undecided = going
        k += 1
    return successes


@kernel
def binomial_exp(n: int, num: int, den: int, words: Words, pos: Position) -> int:
    """Draw the successes among ``n`` trials of probability ``exp(-num / den)``, ``den < 2**62``."""
    while num > den and n > 0 and pos[0] <= words.size:
        n = _binomial_exp_unit(n, 1, 1, words, pos)
        num -= den
    return _binomial_exp_unit(n, num, den, words, pos)


@kernel
def _tail(m: int, s: int, t: int, words: Words, pos: Position) -> int:
    """Draw 1 where a discrete Laplace draw of rate ``s / t`` would be at least ``m >= 1``."""
    if bernoulli_exp(m * s, t, words, pos) == 0:
        return 0
    while pos[0] <= words.size:
        if below(2, words, pos) == 0:
            return 1
        if bernoulli_exp(s, t, words, pos) == 1:
            return 0
    return 0


@kernel
def binomial_tail(n: int, m: int, s: int, t: int, words: Words, pos: Position) -> int:
    """Draw how many of ``n`` discrete Laplace draws of rate ``s / t`` are at least ``m >= 1``.

    One of them is with probability ``q**m / (1 + q)``, ``q = exp(-s / t)``. The caller sees to it
    that ``m * s < 2**62``.
    """
    accepted = 0
    if n <= FEW:
        for _ in range(n):
            accepted += _tail(m, s, t, words, pos)
        return accepted
    undecided = binomial_exp(n, m * s, t, words, pos)
    # 1 / (1 + q): heads accepts; tails rejects with probability q, or tosses again
    while undecided > 0 and pos[0] <= words.size:
        heads = binomial_half(undecided, words, pos)
        accepted += heads
        tails = undecided - heads
        undecided = tails - binomial_exp(tails, s, t, words, pos)
    return accepted
