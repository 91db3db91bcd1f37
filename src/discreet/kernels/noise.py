"""Exact samplers: random words in, integers out, and nothing but integers in between.

Every kernel takes the ``words`` of chance and a position ``pos``, an array of one number that says
how many of them are used. A kernel that needs more words than there are sets ``pos[0]`` to
``words.size + 1`` and returns a dummy at once, as does every kernel called after it. The caller
then goes back to where it started, fetches more words *behind the same ones*, and runs it again.
So a draw depends on the words only, never on the blocks they came in, and none is lost because a
block ran out: long draws would be lost more often, a bias.

The innermost kernels call no other kernel that takes arrays: numba counts references at such calls,
which takes longer than the draws themselves.

The constructions are those of Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential
Privacy", NeurIPS 2020, Section 5 (Algorithms 1 and 2).
"""

from math import factorial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = [
    "below",
    "bernoulli_exp",
    "discrete_laplace",
    "fill_discrete_laplace",
    "geometric_exp",
    "permute_and_flip",
    "shuffle",
]

Words: TypeAlias = NDArray[np.uint64]
Position: TypeAlias = NDArray[np.int64]

ROOM = 1 << 62
"""Noise stays below this: a draw of rate ``s / t`` gets there once in ``exp(2**62 / t)``."""

