"""Looks for the neighbouring data sets on which a mechanism gives itself away most.

The auditee has no say: all small data sets of two items are tried, each beside each neighbour, on
a first sample; the few pairs that look worst are judged on fresh runs. Of more items random data
sets are tried, and then those near the worst.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain, combinations, product
from typing import Any

from discreet.core.exact import positive
from discreet.core.guarantee import DifferentialPrivacy
from discreet.counts.batch import Outcome, outcomes
from discreet.mechanism_audit.audit import AuditVerdict, audit
from discreet.mechanism_audit.neighbouring import crowd
from discreet.rng import seeded

UNIVERSE = ("a", "b")
CROWDS = (0, 1, 2, 30)
"""How many people may hold a set: nobody, a few near every threshold, many."""
JUDGED = 3
"""Pairs that are judged on fresh runs."""
STEPS = 3
"""How often a search goes on from the worst pairs."""
FEW_NEIGHBOURS = 4
"""Neighbours of a data set that are looked at where there are too many of them."""

Held = tuple[int, ...]
"""How many people hold each set of the universe."""
Data = tuple[tuple[tuple[str, ...], int], ...]
"""Sets with how many people hold each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accusation:
    """The worst pair that was found."""

    one: Data
    other: Data
    verdict: AuditVerdict

    def __str__(self) -> str:
        held = f"{self.one} and {self.other}"
        return (
            f"claims {self.verdict.epsilon:g}, is above {self.verdict.bound:.3f} "
            f"({self.verdict.bound_95:.3f} at 95 %) by {held}: {self.verdict.event}"
        )


def sets(universe: Sequence[str] = UNIVERSE) -> list[tuple[str, ...]]:
    """Return every set of a universe.

    >>> sets(("a", "b"))
    [(), ('a',), ('b',), ('a', 'b')]
    """
    return list(chain.from_iterable(combinations(universe, n) for n in range(len(universe) + 1)))


def neighbours(held: Held, *, by_exchange: bool) -> Iterator[Held]:
    """Give the data with one person more, or with one person's set exchanged.

    >>> list(neighbours((0, 1), by_exchange=False)), list(neighbours((0, 1), by_exchange=True))
    ([(1, 1), (0, 2)], [(1, 0)])
    """
    for to in range(len(held)):
        more = tuple(count + (at == to) for at, count in enumerate(held))
        if not by_exchange:
            yield more
            continue
        for away in range(len(held)):
            if away != to and held[away]:
                yield tuple(count - (at == away) for at, count in enumerate(more))


def worst(
    method: Any, *, first: int, fresh: int, error: float = 1e-4, crowds: Sequence[int] = CROWDS
) -> Accusation:
    """Search on ``first`` runs of every data set, and judge the worst pairs on ``fresh`` ones."""
    exchange = _by_exchange(method)
    pairs = [
        (_plain(held), _plain(other))
        for held in product(crowds, repeat=len(sets()))
        for other in neighbours(held, by_exchange=exchange)
    ]
    search = Search(method, UNIVERSE, first)
    return search.judged(search.worst(pairs), fresh, error)


