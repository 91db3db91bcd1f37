"""How often an attack is right, beside what anybody could have guessed.

An attack can be right about a person for three reasons: the item is common, the item goes with
what is known of the person in the whole population, or the person's own record gives it away. The
naive baseline tells the first apart; a control group, people of the same population whose records
were never used, tells the second from the third. Only the third is a matter of taking part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import Exact, exact
from discreet.core.findings import Claim, Findings
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
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

__all__ = ["Breach", "Gain", "Rate", "Score", "Z", "one_for_each", "score", "split", "student"]

Z = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


@cache
def student(many: int) -> float:
    """Return the quantile of a two-sided 95 % interval of a mean: a few numbers scatter widely.

    >>> round(student(3), 2), round(student(1000), 2)
    (4.3, 1.96)
    """
    from scipy.special import stdtrit

    return float(stdtrit(many - 1, 0.975))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share of people with its 95 % interval (Wilson 1927).

    >>> rate = Rate(share=0.9, people=100)
    >>> round(rate.low, 3), round(rate.high, 3)
    (0.826, 0.945)
    """

    share: float
    """The mean over the people; 0 where there are none."""
    people: int
    """How many people it is a mean over."""

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return max(0.0, self._centre - self._reach)

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return min(1.0, self._centre + self._reach)

    @property
    def _centre(self) -> float:
        return (self.people * self.share + Z * Z / 2) / (self.people + Z * Z)

    @property
    def _reach(self) -> float:
        # of all values from 0 to 1 with this mean, 0 and 1 scatter most: never too narrow
        spread = self.people * self.share * (1 - self.share) + Z * Z / 4
        return Z * sqrt(max(0.0, spread)) / (self.people + Z * Z)

    def record(self) -> dict[str, Any]:
        """Return the rate as a plain mapping."""
        return {"share": self.share, "low": self.low, "high": self.high, "people": self.people}


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """How often an attack is right beside how often anybody would have been.

    >>> Gain(words="finds {share}", success=Rate(share=0.9, people=100), chance=0.5).beats_chance
    True
    """

    words: str
    """What the attack does, with the place of ``{share}``."""
    success: Rate
    """How often it is right."""
    chance: float
    """How often who knows no more than base rates would have been."""

    @property
    def above_chance(self) -> float:
        """How far the success lies above chance; nothing where it does not, or about nobody."""
        return max(0.0, self.success.share - self.chance) if self.success.people else 0.0

    @property
    def surely(self) -> float:
        """The gain by the lower end of the 95 % interval; none about nobody."""
        return self.success.low - self.chance if self.success.people else 0.0

    @property
    def beats_chance(self) -> bool:
        """Whether chance lies below the whole 95 % interval."""
        return self.surely > 0

    @property
    def below_chance(self) -> bool:
        """Whether chance lies above the whole 95 % interval: who guesses does better."""
        return bool(self.success.people) and self.success.high < self.chance


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """What the claims of an attack are worth against the truth."""

    claims: int
    """Claims scored."""
    tested: int
    """Claims whose known items at least one real person holds; the others are about nobody."""
    claimed: float
    """The mean confidence with which the attack spoke about the people it is scored on."""
    success: Rate
    """How often it is right about people in the data. Everyone who fits a claim counts once."""
    baseline: Rate
    """How often the base rate of the inferred items alone would have been right about them."""
    control: Rate | None = None
    """How often the same claims are right about people who are not in the data."""

    @property
    def by_taking_part(self) -> tuple[float, float] | None:
        """The 95 % interval of success less control: what taking part adds (Newcombe 1998)."""
        if self.control is None or not self.control.people or not self.success.people:
            return None
        one, two = self.success, self.control
        gap = one.share - two.share
        below = sqrt((one.share - one.low) ** 2 + (two.high - two.share) ** 2)
        above = sqrt((one.high - one.share) ** 2 + (two.share - two.low) ** 2)
        return gap - below, gap + above

    def rates(self) -> list[tuple[str, Rate]]:
        """Return the shares that matter, each with its words."""
        told = [
            ("right about people in the data", self.success),
            ("the base rate would have been", self.baseline),
        ]
        others = [("right about people who are not in it", self.control)] if self.control else []
        return told + others

    def gains(self) -> list[Gain]:
        """Return the success beside the base rate."""
        words = "is right about {share} of those it speaks of"
        return [Gain(words=words, success=self.success, chance=self.baseline.share)]

    def remarks(self) -> list[str]:
        """Return what else is to be said."""
        told = [
            f"{self.tested:,} of {self.claims:,} claims are about somebody; "
            f"mean confidence claimed: {self.claimed:.1%}."
        ]
        if self.control and self.by_taking_part is None:
            told.append("What taking part adds cannot be told: nobody to compare fits a claim.")
        elif self.by_taking_part and self.control:
            low, high = (f"{100 * end:+.1f}" for end in self.by_taking_part)
            gap = 100 * (self.success.share - self.control.share)
            told.append(f"Taking part adds {gap:+.1f} percentage points ({low} to {high}).")
        return told

    def record(self) -> dict[str, Any]:
        """Return the score as a plain mapping."""
        numbers: dict[str, Any] = {
            "claims": self.claims,
            "tested": self.tested,
            "claimed": self.claimed,
            "success": self.success.record(),
            "baseline": self.baseline.record(),
        }
        if self.control is None:
            return numbers
        gap = self.success.share - self.control.share
        ends = self.by_taking_part
        told = ends and {"share": gap, "low": ends[0], "high": ends[1]}
        return numbers | {"control": self.control.record(), "by_taking_part": told}


