"""What is lost when items hide among others, or are lifted in a hierarchy."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.fold import fold
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.generalised.recoding.query_errors import MeasuredQueries


@dataclass(frozen=True, eq=False)
class _StandIns:
    """What stands for each item of the original in a release."""

    data: Transactions
    """The original, or people who are folded by an engine."""
    label: NDArray[np.int64]
    """What stands for each of its items, by number; -1 for nothing."""
    sizes: NDArray[np.int64]
    """How many items each stand-in may mean."""
    sets: Itemsets
    """The release as sets of stand-ins."""
    most: int
    """How many items there are in all, as a stand-in counts them."""
    ways: tuple[NDArray[np.int64], ...]
    """What may stand for each item, from the item itself upwards; -1 where nothing does."""
    plain: Mapping[str, int]
    """The items that stand for themselves alone, and their numbers."""

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """Records of the release that hold each stand-in."""
        return np.bincount(self.sets.items, minlength=len(self.sizes))

    @cached_property
    def alike(self) -> bool:
        """Whether an item became the same in every record that held it."""
        people = self.data.folded
        rows = people.sets.rows
        label = self.label[people.sets.items]
        row, stand_in = np.unique(np.stack([rows, label])[:, label >= 0], axis=1)
        supports = np.zeros(len(self.sizes), dtype=np.int64)
        np.add.at(supports, stand_in, people.counts[row])
        return np.array_equal(supports, self.supports)

    def meanings(self, key: LinkageKey | None) -> NDArray[np.int64] | None:
        """Return how many occurrences have a stand-in that may mean 0, 1, 2, ... items.

        0 is for what has none. None where the same item became different things and no key says
        what became of whom.
        """
        if self.alike:
            means = np.append(self.sizes, 0)[self.label]
            counts = np.zeros(int(means.max(initial=0)) + 1, dtype=np.int64)
            np.add.at(counts, means, self.data.folded.supports)
            return counts
        if key is None:
            return None
        sets = self.data.sets.take(key.records(len(self.sets), len(self.data)))
        wide = len(self.sizes) + 1
        codes = self.sets.rows * wide + self.sets.items
        rows = sets.rows * wide
        counts = np.zeros(len(sets.items), dtype=np.int64)
        for label in self.ways:
            number = label[sets.items]
            hit = (counts == 0) & (number >= 0) & np.isin(rows + number, codes)
            counts[hit] = self.sizes[number[hit]]
        return np.bincount(counts, minlength=1)

    @property
    def local(self) -> bool:
        """Whether some item has different stand-ins in different records."""
        return bool((np.sum([way >= 0 for way in self.ways], axis=0) > 1).any())

    @property
    def names_kept(self) -> float:
        """The share of occurrences that are published under their own name."""
        own = [name in self.plain for name in self.data.universe]
        number = [self.plain.get(name, -1) for name in self.data.universe]
        by_name = np.append(self.supports, 0)[np.array(number, dtype=np.int64)][own].sum()
        occurrences = int(self.data.folded.supports.sum())
        return float(by_name) / occurrences if occurrences else 1.0


def _stand_ins(data: Transactions, content: GeneralisedSets | Transactions) -> _StandIns:
    if len(content) != len(data):
        msg = (
            f"the original must be the data that were published: the release has {len(content):,} "
            f"records and the original {len(data):,}"
        )
        raise DataError(msg)
    if isinstance(content, Transactions):
        return _lifted(data, content)
    label = np.array([content.block_of.get(item, -1) for item in data.universe], dtype=np.int64)
    sizes = np.array([len(block) for block in content.blocks], dtype=np.int64)
    plain = {block[0]: index for index, block in enumerate(content.blocks) if len(block) == 1}
    return _StandIns(data, label, sizes, content.sets, len(data.universe), (label,), plain)


def _lifted(data: Transactions, content: Transactions) -> _StandIns:
    """Return the stand-ins of a release by a hierarchy: of each item the lowest one published."""
    plain = {name: index for index, name in enumerate(content.universe)}
    sizes = np.ones(len(content.universe), dtype=np.int64)
    most = len(data.universe)
    tree = content.applied
    if tree is not None:
        # sensitive items are in no hierarchy: each means itself
        known = [name if name in tree.numbers else None for name in content.universe]
        sizes = np.array([len(tree.leaves(name)) if name else 1 for name in known], dtype=np.int64)
        most = len(tree.values)
    paths = [
        (item, *(tree.ancestors(item) if tree is not None and item in tree.numbers else ()))
        for item in data.universe
    ]
    height = max(map(len, paths), default=1)
    ways = tuple(
        np.array([plain.get(path[step], -1) if step < len(path) else -1 for path in paths], int)
        for step in range(height)
    )
    label = np.full(len(paths), -1, dtype=np.int64)
    for way in reversed(ways):
        label = np.where(way >= 0, way, label)
    return _StandIns(data, label, sizes, content.sets, most, ways, plain)


def utility_loss(
    data: Transactions, release: Release[GeneralisedSets], *, key: LinkageKey | None = None
) -> dict[str, Any]:
    """Return the utility loss UL of Loukides et al. 2011: of blocks, of suppression, together.

    A block of s of the n items that occur loses ``(2^s - 1) / (2^n - 1)`` for each person who holds
    it, a suppressed occurrence 1; a share of all people. With many items the part of the blocks
    is too small for a number, so its binary logarithm stands beside it. Where single occurrences
    were suppressed only the key tells how many.
    """
    seen = _stand_ins(data, release.content)
    if (meanings := seen.meanings(key)) is None:
        return {}
    items = int((data.folded.supports > 0).sum())
    people = max(1, len(data))
    merged = np.flatnonzero(seen.sizes > 1)
    if not items and len(merged):  # data without any item are not behind blocks of several
        return {}
    # relative to the largest block, so that nothing over- or underflows on the way
    largest = int(seen.sizes[merged].max(initial=0))
    shares = np.exp2((seen.sizes[merged] - largest).astype(np.float64)) - 2.0**-largest
    weight = float((shares * seen.supports[merged]).sum()) / people
    log = (
        np.log2(weight) + largest - items - np.log1p(-(2.0**-items)) / np.log(2) if weight else None
    )
    suppressed = float(meanings[0]) / people
    blocks = float(np.exp2(log)) if log is not None else 0.0
    return {
        "utility_loss": blocks + suppressed,
        "utility_loss_of_blocks": blocks,
        "utility_loss_of_blocks_log2": None if log is None else float(log),
        "utility_loss_of_suppression": suppressed,
    }


def certainty_penalty(
    data: Transactions,
    release: Release[GeneralisedSets | Transactions],
    *,
    key: LinkageKey | None = None,
) -> dict[str, Any]:
    """Return the normalised certainty penalty NCP (Terrovitis et al. 2008), from 0 to 1.

    An occurrence of an item costs the share of all items that its stand-in may mean, nothing where
    it stands for itself, and 1 where it is suppressed. With a hierarchy its values are all items.
    Where single occurrences were suppressed or lifted, what is left depends on the person: then
    only the occurrences under their own name are told without the key.
    """
    seen = _stand_ins(data, release.content)
    measured: dict[str, Any] = {"occurrences_by_name": seen.names_kept}
    # where secrets were hidden, what became of whom is told by the measures of that family
    if (meanings := seen.meanings(key if release.sensitive is None else None)) is None:
        return measured
    means = np.arange(len(meanings))
    penalty = np.where(means > 1, means / max(1, seen.most), means == 0)
    occurrences = max(1, int(meanings.sum()))
    return measured | {
        "ncp": float((penalty * meanings).sum()) / occurrences,
        "occurrences_hidden": float(meanings[2:].sum()) / occurrences,
        "occurrences_suppressed": float(meanings[0]) / occurrences,
    }


def density(
    data: Transactions, release: Release[GeneralisedSets], *, key: LinkageKey | None = None
) -> dict[str, Any]:
    """Return the density of Shao and Ong 2017, Table I: how much of generalised items is original.

    Of the members of a generalised item in a record, the share that the person holds; averaged
    over all such items of all records. None where nothing was generalised.
    """
    seen = _stand_ins(data, release.content)
    if (meanings := seen.meanings(key)) is None:
        return {}
    original = meanings[2:] / np.arange(2, len(meanings))
    cells = int(seen.supports[seen.sizes > 1].sum())
    return {
        "density": float(original.sum()) / cells if cells else None,
        "generalised_items": int((seen.sizes > 1).sum()),
        "length": int(data.folded.supports.sum()) / max(1, len(data)),
    }


def item_distortion(
    data: Transactions, release: Release[GeneralisedSets | Transactions]
) -> dict[str, Any]:
    """Return how far the support of items is off: mean and largest over the items that occur.

    An item may be held by all who hold its stand-in; the distortion is what these are too many, or
    too few where occurrences were left out, in shares of those who really hold it.
    """
    seen = _stand_ins(data, release.content)
    true = data.folded.supports
    occurs = true > 0
    # a record holds at most one of the names that an item may have
    supports = np.sum([np.append(seen.supports, 0)[way] for way in seen.ways], axis=0)
    off = np.abs(supports - true)[occurs] / true[occurs]
    return {
        "item_distortion_mean": float(off.mean()) if len(off) else 0.0,
        "item_distortion_max": float(off.max(initial=0.0)),
    }


def generalised_queries(
    data: Transactions, release: Release[GeneralisedSets | Transactions]
) -> dict[str, Any]:
    """Return the relative error of counting queries: as expected, and at worst.

    Half of the queries are sets that people have, half random sets of up to three items, the same
    in every run. A record that holds all stand-ins may fit a query. It fits with the probability
    that a random non-empty choice from each stand-in holds the items asked for (expected), and at
    worst all such records fit or none does. A suppressed item is expected nowhere. A query that
    fewer than one person in 10,000 fit, or nobody, counts as if so many, or one, did. Nothing is
    said of a local recoding, in which an item has different stand-ins in different records.
    """
    seen = _stand_ins(data, release.content)
    if seen.local:
        return {}
    plain = tuple(map(str, range(len(seen.sizes))))
    published = fold(Itemsets(seen.sets.offsets, seen.sets.items, plain))
    expected, worst = MeasuredQueries.of(data.folded).errors(published, seen.label, seen.sizes)
    return {"query_error_expected": expected, "query_error_worst": worst}
