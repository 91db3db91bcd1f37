"""The choices that publishers of itemset counts share: a budget, the sizes and the items."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Annotated

from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, positive
from discreet.core.fields import check_fields
from discreet.core.guarantee import DifferentialPrivacy, Guarantee
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publication import Publication
from discreet.core.publisher import refuse_misfits
from discreet.core.release import Manifest, Release
from discreet.core.synthetic_people import PublishedCounts, SyntheticPeople
from discreet.core.transactions import Transactions
from discreet.counts.levels import (
    Level,
    Longer,
    largest_size,
    levels_of,
    limited,
    public_facts,
)
from discreet.counts.partition.running import rate_of
from discreet.rng import Rng, secure


class DecidedCounts(ABC):
    """A publisher whose plan is its release: noisy counts of sets, from folded sets alone."""

    __slots__ = ()

    @property
    @abstractmethod
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What every release promises."""

    @abstractmethod
    def statistics(self, data: Transactions, rng: Rng) -> ItemsetHistogram:
        """Return the distinct sets to decide by, with their counts."""

    @abstractmethod
    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> ItemsetHistogram:
        """Return the counts to publish; all of epsilon is spent here."""

    @abstractmethod
    def manifest(self, statistics: ItemsetHistogram, rng: Rng) -> Manifest:
        """Describe a release of these sets by public facts."""

    def shaped(self, counts: ItemsetHistogram, rng: Rng) -> PublishedCounts:
        """Return the counts in the shape in which they are released: as they are."""
        return counts

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[PublishedCounts]:
        """Publish sets of ``data`` with noisy counts."""
        refuse_misfits(data, Transactions, rng)
        rng = rng or secure()
        folded = self.statistics(data, rng)
        content, manifest = self.decide(folded, rng), self.manifest(folded, rng)
        return Publication(Release(self.shaped(content, rng), self.guarantees, manifest))


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting(DecidedCounts):
    """Noisy counts of the itemsets up to a public size, over a public universe."""

    epsilon: Annotated[
        Exact, Doc("Privacy budget, at most six decimals; smaller is safer and noisier.")
    ]
    max_size: Annotated[
        int | None,
        Doc(
            "Size of the largest itemset to publish, a public number; by default all items, up "
            "to 64."
        ),
    ] = None
    universe: Annotated[
        tuple[str, ...] | None,
        Doc(
            "A public list of all items that can occur, in a public order; works best with "
            "related items next to each other."
        ),
    ] = field(default=None, metadata={"unwritten": True})
    longer: Annotated[
        Longer,
        Doc(
            "What to do with records longer than `max_size`: cut them to a random part, or drop "
            "them."
        ),
    ] = "cut"

    def __post_init__(self) -> None:
        check_fields(self)
        rate_of(self.epsilon)
        at_least_one(max_size=self.max_size)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Differential privacy."""
        epsilon = positive("epsilon", self.epsilon)
        return (DifferentialPrivacy(epsilon=epsilon, public=public_facts(self.universe)),)

    def statistics(self, data: Transactions, rng: Rng) -> ItemsetHistogram:
        """Return the distinct sets over the universe, none longer than ``max_size``, counted."""
        return limited(data, self.universe, self.max_size, self.longer, rng)

    def levels(self, statistics: ItemsetHistogram) -> list[Level]:
        """Return for each size up to the largest the sets of that size."""
        return levels_of(statistics, largest_size(len(statistics.sets.vocabulary), self.max_size))

    def cuts(self, data: Transactions) -> bool:
        """Tell whether chance decides which part of a record is counted."""
        sets = data.folded.sets if self.universe is None else data.folded.sets.over(self.universe)
        size = largest_size(len(sets.vocabulary), self.max_size)
        return self.longer == "cut" and bool((sets.sizes > size).any())


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingPeople(Counting):
    """Noisy counts of whole sets, which can be written as synthetic people."""

    rows: Annotated[
        bool, Doc("Publish synthetic people, one row each, instead of itemsets with counts.")
    ] = False

    def shaped(self, counts: ItemsetHistogram, rng: Rng) -> PublishedCounts:
        """Return the counts as they are, or as people."""
        return SyntheticPeople.of_counts(counts, rng) if self.rows else counts
