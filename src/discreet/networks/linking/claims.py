"""Claims about people who are found by their items and their place in a graph."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Confident, Releases, from_each
from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.findings import Claim, Findings, Summary
from discreet.core.release import Content, Release
from discreet.networks.linking.acquaintance import Seen

C = TypeVar("C", bound=Content)

Uses: TypeAlias = Literal["both", "items", "degree"]
"""What of a person the attacker goes by."""
Kinds: TypeAlias = NDArray[np.int64]
"""A number for each row: rows of one number look alike in the graph."""


class KnownFacts(NamedTuple):
    """What is known of a person."""

    items: tuple[str, ...] = ()
    """Items the person holds."""
    degree: int | None = None
    """How many friends the person has."""
    friends: tuple[int, ...] = ()
    """How many friends these have, ascending."""

    @property
    def words(self) -> tuple[str, ...]:
        """Say it in words.

        >>> KnownFacts(("b3",), 4).words
        ('b3', '4 friends')
        >>> KnownFacts((), None, (2, 3)).words
        ('friends, who have 2, 3',)
        """
        if self.degree is None and not self.friends:
            return self.items
        count = "friends" if self.degree is None else f"{self.degree} friends"
        theirs = f", who have {', '.join(map(str, self.friends))}" if self.friends else ""
        return (*self.items, f"{count}{theirs}")

    def claim(
        self,
        row: tuple[int, int],
        inferred: tuple[str, ...],
        fit: tuple[int, int],
        prior: float | None = None,
    ) -> Claim:
        """Claim about a release and row what follows: how many hold it, of how many who fit.

        ``prior`` is the share of all published people who hold it.
        """
        holders, people = fit
        return Claim(
            release=row[0] + 1,
            row=row[1],
            known=self.words,
            inferred=inferred,
            confidence=holders / people,
            people=people,
            prior=prior,
            degree=self.degree,
            friends=self.friends,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Linking(Confident):
    """Finding people by what is known of them and of the graph around them."""

    confidence: Annotated[
        Exact, Doc("Claim what has at least this probability, above 0 and up to 1.")
    ] = "0.7"

    def findings(
        self,
        attack: str,
        releases: Releases[C],
        about: Callable[[int, Release[C]], tuple[Iterable[Claim], Summary]],
    ) -> Findings:
        """Return what follows from each release, sensitive items before mere places, by name."""
        claims, summary = from_each(releases, about, self.limit)
        ordered = sorted(claims, key=lambda claim: (not claim.inferred, -claim.confidence))
        return Findings(attack=attack, claims=tuple(ordered), summary=summary)


FactsOfRow: TypeAlias = Callable[[int], KnownFacts]
"""Says what the place of a row in the graph tells."""


def claims_about(
    number: int, seen: Seen, fits: NDArray[np.bool_], known: KnownFacts, least: float
) -> Iterator[Claim]:
    """Yield what follows about a person from who fits: which row it is, and what it holds."""
    rows = np.flatnonzero(fits)
    if not len(rows):
        return
    where = number, int(rows[0])
    if len(rows) == 1:
        yield known.claim(where, (), (1, 1))
    for item, holders in seen.likely(fits, known.items):
        if holders >= least * len(rows):
            yield known.claim(where, (item,), (holders, len(rows)), seen.shares[item])


def claims_by_search(
    number: int, seen: Seen, kinds: Kinds, facts_of: FactsOfRow, least: float, *, knows: bool
) -> Iterator[Claim]:
    """Yield what knowing one item of a class of people gives away, surest first.

    ``facts_of`` says for each row what its place in the graph tells. A claim without an inferred
    item says that a row is the only one that fits.
    """
    names = seen.sets.vocabulary if seen.sets else ()
    rules = seen.rules(kinds, knows=knows)
    sure = rules.holders / rules.people
    order = np.lexsort((rules.item, -rules.holders, -sure))
    for index in order[sure[order] >= least].tolist():
        row, item = int(rules.row[index]), int(rules.item[index])
        known = facts_of(row)._replace(items=(names[item],) if item >= 0 else ())
        fit, secret = (
            (int(rules.holders[index]), int(rules.people[index])),
            names[rules.secret[index]],
        )
        yield known.claim((number, row), (secret,), fit, seen.shares[secret])
    by = seen.singled(kinds, knows=knows)
    for row in np.flatnonzero(by > -2).tolist():
        known = facts_of(row)._replace(items=(names[by[row]],) if by[row] >= 0 else ())
        yield known.claim((number, row), (), (1, 1))


def summed_up(seen: Seen, kinds: Kinds | None, least: float) -> Summary:
    """Return how many are singled out, and what follows, by items, by the graph, and by both."""
    summary: Summary = {"people": seen.people}
    ways: dict[str, tuple[Kinds, bool]] = {}
    if seen.sets is not None:
        ways["items"] = np.zeros(seen.people, dtype=np.int64), True
    if kinds is not None:
        ways["degree"] = kinds, False
    if seen.sets is not None and kinds is not None:
        ways["both"] = kinds, True
    for name, (kind, knows) in ways.items():
        rules = seen.rules(kind, knows=knows)
        summary[f"singled_out_by_{name}"] = int((seen.singled(kind, knows=knows) > -2).sum())
        summary[f"inferences_by_{name}"] = int((rules.holders >= least * rules.people).sum())
    return summary
