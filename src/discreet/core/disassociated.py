"""Published clusters whose records are cut; which parts belong to one person is not said."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import (
    grouped_column,
    list_column,
    refuse_damaged,
    sets_of_columns,
    whole_numbers,
)
from discreet.core.itemsets import Itemsets
from discreet.kernels.ragged import offsets_of, runs
from discreet.lazy import pl

Bag: TypeAlias = Iterable[Iterable[str]]
"""The sub-records of a chunk."""


@dataclass(frozen=True, eq=False, repr=False)
class Chunks:
    """Bags of sub-records: of a record chunk, over one cluster, or of a shared one, over several.

    Each sub-record is what one person of these clusters holds of the items of the chunk.
    """

    clusters: Itemsets
    """The clusters of each chunk, by number."""
    sets: Itemsets
    """The sub-records of all chunks."""
    chunk: NDArray[np.int64]
    """The chunk of each sub-record."""

    def __post_init__(self) -> None:
        self.chunk.setflags(write=False)

    def __len__(self) -> int:
        return len(self.clusters)

    def over(self, chunk: int) -> NDArray[np.int32]:
        """Return the clusters of one chunk."""
        return self.clusters.items[self.clusters.offsets[chunk] : self.clusters.offsets[chunk + 1]]

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """For each chunk the number of its sub-records."""
        return np.bincount(self.chunk, minlength=len(self)).astype(np.int64)

    @cached_property
    def supports(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Chunk, item and number of sub-records, for each item of each chunk, ascending."""
        width = max(1, len(self.sets.vocabulary))
        codes = np.repeat(self.chunk, self.sets.sizes) * width + self.sets.items
        distinct, counts = np.unique(codes, return_counts=True)
        return distinct // width, distinct % width, counts.astype(np.int64)

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Each cluster with each chunk over it: the number of the chunk, and of the cluster."""
        chunk = self.clusters.rows
        return chunk, self.clusters.items.astype(np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class Disassociated:
    """People in clusters, their sets in chunks: which sub-records belong together is not said.

    In a cluster an item is in one chunk, or among the terms, of each of which it is only said that
    somebody holds it. Whoever is in a cluster with chunks or terms holds something.

    >>> cut = Disassociated.of(
    ...     [
    ...         (3, [[["beer"], ["beer"]], [["wine", "bread"], ["wine"]]], ["milk"]),
    ...         (2, [], ["milk"]),
    ...     ],
    ...     shared=[([0, 1], [["tea"], ["tea"]])],
    ... )
    >>> len(cut), cut.count, cut.universe
    (5, 2, ('beer', 'bread', 'milk', 'tea', 'wine'))
    >>> cut.tables()["shared"].rows()
    [([0, 1], 0, ['tea']), ([0, 1], 0, ['tea'])]
    """

    explained: ClassVar[tuple[str, ...]] = (
        "chunks: rows in different chunks of a cluster may or may not belong to the same person.",
        "terms: somebody in the cluster holds each of these items; how many people is not said.",
        "shared: each row belongs to somebody in one of the listed clusters.",
    )
    """What a reader of the tables must be told."""

    people: NDArray[np.int64]
    """How many people are in each cluster."""
    chunks: Chunks
    """The record chunks, each over one cluster, ascending."""
    terms: Itemsets
    """The term chunk of each cluster."""
    shared: Chunks
    """The shared chunks, each over several clusters."""

    def __post_init__(self) -> None:
        self.people.setflags(write=False)
        _check(self)

    @classmethod
    def of(
        cls,
        clusters: Sequence[tuple[int, Sequence[Bag], Iterable[str]]],
        shared: Sequence[tuple[Sequence[int], Bag]] = (),
    ) -> "Disassociated":
        """Make clusters from people, chunks and terms, and chunks that several of them share."""
        own = [((cluster,), bag) for cluster, (_, bags, _) in enumerate(clusters) for bag in bags]
        both = [
            [(tuple(map(str, at)), [list(record) for record in bag]) for at, bag in each]
            for each in (own, shared)
        ]
        records = [record for each in both for _, bag in each for record in bag]
        sets = [*records, *(list(terms) for _, _, terms in clusters)]
        universe = sorted({item for record in sets for item in record})
        numbers = tuple(map(str, range(len(clusters))))
        made = [
            Chunks(
                Itemsets.of([at for at, _ in each], numbers),
                Itemsets.of([record for _, bag in each for record in bag], universe),
                np.repeat(np.arange(len(each)), [len(bag) for _, bag in each]),
            )
            for each in both
        ]
        people = np.array([count for count, _, _ in clusters], dtype=np.int64)
        terms = Itemsets.of(sets[len(records) :], universe)
        return cls(people, made[0], terms, made[1])

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"Disassociated({len(self)} people in {self.count} clusters)"

    def __len__(self) -> int:
        return int(self.people.sum())

    @property
    def count(self) -> int:
        """How many clusters there are."""
        return len(self.people)

    @property
    def universe(self) -> tuple[str, ...]:
        """The items."""
        return self.terms.vocabulary

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return the release's tables: ``chunks``, ``terms``, ``clusters`` and ``shared``."""
        own, shared = self.chunks, self.shared
        cluster = own.clusters.items.astype(np.int64)
        first = np.searchsorted(cluster, cluster)
        with_terms = np.flatnonzero(self.terms.sizes)
        over = shared.clusters.take(shared.chunk)
        return {
            "chunks": pl.DataFrame(
                {
                    "cluster": cluster[own.chunk],
                    "chunk": (np.arange(len(own)) - first)[own.chunk],
                    "items": list_column(own.sets),
                }
            ),
            "terms": pl.DataFrame(
                {"cluster": with_terms, "items": list_column(self.terms.take(with_terms))}
            ),
            "clusters": pl.DataFrame(
                {"cluster": np.arange(self.count, dtype=np.int64), "people": self.people.copy()}
            ),
            "shared": pl.DataFrame(
                {
                    "cluster": grouped_column(
                        pl.Series(over.items.astype(np.int64), dtype=pl.Int64), over.sizes
                    ),
                    "chunk": shared.chunk.copy(),
                    "items": list_column(shared.sets),
                }
            ),
        }

    @classmethod
    def of_tables(cls, tables: "Mapping[str, pl.DataFrame]") -> "Disassociated":
        """Read the clusters back from their tables."""
        clusters, terms = tables["clusters"].sort("cluster"), tables["terms"]
        if clusters["cluster"].to_list() != list(range(clusters.height)):
            refuse_damaged("the table of clusters must name each cluster once, numbered from 0")
        count = clusters.height
        own, over = tables["chunks"], tables["shared"]
        sets = sets_of_columns([table["items"] for table in (own, over, terms)])
        cluster, chunk = (whole_numbers(own[name]).tolist() for name in ("cluster", "chunk"))
        listed = [tuple(sorted(at or ())) for at in over["cluster"].to_list()]
        number = whole_numbers(over["chunk"]).tolist()
        if len(set(zip(number, listed, strict=True))) > len(set(number)):
            refuse_damaged("a shared chunk must be over the same clusters in all its rows")
        return cls(
            whole_numbers(clusters["people"]),
            _chunks(
                sets[0], list(zip(cluster, chunk, strict=True)), [(at,) for at in cluster], count
            ),
            _term_chunks(sets[2], whole_numbers(terms["cluster"]), count),
            _chunks(sets[1], [(each,) for each in number], listed, count),
        )


