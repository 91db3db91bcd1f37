"""Joining what is known of one sensitive attribute with the others of the same table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Confident, Releases, each_of, from_each
from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.projected_tables import ProjectedTables
from discreet.lazy import pl
from discreet.tables.background import (
    Background,
    best_guesses,
    class_in_words,
    class_of_rows,
    fitting_rows,
)
from discreet.tables.folding import cells_of
from discreet.tables.generalising.lattice import grouped
from discreet.tables.kernels.joins import surer
from discreet.tables.published.sets import is_bit

DENSE = 4
"""Up to so many numbers a row all values are tallied in each group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundJoin(Confident):
    """Infer further sensitive values of a person from one that is known.

    Fang, Ashrafi and Ng 2011, Example 2: someone who knows a person's quasi-identifiers is left
    with the rows of a class. Someone who also knows one sensitive value is left with fewer of them,
    and the other attributes of the same table may follow; those of another table do not. What a
    person has is claimed first. That a person lacks a value of a multi-valued attribute is claimed
    only if the class alone left it open.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("linkability", "inference")

    confidence: Annotated[
        Exact,
        Doc("Claim what has at least this probability, if it is less without the join."),
    ] = "0.9"

    def attack(
        self, releases: Releases[ProjectedTables], knowledge: Background | None = None
    ) -> Findings:
        """Return what follows about the known person, or about everyone in the releases."""
        releases, person = each_of(releases, ProjectedTables), (knowledge or Background()).person
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
                sure = count / len(rows)
                open_before = prior < (self.least if is_bit(table, name) and value == 0 else sure)
                if sure >= self.least and sure > prior and open_before:
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
        searched = [_searched(content, index, self.least) for index in range(len(content))]
        joins = [join for joins_of_table, _ in searched for join in joins_of_table]
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
        return claims, _guessing(content, [right for _, right in searched]) | (
            {"claims_above_the_limit": left_out} if left_out else {}
        )


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


def _searched(
    content: ProjectedTables, index: int, least: float
) -> "tuple[list[_Join], NDArray[np.int64]]":
    """Return for pairs of attributes of a table where the join makes sure enough.

    Beside them stands for each pair, known and inferred, how often the likeliest value is right.
    """
    table, attributes = content.parts[index], content.sensitive[index]
    classes = class_of_rows(content, table)
    home = _Groups(classes, np.bincount(classes))
    columns = [_column(table, name) for name in attributes]
    right = np.zeros((len(columns), len(columns)), dtype=np.int64)
    joins = []
    for known, by in enumerate(columns):
        groups = _Groups(*grouped([classes, by.codes]))
        for inferred, about in enumerate(columns):
            if inferred == known:
                continue
            hits, rows, sure, people, lacks = _inferences(groups, home, about, least)
            right[known, inferred] = hits
            if len(rows):
                joins.append(_Join(table, by.name, about.name, rows, sure, people, lacks))
    return joins, right


class _Groups(NamedTuple):
    """Rows in groups."""

    of_row: NDArray[np.int64]
    """The group of each row."""
    sizes: NDArray[np.int64]
    """How many rows each group has."""


class _Column(NamedTuple):
    """A sensitive attribute as numbers."""

    name: str
    codes: NDArray[np.int64]
    n_values: int
    """How many values there are."""
    lack: int
    """The number of the value that says a person lacks one, -1 for none."""


def _column(table: "pl.DataFrame", name: str) -> _Column:
    cells = cells_of(table[name].cast(str))
    lacking = is_bit(table, name) and "0" in cells.values
    return _Column(name, cells.codes, len(cells.values), cells.values.index("0") if lacking else -1)


def _inferences(
    groups: _Groups, home: _Groups, about: _Column, least: float
) -> tuple[int, NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return what ``surer`` does, also of so many values that no tally of all has room."""
    if len(groups.sizes) * about.n_values <= DENSE * len(about.codes):
        counted: tuple[
            int, NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]
        ] = surer(*groups, *home, about.codes, about.n_values, about.lack, least)
        return counted
    guess = best_guesses(groups.of_row, about.codes)
    pairs, counts = grouped([home.of_row, about.codes])
    prior = counts[pairs[guess.first]] / home.sizes[home.of_row[guess.first]]
    sure, lacks = guess.support / guess.rows, about.codes[guess.first] == about.lack
    new = np.flatnonzero((sure >= least) & (sure > prior) & (~lacks | (prior < least)))
    return int(guess.support.sum()), guess.first[new], sure[new], guess.rows[new], lacks[new]


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


def _guessing(content: ProjectedTables, right: Sequence[NDArray[np.int64]]) -> Summary:
    """Return how often the likeliest guess is right, with and without the join.

    The mean is over all people and all ordered pairs of attributes, one known and one guessed;
    between attributes of different tables nothing can be joined. For each table ``right`` says of
    how many rows a guess is right by each known attribute.
    """
    alone, joined, pairs = 0.0, 0.0, 0
    names = [name for attributes in content.sensitive for name in attributes]
    for table, attributes, by_pair in zip(content.parts, content.sensitive, right, strict=True):
        classes, rows = class_of_rows(content, table), max(1, table.height)
        for inferred, name in enumerate(attributes):
            codes = cells_of(table[name].cast(str)).codes
            share = best_guesses(classes, codes).support.sum() / rows
            alone += share * (len(names) - 1)
            joined += share * (len(names) - len(attributes))
            for known in range(len(attributes)):
                if known != inferred:
                    joined += by_pair[known, inferred] / rows
            pairs += len(names) - 1
    return {
        "attributes": len(names),
        "tables": len(content),
        "guesses_right_without_join": alone / max(1, pairs),
        "guesses_right_with_join": joined / max(1, pairs),
    }
