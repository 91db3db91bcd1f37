"""What a plan is decided from: records folded until none of them is left, only how many are alike.

The order is one that only content decides, so whoever folds, this process or an engine, gets the
same statistics. Tables of people fold to ``tables.folding.FoldedTable``.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FoldedSets:
    """The distinct sets with their counts, and which items are sensitive.

    >>> folded = FoldedSets.of(Transactions.of([["b"], ["a"], ["b"]], sensitive=["a"]))
    >>> folded.histogram.as_dict(), folded.sensitive
    ({('a',): 1, ('b',): 2}, frozenset({'a'}))
    """

    histogram: ItemsetHistogram
    """The sets, ascending by their item numbers."""
    sensitive: frozenset[str] = frozenset()
    """The items whose possession is nobody's business."""

    @classmethod
    def of(cls, data: "Transactions | SetsElsewhere") -> "FoldedSets":
        """Fold the records."""
        return cls(data.folded, data.sensitive)

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"FoldedSets({len(self.histogram)} distinct sets)"


class TableElsewhere(Protocol):
    """People whose table does not fit in memory: an engine folds its rows."""

    @property
    def set_column(self) -> str | None:
        """The set-valued quasi-identifier, where there is one."""
        ...

    @property
    def distinct(self) -> Microdata:
        """Each row once, with its roles."""
        ...

    @property
    def people(self) -> NDArray[np.int64]:
        """How many people have each of them."""
        ...


class SetsElsewhere(Protocol):
    """People whose sets do not fit in memory: an engine folds them when statistics are taken."""

    @property
    def universe(self) -> tuple[str, ...]:
        """The items that occur, in their public order."""
        ...

    @property
    def folded(self) -> ItemsetHistogram:
        """The distinct sets with their counts, ascending by the item numbers of each set."""
        ...

    @property
    def sensitive(self) -> frozenset[str]:
        """The items whose possession is nobody's business."""
        ...

    @property
    def held(self) -> frozenset[str]:
        """The items that somebody holds."""
        ...

    def limited(
        self, universe: tuple[str, ...] | None, size: int, key: str | None
    ) -> ItemsetHistogram:
        """Return the distinct sets over a universe, of no more than ``size`` items, counted.

        Whoever holds more is cut by a hash under the ``key``, or left out where there is none.
        """
        ...
