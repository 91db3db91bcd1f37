"""Linking what is known of a person with published counts, where the answer is likely."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Limited, Releases, each_of
from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact, exceeding
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.histogram import ItemsetHistogram
from discreet.core.synthetic_people import PublishedCounts, SyntheticPeople, counts_in
from discreet.counts.knowledge import FromOne, Known, claims_by_row, summed
from discreet.errors import ParameterError
from discreet.kernels.supersets import (
    LATTICE,
    containment_sums,
    holders_of,
    lattice_masks,
    lattice_sums,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbabilisticLinkage(Limited):
    """Find the items that follow with high confidence from what is known about a person.

    The open problem of Wang, Li, Lui and Sun 2022, section 7. Of the published people who hold Q,
    the share who also hold x is the attacker's confidence that someone known to hold Q holds x. If
    an itemset has a count of 23 and its boundary a count of 2, nothing follows with certainty, and
    yet the missing item follows with confidence 23 / 25.

    Without knowledge the whole release is searched: each published itemset of two or more items is
    compared with each of its boundaries, which are all but one of its items. What follows with
    certainty is included.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("inference",)

    above: Annotated[
        Exact,
        Doc("Claim what follows with more than this confidence, from 0 to below 1."),
    ] = "0.9"
    thinning: Annotated[
        Exact,
        Doc(
            "Divide this out: the chance with which every item of every person was left out, as "
            "the manifest of bounded-confidence names it."
        ),
    ] = 0
    bound: Annotated[
        Exact | None,
        Doc(
            "Claim what is as close to this bound as whole numbers allow: it was probably above it "
            "before the release was changed to keep the bound."
        ),
    ] = None
    limit: Annotated[
        int,
        Doc(
            "How many claims to make in each release, at most, worst first; the totals count all "
            "of them."
        ),
    ] = 100_000

    def __post_init__(self) -> None:
        Limited.__post_init__(self)
        for name, value in (("above", self.above), ("thinning", self.thinning)):
            if not 0 <= exact(name, value) < 1:
                msg = f"`{name}` must be from 0 to below 1, got {value}"
                raise ParameterError(msg, parameter=name)
        if self.bound is not None and not 0 < exact("bound", self.bound) < 1:
            msg = f"`bound` must be above 0 and below 1, got {self.bound}"
            raise ParameterError(msg, parameter="bound")

    def attack(
        self, releases: Releases[PublishedCounts], knowledge: Known | None = None
    ) -> Findings:
        """Return what likely follows from each of ``releases`` for someone who knows this."""
        releases = each_of(releases, ItemsetHistogram, SyntheticPeople)
        knowledge = knowledge or Known()
        retained = 1 - exact("thinning", self.thinning)
        bound = None if self.bound is None else exact("bound", self.bound)
        reading = _Reading(exact("above", self.above) * retained, retained, bound)
        results = [
            _link(number, counts_in(release.content), knowledge.items, reading)
            if knowledge.items
            else self._search(number, counts_in(release.content), reading)
            for number, release in enumerate(releases)
        ]
        claims = claims_by_row(results, releases)
        return Findings(
            attack="probabilistic-linkage",
            claims=tuple(sorted(claims, key=lambda claim: (-claim.confidence, -claim.people))),
            summary=_with_share(summed(results)),
        )

    def _search(self, number: int, content: ItemsetHistogram, reading: "_Reading") -> FromOne:
        rules = _boundaries(content)
        confident = reading.claimed(rules.both, rules.known)
        confidence = reading.confidence(rules.both, rules.known)
        order = np.lexsort((rules.flat[confident], -rules.known[confident], -confidence[confident]))
        worst = confident[order[: self.limit]]
        affected = np.unique(rules.rows[confident])
        able = content.counts[content.sets.sizes >= 2]
        summary: Summary = {
            "itemsets": len(content),
            "inferences": len(confident),
            "highest_confidence": float(confidence.max(initial=0.0)),
            "people": content.total,
            "people_with_two_items": int(able.sum()),
            "people_affected": int(content.counts[affected].sum()),
        }
        if len(confident) > self.limit:
            summary["stopped"] = f"more than {self.limit} inferences; only these are listed"
        return FromOne(_claims(number, content, rules, worst, confidence), summary)


