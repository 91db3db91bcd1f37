"""What is lost when items hide among others, or are lifted in a hierarchy."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.fold import fold
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.itemsets import Itemsets
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.generalised.kernels.rare_sets import recoded
from discreet.measure.queries import SANITY, answers, paper_workload, relative_error
from discreet.rng import seeded

__all__ = [
    "certainty_penalty",
    "density",
    "generalised_queries",
    "item_distortion",
    "utility_loss",
]

QUERIES = 10_000
"""Counting queries asked."""


@dataclass(frozen=True, eq=False)
class _StandIns:
    """What stands for each item of the original in a release."""

    data: Transactions
    """The original."""
    label: NDArray[np.int64]
    """What stands for each of its items, by number; -1 for nothing."""
    sizes: NDArray[np.int64]
    """How many items each stand-in may mean."""
    sets: Itemsets
    """The release as sets of stand-ins."""
    most: int
    """How many items there are in all, as a stand-in counts them."""

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """Records of the release that hold each stand-in."""
        return np.bincount(self.sets.items, minlength=len(self.sizes))

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """For each item whether its stand-in may mean others as well."""
        return (self.label >= 0) & (self.size > 1)

    @cached_property
    def alike(self) -> bool:
        """Whether an item became the same in every record that held it."""
        rows = np.repeat(np.arange(len(self.data)), self.data.sets.sizes)
        label = self.label[self.data.items]
        pairs = np.unique(np.stack([rows, label])[:, label >= 0], axis=1)[1]
        return np.array_equal(np.bincount(pairs, minlength=len(self.sizes)), self.supports)

    @cached_property
    def size(self) -> NDArray[np.int64]:
        """For each item how many its stand-in may mean; 0 where it has none."""
        return np.append(self.sizes, 0)[self.label]


def _stand_ins(data: Transactions, content: GeneralisedSets | Transactions) -> _StandIns:
    if len(content) != len(data):
        msg = (
            f"the original must be the data that were published: the release has {len(content):,} "
            f"records and the original {len(data):,}"
        )
        raise DataError(msg)
    if isinstance(content, GeneralisedSets):
        label = [content.block_of.get(item, -1) for item in data.universe]
        sizes = [len(block) for block in content.blocks]
        return _StandIns(
            data, np.array(label, int), np.array(sizes, int), content.sets, len(data.universe)
        )
    return _lifted(data, content)


def _lifted(data: Transactions, content: Transactions) -> _StandIns:
    """Return the stand-ins of a release by a hierarchy: of each item the lowest one published."""
    number = {name: place for place, name in enumerate(content.universe)}
    label = np.full(len(data.universe), -1, dtype=np.int64)
    sizes = np.ones(len(content.universe), dtype=np.int64)
    most = len(data.universe)
    if (tree := content.applied) is not None:
        # sensitive items are in no hierarchy: each means itself
        known = [name if name in tree.numbers else None for name in content.universe]
        sizes = np.array([len(tree.leaves(name)) if name else 1 for name in known], dtype=np.int64)
        most = len(tree.values)
    for place, item in enumerate(data.universe):
        above = tree.ancestors(item) if tree is not None and item in tree.numbers else ()
        label[place] = next((number[name] for name in (item, *above) if name in number), -1)
    return _StandIns(data, label, sizes, content.sets, most)


def utility_loss(data: Transactions, release: Release[GeneralisedSets]) -> dict[str, Any]:
    """Return the utility loss UL of Loukides et al. 2011: of blocks, of suppression, together.

    A block of s of the n items that occur loses ``(2^s - 1) / (2^n - 1)`` for each person who holds
    it, a suppressed item 1 for each who held it; a share of all people. With many items the part of
    the blocks is too small for a number, so its binary logarithm stands beside it.
    """
    seen = _stand_ins(data, release.content)
    items = int((data.supports > 0).sum())
    people = max(1, len(data))
    merged = np.flatnonzero(seen.sizes > 1)
    # relative to the largest block, so that nothing over- or underflows on the way
    largest = int(seen.sizes[merged].max(initial=0))
    shares = np.exp2((seen.sizes[merged] - largest).astype(np.float64)) - 2.0**-largest
    weight = float((shares * seen.supports[merged]).sum()) / people
    log = (
        np.log2(weight) + largest - items - np.log1p(-(2.0**-items)) / np.log(2) if weight else None
    )
    suppressed = float(data.supports[seen.label < 0].sum()) / people
    blocks = float(np.exp2(log)) if log is not None else 0.0
    return {
        "utility_loss": blocks + suppressed,
        "utility_loss_of_blocks": blocks,
        "utility_loss_of_blocks_log2": None if log is None else float(log),
        "utility_loss_of_suppression": suppressed,
    }


def certainty_penalty(
    data: Transactions, release: Release[GeneralisedSets | Transactions]
) -> dict[str, Any]:
    """Return the normalised certainty penalty NCP (Terrovitis et al. 2008), from 0 to 1.

    An occurrence of an item costs the share of all items that its stand-in may mean, nothing where
    it stands for itself, and 1 where it is suppressed. With a hierarchy its values are all items.
    Nothing is said where single occurrences were deleted: what is left then depends on the person,
    and ``recoding_measures`` tells it by the key.
    """
    seen = _stand_ins(data, release.content)
    if not seen.alike:
        return {}
    penalty = np.where(seen.hidden, seen.size / max(1, seen.most), 0.0)
    penalty = np.where(seen.label < 0, 1.0, penalty)
    held = max(1, int(data.supports.sum()))
    return {
        "ncp": float((penalty * data.supports).sum()) / held,
        "occurrences_hidden": float(data.supports[seen.hidden].sum()) / held,
        "occurrences_suppressed": float(data.supports[seen.label < 0].sum()) / held,
    }


def density(data: Transactions, release: Release[GeneralisedSets]) -> dict[str, Any]:
    """Return the density of Shao and Ong 2017, Table I: how much of generalised items is original.

    Of the members of a generalised item in a record, the share that the person holds; averaged
    over all such items of all records. None where nothing was generalised.
    """
    seen = _stand_ins(data, release.content)
    original = data.supports[seen.hidden] / seen.size[seen.hidden]
    places = int(seen.supports[seen.sizes > 1].sum())
    return {
        "density": float(original.sum()) / places if places else None,
        "generalised_items": int((seen.sizes > 1).sum()),
        "length": float(data.sets.sizes.mean()) if len(data) else 0.0,
    }


def item_distortion(
    data: Transactions, release: Release[GeneralisedSets | Transactions]
) -> dict[str, Any]:
    """Return how far the support of items is off: mean and largest over the items that occur.

    An item may be held by all who hold its stand-in; the distortion is what these are too many, or
    too few where occurrences were left out, in shares of those who really hold it.
    """
    seen = _stand_ins(data, release.content)
    held = data.supports > 0
    told = np.append(seen.supports, 0)[seen.label]
    off = np.abs(told - data.supports)[held] / data.supports[held]
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
    fewer than one person in 10,000 fit, or nobody, counts as if so many, or one, did.
    """
    seen = _stand_ins(data, release.content)
    if not len(data.universe):
        return {"query_error_expected": 0.0, "query_error_worst": 0.0}
    workload = paper_workload(data.folded, seeded(1), size=QUERIES, max_random_size=3)
    both = [_errors(seen, part) for part in (workload.existing, workload.random)]
    expected, worst = (np.concatenate(parts) for parts in zip(*both, strict=True))
    return {
        "query_error_expected": float(expected.mean()),
        "query_error_worst": float(worst.mean()),
    }


