"""How often an attack is right, beside what anybody could have guessed.

An attack can be right about a person for three reasons: the item is common, the item goes with
what is known of the person in the whole population, or the person's own record gives it away. The
naive baseline tells the first apart; a control group, people of the same population whose records
were never used, tells the second from the third. Only the third is a matter of taking part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import Exact, exact
from discreet.core.findings import Claim, Findings
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.score import Advantage, Rate, Score
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError
from discreet.kernels.supersets import (
    LATTICE,
    contained_sums,
    holders_of,
    lattice_masks,
    subset_sums,
)
from discreet.measure.queries import answers
from discreet.rng import Rng


@cache
def student(numbers: int) -> float:
    """Return the quantile of a two-sided 95 % interval of a mean: a few numbers scatter widely.

    >>> round(student(3), 2), round(student(1000), 2)
    (4.3, 1.96)
    """
    from scipy.special import stdtrit

    return float(stdtrit(numbers - 1, 0.975))


def score(findings: Findings, truth: Transactions, control: Transactions | None = None) -> Score:
    """Score the claims of an attack against the people of ``truth`` and of a ``control`` group.

    A claim is about everyone who holds what it takes as known, and right about those who hold all
    that it infers. Who fits several claims counts once, by the share of these that are right, so
    that the people, not the claims, are what the intervals count.

    Parameters
    ----------
    findings
        What the attack claims.
    truth
        The people in the data.
    control
        People of the same population who are not.

    Returns
    -------
    Score
        Success, baseline, and with a control group what taking part adds.

    Raises
    ------
    DataError
        Where somebody is in the data and in the control group.

    Examples
    --------
    >>> from discreet.core.findings import Claim
    >>> claim = Claim(row=0, known=("a",), inferred=("b",), confidence=0.9, people=20)
    >>> people = Transactions.of([["a", "b"]] * 3 + [["a"]] + [[]] * 4)
    >>> scored = score(Findings(attack="any", claims=(claim,)), people)
    >>> scored.success.share, scored.success.people, scored.baseline.share
    (0.75, 4, 0.375)
    """
    claims = findings.claims
    if control is not None:
        refuse_shared_people(truth, control)
    known = Itemsets.of([claim.known for claim in claims])
    inferred = Itemsets.of([claim.inferred for claim in claims])
    rates = answers(truth.folded, inferred) / max(1, len(truth))
    taking_part = _Group.of(truth.folded, claims, known)
    control_group = None if control is None else _Group.of(control.folded, claims, known)
    confidences = np.array([claim.confidence for claim in claims])
    figures = {
        "tested": int((answers(truth.folded, known) > 0).sum()),
        "claimed": taking_part.mean(known, confidences),
        "success": taking_part.success,
        "baseline": Rate(share=taking_part.mean(known, rates), people=len(truth)),
    }
    plain = score_of_people(len(claims), figures)
    return plain if control_group is None else _beside_control(plain, control_group.success)


def score_of_people(claims: int, figures: Mapping[str, Any], base: str = "base rate") -> Score:
    """Return the score of claims about people that are right or wrong, beside a ``base`` rate.

    ``figures`` holds the rates ``success`` and ``baseline``, how many claims were ``tested`` on
    anybody and the mean confidence ``claimed``.

    Parameters
    ----------
    claims
        How many claims were scored.
    figures
        The numbers, by the names under which they are written.
    base
        What the baseline is called.

    Returns
    -------
    Score
        The score with its words.
    """
    success, baseline = figures["success"], figures["baseline"]
    template = "is right about {share} of the people it makes claims about"
    return Score(
        claims=claims,
        advantages=(Advantage(words=template, success=success, baseline=baseline),),
        rates=(
            ("right about people in the data", success),
            (f"the {base} would have been", baseline),
        ),
        remarks=(
            f"{figures['tested']:,} of {claims:,} claims match somebody; mean claimed "
            f"confidence: {100 * figures['claimed']:.1f} %.",
        ),
        figures=figures,
    )


def _beside_control(plain: Score, control: Rate) -> Score:
    """Add how often the same claims are right about people who are not in the data."""
    difference, ends = plain.success.share - control.share, plain.success.less(control)
    if ends is None:
        remark = (
            "What taking part adds cannot be measured: nobody in the control group matches a claim."
        )
    else:
        low, high = (f"{100 * end:+.1f}" for end in ends)
        remark = f"Taking part adds {100 * difference:+.1f} percentage points ({low} to {high})."
    adds = ends and {"share": difference, "low": ends[0], "high": ends[1]}
    return replace(
        plain,
        rates=(*plain.rates, ("right about people who are not in it", control)),
        remarks=(*plain.remarks, remark),
        figures={**plain.figures, "control": control, "by_taking_part": adds},
    )


def refuse_shared_people(truth: Transactions, control: Transactions) -> None:
    """Refuse a control group of which somebody is in the data.

    Parameters
    ----------
    truth
        The people in the data.
    control
        People of the same population who should not be.

    Raises
    ------
    DataError
        Where an id is in both.
    """
    if truth.ids is None or control.ids is None:
        return
    shared = np.intersect1d(truth.ids, control.ids)
    if len(shared):
        ids = "1 id is" if len(shared) == 1 else f"{len(shared):,} ids are"
        msg = (
            f"a control group must be of other people than the data, and {ids} in both; leave "
            "those people out of one"
        )
        raise DataError(msg)


@dataclass(frozen=True, slots=True)
class _Group:
    """People with the claims about them."""

    folded: ItemsetHistogram
    made: NDArray[np.float64]
    """For each distinct set the number of claims about its holders."""
    success: Rate

    @classmethod
    def of(cls, folded: ItemsetHistogram, claims: Sequence[Claim], known: Itemsets) -> "_Group":
        ones = np.ones(len(claims))
        made = _applying(folded, known, ones)
        both = Itemsets.of([(*claim.known, *claim.inferred) for claim in claims])
        people = int(folded.counts[made > 0].sum())
        right = _mean(folded, made, _applying(folded, both, ones))
        return cls(folded, made, Rate(share=right, people=people))

    def mean(self, known: Itemsets, weights: NDArray[np.float64]) -> float:
        """Return the mean of the claims' ``weights`` over these people."""
        return _mean(self.folded, self.made, _applying(self.folded, known, weights))