@dataclass(frozen=True, slots=True)
class _Reading:
    """How an adversary reads published counts."""

    above: Fraction
    """What is claimed has more than this share of the published people."""
    retained: Fraction
    """The chance with which an item of a person was kept."""
    bound: Fraction | None
    """The bound that the release was changed to keep."""

    def claimed(self, both: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where an item is claimed to follow, in whole numbers."""
        sure = exceeding(both, known, self.above)
        if self.bound is not None:
            # with one person less who is known to fit, the bound would be broken
            sure |= exceeding(both, known - 1, self.bound)
        return np.flatnonzero(sure & (both > 0))

    def confidence(self, both: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how surely it follows."""
        shares = both / np.maximum(known, 1) / float(self.retained)
        return np.asarray(np.minimum(shares, 1.0), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class _Boundaries:
    """Every published itemset of two or more items without each of its items in turn."""

    flat: NDArray[np.int64]
    """Where the missing item stands among all items of the release."""
    rows: NDArray[np.int64]
    """The itemset it belongs to."""
    known: NDArray[np.int64]
    """People who hold the rest of the itemset."""
    both: NDArray[np.int64]
    """People who hold all of it."""


def _boundaries(content: ItemsetHistogram) -> _Boundaries:
    sets = content.sets
    flat = np.flatnonzero(np.repeat(sets.sizes >= 2, sets.sizes))
    rows = sets.rows[flat]
    n_items = len(sets.vocabulary)
    if n_items <= LATTICE:
        people = lattice_sums(sets.offsets, sets.items, content.counts, n_items)
        masks = lattice_masks(sets.offsets, sets.items)[rows]
        missing = np.int64(1) << sets.items[flat].astype(np.int64)
        return _Boundaries(flat, rows, people[masks ^ missing], people[masks])
    index = holders_of(sets.offsets, sets.items, n_items)
    counted = (sets.offsets, sets.items, content.counts, index)
    both, known = (
        containment_sums(*counted, asked.offsets, asked.items)
        for asked in (sets, sets.shortened(flat))
    )
    return _Boundaries(flat, rows, known, both[rows])


def _claims(
    number: int,
    content: ItemsetHistogram,
    rules: _Boundaries,
    chosen: NDArray[np.int64],
    confidence: NDArray[np.float64],
) -> list[Claim]:
    sets = content.sets
    names = [sets.vocabulary[item] for item in sets.items.tolist()]
    offsets = sets.offsets.tolist()
    claims = []
    for which in chosen.tolist():
        row, flat = int(rules.rows[which]), int(rules.flat[which])
        claims.append(
            Claim(
                release=number + 1,
                row=row,
                known=(*names[offsets[row] : flat], *names[flat + 1 : offsets[row + 1]]),
                inferred=(names[flat],),
                confidence=float(confidence[which]),
                people=int(rules.known[which]),
            )
        )
    return claims


def _link(
    number: int, content: ItemsetHistogram, known: tuple[str, ...], reading: _Reading
) -> FromOne:
    """Rank every further item by the share of the fitting people who hold it."""
    rows = content.sets.holding(known)
    fitting = content.take(rows)
    vocabulary = content.sets.vocabulary
    supports = {
        item: people
        for item, people in zip(vocabulary, fitting.supports.tolist(), strict=True)
        if item not in known and people
    }
    ranked = sorted(supports, key=lambda item: -supports[item])
    both = np.array([supports[item] for item in ranked], dtype=np.int64)
    everybody = np.full(len(ranked), fitting.total, dtype=np.int64)
    confidence = reading.confidence(both, everybody)
    claims = [
        Claim(
            release=number + 1,
            row=_row_with(fitting, rows, item),
            known=known,
            inferred=(item,),
            confidence=float(confidence[index]),
            people=fitting.total,
        )
        for index in reading.claimed(both, everybody).tolist()
        for item in [ranked[index]]
    ]
    return FromOne(
        claims,
        {
            "itemsets": len(content),
            "candidates": len(rows),
            "candidate_people": fitting.total,
            "inferences": len(claims),
            "highest_confidence": float(confidence.max(initial=0.0)),
            "likeliest_item": ranked[0] if ranked else "none: no published itemset tells more",
        },
    )


def _row_with(fitting: ItemsetHistogram, rows: NDArray[np.int64], item: str) -> int:
    """Return the row with the largest count among those that hold ``item`` too."""
    holding = fitting.sets.holding((item,))
    return int(rows[holding[np.argmax(fitting.counts[holding])]])


def _with_share(summary: Summary) -> Summary:
    """Add the share of people affected, where people were counted."""
    if "people_affected" not in summary:
        return summary
    able = int(summary["people_with_two_items"])
    return summary | {"share_affected": int(summary["people_affected"]) / max(1, able)}
