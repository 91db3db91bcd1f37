"""Disassociation: records of similar people cut into parts that cannot be put together again."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.disassociated import Chunks, Disassociated
from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, exact, in_range
from discreet.core.fields import check_fields
from discreet.core.guarantee import Guarantee
from discreet.core.guarantees.sets import Disassociated as Promise
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publication import LinkageKey, Publication
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Release
from discreet.core.statistics import FoldedSets
from discreet.core.transactions import Transactions
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.generalised.chunks.chunking import Chunking
from discreet.generalised.chunks.covering import Covering
from discreet.generalised.chunks.separation import Cut, Entries, Separation
from discreet.generalised.kernels.blocks import MOST_ITEMS
from discreet.generalised.kernels.horizontal import clusters_by_items
from discreet.kernels.folding import lexicographic
from discreet.lazy import pl
from discreet.rng import Rng, secure

SPLIT = 6
"""A cluster is split from so many times k people on, where nothing else is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disassociation:
    """Disassociation: all items stay; which of them belong to the same person is hidden.

    Terrovitis, Liagouris, Mamoulis and Skiadopoulos 2012. People with similar sets form clusters.
    In each cluster, items are divided into chunks in which any m of them match k people, and the
    release does not say which parts of different chunks belong to the same person. Rare items are
    listed for the whole cluster, or put into chunks that several clusters share. The soundness note
    on disassociation explains what differs from the paper.
    """

    in_memory: ClassVar[str] = "it gives the parts of single records to chunks"

    k: Annotated[int, Doc("Least number of people who could hold any known items together.")]
    m: Annotated[int, Doc("How many items of a person someone may know, at most.")]
    cluster_size: Annotated[
        int | None,
        Doc("Clusters with more people than this are split if possible; 6 k by default."),
    ] = None
    refine: Annotated[
        bool, Doc("Let clusters share chunks of items that are rare in each of them.")
    ] = True
    cover: Annotated[
        Exact | None,
        Doc(
            "Largest confidence with which an item of one chunk may necessarily follow from an "
            "item of another (the cover problem); without it, such items are left as they are."
        ),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)
        promise = Promise(k=self.k, m=self.m, cover=self.cover)
        object.__setattr__(self, "cover", promise.cover)
        in_range(1, MOST_ITEMS, m=self.m)
        if self.cluster_size is not None:
            at_least_one(cluster_size=self.cluster_size)
            if self.cluster_size < self.k:
                msg = f"`cluster_size` must be at least `k` = {self.k}, got {self.cluster_size}"
                raise ParameterError(msg, parameter="cluster_size")

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Any m items could be those of k people."""
        return (Promise(k=self.k, m=self.m, cover=self.cover),)

    def statistics(self, data: Transactions, rng: Rng) -> FoldedSets:
        """Return the distinct sets with their counts."""
        return FoldedSets.of(data)

    def decide(self, statistics: FoldedSets, rng: Rng) -> Separation:
        """Return the cluster of each distinct set and the chunk of each of its items."""
        entries = self._clustered(statistics.histogram)
        chunking = Chunking(entries, self.k, self.m)
        limit = None if self.cover is None else exact("cover", self.cover)
        chunk_of = chunking.with_terms(chunking.vertical())
        chunk_of = chunk_of if limit is None else chunking.without_cover(chunk_of, limit)
        chunk_of, joined = chunking.refined(chunk_of) if self.refine else (chunk_of, [])
        # in an order that nothing of the data decides
        number = rng.permutation(entries.count)
        plan = Separation.of(entries, chunk_of, joined, number)
        return plan if limit is None else _without_cover(plan, entries.folded, limit)

    def _clustered(self, folded: ItemsetHistogram) -> Entries:
        """Return the sets by clusters; those who hold nothing are a cluster of their own."""
        holding = np.flatnonzero(folded.sets.sizes)
        people = int(folded.counts[holding].sum())
        if 0 < people < self.k:
            msg = f"at least `k` = {self.k} records must hold an item, and {people} do"
            raise InfeasibleError(msg, parameter="k")
        sets = folded.sets.take(holding)
        most = SPLIT * self.k if self.cluster_size is None else self.cluster_size
        cluster = np.full(len(folded), -1, dtype=np.int64)
        cluster[holding] = clusters_by_items(
            sets.offsets.copy(),
            sets.items.copy(),
            folded.counts[holding],
            len(sets.vocabulary),
            (self.k, most),
        )
        cluster -= cluster.min()
        order = np.argsort(cluster, kind="stable")
        return Entries(folded.take(order), cluster[order], int(cluster.max()) + 1)

    def apply(self, plan: Separation, data: Transactions) -> Disassociated:
        """Return the parts of the records of ``data``, in its order."""
        return plan.cut(data).content

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Disassociated]:
        """Publish the parts of all records, shuffled within each chunk."""
        refuse_misfits(data, Transactions, rng)
        if not len(data):
            raise DataError("data to publish must hold at least one record, got none")
        rng = rng or secure()
        plan = self.decide(self.statistics(data, rng), rng)
        order = lexicographic(data.offsets, data.items, len(data.universe))
        cut = plan.cut(Transactions(data.sets.take(order)))
        content, key = _shuffled(cut, order, rng)
        manifest = manifest_of(self, "disassociation", rng)
        return Publication(Release(content, self.guarantees, manifest), key)


def _without_cover(plan: Separation, folded: ItemsetHistogram, limit: Fraction) -> Separation:
    """Return the plan without shared chunks by which an item follows too surely."""
    people = Transactions(folded.sets.take(np.repeat(np.arange(len(folded)), folded.counts)))
    while True:
        links = Covering(plan.cut(people).content).links(limit)
        dropped = {
            chunk for link in links if link.both > limit * link.people for chunk in link.shared
        }
        if not dropped:
            return plan
        plan = plan.without(dropped)


def _shuffled(cut: Cut, order: NDArray[np.int64], rng: Rng) -> tuple[Disassociated, LinkageKey]:
    """Return the content with the rows of each chunk in random order, and whose they are."""
    content = cut.content
    made: list[Chunks] = []
    tables = {"people": pl.DataFrame({"record": order, "cluster": cut.cluster}).sort("record")}
    for name, chunks, record in (
        ("rows", content.chunks, cut.record),
        ("shared", content.shared, cut.shared_record),
    ):
        mixed = rng.permutation(len(record))
        mixed = mixed[np.argsort(chunks.chunk[mixed], kind="stable")]
        made.append(Chunks(chunks.clusters, chunks.sets.take(mixed), chunks.chunk[mixed]))
        rows = {"row": np.arange(len(mixed)), "record": order[record[mixed]]}
        tables[name] = pl.DataFrame(rows)
    return Disassociated(content.people, made[0], content.terms, made[1]), LinkageKey(tables)
