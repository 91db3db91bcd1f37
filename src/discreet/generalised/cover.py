"""The cover problem as an attack: items of different chunks that must be one person's."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from discreet.core.attack import Releases, each_of
from discreet.core.disassociated import Disassociated
from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact, positive_share
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.generalised.chunks.covering import Covering, Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """The adversary knows an item of a person and which cluster the person is in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """Put parts of records together again where counting leaves no other possibility.

    Barakat, Al Bouna, Nassar and Guyeux 2016: if, of n people in a cluster, s hold one item and t
    hold an item of another chunk, at least s + t - n hold both. If these are all who hold the
    second item, whoever has it has the first with certainty.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("inference",)

    confidence: Annotated[
        Exact, Doc("Claim what has at least this confidence, above 0 and at most 1.")
    ] = 1

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "confidence", positive_share("confidence", self.confidence))

    def attack(
        self, releases: Releases[Disassociated], knowledge: Member | None = None
    ) -> Findings:
        """Return for each item of each cluster what must follow from it, the surest first."""
        releases = each_of(releases, Disassociated)
        claims = [
            claim
            for number, release in enumerate(releases)
            for claim in self._claims(number, release.content)
        ]
        claims.sort(key=lambda claim: (-claim.confidence, -claim.people, claim.release, claim.row))
        clusters = {(claim.release, claim.row) for claim in claims}
        summary: Summary = {
            "clusters": sum(release.content.count for release in releases),
            "clusters_with_claims": len(clusters),
            "certain": sum(claim.confidence == 1 for claim in claims),
        }
        return Findings(attack="cover", claims=tuple(claims), summary=summary)

    def _claims(self, number: int, content: Disassociated) -> Iterator[Claim]:
        limit = exact("confidence", self.confidence)
        grouped: dict[tuple[tuple[int, ...], int], list[Link]] = {}
        for link in Covering(content).links(limit):
            grouped.setdefault((link.clusters, link.known), []).append(link)
        for (clusters, known), links in grouped.items():
            yield Claim(
                release=number + 1,
                row=clusters[0],
                known=(content.universe[known],),
                inferred=tuple(content.universe[link.inferred] for link in links),
                confidence=min(link.both / link.people for link in links),
                people=links[0].people,
            )
