"""What a release made with noise can tell of a person: bounded by epsilon, and as measured."""

from collections.abc import Sequence
from math import exp, tanh
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from discreet.core.fold import fold
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.score import Rate
from discreet.core.transactions import Transactions
from discreet.measure.score import refuse_shared_people

__all__ = ["bounded_by_epsilon", "occurring", "posterior_at_most"]

PRIORS: Final = (0.01, 0.2, 0.5)
"""How likely something is held to be beforehand: hardly, as the custodian's limit, as a coin."""
ORIGINAL, CONTROL, PUBLISHED = 1, 4, 16
"""Digits of a number that says where a set occurs: once or more, in each group."""
NO_ORIGINAL: Final = (
    "how many people with a set that nobody else has occur in the published rows: it needs the "
    "original (--against)"
)
NO_CONTROL: Final = (
    "how many people who are not in the data occur in the published rows all the same: it needs a "
    "control group (--control)"
)


def bounded_by_epsilon(claims: Sequence[DifferentialPrivacy]) -> dict[str, Any]:
    """Return how sure anybody can become of a person, whatever they know of everybody else.

    A release is at most exp(epsilon) times as likely with a person as without. Another value of
    theirs is that of another record: two steps where neighbours are one record more or less, one
    where a record is replaced. Epsilons of several promises about the same people add up.
    """
    epsilon = sum(float(claim.budget) for claim in claims)
    steps = {"add-remove": 2, "replace": 1}
    value = sum(float(claim.budget) * steps[claim.neighbours] for claim in claims)
    return {
        "epsilon": epsilon,
        "taking_part": _bounds(epsilon),
        "a_value_of_theirs": _bounds(value),
    }


def posterior_at_most(prior: float, epsilon: float) -> float:
    """Return how likely something can be held at most after a release, of a ``prior`` before.

    >>> round(posterior_at_most(0.5, 1), 3), posterior_at_most(0.2, 1e6)
    (0.731, 1.0)
    """
    return prior / (prior + (1 - prior) * exp(-epsilon))


def _bounds(epsilon: float) -> dict[str, Any]:
    return {
        "factor_at_most": exp(epsilon) if epsilon < 700 else None,  # beyond, no number holds it
        "advantage_at_most": tanh(epsilon / 2),
        "posterior_at_most": [
            {"prior": prior, "posterior": posterior_at_most(prior, epsilon)} for prior in PRIORS
        ],
    }


def occurring(
    published: ItemsetHistogram, original: Transactions | None, control: Transactions | None
) -> dict[str, Any]:
    """Count who occurs in published rows: people whose set nobody else has, in the data or not.

    Both groups are of people whose set, not empty, is one person's alone among the data and the
    control group together: then nothing but taking part tells one group from the other.
    ``left_open`` names what was not handed in.
    """
    if original is None:
        return {"left_open": (NO_ORIGINAL,)}
    if control is not None:
        refuse_shared_people(original, control)
    holder, present = _sole_holders(published, original.folded, control.folded if control else None)
    rates = {"in_the_data": _rate(present[holder == ORIGINAL])}
    if control is None:
        return {"occurring": rates, "left_open": (NO_CONTROL,)}
    return {"occurring": rates | {"in_the_control_group": _rate(present[holder == CONTROL])}}


def _sole_holders(
    published: ItemsetHistogram, original: ItemsetHistogram, control: ItemsetHistogram | None
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return for each distinct set, not empty, who has it alone, and whether it is published.

    Each source has a digit of its own in one number, so that one sum over equal sets tells all.
    """
    several = 2
    digits = [(original, ORIGINAL), *([(control, CONTROL)] if control else [])]
    weighed = [(each, np.minimum(each.counts, several) * digit) for each, digit in digits] + [
        (published, (published.counts > 0) * PUBLISHED)
    ]
    vocabulary = sorted({item for each, _ in weighed for item in each.sets.vocabulary})
    together = Itemsets.joined([each.sets.over(vocabulary) for each, _ in weighed])
    sums = fold(together, np.concatenate([weights for _, weights in weighed]))
    codes = sums.counts[sums.sets.sizes > 0]
    return codes % PUBLISHED, codes >= PUBLISHED


def _rate(hits: NDArray[np.bool_]) -> dict[str, Any]:
    return Rate(share=float(hits.mean()) if len(hits) else 0.0, people=len(hits)).record()
