"""How much a sensitive attribute gives away in classes that look alike: l, t, beta, delta."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.microdata import MISSING
from discreet.lazy import pl

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


def attribute_disclosure(classes: Whole, column: "pl.Series") -> dict[str, Any]:
    """Return what one attribute gives away to whoever knows a person's class.

    The values at which a promise just holds: distinct and entropy l-diversity (a missing value
    adds nothing), t-closeness by equal distance and, where every value is a number, by rank, basic
    and enhanced beta-likeness, delta-disclosure (infinite where none holds). The definitions are
    in the reference page of risk.

    Parameters
    ----------
    classes
        For each person the number of the class.
    column
        The attribute.

    Returns
    -------
    dict of str to float
        For each promise the value at which it just holds.
    """
    text = column.cast(pl.String)
    values = text.unique().sort()
    numbers = values.cast(pl.Float64, strict=False)
    ranked = numbers.null_count() == 0
    if ranked:
        values = values.gather(numbers.arg_sort())
    codes = text.replace_strict(values, np.arange(len(values)), return_dtype=pl.Int64).to_numpy()
    gap = values.is_in(MISSING).to_numpy()
    entries, counts = np.unique(classes * len(values) + codes, return_counts=True)
    owner, value = np.divmod(entries, len(values))
    share = counts / np.bincount(classes)[owner]
    overall = np.bincount(codes, minlength=len(values)) / len(codes)
    measured = _diversity(owner, counts, gap[value]) | _likeness(share, overall[value])
    if len(owner) < len(np.unique(owner)) * len(values):
        # a value that nobody of a class has is ruled out for all of it
        measured["delta"] = math.inf
    measured["t"] = float(_sums(owner, np.maximum(share - overall[value], 0)).max())
    if ranked and len(values) > 1:
        measured["t_ordered"] = _by_rank(owner, value, share, overall)
    return {"values": len(values)} | measured | _guesses(owner, counts, overall)


def _sums(owner: Whole, numbers: Floats) -> Floats:
    return np.asarray(np.bincount(owner, numbers), dtype=np.float64)


def _diversity(owner: Whole, counts: Whole, gap: NDArray[np.bool_]) -> dict[str, Any]:
    known = np.where(gap, 0, counts).astype(np.float64)
    people = _sums(owner, known)
    share = known / np.maximum(people[owner], 1)
    entropy = _sums(owner, -share * np.log(np.where(share > 0, share, 1)))
    distinct = _sums(owner, (known > 0).astype(np.float64))
    # a class of gaps alone gives no value away, and is no measure of the others
    some = distinct > 0
    if not some.any():
        return {"l": None, "entropy_l": None}
    return {"l": int(distinct[some].min()), "entropy_l": float(np.exp(entropy[some].min()))}


def _likeness(share: Floats, overall: Floats) -> dict[str, Any]:
    relative_gain = np.maximum(share / overall - 1, 0)
    beta = float(relative_gain.max())
    within = bool((relative_gain <= -np.log(overall) + 1e-12).all())
    among_present = float(np.abs(np.log(share / overall)).max())
    return {
        "beta": beta,
        "enhanced_beta": beta if within else math.inf,
        "delta": among_present,
        "delta_of_values_present": among_present,
    }


def _by_rank(owner: Whole, value: Whole, share: Floats, overall: Floats) -> float:
    """Return the largest earth mover's distance where values are as far apart as their ranks.

    That is the mean of ``|Q - P|`` over the steps between values, of cumulated shares. Between two
    values of a class ``Q`` stays as it is, and ``P`` rises, so that it crosses ``Q`` once.
    """
    last = len(overall) - 1
    upto = np.cumsum(overall)
    area = np.concatenate([[0.0], np.cumsum(upto)])
    first = np.concatenate([[True], owner[1:] != owner[:-1]])
    running = np.cumsum(share)
    level = running - (running - share)[first][np.cumsum(first) - 1]
    end = np.append(value[1:], last)
    end[np.append(first[1:], True)] = last
    away = _between(value, end, level, upto, area) + np.where(
        first, _between(np.zeros_like(value), value, np.zeros_like(level), upto, area), 0
    )
    return float(_sums(owner, away).max()) / last


def _between(begin: Whole, end: Whole, level: Floats, upto: Floats, area: Floats) -> Floats:
    """Return the sum of ``|level - upto|`` from each begin to before each end."""
    cross = np.clip(np.searchsorted(upto, level), begin, end)
    below = level * (cross - begin) - (area[cross] - area[begin])
    above = area[end] - area[cross] - level * (end - cross)
    return np.asarray(below + above)


def _guesses(owner: Whole, counts: Whole, overall: Floats) -> dict[str, float]:
    """Return how often the commonest value of a class is right, and that of the table."""
    people = _sums(owner, counts.astype(np.float64))
    commonest = np.zeros(len(people))
    np.maximum.at(commonest, owner, counts)
    return {
        "share_value_certain": float(people[commonest == people].sum() / people.sum()),
        "guessed_right": float(commonest.sum() / people.sum()),
        "base_rate": float(overall.max()),
    }
