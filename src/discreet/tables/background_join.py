"""Joining what is known of one sensitive attribute with the others of the same table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Confident, Releases, each_of, from_each
from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.projected_tables import ProjectedTables
from discreet.tables.background import (
    Background,
    best_guesses,
    class_in_words,
    class_of_rows,
    fitting_rows,
)
from discreet.tables.closeness import coded
from discreet.tables.lattice import grouped
from discreet.tables.published_sets import is_bit

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundJoin(Confident):
    """Infer further sensitive values of a person from one that is known.

    Fang, Ashrafi and Ng 2011, Example 2: who knows a person's quasi-identifiers is left with the
    rows of a class; who also knows one sensitive value is left with fewer of them, and the other
    attributes of the same table may follow. Attributes of another table do not. What a person has
    comes first; that a person lacks a value of a multi-valued attribute is claimed only where the
    class alone left it open.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("linkability", "inference")

    confidence: Annotated[
        Exact,
        Doc("Least probability of an inference to be claimed, and more than without the join."),
    ] = "0.9"

    def attack(
        self, releases: Releases[ProjectedTables], knowledge: Background | None = None
    ) -> Findings:
        """Return what follows about the known person, or about everyone in the releases."""
        releases, person = each_of(releases), (knowledge or Background()).person
        claims, summary = from_each(
            releases,
            lambda number, release: (
                (self._about(number, release.content, person), {})
                if person
                else self._search(number, release.content)
            ),
        )

        def rank(claim: Claim) -> tuple[bool, float, int]:
            lacks = _is_lack(releases[claim.release - 1].content, claim)
            return lacks, -claim.confidence, -claim.people

        ordered = sorted(claims, key=rank)
        return Findings(attack="background-join", claims=tuple(ordered), summary=summary)

    def _about(
        self, number: int, content: ProjectedTables, person: Mapping[str, str]
    ) -> Iterator[Claim]:
        """Yield what follows about one person; without a join nothing is claimed."""
        known = tuple(f"{name}={value}" for name, value in person.items())
        alone = {name: value for name, value in person.items() if name in content.applied}
        for table, attributes in zip(content.parts, content.sensitive, strict=True):
            rows, before = (fitting_rows(content, table, each) for each in (person, alone))
            joined = [name for name in attributes if name in person]
            for name in attributes if len(rows) and joined else ():
                if name in person:
                    continue
                value, count = _commonest(table[name].gather(rows))
                prior = float((table[name].gather(before) == value).mean() or 0.0)  # type: ignore[arg-type]
                sure, least = count / len(rows), exact("confidence", self.confidence)
                open_before = prior < (least if is_bit(table, name) and value == 0 else sure)
                if sure >= least and sure > prior and open_before:
                    yield Claim(
                        release=number + 1,
                        row=int(rows[0]),
                        known=known,
                        inferred=(f"{name}={value}",),
                        confidence=sure,
                        people=len(rows),
                    )

    def _search(self, number: int, content: ProjectedTables) -> tuple[list[Claim], Summary]:
        """Return the surest inferences that knowing one sensitive value adds, and what it helps."""
        joins = [join for index in range(len(content)) for join in self._joins(content, index)]
        sure = np.concatenate([join.sure for join in joins] or [np.empty(0)])
        people = np.concatenate([join.people for join in joins] or [np.empty(0, dtype=np.int64)])
        lacks = np.concatenate([join.lacks for join in joins] or [np.empty(0, dtype=np.bool_)])
        ends = np.cumsum([0, *(len(join.sure) for join in joins)])
        claims = []
        for index in np.lexsort((-people, -sure, lacks))[: self.limit].tolist():
            which = int(np.searchsorted(ends, index, side="right")) - 1
            join = joins[which]
            row = int(join.rows[index - ends[which]])
            known = f"{join.known}={join.table[join.known][row]}"
            claims.append(
                Claim(
                    release=number + 1,
                    row=row,
                    known=(*class_in_words(content, join.table, row), known),
                    inferred=(f"{join.inferred}={join.table[join.inferred][row]}",),
                    confidence=float(sure[index]),
                    people=int(people[index]),
                )
            )
        left_out = len(sure) - len(claims)
        return claims, _guessing(content) | (
            {"claims_above_the_limit": left_out} if left_out else {}
        )

    def _joins(self, content: ProjectedTables, index: int) -> "Iterator[_Join]":
        """Yield for each pair of attributes of a table where the join makes sure enough."""
        least = float(exact("confidence", self.confidence))
        table, attributes = content.parts[index], content.sensitive[index]
        classes = class_of_rows(content, table)
        codes = {name: coded(table[name].cast(str))[0] for name in attributes}
        sizes = np.bincount(classes)
        for known, inferred in permutations(attributes, 2):
            groups, _ = grouped([classes, codes[known]])
            guess = best_guesses(groups, codes[inferred])
            pairs, counts = grouped([classes, codes[inferred]])
            prior = counts[pairs[guess.first]] / sizes[classes[guess.first]]
            sure = guess.support / guess.rows
            lacks = np.zeros(len(sure), dtype=np.bool_)
            if is_bit(table, inferred):
                lacks = table[inferred].to_numpy()[guess.first] == 0
            claimed = np.flatnonzero((sure >= least) & (sure > prior) & (~lacks | (prior < least)))
            firsts, people = guess.first[claimed], guess.rows[claimed]
            yield _Join(table, known, inferred, firsts, sure[claimed], people, lacks[claimed])


class _Join(NamedTuple):
    """What one attribute tells about another in some classes of a table."""

    table: "pl.DataFrame"
    known: str
    inferred: str
    rows: NDArray[np.int64]
    """A row of each such group that holds the inferred value."""
    sure: NDArray[np.float64]
    people: NDArray[np.int64]
    lacks: NDArray[np.bool_]
    """Whether the inference is that a person lacks a value."""


def _is_lack(content: ProjectedTables, claim: Claim) -> bool:
    """Whether a claim is that a person lacks a value."""
    name, _, value = claim.inferred[0].rpartition("=")
    tables = [table for table in content.parts if name in table.columns]
    return value == "0" and any(is_bit(table, name) for table in tables)


def _commonest(values: "pl.Series") -> tuple[object, int]:
    # the attribute may itself be called count
    counts = values.alias("value").value_counts()
    counts = counts.sort("count", "value", descending=[True, False])
    value, count = counts.row(0)
    return value, int(count)


def _guessing(content: ProjectedTables) -> Summary:
    """Return how often the likeliest guess is right, with and without the join.

    The mean is over all people and all ordered pairs of attributes, one known and one guessed;
    between attributes of different tables nothing can be joined.
    """
    alone, joined, pairs = 0.0, 0.0, 0
    names = [name for attributes in content.sensitive for name in attributes]
    for table, attributes in zip(content.parts, content.sensitive, strict=True):
        classes = class_of_rows(content, table)
        codes = {name: coded(table[name].cast(str))[0] for name in attributes}
        for inferred in attributes:
            share = best_guesses(classes, codes[inferred]).support.sum() / table.height
            others = [name for name in attributes if name != inferred]
            alone += share * (len(names) - 1)
            joined += share * (len(names) - 1 - len(others))
            for known in others:
                groups, _ = grouped([classes, codes[known]])
                joined += best_guesses(groups, codes[inferred]).support.sum() / table.height
            pairs += len(names) - 1
    return {
        "attributes": len(names),
        "tables": len(content),
        "guesses_right_without_join": alone / max(1, pairs),
        "guesses_right_with_join": joined / max(1, pairs),
    }