def worst_of_several(
    method: Any, items: int, number: int, *, first: int, fresh: int, error: float = 1e-4
) -> Accusation:
    """Search among random pairs of a few items, then among those that differ little from the worst.

    With three items there are too many data sets to try each.
    """
    universe, chance = tuple("abcdefgh"[:items]), random.Random(items)
    exchange, search = _by_exchange(method), Search(method, universe, first)

    def pairs_of(held: Held) -> list[tuple[Data, Data]]:
        beside = list(neighbours(held, by_exchange=exchange))
        return [
            (_plain(held, universe), _plain(other, universe))
            for other in chance.sample(beside, min(len(beside), FEW_NEIGHBOURS))
        ]

    tried = [_few(chance, 2**items) for _ in range(number)]
    chosen = search.worst([pair for held in tried for pair in pairs_of(held)])
    for _ in range(STEPS):
        nearby = [
            near for one, _ in chosen for near in _changed(one, universe, chance, number // JUDGED)
        ]
        chosen = search.worst([*chosen, *(pair for held in nearby for pair in pairs_of(held))])
    return search.judged(chosen, fresh, error)


def worst_of_wide(
    method: Any, items: int, number: int, *, first: int, fresh: int, error: float = 1e-4
) -> Accusation:
    """Search among random pairs of a wide universe: a crowd with one large set, and one stranger.

    With many items not every data set can be tried, and only large sets are looked at.
    """
    universe, chance = tuple("abcdefghijkl"[:items]), random.Random(items)
    large = list(combinations(universe, items - 1))
    pairs = []
    for _ in range(number):
        crowd_of, stranger = chance.sample(large, 2)
        held = ((crowd_of, 300),)
        pairs.append((held, (*held, (stranger, 1))))
    search = Search(method, universe, first, smallest=items - 1)
    return search.judged(search.worst(pairs), fresh, error)


class Search:
    """What pairs look like on a first sample, and how the worst are judged on fresh runs."""

    def __init__(
        self, method: Any, universe: tuple[str, ...], first: int, *, smallest: int = 0
    ) -> None:
        known = {field.name for field in fields(method)}
        public = {"universe": universe, "max_size": len(universe)}
        self.method = replace(method, **{name: public[name] for name in public.keys() & known})
        self.epsilon = float(positive("epsilon", method.epsilon))
        self.universe, self.smallest, self.first = universe, smallest, first
        self.rng = seeded(41)
        self.drawn: dict[Data, list[Outcome]] = {}
        self.looks: dict[tuple[Data, Data], float] = {}

    def draw(self, held: Data, n: int) -> list[Outcome]:
        """Run the method on data."""
        data = crowd(self.universe, dict(held))
        return outcomes(self.method, data, self.rng, n, smallest=self.smallest)

    def look(self, pair: tuple[Data, Data]) -> float:
        """Return what the first sample says of a pair."""
        if pair not in self.looks:
            for held in pair:
                if held not in self.drawn:
                    self.drawn[held] = self.draw(held, self.first)
            replayed = (_replay(self.drawn[held]) for held in pair)
            seen = audit(*replayed, runs=self.first, epsilon=self.epsilon, error=0.05)
            self.looks[pair] = seen.bound_95
        return self.looks[pair]

    def worst(self, pairs: Sequence[tuple[Data, Data]]) -> list[tuple[Data, Data]]:
        """Return the pairs that look worst."""
        return sorted(dict.fromkeys(pairs), key=lambda pair: -self.look(pair))[:JUDGED]

    def judged(self, pairs: Sequence[tuple[Data, Data]], fresh: int, error: float) -> Accusation:
        """Return the worst of the pairs, each judged on runs that chose nothing."""
        judged = [
            Accusation(one=one, other=other, verdict=audit(
                partial(self.draw, one), partial(self.draw, other),
                runs=fresh, epsilon=self.epsilon, error=error / JUDGED,
            ))
            for one, other in pairs
        ]  # fmt: skip
        return max(judged, key=lambda each: each.verdict.bound)


def _few(chance: random.Random, size: int) -> Held:
    """Return data in which few sets are held: alone with a set one is seen best."""
    share = chance.choice([0.1, 0.3, 0.6])
    return tuple(chance.choice(CROWDS) if chance.random() < share else 0 for _ in range(size))


def _changed(
    held: Data, universe: tuple[str, ...], chance: random.Random, number: int
) -> Iterator[Held]:
    """Give the data with another crowd at one of the sets."""
    counts = [dict(held).get(each, 0) for each in sets(universe)]
    for _ in range(number):
        at, many = chance.randrange(len(counts)), chance.choice(CROWDS)
        yield (*counts[:at], many, *counts[at + 1 :])


def _plain(held: Held, universe: tuple[str, ...] = UNIVERSE) -> Data:
    return tuple((each, count) for each, count in zip(sets(universe), held, strict=True) if count)


def _by_exchange(method: Any) -> bool:
    promised = [each for each in method.guarantees if isinstance(each, DifferentialPrivacy)]
    return bool(promised) and promised[0].neighbours == "replace"


def _replay(runs: list[Outcome]) -> Callable[[int], list[Outcome]]:
    """Hand out runs that were made, one half after the other."""
    left = iter(runs)
    return lambda n: [next(left) for _ in range(n)]
