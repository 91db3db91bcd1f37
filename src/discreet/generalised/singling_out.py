"""Who is the only one: records that a few known items fit and no other record does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Releases, each_of, numbers_of_one
from discreet.core.clusters import Clusters
from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.fold import fold
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import Coherence, KmAnonymity, Lkc
from discreet.core.itemsets import Itemsets
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError
from discreet.generalised.kernels.matching import matched
from discreet.generalised.kernels.unique_subsets import alone, unique_subsets
from discreet.generalised.readable import Readable
from discreet.kernels.ragged import offsets_of, runs
from discreet.kernels.supersets import Holders, holders_of
from discreet.rng import seeded

MOST = 10
"""Items that may be known at most."""
USUAL = (1, 2, 3, 4, 5)
"""What is tried of every release; one item more than a release is made for is tried beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anything:
    """The adversary may know any items of a person, whichever serve best; nothing is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SinglingOut:
    """Find the records that are the only ones to match a few known items.

    Both by the most revealing items, person by person, and by items drawn at random. An item is
    known as it is published: as itself, or as one of those that its generalised item stands for.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("singling out",)

    known: Annotated[
        int | tuple[int, ...],
        Doc(
            "How many items of a person are known, each from 1 to 10; by default up to one more "
            "than the release is made to withstand."
        ),
    ] = USUAL
    seed: Annotated[int, Doc("Seed of the attacker's random choice of items.")] = 0

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.sizes or not all(1 <= size <= MOST for size in self.sizes):
            msg = f"`known` must be numbers from 1 to {MOST} such as 1,2,3, got {self.known}"
            raise ParameterError(msg, parameter="known")

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many items are known, ascending."""
        return tuple(sorted({self.known} if isinstance(self.known, int) else set(self.known)))

    def attack(
        self,
        releases: Releases[GeneralisedSets | Transactions | Clusters],
        knowledge: Anything | None = None,
    ) -> Findings:
        """Return a claim for each record that is singled out, fewest known items first."""
        releases = each_of(releases, GeneralisedSets, Transactions, Clusters)
        claims: list[Claim] = []
        summary: Summary = {}
        untried: list[str] = []
        for number, release in enumerate(releases):
            records = _Records.of(Readable.of(release.content).sets)
            sizes = self._tried(_promised(release))
            subsets, given_up = unique_subsets(*records.arrays, sizes[-1])
            made = list(_claims(number, records, subsets))
            claims += made
            summary |= numbers_of_one(self._summary(records, made, sizes), number, releases)
            untried += _untried(_promised(release), sizes[-1], int(given_up.sum()))
        ordered = sorted(claims, key=lambda claim: (len(claim.known), claim.release, claim.row))
        return Findings(
            attack="singling-out",
            claims=tuple(ordered),
            summary=summary,
            not_tried="; ".join(dict.fromkeys(untried)),
        )

    def _tried(self, promised: int) -> tuple[int, ...]:
        """Return how many known items are tried on a release made for so many, ascending."""
        more = range(1, min(MOST, promised + 1) + 1) if self.known == USUAL else ()
        return tuple(sorted({*self.sizes, *more}))

    def _summary(
        self, records: "_Records", claims: Sequence[Claim], sizes: tuple[int, ...]
    ) -> Summary:
        people = max(1, len(records.sets))
        summary: Summary = {"records": len(records.sets)}
        needed = np.array([len(claim.known) for claim in claims], dtype=np.int64)
        rank = self._drawn_rank(records.sets)
        for size in sizes:
            summary[f"singled_out_by_{size}"] = int((needed <= size).sum()) / people
            random = int(_alone(records, rank < size).sum()) / people
            summary[f"singled_out_by_{size}_at_random"] = random
        return summary

    def _drawn_rank(self, sets: Itemsets) -> NDArray[np.int64]:
        """Return for each item of each record whether it is drawn first, second and so on."""
        rows = sets.rows
        order = seeded(self.seed).permutation(len(rows))
        order = order[np.argsort(rows[order], kind="stable")]
        rank = np.empty(len(rows), dtype=np.int64)
        rank[order] = runs(0, sets.sizes)
        return rank


def _claims(number: int, records: "_Records", subsets: NDArray[np.int64]) -> Iterator[Claim]:
    """Return a claim for each record whose set has items of which it is the only holder."""
    sets, arrays = records.sets, records.arrays
    of_set = matched(*arrays[:2], sets.offsets.copy(), sets.items.copy())
    singled = np.flatnonzero(subsets[of_set, 0] >= 0)
    names = sets.vocabulary
    for row, known in zip(singled.tolist(), subsets[of_set[singled]].tolist(), strict=True):
        rest = sets.items[sets.offsets[row] : sets.offsets[row + 1]].tolist()
        yield Claim(
            release=number + 1,
            row=row,
            known=tuple(names[item] for item in known if item >= 0),
            inferred=tuple(names[item] for item in rest if item not in known),
            confidence=1.0,
            people=1,
        )


def _untried(promised: int, most: int, given_up: int) -> Iterator[str]:
    """Say what a release was not tried with, though it may single people out."""
    if promised >= most:
        yield (
            f"{promised + 1} known items, one more than the release is made to withstand, but up "
            f"to {most}: anyone who knows more may single people out"
        )
    if given_up:
        yield (
            f"every choice of up to {most} items of {given_up:,} distinct records: there are too "
            "many"
        )


def _promised(release: Release[GeneralisedSets | Transactions | Clusters]) -> int:
    """Return how many known items a release promises to withstand."""
    known = [0]
    for claim in release.guarantees:
        match claim:
            case KmAnonymity():
                known.append(claim.m)
            case Coherence():
                known.append(claim.p)
            case Lkc():
                known.append(claim.l)
            case _:
                pass
    return max(known)


def _alone(records: "_Records", known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which records nobody else fits by those of their items that are known."""
    sets = records.sets
    rows = sets.rows
    sizes = np.bincount(rows[known], minlength=len(sets))
    return alone(*records.arrays, offsets_of(sizes), sets.items[known])


class _Records(NamedTuple):
    """The records of a release, and the distinct ones among them with who holds what."""

    sets: Itemsets
    """The records."""
    arrays: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], Holders]
    """The distinct ones: offsets, items, counts, and for each item the sets that hold it."""

    @classmethod
    def of(cls, sets: Itemsets) -> "_Records":
        folded = fold(sets)
        offsets, items = folded.sets.offsets.copy(), folded.sets.items.copy()
        holders = holders_of(offsets, items, len(sets.vocabulary))
        return cls(sets, (offsets, items, folded.counts.copy(), holders))