def _chunks(
    sets: Itemsets,
    names: list[tuple[int, ...]],
    clusters: list[tuple[int, ...]],
    count: int,
) -> Chunks:
    """Return the chunks of sub-records, of each of which the chunk and its clusters are given."""
    over = dict(zip(names, clusters, strict=True))
    number = {name: index for index, name in enumerate(sorted(over))}
    listed = [over[name] for name in number]
    if any(not 0 <= at < count for each in listed for at in each):
        refuse_damaged("a chunk must be over clusters of the table of clusters")
    if any(len(set(each)) < len(each) for each in listed):
        refuse_damaged("a shared chunk must name each of its clusters once")
    numbers = tuple(map(str, range(count)))
    at = Itemsets.of([map(str, each) for each in listed], numbers)
    return Chunks(at, sets, np.array([number[name] for name in names], dtype=np.int64))


def _term_chunks(sets: Itemsets, cluster: NDArray[np.int64], count: int) -> Itemsets:
    """Return the terms of each cluster, none where the table has no row for it."""
    if len(np.unique(cluster)) < len(cluster) or (cluster >= count).any() or (cluster < 0).any():
        refuse_damaged(
            "the table of terms must have one row for a cluster, of the table of clusters"
        )
    sizes = np.zeros(count, dtype=np.int64)
    sizes[cluster] = sets.sizes
    return Itemsets(offsets_of(sizes), sets.take(np.argsort(cluster)).items, sets.vocabulary)


def _check(content: Disassociated) -> None:
    """Refuse what no data set can be behind; nothing of the content is shown."""
    if (content.people < 1).any():
        refuse_damaged("a cluster must have at least one person")
    for chunks in (content.chunks, content.shared):
        if not chunks.sets.sizes.all() or not chunks.clusters.sizes.all():
            refuse_damaged("a sub-record must hold an item, and a chunk must have a cluster")
        chunk, cluster = chunks.places
        room = np.bincount(chunk, content.people[cluster], len(chunks))
        if (chunks.sizes > room).any():
            refuse_damaged("a chunk must have no more sub-records than there are people")
    if (content.chunks.clusters.sizes != 1).any():
        refuse_damaged("a record chunk must be of one cluster")
    _refuse_ambiguous(content)


def _refuse_ambiguous(content: Disassociated) -> None:
    """Refuse an item that has two places in a cluster."""
    width = max(1, len(content.universe))
    codes = [content.terms.rows * width + content.terms.items]
    for chunks in (content.chunks, content.shared):
        chunk, item, _ = chunks.supports
        starts = np.searchsorted(chunk, np.arange(len(chunks) + 1))
        over, cluster = chunks.places
        sizes = np.diff(starts)[over]
        items = item[runs(starts[over], sizes)]
        codes.append(np.repeat(cluster, sizes) * width + items)
    # sorted, for a table of hashes takes far longer where sub-records are very long
    every = np.sort(np.concatenate(codes))
    if (np.diff(every) == 0).any():
        refuse_damaged("an item must be in one chunk of a cluster, or among its terms")
