"""What stands for each item: a block of items or a name in a hierarchy, and small changes of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.tree import leaf_counts
from discreet.generalised.recoding.plan import blocks_of
from discreet.rng import Rng


@dataclass(frozen=True, eq=False)
class StandIns:
    """What stands for each item."""

    label: NDArray[np.int64]
    """The number of each item's stand-in; -1 where it has none."""
    blocks: tuple[tuple[str, ...], ...]
    """What each stand-in is called: its members, or its name in the hierarchy."""
    sizes: NDArray[np.int64]
    """How many items each stand-in may mean."""

    @classmethod
    def merged(cls, folded: ItemsetHistogram, first: NDArray[np.int64]) -> "StandIns":
        """Return the blocks of a partition; each item is under the first member of its block."""
        label, blocks = blocks_of(folded, first)
        return cls(label, blocks, np.array([len(block) for block in blocks], dtype=np.int64))

    @classmethod
    def lifted(cls, tree: Hierarchy, nodes: NDArray[np.int64]) -> "StandIns":
        """Return what stands for items in a hierarchy, by the node of each."""
        used = np.array(sorted(set(nodes.tolist()), key=tree.names.__getitem__), dtype=np.int64)
        number = np.full(len(tree.names), -1, dtype=np.int64)
        number[used] = np.arange(len(used))
        names = tuple((tree.names[node],) for node in used.tolist())
        return cls(number[nodes], names, leaf_counts(tree.levels, len(tree.names))[used])

    @classmethod
    def nothing(cls, items: int) -> "StandIns":
        """Return no stand-in at all: too few people have anything."""
        return cls(np.full(items, -1, dtype=np.int64), (), np.zeros(0, dtype=np.int64))

    def item_moved(self, folded: ItemsetHistogram, rng: Rng) -> "StandIns":
        """Return the blocks with a random item in another of them, or alone."""
        item = _one_of(np.flatnonzero(self.label >= 0), rng)
        label = np.where(self.label < 0, len(self.blocks) + np.arange(len(self.label)), self.label)
        aim = int(rng.integers(len(self.blocks) + 1, 1)[0])
        label[item] = 2 * len(label) + len(self.blocks) if aim == len(self.blocks) else aim
        _, first, block = np.unique(label, return_index=True, return_inverse=True)
        return StandIns.merged(folded, first[block])

    def node_moved(self, folded: ItemsetHistogram, tree: Hierarchy, rng: Rng) -> "StandIns":
        """Return the names with that of a random item lifted to the next one, or taken apart."""
        numbers = np.array([tree.numbers[item] for item in folded.sets.vocabulary], dtype=np.int64)
        named = np.array([tree.numbers[name] for (name,) in self.blocks], dtype=np.int64)
        nodes, paths = named[self.label], tree.levels[numbers]
        node = int(nodes[_one_of(np.arange(len(nodes)), rng)])
        below = np.flatnonzero(nodes == node)
        above = int(tree.parents[node])
        if above >= 0 and (node in numbers or rng.integers(2, 1)[0]):
            nodes[(paths == above).any(axis=1)] = above
        else:
            nodes[below] = paths[below, np.argmax(paths[below] == node, axis=1) - 1]
        return StandIns.lifted(tree, nodes)


def _one_of(numbers: NDArray[np.int64], rng: Rng) -> int:
    return int(numbers[rng.integers(len(numbers), 1)[0]])
