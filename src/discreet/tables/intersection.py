"""Joining projected tables by the quasi-identifiers they share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np

from discreet.core.attack import Confident, Releases, each_of, from_each
from discreet.core.findings import Claim, Findings, Threat
from discreet.core.projected_tables import ProjectedTables
from discreet.tables.background import (
    Background,
    best_guesses,
    class_in_words,
    class_of_rows,
    fitting_rows,
)
from discreet.tables.promises.closeness import coded


@dataclass(frozen=True, slots=True, kw_only=True)
class Intersection(Confident):
    """Infer sensitive values by joining the tables of a release on their quasi-identifiers.

    Wang and Fung, KDD 2006, as in section 6.1 of Fang, Ashrafi and Ng 2011: (X,Y)-linkability is
    the largest confidence with which values follow from quasi-identifiers. Nothing else connects
    rows of different tables, so the confidence of values from several tables is the product of
    their confidences and never above the largest of them.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("linkability",)

    def attack(
        self, releases: Releases[ProjectedTables], knowledge: Background | None = None
    ) -> Findings:
        """Return what the joined tables tell about the known person, or about everyone."""
        person = (knowledge or Background()).person or {}
        claims, summary = from_each(
            each_of(releases, ProjectedTables),
            lambda number, release: self._about(number, release.content, person),
            self.limit,
        )
        return Findings(attack="intersection", claims=tuple(claims), summary=summary)

    def _about(
        self, number: int, content: ProjectedTables, person: Mapping[str, str]
    ) -> tuple[list[Claim], dict[str, float]]:
        """Return what one release tells, surest first, and how surely at most."""
        best = _linkages(number, content, person)
        sure = [max((claim.confidence for claim in candidates), default=0.0) for candidates in best]
        claims = [
            claim for candidates in best for claim in candidates if claim.confidence >= self.least
        ]
        if person and prod(sure) >= self.least and len(best) > 1:
            claims.append(_joint(best, sure))
        claims.sort(key=lambda claim: (-claim.confidence, -claim.people))
        return claims, {
            "linkability": max(sure, default=0.0),
            "joint_linkability_at_most": prod(sure),
        }


def _linkages(
    number: int, content: ProjectedTables, person: Mapping[str, str]
) -> list[list[Claim]]:
    """Return for each table the likeliest value of each attribute in each class that fits."""
    known = {name: value for name, value in person.items() if name in content.applied}
    linkages = []
    for table, attributes in zip(content.parts, content.sensitive, strict=True):
        classes = class_of_rows(content, table)
        met = np.unique(classes[fitting_rows(content, table, known)])
        claims = []
        for name in attributes:
            guess = best_guesses(classes, coded(table[name].cast(str))[0])
            for index in met.tolist():
                row = int(guess.first[index])
                claims.append(
                    Claim(
                        release=number + 1,
                        row=row,
                        known=class_in_words(content, table, row),
                        inferred=(f"{name}={table[name][row]}",),
                        confidence=float(guess.support[index] / guess.rows[index]),
                        people=int(guess.rows[index]),
                    )
                )
        linkages.append(claims)
    return linkages


def _joint(best: Sequence[Sequence[Claim]], sure: Sequence[float]) -> Claim:
    """Return the claim that takes the surest value of each table together."""
    surest = [max(candidates, key=lambda claim: claim.confidence) for candidates in best]
    return Claim(
        release=surest[0].release,
        row=surest[0].row,
        known=tuple(dict.fromkeys(fact for claim in surest for fact in claim.known)),
        inferred=tuple(value for claim in surest for value in claim.inferred),
        confidence=prod(sure),
        people=min(claim.people for claim in surest),
    )
