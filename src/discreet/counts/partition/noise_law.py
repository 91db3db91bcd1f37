"""What noise alone makes LevelPart publish: computed along the taxonomy tree, with no data at all.

Two subtrees with equally many items have the same shape. So a cut is known by the sizes of its
nodes, few cuts are different, and the expected number of noise itemsets is a short recursion.
"""

import math
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product
from typing import TypeAlias

from discreet.counts.partition.running import HALF
from discreet.errors import InfeasibleError

STATES = 1_500
"""Different cuts looked at before a tree is given up as too branched."""

Cut: TypeAlias = tuple[tuple[int, ...], int]
"""The sizes of the inner nodes of a cut, ascending, and the number of its single items."""


@cache
def _children(size: int, fan_out: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the two sizes of the children of a node, each with how many have it."""
    parts = min(fan_out, size)
    small, larger = divmod(size, parts)
    return (small + 1, larger), (small, parts - larger)


@cache
def _height(size: int, fan_out: int) -> int:
    if size == 1:
        return 0
    return 1 + max(_height(child, fan_out) for child, count in _children(size, fan_out) if count)


@cache
def _chains(size: int, fan_out: int, longest: int) -> tuple[int, ...]:
    """Return the chain lengths below a node, longest first, as ``taxonomy`` has them."""
    if size == 1:
        return (0,)
    below = (
        length
        for child, count in _children(size, fan_out)
        for _ in range(min(count, longest))
        for length in _chains(child, fan_out, longest)
    )
    merged = sorted(below, reverse=True)
    return (merged[0] + 1, *merged[1:longest])


@lru_cache(maxsize=100_000)
def operations(cut: Cut, fan_out: int, size: int) -> int:
    """Return the most splits that can lead from a cut to an itemset of ``size``: its Par.

    >>> [operations(((17,), 0), 2, size) for size in range(1, 10)]
    [5, 8, 10, 12, 13, 14, 15, 16, 16]
    """
    inner, single = cut
    chains = [_chains(node, fan_out, size) for node in inner]
    spare = size - single - len(inner)
    more = sorted((length for chain in chains for length in chain[1 : spare + 1]), reverse=True)
    return sum(chain[0] for chain in chains) + sum(more[: max(0, spare)])


def threshold(constant: float, budget: float) -> int:
    """Return the least count that passes: ``constant`` standard deviations, at least 1."""
    return max(1, math.ceil(math.sqrt(2) * constant / budget - 1e-9))


def tail(least: int, budget: float) -> float:
    """Return the probability that noise is at least ``least >= 1``."""
    return math.exp(-least * budget) / (1 + math.exp(-budget))


def passes(count: int, least: int, budget: float) -> float:
    """Return the probability that ``count`` with noise is at least ``least``."""
    lacking = least - count
    return tail(lacking, budget) if lacking >= 1 else 1 - tail(1 - lacking, budget)


@dataclass(frozen=True, slots=True)
class LevelNoise:
    """LevelPart on nobody, for itemsets of one size at one ``c1``."""

    items: int
    size: int
    fan_out: int
    epsilon: float
    c1: float
    _known: dict[tuple[Cut, int], tuple[dict[int, float], float]] = field(
        default_factory=dict, compare=False
    )

    @property
    def unit(self) -> float:
        """One unit of budget."""
        return self.epsilon / (2 * HALF)

    @property
    def work(self) -> float:
        """Expected parts looked at: every set of children of every node split."""
        return self._below(((self.items,), 0), HALF)[1]

    def expected(self, c2: float) -> float:
        """Return the expected number of noise itemsets at this leaf threshold."""
        leaves, _ = self._below(((self.items,), 0), HALF)
        return self._published(leaves, c2)

    def beside_people(self, c2: float) -> float:
        """Return the most noise itemsets to expect of one partition that people keep alive.

        The root is left out: it is split once, however many people there are.
        """
        self._below(((self.items,), 0), HALF)
        root = (((self.items,), 0), HALF)
        inner = (leaves for state, (leaves, _) in self._known.items() if state != root)
        return max((self._published(leaves, c2) for leaves in inner), default=0.0)

    def _published(self, leaves: dict[int, float], c2: float) -> float:
        return sum(
            count * tail(threshold(c2, units * self.unit), units * self.unit)
            for units, count in leaves.items()
        )

    def _below(self, cut: Cut, budget: int) -> tuple[dict[int, float], float]:
        """Return the expected leaves under a cut by their budget, and the parts looked at."""
        state = (cut, budget)
        if state not in self._known:
            if len(self._known) > STATES:
                msg = f"a tree of fan-out {self.fan_out} has too many different cuts to look at"
                raise InfeasibleError(msg, parameter="fan_out")
            self._known[state] = self._split(cut, budget)
        return self._known[state]

    def _split(self, cut: Cut, budget: int) -> tuple[dict[int, float], float]:
        share = budget // operations(cut, self.fan_out, self.size)
        if share <= 0:
            return {}, 1.0
        pass_by_noise = tail(threshold(self.c1, share * self.unit), share * self.unit)
        node = max(cut[0], key=lambda size: (_height(size, self.fan_out), size))
        leaves: dict[int, float] = {}
        work = float(1 << min(self.fan_out, node))
        for count, child in _parts(cut, node, self.fan_out, self.size):
            weight = count * pass_by_noise
            if not child[0]:
                units = HALF + budget - share
                leaves[units] = leaves.get(units, 0.0) + weight
                continue
            below, more = self._below(child, budget - share)
            work += weight * more
            for units, expects in below.items():
                leaves[units] = leaves.get(units, 0.0) + weight * expects
        return leaves, work


@lru_cache(maxsize=100_000)
def _parts(cut: Cut, node: int, fan_out: int, size: int) -> list[tuple[int, Cut]]:
    """Return each kind of legal part that splitting ``node`` makes, and how many there are."""
    unsplit = list(cut[0])
    unsplit.remove(node)
    (large, most_large), (small, most_small) = _children(node, fan_out)
    parts = []
    for of_large, of_small in product(range(most_large + 1), range(most_small + 1)):
        added = [large] * of_large + [small] * of_small
        inner = sorted(unsplit + [child for child in added if child > 1])
        single = cut[1] + added.count(1)
        if added and len(inner) + single <= size <= sum(inner) + single:
            count = math.comb(most_large, of_large) * math.comb(most_small, of_small)
            parts.append((count, (tuple(inner), single)))
    return parts
