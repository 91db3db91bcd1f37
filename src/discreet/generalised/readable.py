"""What a record of a release may mean: blocks of items, or names in a hierarchy."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.core.transactions import Transactions


@dataclass(frozen=True, eq=False)
class Readable:
    """The records of a release as sets of names, and the items that each name may mean."""

    sets: Itemsets
    """The names in each record."""
    members: tuple[tuple[str, ...], ...]
    """The items that each name may mean."""
    counterfeits: bool = False
    """Whether some records may be nobody's."""

    @classmethod
    def of(cls, content: GeneralisedSets | Transactions | Clusters) -> "Readable":
        """Read a release; a name that is in no hierarchy means itself."""
        if isinstance(content, GeneralisedSets):
            return cls(content.sets, content.blocks)
        if isinstance(content, Clusters):
            names = tuple((name,) for name in content.sets.vocabulary)
            return cls(content.sets, names, counterfeits=True)
        tree = content.applied
        known = tree.numbers if tree is not None else {}
        return cls(
            content.sets,
            tuple(
                tree.leaves(name) if tree is not None and name in known else (name,)
                for name in content.universe
            ),
        )

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """For each name whether it may mean several items."""
        return np.array([len(items) > 1 for items in self.members], dtype=np.bool_)

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """For each name the records that hold it."""
        return np.bincount(self.sets.items, minlength=len(self.members))

    @property
    def plain(self) -> Mapping[str, int]:
        """The items that are published under their own name, and in how many records."""
        supports = self.supports.tolist()
        return {
            items[0]: supports[name] for name, items in enumerate(self.members) if len(items) == 1
        }

    def originals(self, truth: Transactions, key: LinkageKey) -> dict[int, frozenset[str]]:
        """Return what the person behind each record truly holds; counterfeits have nobody."""
        count = len(self.sets)
        if self.counterfeits:
            rows, records = key.real_records(count, len(truth))
        else:
            rows, records = np.arange(count), key.records(count, len(truth))
        people = map(frozenset, truth.sets.take(records))
        return dict(zip(rows.tolist(), people, strict=True))
