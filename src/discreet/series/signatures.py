"""Who goes into which bucket: values balanced so that each group shows every one of them once."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["FAKE", "Buckets", "Pool", "allot"]

Signature: TypeAlias = tuple[str, ...]
Buckets: TypeAlias = dict[Signature, dict[str, list[int]]]
"""For each signature the records of each of its values, equally many of each."""

FAKE = -1
"""A counterfeit, where a record is missing."""


@dataclass
class Pool:
    """People who have no signature yet, by value."""

    m: int
    records: dict[str, list[int]]
    total: int = field(init=False)
    _values: dict[int, set[str]] = field(init=False, default_factory=dict)
    _top: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.total = sum(map(len, self.records.values()))
        for value, records in self.records.items():
            self._values.setdefault(len(records), set()).add(value)
        self._top = max(self._values, default=0)

    @property
    def eligible(self) -> bool:
        """Whether no value is held by more than one in m."""
        return self._top * self.m <= self.total

    def spares(self, value: str) -> bool:
        """Whether someone with the value can leave and the others can still be grouped."""
        if not self.records.get(value):
            return False
        if not self.eligible:
            return True
        alone = len(self._values[self._top]) == 1 and value in self._values[self._top]
        return (self._top - alone) * self.m <= self.total - 1

    def take(self, value: str) -> int:
        """Take someone with the value out."""
        count = len(self.records[value])
        self._values[count].discard(value)
        self._values.setdefault(count - 1, set()).add(value)
        if count == self._top and not self._values[count]:
            self._top -= 1
        self.total -= 1
        return self.records[value].pop()

    def postpone(self) -> list[int]:
        """Take out people of the most frequent value until the others can be grouped."""
        postponed = []
        while not self.eligible:
            postponed.append(self.take(min(self._values[self._top])))
        return postponed


def allot(
    values: Sequence[str], signatures: Mapping[int, Signature], order: Sequence[int], m: int
) -> tuple[Buckets, list[int]]:
    """Return the buckets of everyone who can be published, and who must wait.

    ``signatures`` are those of the records that have one; ``order`` decides who is taken first.
    """
    buckets: Buckets = {}
    fresh: dict[str, list[int]] = {}
    for record in order:
        if record in signatures:
            sign = signatures[record]
            bucket = buckets.setdefault(sign, {value: [] for value in sign})
            bucket[values[record]].append(record)
        else:
            fresh.setdefault(values[record], []).append(record)
    pool = Pool(m, fresh)
    for bucket in buckets.values():
        _balance(bucket, pool)
    postponed = pool.postpone()
    _assign(pool, buckets)
    return buckets, postponed


def _balance(bucket: dict[str, list[int]], pool: Pool) -> None:
    """Fill up the shorter lists of a bucket with new people, or with counterfeits."""
    longest = max(map(len, bucket.values()))
    for value, records in bucket.items():
        while len(records) < longest:
            records.append(pool.take(value) if pool.spares(value) else FAKE)


def _assign(pool: Pool, buckets: Buckets) -> None:
    """Put everyone who is left into buckets of the m or more most frequent values.

    As many as possible at once: what remains must stay eligible.
    """
    heap = [(-len(records), value) for value, records in pool.records.items() if records]
    heapq.heapify(heap)
    total = pool.total
    while total:
        chosen: list[tuple[int, str]] = []
        amount = 0
        while not amount:
            count, value = heapq.heappop(heap)
            chosen.append((-count, value))
            if len(chosen) >= pool.m:
                amount = _amount(chosen, -heap[0][0] if heap else 0, total, pool.m)
        sign = tuple(sorted(value for _, value in chosen))
        bucket = buckets.setdefault(sign, {value: [] for value in sign})
        for count, value in chosen:
            taken, pool.records[value] = pool.records[value][:amount], pool.records[value][amount:]
            bucket[value].extend(taken)
            if count > amount:
                heapq.heappush(heap, (amount - count, value))
        total -= amount * len(chosen)


def _amount(chosen: list[tuple[int, str]], rest: int, total: int, m: int) -> int:
    """Return how many of each chosen value can go so that the rest stays eligible."""
    limits = [chosen[-1][0], (total - m * rest) // len(chosen)]
    if len(chosen) > m:
        limits.append((total - m * chosen[0][0]) // (len(chosen) - m))
    return max(min(limits), 0)
