"""A series of corpora out of one: people who stay for some time, and others who take their place.

Bewong, Liu, Liu and Li 2019 call this SeGen. A share of each corpus is in the next one too, drawn
at random; the others are new people. New people take sets of the data that nobody had so far; when
all are used up, sets are drawn again, with replacement.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, exact, positive, share
from discreet.core.fields import check_fields
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError
from discreet.rng import Rng

Whole = NDArray[np.int64]

Choice: TypeAlias = Literal["random", "frequent"]
"""Which items are private: drawn at random, or the most frequent ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Serial:
    """Corpora of one series."""

    corpora: tuple[Transactions, ...]
    """The corpora in their order; ``ids`` tells who is the same person."""
    private: tuple[str, ...]
    """The items made private that somebody in the series has, sorted."""
    again: int
    """How many new people got a set that another person has or had already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeGen:
    """How a series is made."""

    sample: Annotated[
        Exact,
        Doc("Size of each corpus: a share of the data up to 1, or a number of people above 1."),
    ] = "0.05"
    repeat: Annotated[Exact, Doc("Share of each corpus that is in the next one too.")] = "0.4"
    corpora: Annotated[int, Doc("Number of corpora.")] = 5
    private: Annotated[Exact, Doc("Share of the items that become private.")] = "0.1"
    choice: Annotated[Choice, Doc("Private items drawn at random, or the most frequent ones.")] = (
        "random"
    )

    def __post_init__(self) -> None:
        check_fields(self)
        share("repeat", self.repeat)
        share("private", self.private)
        positive("sample", self.sample)
        at_least_one(corpora=self.corpora)

    def make(self, data: Transactions, rng: Rng) -> Serial:
        """Make the series out of ``data``.

        >>> from discreet import rng
        >>> data = Transactions.of([[str(n), str(n % 5)] for n in range(20)])
        >>> made = SeGen(sample=10, repeat="0.5").make(data, rng.seeded(1))
        >>> [len(corpus) for corpus in made.corpora], len(made.private), made.again
        ([10, 10, 10, 10, 10], 2, 10)
        >>> len(set(made.corpora[0].ids) & set(made.corpora[1].ids))
        5
        """
        if not len(data):
            raise ParameterError("a series is made from people, and there are none in the data")
        drawn = self.private_items(data, rng)
        order = rng.permutation(len(data))
        people = list(self._presence(self.size(data), rng))
        count = 1 + max(int(members.max(initial=-1)) for members in people)
        # rows of the data for new people: each once, then any of them again
        again = rng.integers(len(order), max(0, count - len(order)))
        sources = np.concatenate([order, again])[:count]
        # an item that a small sample left out is nobody's secret, and a list with it is refused
        present = Transactions(data.sets.take(sources[np.concatenate(people)])).held
        private = tuple(item for item in drawn if item in present)
        corpora = tuple(_corpus(data, members, sources, private) for members in people)
        return Serial(corpora=corpora, private=private, again=len(again))

    def size(self, data: Transactions) -> int:
        """Return how many people a corpus has."""
        share = exact("sample", self.sample)
        return max(1, round(share * len(data))) if share <= 1 else int(share)

    def private_items(self, data: Transactions, rng: Rng) -> tuple[str, ...]:
        """Return the items that become private; at least one unless the share is 0."""
        share = exact("private", self.private)
        count = min(
            len(data.universe), -(-share.numerator * len(data.universe) // share.denominator)
        )
        if self.choice == "frequent":
            order = np.lexsort((np.arange(len(data.universe)), -data.supports))
        else:
            order = rng.permutation(len(data.universe))
        return tuple(sorted(data.universe[item] for item in order[:count].tolist()))

    def _presence(self, size: int, rng: Rng) -> Iterator[Whole]:
        """Yield the numbers of the people of each corpus; new people get new numbers."""
        share = exact("repeat", self.repeat)
        staying = round(share * size)
        people = np.arange(size)
        newest = size
        for number in range(self.corpora):
            if number:
                old = people[rng.permutation(size)[:staying]]
                people = np.sort(np.concatenate([old, np.arange(newest, newest + size - staying)]))
                newest += size - staying
            # the order of the records is no news either
            yield people[rng.permutation(size)]


def _corpus(
    data: Transactions, people: Whole, sources: Whole, private: tuple[str, ...]
) -> Transactions:
    width = len(str(len(sources)))
    ids = np.array([f"p{person:0{width}d}" for person in people.tolist()])
    return Transactions(data.sets.take(sources[people]), ids, frozenset(private))
