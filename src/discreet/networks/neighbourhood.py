"""Linking a person's items with how many friends the person's friends have."""

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
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.networks.linking.acquaintance import (
    Acquainted,
    Seen,
    degrees_of_friends,
    friendships,
    refuse_negative,
    with_friends,
)
from discreet.networks.linking.claims import (
    FactsOfRow,
    KnownFacts,
    Linking,
    claims_about,
    claims_by_search,
    summed_up,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle(Acquainted):
    """What the attacker knows of one person and the person's friends."""

    friends: Annotated[
        int | tuple[int, ...],
        Doc("How many friends some of the person's friends have, such as 2,3,3."),
    ] = ()

    def __post_init__(self) -> None:
        Acquainted.__post_init__(self)
        refuse_negative("friends", *self.theirs)

    @property
    def theirs(self) -> tuple[int, ...]:
        """The friends' numbers of friends, ascending."""
        return (self.friends,) if isinstance(self.friends, int) else tuple(sorted(self.friends))


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood(Linking):
    """Find people by how many friends they and their friends have, and infer sensitive items.

    Zhou and Pei 2008 for neighbourhoods, here for the degrees in them; Wang, Lin, Bai, Chang, Li
    and Liu 2020 promise nothing against it. Someone who knows how many friends a person's friends
    have can tell apart nodes that have the same degree.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("singling out", "inference")

    def attack(
        self, releases: Releases[SetsWithNetwork | Network], knowledge: Circle | None = None
    ) -> Findings:
        """Return what follows about the known person, or about everyone in the releases."""
        known = knowledge or Circle()
        return self.findings(
            "neighbourhood",
            each_of(releases, SetsWithNetwork, Network),
            lambda number, release: self._about(number, release, known),
        )

    def _about(
        self, number: int, release: Release[SetsWithNetwork | Network], knowledge: Circle
    ) -> tuple[Iterator[Claim], Summary]:
        """Return claims about the known person, or about everyone, and numbers about them."""
        seen, degrees = Seen.of(release, knowledge.sensitive), release.content.degrees
        least = float(exact("confidence", self.confidence))
        edges = np.empty((0, 2), dtype=np.int64) if seen.edges is None else seen.edges
        if not (knowledge.items or knowledge.degree is not None or knowledge.theirs):
            kinds = friendships(edges, degrees)
            made = claims_by_search(number, seen, kinds, _circle(edges, degrees), least, knows=True)
            return made, summed_up(seen, kinds, least)
        fits = seen.fitting(knowledge.items)
        if knowledge.degree is not None:
            fits &= degrees == knowledge.degree
        fits &= with_friends(edges, degrees, knowledge.theirs)
        known = KnownFacts(knowledge.items if seen.sets else (), knowledge.degree, knowledge.theirs)
        return claims_about(number, seen, fits, known, least), {"candidates": int(fits.sum())}


def _circle(edges: NDArray[np.int64], degrees: NDArray[np.int64]) -> FactsOfRow:
    """Return what is told of a row by how many friends it and its friends have."""
    theirs = degrees_of_friends(edges, degrees)
    begin = np.cumsum(degrees) - degrees

    def facts_of(row: int) -> KnownFacts:
        friends = theirs[begin[row] : begin[row] + degrees[row]]
        return KnownFacts((), len(friends), tuple(friends.tolist()))

    return facts_of
