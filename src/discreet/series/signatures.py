"""Who goes into which bucket: values balanced so that each group shows every one of them once."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

Signature: TypeAlias = tuple[str, ...]
"""The values that a group shows, sorted."""
Buckets: TypeAlias = dict[Signature, dict[str, list[int]]]
"""For each signature the records of each of its values, equally many of each."""

BETWEEN = "\x00"
"""Between the terms of a value: several private terms of a person count as one value."""
FAKE = -1
"""A counterfeit, where a record is missing."""
OTHERS = Fraction(1, 10)
"""Of those who must wait, how many hold another value than the one that is too frequent."""


def terms_of(value: str) -> list[str]:
    """Return the private terms of a value; no private term is a value too.

    >>> terms_of("HIV" + BETWEEN + "herpes"), terms_of("")
    (['HIV', 'herpes'], [])
    """
    return value.split(BETWEEN) if value else []


def share_a_term(values: Iterable[str]) -> bool:
    """Whether some term is in all of the values, so that everyone with one of them has it."""
    return bool(set.intersection(*(set(terms_of(value)) for value in values)))


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

    def postpone(self, values: Iterable[str]) -> list[int]:
        """Take people out until the others can be grouped.

        The most frequent value must go; so that being left out does not tell it for certain, a
        share of those who go holds others, in the order of ``values``.
        """
        others = iter(values)
        postponed = []
        each = OTHERS / (1 - OTHERS)
        owed = 0  # parts of a person, of which ``each.denominator`` make one
        while not self.eligible:
            top = min(self._values[self._top])
            postponed.append(self.take(top))
            owed += each.numerator
            if owed >= each.denominator:
                owed -= each.denominator
                other = next((v for v in others if v != top and self.records[v]), None)
                postponed += [] if other is None else [self.take(other)]
        return postponed


def allot(
    values: Sequence[str],
    signatures: Mapping[int, Sequence[Signature]],
    order: Sequence[int],
    m: int,
) -> tuple[Buckets, list[int]]:
    """Return the buckets of everyone who can be published, and who must wait.

    ``signatures`` are all that a record ever had; ``order`` decides who is taken first. Whoever
    holds a value of an earlier signature meets that one again. Somebody whose value is new to
    all of them meets values that none of them had: else comparing would exclude the others.
    """
    buckets: Buckets = {}
    fresh: dict[str, list[int]] = {value: [] for value in values}
    changed = []
    for record in order:
        earlier = signatures.get(record, ())
        again = [sign for sign in earlier if values[record] in sign]
        if again:
            _bucket(buckets, again[0])[values[record]].append(record)
        elif earlier:
            changed.append(record)
        else:
            fresh[values[record]].append(record)
    pool = Pool(m, fresh)
    postponed = []
    for record in changed:
        met = {value for sign in signatures[record] for value in sign}
        sign = _new_signature(values[record], met, buckets, pool)
        if sign is None:
            postponed.append(record)
        else:
            _bucket(buckets, sign)[values[record]].append(record)
    for bucket in buckets.values():
        _balance(bucket, pool)
    postponed += pool.postpone(values[record] for record in order)
    _assign(pool, buckets)
    return buckets, postponed


def _bucket(buckets: Buckets, sign: Signature) -> dict[str, list[int]]:
    return buckets.setdefault(sign, {value: [] for value in sign})


def _new_signature(value: str, met: set[str], buckets: Buckets, pool: Pool) -> Signature | None:
    """Return a signature for someone with a new value, none of it met before; None if none is."""
    for sign, bucket in buckets.items():
        if value in sign and met.isdisjoint(sign):
            longest = max(map(len, bucket.values()))
            if len(bucket[value]) < longest:
                return sign
    free = sorted(
        (other for other in pool.records if other != value and other not in met),
        key=lambda other: (-len(pool.records[other]), other),
    )
    chosen = [value, *free[: pool.m - 1]]
    if len(chosen) < pool.m:
        return None
    if pool.m > 1 and share_a_term(chosen):
        breaker = (other for other in free if not share_a_term([*chosen[:-1], other]))
        chosen[-1] = next(breaker, chosen[-1])
    return tuple(sorted(chosen))


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
        chosen, amount = _chosen(heap, total, pool.m)
        bucket = _bucket(buckets, tuple(sorted(value for _, value in chosen)))
        for count, value in chosen:
            taken, pool.records[value] = pool.records[value][:amount], pool.records[value][amount:]
            bucket[value].extend(taken)
            if count > amount:
                heapq.heappush(heap, (amount - count, value))
        total -= amount * len(chosen)


def _chosen(heap: list[tuple[int, str]], total: int, m: int) -> tuple[list[tuple[int, str]], int]:
    """Take values with their counts off the heap; also return how many of each can go together."""
    popped = [_most_frequent(heap) for _ in range(m)]
    if m > 1 and share_a_term(value for _, value in popped):
        chosen, amount = _without_common_term(popped, heap, total, m)
        if amount:
            return chosen, amount
    amount = _amount(popped, -heap[0][0] if heap else 0, total, m)
    while not amount:
        popped.append(_most_frequent(heap))
        amount = _amount(popped, -heap[0][0] if heap else 0, total, m)
    return popped, amount


def _most_frequent(heap: list[tuple[int, str]]) -> tuple[int, str]:
    count, value = heapq.heappop(heap)
    return -count, value


def _without_common_term(
    popped: list[tuple[int, str]], heap: list[tuple[int, str]], total: int, m: int
) -> tuple[list[tuple[int, str]], int]:
    """Try the next value that lacks the common term in place of the last; the rest goes back."""
    first, back = [value for _, value in popped[:-1]], []
    while heap and share_a_term([*first, heap[0][1]]):
        back.append(heapq.heappop(heap))
    amount, chosen = 0, popped
    if heap:
        chosen = [*popped[:-1], _most_frequent(heap)]
        rest = max(popped[-1][0], -heap[0][0] if heap else 0)
        amount = _amount(chosen, rest, total, m)
        returned = popped[-1] if amount else chosen[-1]
        back.append((-returned[0], returned[1]))
    for entry in back:
        heapq.heappush(heap, entry)
    return chosen, amount


def _amount(chosen: list[tuple[int, str]], rest: int, total: int, m: int) -> int:
    """Return how many of each chosen value can go so that the rest stays eligible."""
    limits = [chosen[-1][0], (total - m * rest) // len(chosen)]
    if len(chosen) > m:
        limits.append((total - m * chosen[0][0]) // (len(chosen) - m))
    return max(min(limits), 0)