SMALL = 1 << 31
"""Up to here a uniform draw is a product of half a word."""
WHOLE = np.uint64((1 << 64) // factorial(18) * factorial(18))
"""The words that divide evenly into ``k!`` shares, for every ``k`` up to 18."""

UNIFORM, RATIO, PART, STEPS, MORE_STEPS, SIGN = range(6)
"""What the next word of a discrete Laplace draw decides."""


@kernel
def _uniform(n: int, word: np.uint64) -> int:
    """Make a number of ``0 .. n - 1`` of ``word``, or -1 where the word must be turned away."""
    if n <= SMALL:
        # Lemire 2019: the upper half of n * x is uniform once the few surplus x are turned away
        product = int(np.int64(word >> np.uint64(32))) * n
        lower = product & 0xFFFFFFFF
        return product >> 32 if lower >= n or lower >= 0x100000000 % n else -1
    mask = n - 1
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    value = int(np.int64(word & np.uint64(mask)))
    return value if value < n else -1


@kernel
def below(n: int, words: Words, pos: Position) -> int:
    """Draw uniformly from ``0 .. n - 1``, for ``1 <= n <= 2**62``; ``n = 1`` takes no word."""
    if n <= 1:
        return 0
    while pos[0] < words.size:
        value = _uniform(n, words[pos[0]])
        pos[0] += 1
        if value >= 0:
            return value
    pos[0] = words.size + 1
    return 0


@kernel
def _first_failure(word: np.uint64) -> int:
    """Return the first of ``k = 2, 3 ...`` whose trial of probability ``1 / k`` fails.

    One word tells them all: below ``WHOLE / k!``, the trials up to ``k`` succeed. 19 says that
    those up to 18 do.
    """
    if word >= WHOLE // np.uint64(2):
        return 2
    if word >= WHOLE // np.uint64(6):
        return 3
    k = 4
    share = WHOLE // np.uint64(24)
    while k < 19 and word < share:
        k += 1
        share //= np.uint64(k)
    return k


@kernel
def _bernoulli_exp_one(words: Words, pos: Position) -> int:
    """Draw 1 with probability ``exp(-1)``, nearly always from a single word."""
    k = 1
    while pos[0] < words.size:
        word = words[pos[0]]
        pos[0] += 1
        if k > 18:
            value = _uniform(k, word)
            if value > 0:
                return k & 1
            if value == 0:
                k += 1
        elif word < WHOLE:
            k = _first_failure(word)
            if k <= 18:
                return k & 1
    pos[0] = words.size + 1
    return 0


@kernel
def _bernoulli_exp_unit(num: int, den: int, words: Words, pos: Position) -> int:
    """Draw 1 with probability ``exp(-num / den)``, for ``0 <= num <= den < 2**62``."""
    if num == 0:
        return 1
    k = 1
    of_k = False
    while pos[0] < words.size:
        # num / (den * k) as two trials, since den * k may not fit a word
        value = _uniform(k if of_k else den, words[pos[0]])
        pos[0] += 1
        if value >= (1 if of_k else num):
            return k & 1
        if value >= 0:
            if not of_k:
                k += 1
            of_k = not of_k
    pos[0] = words.size + 1
    return 0


@kernel
def bernoulli_exp(num: int, den: int, words: Words, pos: Position) -> int:
    """Draw 1 with probability ``exp(-num / den)``, else 0; ``0 <= num``, ``1 <= den < 2**62``."""
    while num > den:
        if _bernoulli_exp_one(words, pos) == 0 or pos[0] > words.size:
            return 0
        num -= den
    return _bernoulli_exp_unit(num, den, words, pos)


@kernel
def geometric_exp(s: int, t: int, words: Words, pos: Position) -> int:
    """Draw ``k >= 0`` with probability ``(1 - q) * q**k``, ``q = exp(-s / t)``, ``t < 2**56``."""
    while pos[0] <= words.size:
        u = below(t, words, pos)
        if _bernoulli_exp_unit(u, t, words, pos) == 1:
            v = 0
            while v < ROOM // t and _bernoulli_exp_one(words, pos) == 1:
                v += 1
            return (u + t * v) // s
    return 0


@kernel
def discrete_laplace(s: int, t: int, words: Words, pos: Position) -> int:
    """Draw an integer ``x`` with probability ~ ``exp(-|x| * s / t)``, for ``t < 2**56``."""
    while pos[0] <= words.size:
        size = geometric_exp(s, t, words, pos)
        if below(2, words, pos) == 0:
            return size
        # zero has one sign only
        if size > 0:
            return -size
    return 0


@kernel
def fill_discrete_laplace(
    out: NDArray[np.int64], start: int, s: int, t: int, words: Words, pos: Position
) -> int:
    """Fill ``out`` from ``start`` with discrete Laplace draws; return the index reached.

    The draws that ``discrete_laplace`` gives one by one, as one loop over the words. ``pos`` ends
    behind the words of the last complete draw, so the unfinished one is not lost.
    """
    index = start
    most = ROOM // t
    first = UNIFORM if t > 1 else STEPS
    stage = first
    u = v = 0
    k = 1
    for at in range(pos[0], words.size if start < out.size else 0):
        word = words[at]
        if stage == UNIFORM:
            u = _uniform(t, word)
            if u >= 0:
                stage = RATIO if u > 0 else STEPS
        elif stage == RATIO:
            value = _uniform(t, word)
            if value >= u:
                stage = STEPS if k & 1 else first
                k = 1
            elif value >= 0:
                stage = PART
                k += 1
        elif stage == PART:
            value = _uniform(k, word)
            if value > 0:
                stage = STEPS if k & 1 else first
                k = 1
            elif value == 0:
                stage = RATIO
        elif stage == STEPS:
            if word < WHOLE:
                k = _first_failure(word)
                v += k & 1 if k <= 18 else 0
                stage = MORE_STEPS if k > 18 else STEPS if k & 1 and v < most else SIGN
        elif stage == MORE_STEPS:
            value = _uniform(k, word)
            if value == 0:
                k += 1
            elif value > 0:
                v += k & 1
                stage = STEPS if k & 1 and v < most else SIGN
        else:
            size = (u + t * v) // s
            negative = word >> np.uint64(63) == np.uint64(1)
            stage = first
            u = v = 0
            k = 1
            # zero has one sign only
            if size > 0 or not negative:
                out[index] = -size if negative else size
                index += 1
                pos[0] = at + 1
                if index == out.size:
                    break
    return index


@kernel
def shuffle(order: NDArray[np.int64], start: int, words: Words, pos: Position) -> int:
    """Shuffle ``order`` from ``start`` on (Fisher and Yates); return the index reached."""
    for index in range(start, order.size - 1):
        mark = pos[0]
        other = index + below(order.size - index, words, pos)
        if pos[0] > words.size:
            pos[0] = mark
            return index
        saved = order[index]
        order[index] = order[other]
        order[other] = saved
    return int(order.size)


@kernel
def permute_and_flip(
    order: NDArray[np.int64],
    start: int,
    costs: NDArray[np.int64],
    den: int,
    words: Words,
    pos: Position,
) -> int:
    """Visit candidates in random order until one is taken; return the index reached.

    Candidate ``c`` is taken with probability ``exp(-costs[c] / den)``. A negative index ``i``
    says that ``order[-1 - i]`` was taken.
    """
    for index in range(start, order.size):
        mark = pos[0]
        other = index + below(order.size - index, words, pos)
        taken = bernoulli_exp(costs[order[other]], den, words, pos)
        if pos[0] > words.size:
            pos[0] = mark
            return index
        saved = order[index]
        order[index] = order[other]
        order[other] = saved
        if taken:
            return -1 - index
    return int(order.size)
