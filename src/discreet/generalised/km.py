"""k^m-anonymity: any m items that are known of a person fit at least k records, or none."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import Guarantee, KmAnonymity
from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey, Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError
from discreet.generalised.constraint_search import Generalising, rows_of
from discreet.generalised.kernels.blocks import MOST_ITEMS
from discreet.generalised.km_search import Anonymising, cut_of, leaf_order
from discreet.generalised.publishing import published_rows, shuffled
from discreet.rng import Rng, secure

__all__ = ["Km"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Km:
    """Records in which any m known items fit at least k people, or nobody.

    Terrovitis, Mamoulis and Kalnis 2008. With a hierarchy items are lifted in it, everywhere
    alike, as their apriori-based algorithm does, always where it costs least; without one, items
    are merged into sets as COAT does. Everything is suppressed where fewer than k people have any
    item at all, which is the only case in which nothing else helps.
    """

    called: ClassVar[str] = "km-anonymity"

    k: Annotated[
        int, Doc("Least number of records that known items must fit, unless they fit none.")
    ]
    m: Annotated[int, Doc("Most items of a person that someone may know.")]
    hierarchy: Annotated[
        Hierarchy | None,
        Doc("What an item may be replaced by; without it, items are merged into sets."),
    ] = field(default=None, metadata={"unwritten": True})

    def __post_init__(self) -> None:
        check_fields(self)
        KmAnonymity(k=self.k, m=self.m)
        if self.m > MOST_ITEMS:
            msg = f"`m` must be from 1 to {MOST_ITEMS}, got {self.m}"
            raise ParameterError(msg, parameter="m")

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K^m-anonymity."""
        return (KmAnonymity(k=self.k, m=self.m),)

    def publish(
        self, data: Transactions, rng: Rng | None = None
    ) -> Publication[GeneralisedSets | Transactions]:
        """Publish the records of ``data``: items lifted in the hierarchy, or merged into sets."""
        rng = rng or secure()
        import polars as pl

        if not len(data):
            msg = "data to publish must hold at least one record, got none"
            raise DataError(msg)
        content: GeneralisedSets | Transactions
        if self.hierarchy is None:
            content, rows = self._by_sets(data, rng)
        else:
            content, rows = self._by_hierarchy(self.hierarchy, data, rng)
        release = Release(content, self.guarantees, manifest_of(self, self.called, rng))
        kept = pl.DataFrame({"row": np.arange(len(rows)), "record": rows})
        return Publication(release, LinkageKey({"rows": kept}))

    def _anonymising(self, data: Transactions) -> Anonymising | None:
        """Return the blocks to work on; nothing where too few people have any item."""
        if int((data.sets.sizes > 0).sum()) < self.k:
            return None
        return Anonymising(Generalising(rows_of(data.folded)), self.k, self.m)

    def _by_sets(self, data: Transactions, rng: Rng) -> tuple[GeneralisedSets, NDArray[np.int64]]:
        block = np.full(len(data.universe), -1, dtype=np.int64)
        if (anonymising := self._anonymising(data)) is not None:
            anonymising.by_sets()
            block = anonymising.work.blocks.block
        return published_rows(data, block, rng)

    def _by_hierarchy(
        self, hierarchy: Hierarchy, data: Transactions, rng: Rng
    ) -> tuple[Transactions, NDArray[np.int64]]:
        held = [item for item, people in zip(data.universe, data.supports, strict=True) if people]
        ordered = data.over(leaf_order(hierarchy, held))
        cut = cut_of(hierarchy, ordered.universe)
        names: list[str] = []
        label = np.full(len(ordered.universe), -1, dtype=np.int64)
        if (anonymising := self._anonymising(ordered)) is not None:
            anonymising.by_hierarchy(cut)
            nodes = np.unique(cut.node)
            names = sorted(hierarchy.names[node] for node in nodes)
            rank = {name: place for place, name in enumerate(names)}
            label = np.array([rank[hierarchy.names[node]] for node in cut.node], dtype=np.int64)
        offsets, labels, rows = shuffled(ordered, label, len(names), rng)
        sets = Itemsets(offsets, labels, tuple(names))
        return Transactions(sets, applied=hierarchy), rows
