"""AplFree: a published histogram without attribute leakage, by what is added to it."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from discreet.core.doc import Doc
from discreet.core.exact import in_range
from discreet.core.fields import check_fields
from discreet.core.fold import fold
from discreet.core.guarantee import Guarantee, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.publication import Publication
from discreet.core.publisher import refuse_misfits
from discreet.core.release import Release
from discreet.core.synthetic_people import PublishedCounts
from discreet.counts.post_processing import (
    counts_of,
    guarantees_after,
    manifest_after,
    shaped_as,
)
from discreet.kernels.maximal import maximal_sets
from discreet.rng import Rng, secure

MOST = 10**6
"""The largest count that may be added: sums over any release fit a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AplFree:
    """A release of itemset counts, made free of attribute leakage; costs no budget.

    The repair of Wang, Li, Lui and Sun, Computers & Security 113, 2022, as a step of its own after
    any method. If a published itemset is the only one that contains a certain set with one item
    less, that set is published too. Only the release is used, so its differential privacy is not
    affected; nothing that was published is removed or changed (see the soundness note on apl-free).
    """

    count: Annotated[
        int,
        Doc(
            "The count that every added itemset gets, the same for all and chosen without "
            "looking at the data. A larger one is harder to tell from a true count, and distorts "
            "more."
        ),
    ] = 1

    def __post_init__(self) -> None:
        check_fields(self)
        in_range(1, MOST, count=self.count)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """No attribute leakage; a release keeps its differential privacy beside it."""
        return (NoAttributeLeakage(),)

    def publish(
        self, data: Release[PublishedCounts], rng: Rng | None = None
    ) -> Publication[PublishedCounts]:
        """Publish the release ``data`` with every missing boundary itemset added."""
        refuse_misfits(data, Release, rng)
        rng = rng or secure()
        content = shaped_as(data, self.decide(self.statistics(data, rng), rng), rng)
        manifest = manifest_after(self, "apl-free", data.manifest, rng)
        return Publication(Release(content, guarantees_after(self.guarantees, data), manifest))

    def statistics(self, data: Release[PublishedCounts], rng: Rng) -> ItemsetHistogram:
        """Return the published counts in an order that only their content decides."""
        return counts_of(data, "apl-free")

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> ItemsetHistogram:
        """Return the published counts with every missing boundary itemset among them."""
        completed = with_boundaries(statistics, self.count)
        # added rows at the end would tell which they are
        return completed.take(rng.permutation(len(completed)))


def missing_boundaries(sets: Itemsets) -> Itemsets:
    """Return every set, one item short of a published one, that no other published set contains.

    >>> list(missing_boundaries(Itemsets.of([["a", "b"], ["b", "c"], ["b"]])))
    [('a',), ('c',)]
    """
    _, missing = maximal_sets(sets.offsets, sets.items, len(sets.vocabulary))
    # a published set given twice misses the same boundary twice
    return fold(sets.shortened(np.flatnonzero(missing))).sets


def with_boundaries(content: ItemsetHistogram, count: int = 1) -> ItemsetHistogram:
    """Return the counts with every missing boundary itemset added, held by so many people."""
    sets, added = content.sets, missing_boundaries(content.sets)
    counts = np.concatenate([content.counts, np.full(len(added), count, dtype=np.int64)])
    return ItemsetHistogram(Itemsets.joined([sets, added]), counts)