def _mean(
    folded: ItemsetHistogram, made: NDArray[np.float64], values: NDArray[np.float64]
) -> float:
    """Average over the people what each of them has per claim."""
    fits = made > 0
    people = folded.counts[fits]
    if not len(people):
        return 0.0
    # sums of shares can end a hair beyond 1
    return min(1.0, float((people * values[fits] / made[fits]).sum() / people.sum()))


def _applying(
    folded: ItemsetHistogram, queries: Itemsets, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """For each distinct set sum the ``weights`` of the ``queries`` that it contains."""
    sets = folded.sets
    terms = queries.over(sets.vocabulary)
    # whoever is asked for an item that nobody has is nobody
    weights = np.where(terms.sizes == queries.sizes, weights, 0.0)
    if len(sets.vocabulary) <= LATTICE:
        table = np.zeros(1 << len(sets.vocabulary))
        np.add.at(table, lattice_masks(terms.offsets, terms.items), weights)
        return subset_sums(table)[lattice_masks(sets.offsets, sets.items)]
    holders = holders_of(sets.offsets, sets.items, len(sets.vocabulary))
    return contained_sums(sets.offsets, sets.items, holders, terms.offsets, terms.items, weights)


def split(
    data: Transactions, rng: Rng, *, control: Exact = "1/2"
) -> tuple[Transactions, Transactions]:
    """Divide people at random into those who take part and a control group of this share.

    Parameters
    ----------
    data
        The people.
    rng
        The randomness.
    control
        The share of the control group.

    Returns
    -------
    (Transactions, Transactions)
        Who takes part, and the control group.

    Raises
    ------
    ParameterError
        Where ``control`` is no share.

    Examples
    --------
    >>> from discreet.rng import seeded
    >>> people = Transactions.of([["a"], ["b"], ["c"], []])
    >>> [len(part) for part in split(people, seeded(1), control="1/4")]
    [3, 1]
    """
    share = exact("control", control)
    if not 0 <= share <= 1:
        msg = f"`control` must be a share from 0 to 1, got {control}"
        raise ParameterError(msg, parameter="control")
    order = rng.permutation(len(data))
    aside = len(data) * share.numerator // share.denominator
    return _taken(data, np.sort(order[aside:])), _taken(data, np.sort(order[:aside]))


def _taken(data: Transactions, rows: NDArray[np.int64]) -> Transactions:
    ids = None if data.ids is None else data.ids[rows]
    return Transactions(data.sets.take(rows), ids, data.sensitive)


def one_for_each(
    truth: Sequence[Any], releases: Sequence[Release[Any]], keys: Sequence[LinkageKey]
) -> None:
    """Refuse truths or keys that are not one for each release.

    Parameters
    ----------
    truth
        The private data behind the releases.
    releases
        What was attacked.
    keys
        The owner's keys.

    Raises
    ------
    DataError
        Where their numbers differ.
    """
    if not len(truth) == len(releases) == len(keys):
        msg = (
            "scoring needs one `truth` and one `key` for each release, in the same order; got "
            f"releases: {len(releases)}, `truth`: {len(truth)}, `key`: {len(keys)}"
        )
        raise DataError(msg, parameter="truth")
