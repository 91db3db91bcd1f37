"""k^m-anonymity by merging or lifting items: rare sets are found, dealt with, and sought again."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.tree import leaf_spans
from discreet.errors import DataError, ParameterError
from discreet.generalised.kernels.block_merging import settle
from discreet.generalised.kernels.blocks import Needs, relist
from discreet.generalised.kernels.lifting import Cut, lift
from discreet.generalised.kernels.rare_sets import Sought, rare_sets, recoded
from discreet.generalised.recoding.constraint_search import Generalising, groups_of, needs_of
from discreet.kernels.folding import gather

LISTED = 1 << 15
"""Rare sets listed at once."""
AT_ONCE = 1 << 10
"""Rare sets dealt with before they are sought again: merging for one settles many."""


@dataclass(frozen=True, eq=False)
class Anonymising:
    """Blocks of items under way to k^m-anonymity; k people must have some item at all."""

    work: Generalising
    """The sets and the partition."""
    k: int
    """People that up to ``m`` known items must fit."""
    m: int
    """Items known at most."""

    def by_sets(self) -> list[NDArray[np.int64]]:
        """Merge blocks, always where it costs least, until no set of up to m blocks is rare.

        Return the partitions on the way, each item under the first member of its block.
        """
        groups = groups_of([np.arange(self.work.items)], self.work.items, Fraction(0))
        work = self.work

        def merge_blocks(needs: Needs) -> None:
            how = (np.arange(len(needs.least)), False, work.belief)
            settle(work.rows, work.blocks, needs, groups, how, work.work)

        way = self._clear_rare(merge_blocks, work.blocks.block)
        self._undo_all(self._divide)
        return [*way, work.blocks.block.copy()]

    def by_hierarchy(self, cut: Cut) -> list[NDArray[np.int64]]:
        """Lift items in their hierarchy until no set of up to m of their stand-ins is rare.

        Return what stands for each item on the way.
        """
        work = self.work
        children: dict[int, list[int]] = {}
        for node, above in enumerate(cut.parent.tolist()):
            if cut.low[node] < cut.high[node]:
                children.setdefault(above, []).append(node)

        def lift_items(needs: Needs) -> None:
            lift(work.rows, work.blocks, needs, cut, np.arange(len(needs.least)), work.work)

        way = self._clear_rare(lift_items, cut.node)
        self._undo_all(lambda first: self._lower(cut, children, first))
        return [*way, cut.node.copy()]

    def lift_as(self, cut: Cut, nodes: NDArray[np.int64], items: NDArray[np.int64]) -> None:
        """Lift some items to these nodes, each of which stands for some of them only."""
        cut.node[items] = nodes[items]
        for node in np.unique(nodes[items]).tolist():
            members = np.arange(cut.low[node], cut.high[node])
            relist(
                self.work.rows, self.work.blocks, members, np.zeros_like(members), self.work.work
            )

    def _clear_rare(
        self, deal: Callable[[Needs], None], state: NDArray[np.int64]
    ) -> list[NDArray[np.int64]]:
        """Deal with rare sets, small ones first, until there are none; return all states before."""
        rows = self.work.rows
        states = []
        for size in range(1, self.m + 1):
            while True:
                names, label = np.unique(self.work.blocks.block, return_inverse=True)
                offsets, labels = recoded(rows.offsets, rows.items, label, len(names))
                width = len(names)
                sought = Sought(width, width, self.k, self.k, size, LISTED)
                rare = _rare_sets(offsets, labels, rows.counts, sought)
                if not rare:
                    break
                states.append(state.copy())
                itemsets = [names[each].tolist() for each in rare]
                deal(needs_of(itemsets, [self.k] * len(itemsets), self.work.items))
        return states

    def _undo_all(self, undo: Callable[[int], bool]) -> None:
        """Take blocks apart as long as one can be."""
        blocks = self.work.blocks
        changed = True
        while changed:
            changed = False
            for first in np.flatnonzero(blocks.block == np.arange(self.work.items)).tolist():
                while undo(first):
                    changed = True

    def _divide(self, first: int) -> bool:
        """Undo the last merge of a block if the data stay k^m-anonymous."""
        blocks = self.work.blocks
        members = np.array(self.work.members(first), dtype=np.int64)
        if len(members) == 1:
            return False
        joints = blocks.joint[members]
        cut = int(np.argmax(joints))
        halves = [members[:cut], members[cut:]]
        return self._apart(halves, [joints[:cut], joints[cut:]])

    def _lower(self, cut: Cut, children: dict[int, list[int]], first: int) -> bool:
        """Replace a stand-in by those just below it if the data stay k^m-anonymous."""
        lower = children.get(int(cut.node[first]), [])
        pieces = [np.arange(cut.low[child], cut.high[child]) for child in lower]
        if not pieces or not self._apart(pieces, [np.zeros_like(piece) for piece in pieces]):
            return False
        for child, piece in zip(lower, pieces, strict=True):
            cut.node[piece] = child
        return True

    def _apart(
        self, pieces: Sequence[NDArray[np.int64]], joints: Sequence[NDArray[np.int64]]
    ) -> bool:
        """Make blocks of the parts of one block, if no set with one of them becomes rare.

        The parts get the first numbers, so that they come first in every set that holds them, and
        only people who hold one of them are looked at.
        """
        rows, blocks = self.work.rows, self.work.blocks
        names, label = np.unique(blocks.block, return_inverse=True)
        label = label + len(pieces)
        for number, piece in enumerate(pieces):
            label[piece] = number
        width = len(names) + len(pieces)
        holders = [
            rows.holders[rows.starts[item] : rows.starts[item + 1]]
            for piece in pieces
            for item in piece.tolist()
        ]
        index = np.unique(np.concatenate(holders))
        some = gather(rows.offsets, rows.items, index)
        offsets, labels = recoded(*some, label, width)
        sought = Sought(width, len(pieces), self.k, self.k, self.m, 1)
        if _rare_sets(offsets, labels, rows.counts[index], sought):
            return False
        for piece, joint in zip(pieces, joints, strict=True):
            relist(rows, blocks, piece, joint, self.work.work)
        return True


def _rare_sets(
    offsets: NDArray[np.int64],
    labels: NDArray[np.int32],
    counts: NDArray[np.int64],
    sought: Sought,
) -> list[list[int]]:
    """Return up to ``AT_ONCE`` smallest rare sets, those that most people hold first."""
    itemsets, people, complete = rare_sets(offsets, labels, counts, sought)
    if not complete and not len(itemsets):
        msg = (
            f"sets of up to {sought.size} known items are too many to look at in records as long "
            "as these; choose a smaller `m`"
        )
        raise ParameterError(msg, parameter="m")
    nearest = itemsets[np.argsort(-people, kind="stable")[:AT_ONCE]]
    return [[item for item in row if item >= 0] for row in nearest.tolist()]


def leaf_order(hierarchy: Hierarchy, items: Iterable[str]) -> list[str]:
    """Return the items in the order of the hierarchy's leaves: what hangs together is neighbours.

    >>> tree = Hierarchy.of_pairs([("a", "x"), ("b", "y"), ("c", "x"), ("x", "*"), ("y", "*")])
    >>> leaf_order(tree, "bca")
    ['a', 'c', 'b']
    """
    rank_of = {int(leaf): rank for rank, leaf in enumerate(np.lexsort(tuple(hierarchy.levels.T)))}
    number = hierarchy.numbers
    known = list(items)
    if missing := sum(number.get(item, len(rank_of)) >= len(rank_of) for item in known):
        msg = (
            f"every item must be a value of the hierarchy, and {missing:,} of {len(known):,} are "
            "not; add them to the hierarchy or drop them first"
        )
        raise DataError(msg, parameter="hierarchy")
    return sorted(known, key=lambda item: rank_of[number[item]])


def subtrees(cut: Cut) -> list[NDArray[np.int64]]:
    """Return the items below each child of the root."""
    root = int(np.flatnonzero(cut.parent < 0)[0])
    children = np.flatnonzero((cut.parent == root) & (cut.low < cut.high)).tolist()
    return [np.arange(cut.low[child], cut.high[child]) for child in children]


def cut_of(hierarchy: Hierarchy, items: Sequence[str]) -> Cut:
    """Return the hierarchy over items in leaf order, every item standing for itself."""
    leaves, low, high = leaf_spans(hierarchy.levels, len(hierarchy.names))
    number = np.array([hierarchy.numbers[item] for item in items], dtype=np.int64)
    index = np.empty(len(leaves), dtype=np.int64)
    index[leaves] = np.arange(len(leaves))
    return Cut(
        hierarchy.parents.astype(np.int64),
        np.searchsorted(index[number], low),
        np.searchsorted(index[number], high),
        high - low,
        number,
    )
