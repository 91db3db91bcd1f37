"""How likely a member of a group can be to hold a term at most, where counting is too much.

The product over overlaps is no bound, so an attack that falls back on it could claim what nobody
can know. Whatever the overlaps say together, P(holds | they) is at most P(holds) / P(they).
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Ranges: TypeAlias = dict[tuple[int, int], tuple[int, int]]
"""For each overlap, by a name and its number of members, the fewest and the most copies in it."""


def posterior_upper_bound(size: int, copies: int, outside: int, ranges: Ranges) -> float:
    """Return a probability that no member of a group exceeds, given what its overlaps hold.

    ``outside`` are the members in no overlap. Where the overlaps are only told how many copies
    they hold at most, a copy can move from anyone to someone outside, so these are likeliest.

    >>> bound = posterior_upper_bound(10, 2, 5, {(0, 5): (0, 1)})  # 2/5 by the other bound
    >>> round(bound, 4) == round(9 / 35, 4)
    True
    >>> posterior_upper_bound(10, 4, 8, {(0, 2): (0, 0)})
    0.5
    """
    likely, most = 1.0, 1.0
    for (_, shared), (low, high) in ranges.items():
        likely -= 1 - within(size, copies, shared, low, high)
    if likely > 1e-9:  # what is left of a tiny one is rounding
        most = min(most, copies / size / likely)
    if outside and all(
        low <= max(copies - (size - shared), 0) for (_, shared), (low, _) in ranges.items()
    ):
        most = min(most, copies / outside)
    return most


def within(size: int, copies: int, shared: int, low: int, high: int) -> float:
    """Return the probability that so many of the copies lie with ``shared`` of the members.

    >>> round(within(4, 2, 2, 1, 1), 6)
    0.666667
    """
    from scipy.special import gammaln

    def choose(n: int, k: Whole) -> NDArray[np.float64]:
        ways: NDArray[np.float64] = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
        return ways

    least, most = max(low, copies - (size - shared), 0), min(high, shared, copies)
    number = np.arange(least, most + 1)
    logs = choose(shared, number) + choose(size - shared, copies - number)
    return min(1.0, float(np.exp(logs - choose(size, np.array([copies]))).sum()))
