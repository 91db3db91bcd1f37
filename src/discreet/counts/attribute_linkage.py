"""Linking what is known of a person with published itemsets, where the answer is certain."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Limited, Releases, each_of
from discreet.core.doc import Doc
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.synthetic_people import PublishedCounts, SyntheticPeople, counts_in
from discreet.counts.knowledge import FromOne, Known, claims_by_row, summed
from discreet.kernels.maximal import maximal_sets
from discreet.kernels.ragged import offsets_of
from discreet.kernels.supersets import containment_sums, holders_of

_Leak: TypeAlias = tuple[int, tuple[int, ...]]
"""A row of the release, and the positions of its items that follow from its other items."""
_BATCH = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeLinkage(Limited):
    """Find the items that follow with certainty from what is known about a person.

    Wang, Li, Lui and Sun 2022, sections 2.3 and 4. Someone known to hold Q has one of the published
    itemsets that contain Q. If only one itemset S contains Q, the person holds all of S, and Q is
    an attribute privacy leakage (Definition 4, read as in soundness note 000).

    Without knowledge the whole release is searched. There is a claim for each maximal itemset and
    each of its items such that no other itemset contains the rest, its *missing boundary*. A
    release without missing boundaries has no leakage, and no item ever follows with certainty from
    it.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("singling out", "inference")

    all_subsets: Annotated[
        bool,
        Doc(
            "Claim every leakage, not only the missing boundaries: also what follows from "
            "knowing less."
        ),
    ] = False
    limit: Annotated[
        int,
        Doc(
            "How many claims to make in each release, at most; `all_subsets` can find "
            "exponentially many."
        ),
    ] = 1_000_000

    def attack(
        self, releases: Releases[PublishedCounts], knowledge: Known | None = None
    ) -> Findings:
        """Return what follows from each of ``releases`` for someone with this ``knowledge``."""
        releases = each_of(releases, ItemsetHistogram, SyntheticPeople)
        knowledge = knowledge or Known()
        results = [
            _link(number, counts_in(release.content), knowledge.items)
            if knowledge.items
            else self._search(number, counts_in(release.content))
            for number, release in enumerate(releases)
        ]
        claims = sorted(claims_by_row(results, releases), key=lambda claim: -claim.people)
        return Findings(
            attack="attribute-linkage",
            claims=tuple(claims),
            summary=summed(results),
        )

    def _search(self, number: int, content: ItemsetHistogram) -> FromOne:
        sets = content.sets
        maximal, missing = maximal_sets(sets.offsets, sets.items, len(sets.vocabulary))
        flat = np.flatnonzero(missing)
        rows = sets.rows[flat]
        positions = flat - sets.offsets[rows]
        leaks: list[_Leak] = list(zip(rows.tolist(), zip(positions.tolist()), strict=True))
        if self.all_subsets:
            leaks = _all_leaks(sets, leaks, self.limit)
        summary: Summary = {
            "itemsets": len(sets),
            "maximal": int(maximal.sum()),
            "leaks": len(leaks),
            "people": content.total,
            "people_affected": int(content.counts[np.unique(rows)].sum()),
        }
        if len(leaks) > self.limit:
            summary["stopped"] = f"more than {self.limit} leakages; only these are listed"
        return FromOne(_claims(number, content, leaks, self.limit), summary)


def _claims(
    number: int, content: ItemsetHistogram, leaks: Sequence[_Leak], limit: int
) -> list[Claim]:
    """Put the leaks into words, those of most people first, and of least knowledge among them."""
    rows = np.array([row for row, _ in leaks], dtype=np.int64)
    sizes = [len(left_out) for _, left_out in leaks]
    worst = np.lexsort((np.negative(sizes), rows, -content.counts[rows]))[:limit]
    counts, offsets = content.counts.tolist(), content.sets.offsets.tolist()
    vocabulary = content.sets.vocabulary
    names = [vocabulary[item] for item in content.sets.items.tolist()]
    claims = []
    for index in worst.tolist():
        row, left_out = leaks[index]
        itemset = tuple(names[offsets[row] : offsets[row + 1]])
        claims.append(
            Claim(
                release=number + 1,
                row=row,
                known=_without(itemset, left_out),
                inferred=tuple([itemset[position] for position in left_out]),
                confidence=1.0,
                people=counts[row],
            )
        )
    return claims


