"""Who is alone in a table with what somebody knows: the quasi-identifiers and a few items."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Limited, Releases, each_of, from_each
from discreet.core.doc import Doc
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.projected_tables import ProjectedTables
from discreet.errors import ParameterError
from discreet.risk.items_in_classes import fewest_rows
from discreet.risk.reidentification import FEW
from discreet.tables.background import Background, class_in_words, class_of_rows, fitting_rows
from discreet.tables.published.sets import PublishedSets, published_sets

MOST = 5
"""Items that may be known at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QidsAndItems(Limited):
    """Find the rows that are the only ones to match quasi-identifiers and a few items of a set.

    The set is the set column or, where there is none, a multi-valued attribute. For each person,
    the items that leave the fewest rows are taken as known. Someone who knows an item of a block
    knows the block.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("singling out", "inference")

    known: Annotated[
        int | tuple[int, ...],
        Doc("How many items of a person are known beside the quasi-identifiers, each from 0 to 5."),
    ] = (0, 1, 2)

    def __post_init__(self) -> None:
        Limited.__post_init__(self)
        if not self.sizes or not all(0 <= size <= MOST for size in self.sizes):
            msg = f"`known` must be numbers from 0 to {MOST} such as 0,1,2, got {self.known}"
            raise ParameterError(msg, parameter="known")

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many items are known, ascending."""
        return tuple(sorted({self.known} if isinstance(self.known, int) else set(self.known)))

    def attack(
        self, releases: Releases[ProjectedTables], knowledge: Background | None = None
    ) -> Findings:
        """Return a claim for each row that is singled out, fewest known items first."""
        person = (knowledge or Background()).person
        claims, summary = from_each(
            each_of(releases, ProjectedTables),
            lambda number, release: (
                _about(number, release.content, person)
                if person
                else self._search(number, release.content)
            ),
        )
        ordered = sorted(claims, key=lambda claim: (len(claim.known), claim.release, claim.row))
        not_run = "" if summary else "no table has a set column or a multi-valued attribute"
        return Findings(
            attack="qids-and-items", claims=tuple(ordered), summary=summary, not_run=not_run
        )

    def _search(self, number: int, content: ProjectedTables) -> tuple[list[Claim], Summary]:
        """Return the rows that are alone in their table, and how many are by how much knowledge."""
        claims: list[Claim] = []
        shares: Summary = {}
        left_out = 0
        for sets in published_sets(content):
            classes = class_of_rows(content, sets.table)
            fewest, items = fewest_rows(classes, sets.offsets, sets.items, self.sizes[-1])
            alone = np.flatnonzero(fewest[-1] == 1)
            claims += _claims(number, content, sets, alone[: self.limit], items)
            left_out += max(0, len(alone) - self.limit)
            for size in self.sizes:
                shares[f"alone_by_{size}_of_{sets.name}"] = float((fewest[size] == 1).mean())
                shares[f"below_{FEW}_by_{size}_of_{sets.name}"] = float((fewest[size] < FEW).mean())
        return claims, shares | ({"claims_above_the_limit": left_out} if left_out else {})


def _claims(
    number: int,
    content: ProjectedTables,
    sets: PublishedSets,
    rows: NDArray[np.int64],
    items: NDArray[np.int64],
) -> Iterator[Claim]:
    """Yield what follows about the rows that are alone: their other items and sensitive values."""
    others = [
        sets.table[name]
        for names in content.sensitive
        for name in set(names).intersection(sets.table.columns)
        if not name.startswith(f"{sets.name}=")
    ]
    others.sort(key=lambda column: column.name)
    for row in rows.tolist():
        known = [int(item) for item in items[row] if item >= 0]
        rest = [item for item in sets.items_of(row) if item not in known]
        yield Claim(
            release=number + 1,
            row=row,
            known=(
                *class_in_words(content, sets.table, row),
                *(sets.facts[item] for item in known),
            ),
            inferred=(
                *(sets.facts[item] for item in rest),
                *(f"{column.name}={column[row]}" for column in others),
            ),
            confidence=1.0,
            people=1,
        )


def _about(
    number: int, content: ProjectedTables, person: Mapping[str, str]
) -> tuple[list[Claim], Summary]:
    """Return the row of a known person, where one alone fits, and how many do."""
    claims: list[Claim] = []
    summary: Summary = {}
    for index, table in enumerate(content.parts, start=1):
        rows = fitting_rows(content, table, person)
        summary[f"rows_that_fit_in_table_{index}"] = len(rows)
        if len(rows) == 1:
            row = int(rows[0])
            others = [name for name in table.columns if name not in person]
            claims.append(
                Claim(
                    release=number + 1,
                    row=row,
                    known=tuple(f"{name}={value}" for name, value in person.items()),
                    inferred=tuple(f"{name}={table[name][row]}" for name in others),
                    confidence=1.0,
                    people=1,
                )
            )
    return claims, summary
