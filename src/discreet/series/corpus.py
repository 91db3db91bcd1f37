"""A corpus cut in two: what others may know of a transaction, and its private terms."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets
from discreet.core.statistics import SetsElsewhere
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError
from discreet.series.clusters.public_order import numbered, public_order, runs


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """The non-private set and the private terms of people, those who are alike once or each."""

    sets: Itemsets
    """The non-private sets."""
    private: Itemsets
    """The private terms that go with each."""
    weights: NDArray[np.int64]
    """How many people have both."""

    @classmethod
    def of(cls, data: Transactions, more: Iterable[str] = ()) -> "Corpus":
        """Cut each transaction in two, refusing none at all and none that are private.

        ``more`` are private terms that need not occur in these data.
        """
        if len(data) == 0:
            raise DataError("the corpus must hold at least one transaction, got none")
        if not data.sensitive:
            msg = "the private terms must be named, got none; name them with `sensitive`"
            raise ParameterError(msg, parameter="sensitive")
        known = sorted(item for item in data.universe if item not in data.sensitive)
        terms = sorted(data.sensitive.intersection({*data.universe, *more}))
        ones = np.ones(len(data), dtype=np.int64)
        return cls(data.sets.over(known), data.sets.over(terms), ones)

    @classmethod
    def folded_of(cls, data: Transactions | SetsElsewhere) -> "Corpus":
        """Return each pair of a non-private set and private terms once, with its people."""
        people = data.folded
        once = cls.of(Transactions(people.sets, sensitive=data.sensitive))
        return replace(once, weights=people.counts).folded()

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def terms(self) -> tuple[str, ...]:
        """The private terms, sorted; some may not occur."""
        return self.private.vocabulary

    @cached_property
    def people(self) -> int:
        """How many people there are."""
        return int(self.weights.sum())

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """How many people hold each private term."""
        supports = np.zeros(len(self.terms), dtype=np.int64)
        np.add.at(supports, self.private.items, np.repeat(self.weights, self.private.sizes))
        return supports

    @cached_property
    def kinds(self) -> tuple[NDArray[np.int64], Itemsets]:
        """For each row the number of its non-private set, and these distinct sets."""
        [kind], _ = numbered([self.sets])
        _, first = np.unique(kind, return_index=True)
        return kind, self.sets.take(first)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """The distinct sets in the public order."""
        return public_order(self.kinds[1])

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many people have each distinct set."""
        counts = np.zeros(len(self.kinds[1]), dtype=np.int64)
        np.add.at(counts, self.kinds[0], self.weights)
        return counts

    def canonical(self, ids: NDArray[np.str_] | None) -> NDArray[np.int64]:
        """Return the rows in an order that depends on what they hold, and on ids for equal ones."""
        [value], _ = numbered([self.private])
        return np.lexsort((*(() if ids is None else (ids,)), value, self.kinds[0]))

    def take(self, rows: NDArray[np.int64]) -> "Corpus":
        """Return some rows, in that order."""
        return Corpus(self.sets.take(rows), self.private.take(rows), self.weights[rows])

    def folded(self) -> "Corpus":
        """Return each pair of a non-private set and private terms once: no record is seen in it."""
        [value], values = numbered([self.private])
        _, first, pair = np.unique(
            self.kinds[0] * max(values, 1) + value, return_index=True, return_inverse=True
        )
        weights = np.zeros(len(first), dtype=np.int64)
        np.add.at(weights, pair, self.weights)
        return Corpus(self.sets.take(first), self.private.take(first), weights)

    def clustered(self, size: int) -> NDArray[np.int64]:
        """Return the cluster of each distinct set: runs of the public order, equal sets together.

        Only the non-private sets decide, so the clusters themselves tell nothing private.
        """
        cluster = np.empty(len(self.order), dtype=np.int64)
        cluster[self.order] = runs(self.counts[self.order], size)
        return cluster

    def sizes(self, cluster: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many people each cluster has; ``cluster`` is that of each row."""
        sizes = np.zeros(int(cluster.max(initial=-1)) + 1, dtype=np.int64)
        np.add.at(sizes, cluster, self.weights)
        return sizes

    def copies_in(self, cluster: NDArray[np.int64]) -> "CopiesByCluster":
        """Return how many copies of each term the people of each cluster hold."""
        owner = np.repeat(cluster, self.private.sizes)
        count = int(cluster.max(initial=-1)) + 1
        entry, index = np.unique(
            self.private.items.astype(np.int64) * count + owner, return_inverse=True
        )
        copies = np.zeros(len(entry), dtype=np.int64)
        np.add.at(copies, index, np.repeat(self.weights, self.private.sizes))
        return CopiesByCluster(entry // max(count, 1), entry % max(count, 1), copies, count)


@dataclass(frozen=True, eq=False)
class CopiesByCluster:
    """Copies of private terms in clusters, by term."""

    term: NDArray[np.int64]
    cluster: NDArray[np.int64]
    copies: NDArray[np.int64]
    clusters: int

    def of(self, term: int) -> NDArray[np.int64]:
        """Return the copies of a term in every cluster."""
        begin, end = np.searchsorted(self.term, [term, term + 1])
        counts = np.zeros(self.clusters, dtype=np.int64)
        counts[self.cluster[begin:end]] = self.copies[begin:end]
        return counts


@dataclass(frozen=True, eq=False)
class Shown:
    """What a release is to show of the private terms, and of counterfeits."""

    copies: Mapping[int, NDArray[np.int64]]
    """For each term the copies in every cluster; a term that is missing shows none."""
    bag: NDArray[np.int64]
    """For each term the copies in the global bag."""
    people: int
    """Over how many people the rates are."""
    counterfeits: NDArray[np.int64]
    """For each cluster how many counterfeits are declared."""