def _without(itemset: tuple[str, ...], left_out: tuple[int, ...]) -> tuple[str, ...]:
    for position in reversed(left_out):
        itemset = itemset[:position] + itemset[position + 1 :]
    return itemset


def _all_leaks(sets: Itemsets, boundaries: list[_Leak], limit: int) -> list[_Leak]:
    """Walk down from the missing boundaries to the end, or until more than ``limit`` are found.

    If S alone contains Q, then S alone contains every set between them. So leaving out one
    position after the other, in ascending order, reaches each leakage once and nothing else.
    """
    index = holders_of(sets.offsets, sets.items, len(sets.vocabulary))
    first = _first_of_equal(sets)
    may_leave: dict[int, list[int]] = {}
    for row, left_out in boundaries:
        may_leave.setdefault(row, []).extend(left_out)
    leaks, frontier = list(boundaries), boundaries
    while frontier and len(leaks) <= limit:
        deeper, frontier = _deeper(frontier, may_leave), []
        while len(leaks) <= limit and (tried := list(islice(deeper, _BATCH))):
            offsets, items = _what_is_left(sets, tried)
            containers = containment_sums(sets.offsets, sets.items, first, index, offsets, items)
            alone = [tried[i] for i in np.flatnonzero(containers == 1).tolist()]
            frontier += alone
            leaks += alone
    return leaks


def _deeper(frontier: list[_Leak], may_leave: dict[int, list[int]]) -> Iterator[_Leak]:
    """Leave out one position more, a later one."""
    for row, left_out in frontier:
        for position in may_leave[row]:
            if position > left_out[-1]:
                yield row, (*left_out, position)


def _first_of_equal(sets: Itemsets) -> NDArray[np.int64]:
    """1 for the first of equal sets, 0 for its copies: a release is a set of itemsets."""
    seen: dict[tuple[str, ...], int] = {}
    for row, itemset in enumerate(sets):
        seen.setdefault(itemset, row)
    first = np.zeros(len(sets), dtype=np.int64)
    first[list(seen.values())] = 1
    return first


def _what_is_left(
    sets: Itemsets, leaks: list[_Leak]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the known part of each leak, as offsets and items."""
    known = [
        np.delete(sets.items[sets.offsets[row] : sets.offsets[row + 1]], left_out)
        for row, left_out in leaks
    ]
    offsets = offsets_of([len(items) for items in known])
    return offsets, np.concatenate([*known, np.empty(0, dtype=np.int32)])


def _link(number: int, content: ItemsetHistogram, known: tuple[str, ...]) -> FromOne:
    """Find the published itemsets that fit ``known`` and what all of them hold beyond it."""
    sets = content.sets
    rows = sets.holding(known)
    people = int(content.counts[rows].sum())
    shared = sets.take(rows)
    in_all = np.bincount(shared.items, minlength=len(sets.vocabulary)) == len(rows)
    inferred = tuple(
        item
        for item, everywhere in zip(sets.vocabulary, in_all.tolist(), strict=True)
        if everywhere and item not in known and len(rows)
    )
    claims = []
    if inferred:
        row = int(rows[np.argmax(content.counts[rows])])
        claims.append(
            Claim(
                release=number + 1,
                row=row,
                known=known,
                inferred=inferred,
                confidence=1.0,
                people=people,
            )
        )
    summary: Summary = {
        "itemsets": len(sets),
        "candidates": len(rows),
        "candidate_people": people,
        "inferred_items": len(inferred),
        "outcome": _outcome(sets, known, len(rows), len(inferred)),
    }
    return FromOne(claims, summary)


def _outcome(sets: Itemsets, known: tuple[str, ...], fitting: int, inferred: int) -> str:
    strangers = sum(item not in sets.vocabulary for item in known)
    if strangers:
        return f"nothing fits: items known that are not in the release: {strangers}"
    if fitting == 0:
        return "nothing fits: no published itemset holds all that is known"
    if fitting == 1 and inferred:
        return "one itemset fits: the person holds all of it"
    if fitting == 1:
        return "one itemset fits, and holds nothing further"
    if inferred:
        return f"{fitting} itemsets fit, and all of them hold the inferred items"
    return f"{fitting} itemsets fit and share nothing further: no item follows with certainty"
