"""A corpus cut in two: what others may know of a transaction, and its private terms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import BAG, Clusters
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError
from discreet.rng import Rng
from discreet.series.public_order import numbered, public_order, runs

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Corpus", "Shown", "assemble", "kept_rows"]


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """The non-private set and the private terms of each record."""

    sets: Itemsets
    """The non-private set of each record."""
    private: Itemsets
    """The private terms of each record."""

    @classmethod
    def of(cls, data: Transactions, more: Iterable[str] = ()) -> "Corpus":
        """Cut the transactions in two, refusing none at all and none that are private.

        ``more`` are private terms that need not occur in these data.
        """
        if len(data) == 0:
            msg = "the corpus must hold at least one transaction, got none"
            raise DataError(msg)
        if not data.sensitive:
            msg = "the private terms must be named, got none; name them with `sensitive`"
            raise ParameterError(msg, parameter="sensitive")
        known = [item for item in data.universe if item not in data.sensitive]
        terms = sorted(data.sensitive.intersection({*data.universe, *more}))
        return cls(data.sets.over(known), data.sets.over(terms))

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def terms(self) -> tuple[str, ...]:
        """The private terms, sorted; some may not occur."""
        return self.private.vocabulary

    @cached_property
    def kinds(self) -> tuple[NDArray[np.int64], Itemsets]:
        """For each record the number of its non-private set, and these distinct sets."""
        [kind], _ = numbered([self.sets])
        _, first = np.unique(kind, return_index=True)
        return kind, self.sets.take(first)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """The distinct sets in the public order."""
        return public_order(self.kinds[1])

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many records have each distinct set."""
        return np.bincount(self.kinds[0])

    def clustered(self, size: int) -> NDArray[np.int64]:
        """Return the cluster of each distinct set: runs of the public order, equal sets together.

        Only the non-private sets decide, so the clusters themselves tell nothing private.
        """
        cluster = np.empty(len(self.order), dtype=np.int64)
        cluster[self.order] = runs(self.counts[self.order], size)
        return cluster

    def held(self, cluster: NDArray[np.int64]) -> "Held":
        """Return how many copies of each term the records of each cluster hold."""
        owner = np.repeat(cluster, self.private.sizes)
        count = int(cluster.max(initial=-1)) + 1
        entry, copies = np.unique(
            self.private.items.astype(np.int64) * count + owner, return_counts=True
        )
        return Held(entry // max(count, 1), entry % max(count, 1), copies, count)


@dataclass(frozen=True, eq=False)
class Held:
    """Copies of private terms in clusters, by term."""

    term: NDArray[np.int64]
    cluster: NDArray[np.int64]
    copies: NDArray[np.int64]
    clusters: int

    def of(self, term: int) -> NDArray[np.int64]:
        """Return the copies of a term in every cluster."""
        begin, end = np.searchsorted(self.term, [term, term + 1])
        held = np.zeros(self.clusters, dtype=np.int64)
        held[self.cluster[begin:end]] = self.copies[begin:end]
        return held


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
    sets: Sequence[tuple[int, tuple[str, ...]]] = ()
    """The counterfeits: cluster and non-private set, declared or not."""


def assemble(
    corpus: Corpus, cluster: NDArray[np.int64], shown: Shown, rng: Rng
) -> tuple[Clusters, NDArray[np.int64]]:
    """Return the release, and what is behind each of its rows: a record, then the counterfeits.

    Rows and clusters come in a random order.
    """
    owner = np.concatenate([cluster, np.array([place for place, _ in shown.sets], dtype=np.int64)])
    sets = _joined(corpus.sets, [items for _, items in shown.sets])
    rows, names = rng.permutation(len(owner)), rng.permutation(len(shown.counterfeits))
    totals = shown.bag + np.array(
        [int(shown.copies[t].sum()) if t in shown.copies else 0 for t in range(len(shown.bag))],
        dtype=np.int64,
    )
    present = np.flatnonzero(totals)
    declared = np.empty(len(names), dtype=np.int64)
    declared[names] = shown.counterfeits
    content = Clusters(
        sets.take(rows),
        names[owner][rows],
        tuple(corpus.terms[term] for term in present),
        *_entries(shown, present, names),
        declared,
        totals[present] // np.gcd(totals[present], shown.people),
        shown.people // np.gcd(totals[present], shown.people),
    )
    return content, rows


def _joined(sets: Itemsets, more: list[tuple[str, ...]]) -> Itemsets:
    """Return the sets and, behind them, more over a vocabulary that may be larger."""
    known = set(sets.vocabulary)
    new = sorted({item for items in more for item in items} - known)
    added = Itemsets.of(more, (*sets.vocabulary, *new))
    offsets = np.concatenate([sets.offsets, sets.offsets[-1] + added.offsets[1:]])
    return Itemsets(offsets, np.concatenate([sets.items, added.items]), added.vocabulary)


def _entries(
    shown: Shown, present: NDArray[np.int64], names: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return cluster, term and copies of every private entry, in a public order."""
    parts = []
    for number, term in enumerate(present):
        held = shown.copies.get(int(term), np.zeros(0, dtype=np.int64))
        places = np.flatnonzero(held)
        parts.append(np.stack([names[places], np.full(len(places), number), held[places]]))
        if shown.bag[term]:
            parts.append(np.array([[BAG], [number], [shown.bag[term]]], dtype=np.int64))
    entries = np.concatenate(parts, axis=1) if parts else np.zeros((3, 0), dtype=np.int64)
    owner, term, copies = entries[:, np.lexsort((entries[1], entries[0]))].astype(np.int64)
    return owner.copy(), term.copy(), copies.copy()


def kept_rows(behind: NDArray[np.int64], records: NDArray[np.int64]) -> "pl.DataFrame":
    """Return which record is behind which row; ``behind`` counts among the published records."""
    import polars as pl

    real = np.flatnonzero(behind < len(records))
    return pl.DataFrame({"row": real, "record": records[behind[real]]})
