"""Linking a person's items with the number of the person's friends."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Releases, each_of
from discreet.core.doc import Doc
from discreet.core.exact import exact
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.graph import Network
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.networks.linking.acquaintance import Acquainted, Seen
from discreet.networks.linking.claims import (
    FactsOfRow,
    KnownFacts,
    Linking,
    Uses,
    claims_about,
    claims_by_search,
    summed_up,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsAndDegree(Linking):
    """Find people by an item and the number of their friends, and infer their sensitive items.

    Wang, Lin, Bai, Chang, Li and Liu 2020, Example 1: if sets and graph of the same people are
    anonymised separately, few people both hold a known item and have a known number of friends.
    Sets and graphs from different releases have no numbers in common; then each is used alone.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("singling out", "inference")

    uses: Annotated[
        Uses,
        Doc(
            "Whether the attacker goes by items and the number of friends, or by one of them alone."
        ),
    ] = "both"

    def attack(
        self,
        releases: Releases[SetsWithNetwork | Transactions | Network],
        knowledge: Acquainted | None = None,
    ) -> Findings:
        """Return what follows about the known person, or about everyone in the releases."""
        known = knowledge or Acquainted()
        return self.findings(
            "sets-and-degree",
            each_of(releases, SetsWithNetwork, Transactions, Network),
            lambda number, release: self._about(number, Seen.of(release, known.sensitive), known),
        )

    def _about(
        self, number: int, seen: Seen, knowledge: Acquainted
    ) -> tuple[Iterator[Claim], Summary]:
        """Return claims about the known person, or about everyone, and numbers about them."""
        least = float(exact("confidence", self.confidence))
        items = () if self.uses == "degree" else knowledge.items
        degree = None if self.uses == "items" else knowledge.degree
        if not (items or degree is not None):
            degrees = None if self.uses == "items" else seen.degrees
            kinds = np.zeros(seen.people, dtype=np.int64) if degrees is None else degrees
            knows = self.uses != "degree"
            made = claims_by_search(
                number, seen, kinds, _facts_of_degree(degrees), least, knows=knows
            )
            return made, summed_up(seen, seen.degrees, least)
        fits = seen.fitting(items)
        if seen.degrees is not None and degree is not None:
            fits &= seen.degrees == degree
        known = KnownFacts(
            () if seen.sets is None else items, None if seen.degrees is None else degree
        )
        return claims_about(number, seen, fits, known, least), {"candidates": int(fits.sum())}


def _facts_of_degree(degrees: NDArray[np.int64] | None) -> FactsOfRow:
    """Return what the number of friends tells of a row, where it is used."""
    return lambda row: KnownFacts((), None if degrees is None else int(degrees[row]))
