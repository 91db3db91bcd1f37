"""The guarantees of generalised sets by brute force: the twins of the verifiers."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from discreet.core.generalised_sets import GeneralisedSets

Record = frozenset[tuple[str, ...]]


def records_of(content: GeneralisedSets) -> list[Record]:
    """Each published record as a set of blocks."""
    return [
        frozenset(tuple(block) for block in row)
        for row in content.tables()["transactions"]["items"].to_list()
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
