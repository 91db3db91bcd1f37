"""Made-up people: published counts of sets, spelled out as one row a person."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.randomness import Rng
from discreet.core.transactions import Transactions


@dataclass(frozen=True, eq=False, repr=False)
class SyntheticPeople(Transactions):
    """Transactions of people whom nobody ever met: a set occurs as often as its count says.

    Programs that expect a row a person read it as they read the data. The rows are in random
    order and have no ids; counts and rows tell the same.
    """

    explained: ClassVar[tuple[str, ...]] = (
        "Each row is a made-up person and is about nobody: a set occurs as often as its noisy "
        "count says. The order of the rows means nothing.",
    )

    @classmethod
    def of_counts(cls, counts: ItemsetHistogram, rng: Rng) -> "SyntheticPeople":
        """Spell counts out as people, in random order."""
        rows = np.repeat(np.arange(len(counts)), counts.counts)
        return cls(counts.sets.take(rows[rng.permutation(len(rows))]))

    def __repr__(self) -> str:
        return f"SyntheticPeople({len(self)} rows over {len(self.universe)} items)"


PublishedCounts: TypeAlias = ItemsetHistogram | SyntheticPeople
"""Counts of sets, in either shape in which they are released."""


def counts_in(content: PublishedCounts) -> ItemsetHistogram:
    """Return the counts that are published, whether as counts or as people."""
    return content if isinstance(content, ItemsetHistogram) else content.folded


def rows_in(content: PublishedCounts) -> NDArray[np.int64]:
    """Return for each set of ``counts_in`` a row of the release that holds it, the first one.

    >>> from discreet.core.itemsets import Itemsets
    >>> rows_in(SyntheticPeople(Itemsets.of([["b"], ["a", "b"], ["b"], ["a"]]))).tolist()
    [3, 1, 0]
    """
    from discreet.core.fold import canonical_order

    if isinstance(content, ItemsetHistogram):
        return np.arange(len(content))
    begins = np.cumsum(content.folded.counts) - content.folded.counts
    return np.minimum.reduceat(canonical_order(content), begins) if len(content) else begins
