"""Guessing by what is common: of the items that a name may mean, the commonest."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from discreet.core.attack import Releases, each_of
from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Threat
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError
from discreet.generalised.readable import Readable
from discreet.io.table import open_table

COLUMNS = {"item": "item", "count": "count"}
NOTHING_HIDDEN = "every item is published under its own name, so there is nothing to guess"


@dataclass(frozen=True, eq=False, repr=False)
class ItemFrequencies:
    """How often items occur, as somebody published it.

    >>> ItemFrequencies.of({"beer": 20, "wine": 3}).counts["beer"]
    20.0
    """

    counts: Mapping[str, float]
    """How often each item occurs, in any unit."""

    @classmethod
    def of(cls, counts: Mapping[str, float]) -> "ItemFrequencies":
        """Make a list from counts, or shares, of items.

        Parameters
        ----------
        counts
            For each item how common it is.

        Returns
        -------
        ItemFrequencies
            The items with their shares of all.
        """
        if any(not (np.isfinite(count) and count >= 0) for count in counts.values()):
            raise DataError("a frequency must be a number from 0 on, and one is not")
        return cls({item: float(count) for item, count in counts.items()})

    @classmethod
    def read(cls, path: str | Path) -> "ItemFrequencies":
        """Read a csv, tsv or parquet file with the columns item and count.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        ItemFrequencies
            The items with their shares of all.
        """
        table = open_table(Path(path))
        items, counts = table.texts(COLUMNS)
        numbers = counts.cast(float, strict=False)
        if numbers.null_count():
            row = int(np.flatnonzero(numbers.is_null().to_numpy())[0])
            raise table.fault(row, "a count must be a number")
        return cls.of(dict(zip(items.to_list(), numbers.to_list(), strict=True)))

    def __repr__(self) -> str:
        return f"ItemFrequencies({len(self.counts)} items)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """What the adversary knows of how common items are; nothing about any person."""

    frequencies: Annotated[
        ItemFrequencies | None,
        Doc(
            "A public list with the columns item and count; without it, what the releases show "
            "by name."
        ),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)


def counted_in(knowledge: Any, people: Any) -> Any:
    """Return the knowledge with the frequencies of these people, where it has no others.

    How common items are is no secret of anybody, and an attacker may have it from elsewhere.
    """
    if knowledge.frequencies is not None or not isinstance(people, Transactions):
        return knowledge
    counts = dict(zip(people.universe, people.supports.tolist(), strict=True))
    return replace(knowledge, frequencies=ItemFrequencies.of(counts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequency:
    """Guess the most common of the items that a generalised item may stand for.

    It needs no context and no meaning of words, only that some items are more common than others. A
    generalised item is left alone if the attacker does not know which of its members is the most
    common.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("inference",)

    def attack(
        self,
        releases: Releases[GeneralisedSets | Transactions],
        knowledge: Common | None = None,
    ) -> Findings:
        """Return for each record and generalised item the member that is kept."""
        listed = each_of(releases, GeneralisedSets, Transactions)
        read = [Readable.of(release.content) for release in listed]
        known = (knowledge or Common()).frequencies
        counts: dict[str, float] = {} if known is None else dict(known.counts)
        if known is None:
            for each in read:
                for item, people in each.plain.items():
                    counts[item] = counts.get(item, 0.0) + people
        hidden = sum(int(each.hidden.sum()) for each in read)
        if not hidden:
            return Findings(attack="frequency", claims=(), not_run=NOTHING_HIDDEN)
        guesses = [_guesses(each, counts) for each in read]
        if not any(guesses):
            msg = (
                "how common items are must be known: give a public list with the columns item "
                "and count as `frequencies`"
            )
            raise ParameterError(msg, parameter="frequencies")
        claims = [
            claim
            for number, (each, best) in enumerate(zip(read, guesses, strict=True))
            for claim in _claims(number, each, best)
        ]
        numbers = {"generalised_items": hidden, "guessed": sum(map(len, guesses))}
        ordered = sorted(claims, key=lambda claim: -claim.confidence)
        return Findings(attack="frequency", claims=tuple(ordered), summary=numbers)


def _guesses(read: Readable, counts: Mapping[str, float]) -> dict[int, tuple[str, float]]:
    """Return for each generalised item the commonest member, and its share of all of them."""
    best: dict[int, tuple[str, float]] = {}
    for name in np.flatnonzero(read.hidden).tolist():
        known = sorted(((counts.get(item, 0.0), item) for item in read.members[name]), reverse=True)
        if known[0][0] > known[1][0]:
            best[name] = (known[0][1], known[0][0] / sum(count for count, _ in known))
    return best


def _claims(number: int, read: Readable, best: Mapping[int, tuple[str, float]]) -> Iterator[Claim]:
    """Yield one claim for each record and generalised item that is guessed."""
    sets = read.sets
    rows = sets.rows
    guessed = np.isin(sets.items, list(best))
    # one for all records: there may be many members, and many records
    others = {
        name: tuple(other for other in read.members[name] if other != item)
        for name, (item, _) in best.items()
    }
    for row, name in zip(rows[guessed].tolist(), sets.items[guessed].tolist(), strict=True):
        item, share = best[name]
        yield Claim(
            release=number + 1,
            row=row,
            known=(),
            inferred=(item,),
            eliminated=others[name],
            confidence=share,
            people=1,
        )
