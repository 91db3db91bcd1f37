"""What every set becomes: the plan of a publication, decided on folded sets and carried out."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.constraints import Constraints
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey, Publication
from discreet.core.publisher import RowwisePublisher, refuse_misfits
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.generalised.kernels.matching import matched
from discreet.generalised.kernels.rare_sets import recoded
from discreet.kernels.folding import lexicographic
from discreet.lazy import pl
from discreet.rng import Rng, secure


@dataclass(frozen=True, eq=False)
class Recoding:
    """Each item becomes its stand-in, everywhere alike; of some sets further stand-ins go."""

    universe: tuple[str, ...]
    """The items."""
    label: NDArray[np.int64]
    """The number of each item's stand-in; -1 where it is suppressed.

    A number beyond the blocks is that of a stand-in that is published nowhere and tells sets apart.
    """
    blocks: tuple[tuple[str, ...], ...]
    """What each stand-in may mean; with a hierarchy, its name alone."""
    hierarchy: Hierarchy | None
    """The hierarchy of the stand-ins; None where they are blocks of items."""
    thinned: Itemsets
    """Sets of stand-ins of which some are suppressed."""
    left: Itemsets
    """What is left of each of them."""
    closed: bool = False
    """Whether a set that is not among them is suppressed whole."""
    constraints: Constraints | None = None
    """The itemsets that it protects, where some were chosen; for the owner only."""
    deleted: tuple[str, ...] = ()
    """Sensitive items that somebody holds and that are published nowhere."""

    @classmethod
    def everywhere(
        cls,
        universe: tuple[str, ...],
        label: NDArray[np.int64],
        blocks: tuple[tuple[str, ...], ...],
        constraints: Constraints | None = None,
    ) -> "Recoding":
        """Return the plan that treats an item alike in all sets that hold it."""
        none = Itemsets.of([], [str(index) for index in range(len(blocks))])
        return cls(universe, label, blocks, None, none, none, constraints=constraints)

    @classmethod
    def without(cls, sets: Itemsets, shown: NDArray[np.bool_]) -> "Recoding":
        """Return the plan that publishes of each set the items ``shown``, under their own names.

        Items that are shown nowhere have a number too: they tell sets apart.
        """
        names = tuple(str(index) for index in range(len(sets.vocabulary)))
        numbered = Itemsets(sets.offsets.copy(), sets.items.copy(), names)
        rest = numbered.only(shown)
        fewer = np.flatnonzero(rest.sizes < sets.sizes)
        blocks = tuple((item,) for item in sets.vocabulary)
        label = np.arange(len(names))
        return cls(sets.vocabulary, label, blocks, None, numbered.take(fewer), rest.take(fewer))

    def generalised(self, data: Transactions) -> GeneralisedSets:
        """Return what is published of each record of ``data``, in its order, as sets of blocks."""
        shown = self._shown(data)
        return GeneralisedSets.named(shown.offsets, shown.items, self.blocks)

    def lifted(self, data: Transactions) -> Transactions:
        """Return what is published of each record of ``data``, in its order, as sets of names."""
        shown = self._shown(data)
        names = tuple(name for (name,) in self.blocks)
        return Transactions(Itemsets(shown.offsets, shown.items, names), applied=self.hierarchy)

    def _shown(self, data: Transactions) -> Itemsets:
        """Return each record as a set of numbers of stand-ins."""
        sets = data.sets.over(self.universe)
        arrays = recoded(*_arrays(sets), self.label, len(self.left.vocabulary))
        shown = Itemsets(*arrays, self.left.vocabulary)
        if not len(self.thinned):
            return shown
        matches = matched(*_arrays(self.thinned), *_arrays(shown))
        nothing = Itemsets.of([[]], self.left.vocabulary)
        pool = Itemsets.joined([shown, self.left, nothing])
        other = len(pool) - 1 if self.closed else np.arange(len(shown))
        return pool.take(np.where(matches < 0, other, matches + len(shown)))


def _arrays(sets: Itemsets) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    # compiled code tells read-only arrays apart: these are made alike wherever they come from
    return sets.offsets.copy(), sets.items.copy()


def blocks_of(
    folded: ItemsetHistogram, first: NDArray[np.int64]
) -> tuple[NDArray[np.int64], tuple[tuple[str, ...], ...]]:
    """Return the number of each item's block, and the blocks, those that somebody holds.

    ``first`` names the first member of each item's block, -1 for a suppressed item.
    """
    occurs = np.zeros(len(first) + 1, dtype=np.bool_)
    np.logical_or.at(occurs, first, folded.supports > 0)
    members: dict[int, list[str]] = {}
    for item, name in zip(folded.sets.vocabulary, first.tolist(), strict=True):
        if name >= 0 and occurs[name]:
            members.setdefault(name, []).append(item)
    blocks = sorted((tuple(sorted(names)), name) for name, names in members.items())
    number = np.full(len(first) + 1, -1, dtype=np.int64)
    number[[name for _, name in blocks]] = np.arange(len(blocks))
    return number[np.where(first < 0, len(first), first)], tuple(names for names, _ in blocks)


def carried_out(
    method: RowwisePublisher[Transactions, Any, Recoding],
    data: Transactions,
    rng: Rng | None,
    plan: Recoding | None = None,
) -> tuple[Publication[Any], Recoding]:
    """Decide on the folded sets, apply to the records, and shuffle them; also return the plan.

    Where a ``plan`` is given there is nothing to decide.

    Records are put in the order of their sets before they are shuffled, so that a release does
    not depend on the order in which they came.
    """
    refuse_misfits(data, Transactions, rng)
    if not len(data):
        raise DataError("data to publish must hold at least one record, got none")
    rng = rng or secure()
    plan = plan or method.decide(method.statistics(data, rng), rng)
    ascending = lexicographic(data.offsets, data.items, len(data.universe))
    order = ascending[rng.permutation(len(data))]
    mixed = Transactions(data.sets.take(order), sensitive=data.sensitive)
    release = Release(method.apply(plan, mixed), *method.claims(plan, data, rng))
    rows = pl.DataFrame({"row": np.arange(len(order)), "record": order})
    return Publication(release, LinkageKey({"rows": rows})), plan
