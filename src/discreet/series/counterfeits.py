"""People who do not exist, with sets like those of people who do."""

from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets
from discreet.rng import Rng
from discreet.series.clusters.public_order import item_key, numbered, set_keys
from discreet.series.corpus import Corpus

TRIES = 12
"""How often two real sets are mixed before a larger one is made."""
LARGER = 4
"""By how many items a counterfeit may be larger than the set it is drawn after."""


def draw_counterfeits(
    corpus: Corpus,
    cluster: NDArray[np.int64],
    wanted: NDArray[np.int64],
    earlier: Sequence[Itemsets],
    rng: Rng,
) -> list[tuple[int, tuple[str, ...]]]:
    """Return cluster and set of every counterfeit; ``wanted`` says how many each cluster needs.

    Each is drawn after someone of its cluster. A set that several people have is taken as it is,
    if no ``earlier`` release had it more often than this corpus: then one more is nobody who was
    seen before. A set that only one has is mixed with another that shares an item, to one of the
    same size that no release has.
    """
    if not wanted.any():
        return []
    mixing = _Mixing(corpus, earlier, rng)
    rows = np.argsort(cluster, kind="stable")
    begins = np.searchsorted(cluster[rows], np.arange(len(wanted) + 1))
    drawn: list[tuple[int, tuple[str, ...]]] = []
    for number in np.flatnonzero(wanted).tolist():
        members = corpus.kinds[0][rows[begins[number] : begins[number + 1]]]
        drawn += [(number, mixing.drawn(members)) for _ in range(int(wanted[number]))]
    return drawn


def drawn_after_people(
    corpus: Corpus, number: int, earlier: Sequence[Itemsets], rng: Rng
) -> list[tuple[str, ...]]:
    """Return so many sets, each after someone drawn at random.

    A set that several people have is taken as it is, any other one is mixed to one of the same
    size that nobody has or had.
    """
    if number <= 0:
        return []
    mixing = _Mixing(corpus, earlier, rng)
    likes = corpus.kinds[0][rng.integers(len(corpus), number)].tolist()
    return [mixing.taken_or_mixed(like, corpus.kinds[0]) for like in likes]


class _Mixing:
    """Makes sets out of the distinct ones of a corpus."""

    def __init__(self, corpus: Corpus, earlier: Sequence[Itemsets], rng: Rng) -> None:
        self.rng = rng
        self.sets = corpus.kinds[1]
        self.taken = {0}  # the empty set
        for sets in (self.sets, *earlier):
            self.taken.update(set_keys(sets)[0].tolist())
        (own, *others), total = numbered([self.sets, *earlier])
        before = np.zeros(total, dtype=np.int64)
        for kinds in others:
            before = np.maximum(before, np.bincount(kinds, minlength=total))
        several = corpus.counts > 1
        self.several = several
        self.common = several & (corpus.counts >= before[own])
        self.fresh = ~several & (before[own] == 0)
        # none can have a set that one person has and had before: half of their share in its stead
        share = np.select([several, before[own] > 0], [1.0, 0.5])
        self.copies = float((share * corpus.counts).sum() / corpus.people)
        self.made = self.copied = 0
        # for each item the sets that hold it
        self.begins, positions = self.sets.by_item
        self.holders = self.sets.rows[positions]

    def drawn(self, members: NDArray[np.int64]) -> tuple[str, ...]:
        """Return a counterfeit's set, like that of someone: one that several have, or nobody."""
        like = self._like(members)
        self.made += 1
        self.copied += int(self.common[like])
        if self.common[like]:
            return tuple(sorted(self.sets[like]))
        return self._fresh(like, members)

    def taken_or_mixed(self, like: int, members: NDArray[np.int64]) -> tuple[str, ...]:
        """Return a set that several have as it is, and another one mixed."""
        return tuple(sorted(self.sets[like])) if self.several[like] else self._fresh(like, members)

    def _fresh(self, like: int, members: NDArray[np.int64]) -> tuple[str, ...]:
        """Return a set like this one that no release has."""
        for items in self._candidates(like, members):
            key = sum(map(item_key, items)) % (1 << 64)
            if key not in self.taken:
                self.taken.add(key)
                return items
        raise AssertionError  # the candidates never end

    def _like(self, members: NDArray[np.int64]) -> int:
        """Return a set to draw a counterfeit after.

        As long as too few have a set that several have, one of the cluster that can be taken as it
        is; else one that shares an item with the cluster, that one has and nobody had before.
        """
        drawn = members[self.rng.integers(len(members), TRIES)]
        near = np.array([self._holder(kind) for kind in drawn.tolist()])
        # a set of many items is met as often through each of them
        near = near[self.rng.integers(1 << 20, TRIES) * self.sets.sizes[near] < 1 << 20]
        anyone = self.rng.integers(len(self.fresh), TRIES)
        choices = [(near, self.fresh), (anyone, self.fresh)]
        if self.copied <= self.copies * self.made:
            choices.insert(0, (drawn, self.common))
        for kinds, fitting in choices:
            if fitting[kinds].any():
                return int(kinds[fitting[kinds]][0])
        return int(drawn[0])

    def _holder(self, kind: int) -> int:
        """Return a set that shares an item with this one."""
        own = self._items(kind)
        if not own:
            return kind
        item = own[int(self.rng.integers(len(own), 1)[0])]
        begin, end = self.begins[item : item + 2].tolist()
        return int(self.holders[begin + int(self.rng.integers(end - begin, 1)[0])])

    def _candidates(self, like: int, members: NDArray[np.int64]) -> Iterator[tuple[str, ...]]:
        """Yield sets like a real one, growing where all are taken; at last with a made-up item."""
        own = self._items(like)
        for size in range(len(own), len(own) + LARGER + 1):
            for attempt in range(TRIES):
                other = int(members[self.rng.integers(len(members), 1)[0]])
                if attempt < TRIES // 2:
                    other = self._holder(like)
                mixed = self._mixed(own, self._items(other), size)
                if len(mixed) == max(size, 1):
                    yield tuple(sorted(self.sets.vocabulary[item] for item in mixed))
        yield from ((f"other {number}",) for number in count(1))

    def _items(self, kind: int) -> list[int]:
        begin, end = self.sets.offsets[kind : kind + 2]
        items: list[int] = self.sets.items[begin:end].tolist()
        return items

    def _mixed(self, own: list[int], other: list[int], size: int) -> set[int]:
        """Return so many items of both: all they share, then some of each in a random order."""
        shared = [item for item in own if item in other]
        rest = [item for item in (*own, *other) if item not in shared]
        order = self.rng.permutation(len(rest)).tolist() if rest else []
        new = [item for item in other if item not in shared]
        first = [new[int(self.rng.integers(len(new), 1)[0])]] if new else []
        chosen = dict.fromkeys([*shared, *first, *(rest[index] for index in order)])
        return set(list(chosen)[: max(size, 1)])
