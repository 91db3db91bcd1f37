"""The guarantees of generalised sets by brute force: the twins of the verifiers."""

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.hierarchy import Hierarchy

Record = frozenset[tuple[str, ...]]


def records_of(content: GeneralisedSets) -> list[Record]:
    """Each published record as a set of blocks."""
    sets = content.sets
    return [
        frozenset(content.blocks[block] for block in sets.items[begin:end])
        for begin, end in pairwise(sets.offsets)
    ]


def support(records: Sequence[Record], items: Iterable[str]) -> int:
    """How many records hold, for each of the items, a block with it."""
    wanted = list(items)
    return sum(all(any(item in block for block in row) for item in wanted) for row in records)


def parts(items: Iterable[str]) -> list[tuple[str, ...]]:
    pool = sorted(items)
    return [part for size in range(1, len(pool) + 1) for part in combinations(pool, size)]


def unmet(records: Sequence[Record], constraint: Iterable[str], k: int) -> list[tuple[str, ...]]:
    """Parts without suppressed items that somebody fits, and fewer than k."""
    published = {item for row in records for block in row for item in block}
    live = [item for item in constraint if item in published]
    return [part for part in parts(live) if 0 < support(records, part) < k]


def km_breaches(records: Sequence[frozenset[str]], k: int, m: int) -> list[tuple[str, ...]]:
    """Sets of up to m published names that somebody has, and fewer than k."""
    names = sorted({name for row in records for name in row})
    small = (known for size in range(1, m + 1) for known in combinations(names, size))
    return [known for known in small if 0 < sum(set(known) <= row for row in records) < k]


def breaches_of_items(
    records: Sequence[frozenset[str]], tree: Hierarchy, k: int, m: int
) -> list[tuple[str, ...]]:
    """Sets of up to m original items that fit some record, and fewer than k.

    An item fits a record that holds it or a name above it.
    """
    items = {*tree.values, *(name for row in records for name in row if name not in tree.numbers)}
    names = {item: {item} for item in sorted(items)}
    for item in tree.values:
        names[item] |= set(tree.ancestors(item))
    small = (known for size in range(1, m + 1) for known in combinations(names, size))
    return [
        known
        for known in small
        if 0 < sum(all(names[item] & row for item in known) for row in records) < k
    ]
