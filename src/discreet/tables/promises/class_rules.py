"""What every class must keep, as arrays by which cuts are judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, floor, inf

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import exact
from discreet.core.guarantee import BetaLikeness, DeltaDisclosure, LDiversity, TCloseness
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import GAP
from discreet.lazy import pl
from discreet.tables.kernels.keeping import ClassRules
from discreet.tables.promises.closeness import coded, codings_of, values_of

KINDS = {"distinct": 1.0, "entropy": 2.0, "recursive": 3.0}
MARGIN = 1 + 1e-14
"""A share that is exactly the bound passes; shares of up to a billion rows differ by more."""
WORD = 2**62
LARGEST_LOGARITHM = 300.0
"""No ratio of shares has a larger logarithm, and its exponential is still a number."""


@dataclass(frozen=True, eq=False)
class Promises:
    """What is promised of the sensitive values in every class."""

    k: int
    """The least class."""
    closeness: TCloseness | None = None
    """Closeness to the table."""
    diversity: LDiversity | None = None
    """Diversity of values."""
    likeness: BetaLikeness | None = None
    """How much a value's share may grow."""
    disclosure: DeltaDisclosure | None = None
    """How much a value's share may change."""

    @property
    def distributions(self) -> tuple[LDiversity | TCloseness | BetaLikeness | DeltaDisclosure, ...]:
        """Those of them that were asked for."""
        every = (self.closeness, self.diversity, self.likeness, self.disclosure)
        return tuple(each for each in every if each is not None)


def class_rules(
    table: "pl.DataFrame",
    counts: NDArray[np.int64],
    names: Sequence[str],
    promised: Promises,
    ground: Mapping[str, Hierarchy],
) -> ClassRules:
    """Return the rules of a table whose rows stand for so many people each."""
    total = int(counts.sum())
    kinds = dict(promised.closeness.distance) if promised.closeness else {}
    rows: list[tuple[NDArray[np.int64], int]] = []
    diversity: list[tuple[float, float, float, float]] = []
    closeness: list[tuple[int, int, int, int, int]] = []
    # without a promise about values there is nothing to count
    for name in names if promised.distributions else ():
        kind, tree = kinds.get(name, "equal"), ground.get(name)
        domain = values_of(table[name], kind, tree)
        codings = codings_of(coded(table[name], domain)[0], domain, kind, tree)
        rows += codings
        gaps = codings[0][0][(table[name] == GAP).to_numpy()]
        gap = float(gaps[0]) if len(gaps) else -1.0
        diversity.append((*_diversity(promised.diversity, name), gap))
        diversity += [(-1.0, 0.0, 0.0, -1.0)] * (len(codings) - 1)
        closeness += _closeness(promised.closeness, name, codings, total, ordered=kind == "ordered")
    widest = max((count for _, count in rows), default=1)
    values = np.array([codes for codes, _ in rows], dtype=np.int64).reshape(-1, table.height)
    overall = np.zeros((len(rows), widest), dtype=np.int64)
    for index, codes in enumerate(values):
        overall[index] = np.bincount(codes, counts, widest)
    diverse = np.array(diversity, dtype=np.float64).reshape(-1, 4)
    near = np.array(closeness, dtype=np.int64).reshape(-1, 5)
    share = _shares(overall, total, promised, diverse[:, 0] >= 0)
    return ClassRules(values, overall, total, promised.k, diverse, near, share)


def _diversity(asked: LDiversity | None, name: str) -> tuple[float, float, float]:
    if asked is None:
        return (0.0, 0.0, 0.0)
    own = asked.of(name)
    return KINDS[own.kind], float(own.least), float(exact("c", own.c or 0))


def _closeness(
    asked: TCloseness | None,
    name: str,
    codings: Sequence[tuple[NDArray[np.int64], int]],
    total: int,
    *,
    ordered: bool,
) -> list[tuple[int, int, int, int, int]]:
    """Return the bound of each level; the last one is compared with the sum of all."""
    levels = len(codings)
    if asked is None:
        return [(-1, 1, 0, 1, 0)] * levels
    most = asked.most_of(name)
    steps = max(1, codings[0][1] - 1) if ordered else 2 * levels
    # rounded down where whole numbers of a word could not hold the comparison
    largest = max(1, WORD // (steps * total * total))
    if most.denominator > largest:
        most = Fraction(floor(most * largest), largest)
    rule = (most.numerator, most.denominator, int(ordered), steps)
    return [(*rule, int(level == levels - 1)) for level in range(levels)]


def _shares(
    overall: NDArray[np.int64], total: int, promised: Promises, plain: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the least and the largest share that each value may have in a class."""
    share = overall / max(1, total)
    least, most = np.zeros_like(share), np.full_like(share, inf)
    with np.errstate(divide="ignore"):
        odd = -np.log(share)
    if promised.likeness is not None:
        relative_gain = np.full_like(share, float(promised.likeness.most))
        if promised.likeness.enhanced:
            relative_gain = np.minimum(relative_gain, odd)
        most = np.minimum(most, (1 + relative_gain) * share * MARGIN)
    if promised.disclosure is not None:
        # beyond any ratio of counts there is nothing to bound, and nothing overflows
        factor = exp(min(float(promised.disclosure.most), LARGEST_LOGARITHM))
        # strictly between: the margins only ever refuse
        least = np.maximum(least, share / factor * MARGIN)
        most = np.minimum(most, share * factor / MARGIN)
    open_ends = (overall == 0) | ~plain[:, None]
    return np.stack([np.where(open_ends, 0.0, least), np.where(open_ends, inf, most)])
