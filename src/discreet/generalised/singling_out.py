"""Who is the only one: records that a few known items fit and no other record does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import each_of
from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Threat
from discreet.core.fold import fold
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.itemsets import Itemsets
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError
from discreet.generalised.kernels.matching import matched
from discreet.generalised.kernels.unique_subsets import unique_subsets
from discreet.generalised.readable import Readable
from discreet.kernels.supersets import holders_of
from discreet.measure.queries import answers
from discreet.rng import seeded

__all__ = ["Anything", "SinglingOut"]

MOST = 5
"""Items that may be known at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anything:
    """The adversary may know any items of a person, whichever serve best; nothing is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SinglingOut:
    """Find the records that up to so many known items fit and no other record does.

    Both by the items that serve best, person by person, and by items drawn at random. An item is
    known as it is published: as itself, or as some member of what stands for it.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("singling out",)

    known: Annotated[
        int | tuple[int, ...], Doc("How many items of a person are known, each from 1 to 5.")
    ] = (1, 2, 3)
    seed: Annotated[int, Doc("The attacker's own coin, for items drawn at random.")] = 0

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
        releases: Release[GeneralisedSets | Transactions]
        | Sequence[Release[GeneralisedSets | Transactions]],
        knowledge: Anything | None = None,
    ) -> Findings:
        """Return a claim for each record that is singled out, fewest known items first."""
        releases = each_of(releases)
        claims: list[Claim] = []
        summary: dict[str, int | float | str] = {}
        for number, release in enumerate(releases):
            read = Readable.of(release.content)
            made = list(self._claims(number, read.sets))
            claims += made
            told = self._summary(read.sets, made)
            summary |= told if len(releases) == 1 else {f"{n}_{number}": v for n, v in told.items()}
        ordered = sorted(claims, key=lambda claim: (len(claim.known), claim.release, claim.row))
        return Findings(attack="singling-out", claims=tuple(ordered), summary=summary)

    def _claims(self, number: int, sets: Itemsets) -> Iterator[Claim]:
        folded = fold(sets)
        distinct = folded.sets
        arrays = (distinct.offsets.copy(), distinct.items.copy())
        holding = holders_of(*arrays, len(distinct.vocabulary))
        holders = (holding.starts, holding.rows)
        found = unique_subsets(*arrays, folded.counts.copy(), holders, self.sizes[-1])
        of_set = matched(*arrays, sets.offsets.copy(), sets.items.copy())
        for row in np.flatnonzero(found[of_set, 0] >= 0).tolist():
            known = [int(item) for item in found[of_set[row]] if item >= 0]
            rest = [sets.vocabulary[item] for item in _row(sets, row) if item not in known]
            yield Claim(
                release=number,
                row=row,
                known=tuple(sets.vocabulary[item] for item in known),
                inferred=tuple(rest),
                confidence=1.0,
                people=1,
            )

    def _summary(self, sets: Itemsets, claims: Sequence[Claim]) -> dict[str, int | float | str]:
        people = max(1, len(sets))
        told: dict[str, int | float | str] = {"records": len(sets)}
        needed = np.array([len(claim.known) for claim in claims], dtype=np.int64)
        for size in self.sizes:
            told[f"singled_out_by_{size}"] = int((needed <= size).sum()) / people
            told[f"singled_out_by_{size}_at_random"] = self._at_random(sets, size) / people
        return told

    def _at_random(self, sets: Itemsets, size: int) -> int:
        """Return how many records so many of their items, drawn at random, single out."""
        rows = np.repeat(np.arange(len(sets)), sets.sizes)
        order = np.lexsort((seeded(self.seed).permutation(len(rows)), rows))
        within = np.arange(len(rows)) - np.repeat(sets.offsets[:-1], sets.sizes)
        # who has fewer items is known by all of them
        drawn = np.zeros(len(rows), dtype=np.bool_)
        drawn[order] = within < size
        sizes = np.minimum(sets.sizes, size)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        queries = Itemsets(offsets, sets.items[drawn], sets.vocabulary)
        return int((answers(fold(sets), queries)[sizes > 0] == 1).sum())


def _row(sets: Itemsets, row: int) -> NDArray[np.int32]:
    return sets.items[sets.offsets[row] : sets.offsets[row + 1]]
