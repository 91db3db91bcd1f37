"""What a release of clusters will say, decided once; then every record finds its row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import BAG, Clusters
from discreet.core.histogram import list_column
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.lazy import pl
from discreet.rng import Rng
from discreet.series.clusters.public_order import numbered, set_keys
from discreet.series.corpus import Corpus, Shown

Ints: TypeAlias = NDArray[np.int64]
Counterfeit: TypeAlias = tuple[int, tuple[str, ...]]
"""The cluster of a counterfeit person, and the non-private set."""


@dataclass(frozen=True, eq=False)
class PrivateTables:
    """All that a release says beside its sets, the clusters under the names they go by."""

    names: Ints
    """The name of each cluster: numbers in a random order."""
    terms: tuple[str, ...]
    """The private terms of the release."""
    entries: tuple[Ints, Ints, Ints]
    """Cluster, term and copies of every private entry, in the order of the names."""
    counterfeits: Ints
    """For each name how many counterfeits are declared."""
    rates: tuple[Ints, Ints]
    """For each term the numerator and the denominator of its population rate."""

    @classmethod
    def of(cls, terms: tuple[str, ...], shown: Shown, rng: Rng) -> "PrivateTables":
        """Name the clusters at random, and list what they show."""
        names = rng.permutation(len(shown.counterfeits))
        totals = shown.bag.copy()
        for term, copies in shown.copies.items():
            totals[term] += copies.sum()
        present = np.flatnonzero(totals)
        declared = np.empty(len(names), dtype=np.int64)
        declared[names] = shown.counterfeits
        common = np.gcd(totals[present], shown.people)
        return cls(
            names,
            tuple(terms[term] for term in present),
            _entries(shown, present, names),
            declared,
            (totals[present] // common, shown.people // common),
        )

    def clusters_of(self, sets: Itemsets, cluster: Ints) -> Clusters:
        """Return the release of these sets in clusters of these names."""
        return Clusters(sets, cluster, self.terms, *self.entries, self.counterfeits, *self.rates)


def _entries(shown: Shown, present: Ints, names: Ints) -> tuple[Ints, Ints, Ints]:
    chunks = [np.zeros((3, 0), dtype=np.int64)]
    for number, term in enumerate(present.tolist()):
        copies = shown.copies.get(term, np.zeros(0, dtype=np.int64))
        inside = np.flatnonzero(copies)
        chunks.append(np.stack([names[inside], np.full(len(inside), number), copies[inside]]))
        if shown.bag[term]:
            chunks.append(np.array([[BAG], [number], [shown.bag[term]]], dtype=np.int64))
    entries = np.concatenate(chunks, axis=1)
    owner, term, copies = entries[:, np.lexsort((entries[1], entries[0]))].astype(np.int64)
    return owner.copy(), term.copy(), copies.copy()


@dataclass(frozen=True, eq=False)
class ClusterPlan:
    """Where every non-private set goes, and what the clusters will show."""

    sets: Itemsets
    """The distinct non-private sets."""
    cluster: Ints
    """The name of the cluster of each."""
    private: PrivateTables
    """What stands beside the sets."""

    @classmethod
    def of(cls, corpus: Corpus, cluster: Ints, shown: Shown, rng: Rng) -> "ClusterPlan":
        """Plan a release; ``cluster`` is that of each distinct set."""
        private = PrivateTables.of(corpus.terms, shown, rng)
        return cls(corpus.kinds[1], private.names[cluster], private)

    def apply(self, data: Transactions) -> "ClusterRows":
        """Return the rows that these records become, in the order of ``data``."""
        sets = data.sets.over(self.sets.vocabulary)
        (planned, kind), count = numbered([self.sets, sets])
        cluster = np.full(count, -1, dtype=np.int64)
        cluster[planned] = self.cluster
        return ClusterRows(sets, cluster[kind], self.private)


@dataclass(frozen=True, eq=False)
class ClusterRows:
    """What some records become in a release of clusters; not all clusters need have a row."""

    published_as: ClassVar = "Clusters"
    """What the rows of all records make."""
    explained: ClassVar = Clusters.explained
    """What a reader of their tables must be told."""

    sets: Itemsets
    """The non-private set of each record."""
    cluster: Ints
    """The name of its cluster."""
    private: PrivateTables
    """What stands beside the sets of all records."""

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return these rows, and the tables that go along."""
        everywhere = np.arange(len(self.private.names))
        whole = self.private.clusters_of(Itemsets.of([[]] * len(everywhere)), everywhere)
        rows = {"cluster": pl.Series(self.cluster), "items": list_column(self.sets)}
        return whole.tables() | {"sets": pl.DataFrame(rows)}


def published(rows: ClusterRows, ids: NDArray[np.str_] | None) -> tuple[Clusters, "pl.DataFrame"]:
    """Return the release of all records, and which record each of its rows is."""
    order = _order(rows.sets, rows.cluster, ids)
    content = rows.private.clusters_of(rows.sets.take(order), rows.cluster[order])
    return content, linkage_rows(order, len(order))


def assemble(
    corpus: Corpus, cluster: Ints, shown: Shown, fakes: Sequence[Counterfeit], rng: Rng
) -> tuple[Clusters, Ints]:
    """Return the release, and for each of its rows the row of the corpus, then of ``fakes``."""
    private = PrivateTables.of(corpus.terms, shown, rng)
    owner = np.concatenate([cluster, np.array([group for group, _ in fakes], dtype=np.int64)])
    sets = joined(corpus.sets, [items for _, items in fakes])
    name = private.names[owner]
    order = _order(sets, name, None)
    return private.clusters_of(sets.take(order), name[order]), order


def _order(sets: Itemsets, cluster: Ints, ids: NDArray[np.str_] | None) -> Ints:
    """Return the rows by cluster and set: what the order tells, the rows themselves tell."""
    return np.lexsort((*(() if ids is None else (ids,)), *set_keys(sets), cluster))


def joined(sets: Itemsets, more: Sequence[Sequence[str]]) -> Itemsets:
    """Return the sets and, behind them, more over a vocabulary that may be larger."""
    vocabulary = sorted({*sets.vocabulary, *(item for items in more for item in items)})
    return Itemsets.joined([sets.over(vocabulary), Itemsets.of(more, vocabulary)])


def linkage_rows(rows: Ints, people: int, records: Ints | None = None) -> "pl.DataFrame":
    """Return which record is which row; ``rows`` counts ``people`` first, then counterfeits."""
    real = np.flatnonzero(rows < people)
    record = rows[real] if records is None else records[rows[real]]
    return pl.DataFrame({"row": real, "record": record})