def _errors(seen: _StandIns, queries: Itemsets) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the relative error of each query, expected and at worst."""
    sanity = max(1.0, SANITY * len(seen.data))
    true = answers(seen.data.folded, queries)
    width = len(seen.sizes)
    plain = tuple(map(str, range(width)))
    offsets, labels = recoded(queries.offsets.copy(), queries.items.copy(), seen.label, width)
    published = fold(Itemsets(seen.sets.offsets, seen.sets.items, plain))
    most = answers(published, Itemsets(offsets, labels, plain))
    chance, sure = _chances(seen, queries)
    expected = np.abs(true - most * chance) / np.maximum(true, sanity)
    least = np.where(sure, most, 0)
    return expected, np.maximum(
        relative_error(true, most, sanity), relative_error(true, least, sanity)
    )


def _chances(seen: _StandIns, queries: Itemsets) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return how likely a record that may fit a query fits it, and whether it surely does."""
    rows = np.repeat(np.arange(len(queries)), queries.sizes)
    codes, asked = np.unique(
        rows * (len(seen.sizes) + 1) + seen.label[queries.items] + 1, return_counts=True
    )
    row, label = codes // (len(seen.sizes) + 1), codes % (len(seen.sizes) + 1) - 1
    size = np.append(seen.sizes, 0)[label].astype(np.float64)
    # t given items of a block of s: 2^(s - t) of its 2^s - 1 choices hold them
    given = np.exp2(-asked.astype(np.float64)) / (1 - np.exp2(-np.maximum(size, 1.0)))
    given = np.where(label < 0, 0.0, np.where(size == 1, 1.0, given))
    chance = np.ones(len(queries))
    np.multiply.at(chance, row, given)
    sure = np.ones(len(queries), dtype=np.bool_)
    np.logical_and.at(sure, row, size == 1)
    return chance, sure
