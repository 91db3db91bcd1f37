"""How likely a noisy histogram singles a person's itemset out, before any noise is drawn."""

from collections.abc import Sequence
from math import comb, exp, log1p

from discreet.core.exact import Exact, positive
from discreet.core.histogram import ItemsetHistogram
from discreet.errors import ParameterError


def linkage_probability(
    folded: ItemsetHistogram,
    known: Sequence[str],
    target: Sequence[str],
    *,
    epsilon: Exact,
    least: Sequence[int],
) -> float:
    """Return the probability that ``target`` is the one published itemset that holds ``known``.

    This is P(C1 C2) of Wang, Li, Lui and Sun 2022, section 4.2, for a histogram whose every cell
    gets discrete Laplace noise at ``epsilon`` and is published from ``least[size]`` on, such as
    ``sparse-histogram`` of many people; larger itemsets than ``least`` speaks of are never
    published. The cells are independent, so the probability is a product over all supersets of
    ``known``, also those that nobody has.

    Parameters
    ----------
    folded
        The distinct sets of the data with their counts.
    known
        The known items.
    target
        The itemset.
    epsilon
        The budget of the counts.
    least
        The least count that is published, by the size of the set.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> data = ItemsetHistogram.of({("a", "b"): 20, ("b",): 3}, universe="ab")
    >>> round(linkage_probability(data, "a", "ab", epsilon=1, least=(1, 1, 1)), 4)
    0.7311
    """
    rate = float(positive("epsilon", epsilon))
    universe, goal, wanted = folded.sets.vocabulary, frozenset(target), frozenset(known)
    if not wanted < goal <= set(universe) or len(goal) >= len(least):
        msg = (
            "`target` must hold `known` and more, be of the universe, and have a size that `least` "
            f"speaks of, got {len(wanted)} known, {len(goal)} in target and {len(least)} sizes"
        )
        raise ParameterError(msg, parameter="target")
    counts = {
        frozenset(folded.sets[row]): int(folded.counts[row])
        for row in folded.sets.holding(wanted).tolist()
        if folded.sets.sizes[row] < len(least)
    }
    log_p = _log_reaching(least[len(goal)] - counts.pop(goal, 0), rate)
    occupied = [0] * len(least)
    for itemset, count in counts.items():
        log_p += _log_missing(least[len(itemset)] - count, rate)
        occupied[len(itemset)] += 1
    occupied[len(goal)] += 1
    for size in range(len(wanted), len(least)):
        empty = comb(len(universe) - len(wanted), size - len(wanted)) - occupied[size]
        log_p += empty * _log_missing(least[size], rate)
    return exp(log_p)


def _log_reaching(least: int, rate: float) -> float:
    """Return the logarithm of the probability that noise is at least ``least``."""
    if least >= 1:
        return -rate * least - log1p(exp(-rate))
    return log1p(-exp(-rate * (1 - least)) / (1 + exp(-rate)))


def _log_missing(least: int, rate: float) -> float:
    """Return the logarithm of the probability that noise is below ``least``: the same mirrored."""
    return _log_reaching(1 - least, rate)
