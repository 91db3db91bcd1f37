"""Made-up people with friends and sets, of any size, where the real ones cannot be had.

Flixster's data are not distributed any more; what the papers tell of them is their size. People
live in communities of very different sizes. Who has many friends has them mostly at home; a
community has a taste, which is a mixture of kinds, and its people hold items of these kinds,
popular items far more often than others. So friends hold similar sets, and degrees and supports
have long tails.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.network import SocialNetwork
from discreet.core.sets_with_network import ascending
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError
from discreet.rng import Rng


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeUp:
    """How many of what."""

    people: int
    """People."""
    edges: int
    """Friendships."""
    items: int
    """Items that are on offer; the rarest may be held by nobody."""
    kinds: int = 8
    """Kinds of items: the parents in the hierarchy."""
    communities: int = 300
    """Communities of people."""
    median: int = 12
    """Median size of a set; sizes have a long tail up to 400."""
    sensitive: float = 0.05
    """Share of the items with at least 20 holders that are sensitive."""

    def __post_init__(self) -> None:
        if self.edges > self.people * (self.people - 1) // 8:
            raise ParameterError(f"{self.edges:,} edges are too many for {self.people:,} people")


FLIXSTER = MadeUp(people=103_271, edges=1_269_076, items=48_756)
"""As large as the second data set of Wang, Lin, Bai, Chang, Li and Liu 2020, Table 4."""


def made_up_friends(size: MadeUp, rng: Rng) -> tuple[SocialNetwork, Hierarchy]:
    """Return made-up people with sets and friends, and the hierarchy of their items by kind."""
    # nothing here is private, and numpy's laws are many: one word of ours seeds them
    draw = np.random.default_rng(int(rng.integers(1 << 62, 1)[0]))
    home = _homes(size, draw)
    edges = _friendships(size, home, draw)
    kind = draw.permutation(size.items) % size.kinds
    sets = _sets(size, home, kind, draw)
    support = np.bincount(sets.items, minlength=size.items)
    known = np.flatnonzero(support >= 20)
    secret = draw.choice(known, int(size.sensitive * len(known)), replace=False)
    names = sets.vocabulary
    sensitive = frozenset(names[item] for item in secret.tolist())
    pairs = [(name, f"kind {kind[item] + 1}") for item, name in enumerate(names)]
    tops = [(f"kind {number + 1}", "ALL") for number in range(size.kinds)]
    plain = [pair for pair in pairs if pair[0] not in sensitive]
    people = Transactions(sets, sensitive=sensitive)
    return SocialNetwork(people, edges), Hierarchy.of_pairs([*plain, *tops])


def _homes(size: MadeUp, draw: np.random.Generator) -> NDArray[np.int64]:
    """Return the community of each person; the sizes of communities fall like a power law."""
    share = 1.0 / np.arange(1, size.communities + 1) ** 0.7
    return draw.choice(size.communities, size.people, p=share / share.sum())


def _friendships(
    size: MadeUp, home: NDArray[np.int64], draw: np.random.Generator
) -> NDArray[np.int64]:
    """Return edges, three in four of them at home, whose ends are drawn by sociability."""
    social = 1.0 + draw.pareto(2.2, size.people)
    order = np.argsort(home, kind="stable")
    rising = np.cumsum(social[order])
    ends = np.searchsorted(home[order], np.arange(size.communities + 1))
    edge = np.concatenate([[0.0], rising])[ends]
    codes = np.empty(0, dtype=np.int64)
    while len(codes) < size.edges:
        count = int(1.3 * (size.edges - len(codes))) + 100
        first = _drawn(rising, draw.random(count) * rising[-1])
        at_home = draw.random(count) < 0.75
        low = np.where(at_home, edge[home[order[first]]], 0.0)
        high = np.where(at_home, edge[home[order[first]] + 1], rising[-1])
        second = _drawn(rising, low + draw.random(count) * (high - low))
        pairs = np.sort(np.stack([order[first], order[second]], axis=1), axis=1)
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
        codes = np.unique(np.concatenate([codes, pairs[:, 0] * size.people + pairs[:, 1]]))
    chosen = draw.choice(codes, size.edges, replace=False)
    return ascending(np.stack(np.divmod(chosen, size.people), axis=1))


def _drawn(rising: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.minimum(np.searchsorted(rising, at, side="right"), len(rising) - 1)


def _sets(
    size: MadeUp, home: NDArray[np.int64], kind: NDArray[np.int64], draw: np.random.Generator
) -> Itemsets:
    """Return a set for each person: kinds by the taste of the community, items by popularity."""
    taste = draw.dirichlet(np.full(size.kinds, 0.4), size.communities).cumsum(axis=1)
    wanted = np.minimum(draw.lognormal(np.log(size.median), 1.0, size.people).astype(int) + 1, 400)
    rows = np.repeat(np.arange(size.people), wanted)
    chosen = (draw.random(len(rows))[:, None] > taste[home[rows]]).sum(axis=1)
    chosen = np.minimum(chosen, size.kinds - 1)
    items = np.empty(len(rows), dtype=np.int64)
    for number in range(size.kinds):
        own = np.flatnonzero(kind == number)
        popularity = np.cumsum(1.0 / np.arange(1, len(own) + 1) ** 0.8)
        of_community = chosen == number
        items[of_community] = own[
            _drawn(popularity, draw.random(of_community.sum()) * popularity[-1])
        ]
    names = tuple(f"item {number}" for number in range(1, size.items + 1))
    return Itemsets.of_pairs(rows, items, size.people, names)