def score(findings: Findings, truth: Transactions, control: Transactions | None = None) -> Breach:
    """Score the claims of an attack against the people of ``truth`` and of a ``control`` group.

    A claim is about everyone who holds what it takes as known, and right about those who hold all
    that it infers. Who fits several claims counts once, by the share of these that are right, so
    that the people, not the claims, are what the intervals count.

    >>> from discreet.core.findings import Claim
    >>> claim = Claim(row=0, known=("a",), inferred=("b",), confidence=0.9, people=20)
    >>> people = Transactions.of([["a", "b"]] * 3 + [["a"]] + [[]] * 4)
    >>> breach = score(Findings(attack="any", claims=(claim,)), people)
    >>> breach.success.share, breach.success.people, breach.baseline.share
    (0.75, 4, 0.375)
    """
    claims = findings.claims
    if control is not None:
        _refuse_shared(truth, control)
    known = Itemsets.of([claim.known for claim in claims])
    inferred = Itemsets.of([claim.inferred for claim in claims])
    rates = answers(truth.folded, inferred) / max(1, len(truth))
    taking_part = _Group.of(truth.folded, claims, known)
    others = None if control is None else _Group.of(control.folded, claims, known)
    return Breach(
        claims=len(claims),
        tested=int((answers(truth.folded, known) > 0).sum()),
        claimed=taking_part.mean(known, np.array([claim.confidence for claim in claims])),
        success=taking_part.success,
        baseline=Rate(share=taking_part.mean(known, rates), people=len(truth)),
        control=None if others is None else others.success,
    )


def _refuse_shared(truth: Transactions, control: Transactions) -> None:
    if truth.ids is None or control.ids is None:
        return
    shared = np.intersect1d(truth.ids, control.ids)
    if len(shared):
        msg = (
            f"a control group must be of other people than the data, and {len(shared):,} ids are "
            "in both; leave those people out of one"
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
        one = np.ones(len(claims))
        made = _applying(folded, known, one)
        both = Itemsets.of([(*claim.known, *claim.inferred) for claim in claims])
        people = int(folded.counts[made > 0].sum())
        right = _mean(folded, made, _applying(folded, both, one))
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
    folded: ItemsetHistogram, parts: Itemsets, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """For each distinct set sum the ``weights`` of the ``parts`` that it contains."""
    sets = folded.sets
    asked = parts.over(sets.vocabulary)
    # whoever is asked for an item that nobody has is nobody
    weights = np.where(asked.sizes == parts.sizes, weights, 0.0)
    if len(sets.vocabulary) <= LATTICE:
        table = np.zeros(1 << len(sets.vocabulary))
        np.add.at(table, lattice_masks(asked.offsets, asked.items), weights)
        return subset_sums(table)[lattice_masks(sets.offsets, sets.items)]
    holders = holders_of(sets.offsets, sets.items, len(sets.vocabulary))
    return contained_sums(sets.offsets, sets.items, holders, asked.offsets, asked.items, weights)


def split(
    data: Transactions, rng: Rng, *, control: Exact = "1/2"
) -> tuple[Transactions, Transactions]:
    """Divide people at random into those who take part and a control group of this share.

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


class Score(Protocol):
    """What claims turned out to be worth."""

    def record(self) -> dict[str, Any]:
        """Return the score as a plain mapping."""
        ...

    def rates(self) -> list[tuple[str, Rate]]:
        """Return the shares that matter, each with its words and interval."""
        ...

    def gains(self) -> list[Gain]:
        """Return every way in which the claims could be right more often than by chance."""
        ...

    def remarks(self) -> list[str]:
        """Return what else is to be said, in sentences."""
        ...


def one_for_each(
    truth: Sequence[Any], releases: Sequence[Release[Any]], keys: Sequence[LinkageKey]
) -> None:
    """Refuse truths or keys that are not one for each release."""
    if not len(truth) == len(releases) == len(keys):
        msg = (
            f"{len(releases)} releases are scored through one truth and one key for each, got "
            f"{len(truth)} and {len(keys)}; give `truth` and `key` once for each, in the same order"
        )
        raise DataError(msg, parameter="truth")
