"""The cover problem as an attack: items of different chunks that must be one person's."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, TypeAlias

from discreet.core.attack import Releases, each_of
from discreet.core.disassociated import Disassociated
from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact, positive_share
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.generalised.chunks.covering import Covering, Link
from discreet.generalised.chunks.weighing import likely

Originals: TypeAlias = Literal["all", "most"]
"""Which of the data sets that can be behind a release have to say something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """The adversary knows an item of a person and which cluster the person is in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """Put parts of records together again where counting leaves no, or hardly another possibility.

    Barakat, Al Bouna, Nassar and Guyeux 2016: if, of n people in a cluster, s hold one item and t
    hold an item of another chunk, at least s + t - n hold both. If these are all who hold the
    second item, whoever has it has the first with certainty.

    Of the originals that are possible most say more than all: in those drawn at random a share
    s / n of them holds the first, whoever holds the second.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("inference",)

    confidence: Annotated[
        Exact, Doc("Claim what has at least this confidence, above 0 and at most 1.")
    ] = 1
    originals: Annotated[
        Originals,
        Doc(
            "Claim what holds in all possible originals, or what is likely in most of them: in "
            "those drawn at random, where it is also twice as likely as of anybody."
        ),
    ] = "all"

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "confidence", positive_share("confidence", self.confidence))

    def attack(
        self, releases: Releases[Disassociated], knowledge: Member | None = None
    ) -> Findings:
        """Return for each item of each cluster what must follow from it, the surest first."""
        releases = each_of(releases, Disassociated)
        limit = exact("confidence", self.confidence)
        say = _certain if self.originals == "all" else _probable
        claims = [
            claim
            for number, release in enumerate(releases, start=1)
            for claim in say(number, release.content, limit)
        ]
        claims.sort(key=lambda claim: (-claim.confidence, -claim.people, claim.release, claim.row))
        clusters = {(claim.release, claim.row) for claim in claims}
        summary: Summary = {
            "clusters": sum(release.content.count for release in releases),
            "clusters_with_claims": len(clusters),
            "certain": sum(claim.confidence == 1 for claim in claims),
        }
        return Findings(attack="cover", claims=tuple(claims), summary=summary)


def _certain(number: int, content: Disassociated, limit: Fraction) -> Iterator[Claim]:
    """Yield for each item what follows from it in all possible originals."""
    grouped: dict[tuple[tuple[int, ...], int], list[Link]] = {}
    for link in Covering(content).links(limit):
        grouped.setdefault((link.clusters, link.known), []).append(link)
    for (clusters, known), links in grouped.items():
        yield Claim(
            release=number,
            row=clusters[0],
            known=(content.universe[known],),
            inferred=tuple(content.universe[link.inferred] for link in links),
            confidence=min(link.both / link.people for link in links),
            people=links[0].people,
        )


def _probable(number: int, content: Disassociated, limit: Fraction) -> Iterator[Claim]:
    """Yield for each item what most probably goes with it."""
    for each in likely(content, limit):
        yield Claim(
            release=number,
            row=each.cluster,
            known=(content.universe[each.known],),
            inferred=(content.universe[each.inferred],),
            confidence=each.share,
            people=each.people,
            prior=each.prior,
        )
