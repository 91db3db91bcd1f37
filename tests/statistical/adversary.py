"""Looks for the neighbouring data sets on which a mechanism gives itself away most.

The auditee has no say: all small data sets of a universe are tried, each beside each neighbour, on
a first sample; the few pairs that look worst are judged on fresh runs.
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
    return _worst_of(method, pairs, UNIVERSE, 0, (first, fresh, error))


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
    return _worst_of(method, pairs, universe, items - 1, (first, fresh, error))


def _worst_of(
    method: Any,
    pairs: Sequence[tuple[Data, Data]],
    universe: tuple[str, ...],
    smallest: int,
    runs: tuple[int, int, float],
) -> Accusation:
    known = {field.name for field in fields(method)}
    public = {"universe": universe, "max_size": len(universe)}
    method = replace(method, **{name: public[name] for name in public.keys() & known})
    epsilon, (first, fresh, error) = float(positive("epsilon", method.epsilon)), runs
    rng = seeded(41)

    def draw(held: Data, n: int) -> list[Outcome]:
        return outcomes(method, crowd(universe, dict(held)), rng, n, smallest=smallest)

    drawn: dict[Data, list[Outcome]] = {}
    looks: dict[tuple[Data, Data], float] = {}
    for pair in pairs:
        for held in pair:
            if held not in drawn:
                drawn[held] = draw(held, first)
        replayed = (_replay(drawn[held]) for held in pair)
        looks[pair] = audit(*replayed, runs=first, epsilon=epsilon, error=0.05).bound_95
    chosen = sorted(looks, key=lambda pair: -looks[pair])[:JUDGED]
    judged = [
        Accusation(one=one, other=other, verdict=audit(
            partial(draw, one), partial(draw, other),
            runs=fresh, epsilon=epsilon, error=error / JUDGED,
        ))
        for one, other in chosen
    ]  # fmt: skip
    return max(judged, key=lambda each: each.verdict.bound)


def _plain(held: Held) -> Data:
    return tuple((each, count) for each, count in zip(sets(), held, strict=True) if count)


def _by_exchange(method: Any) -> bool:
    promised = [each for each in method.guarantees if isinstance(each, DifferentialPrivacy)]
    return bool(promised) and promised[0].neighbours == "replace"


def _replay(runs: list[Outcome]) -> Callable[[int], list[Outcome]]:
    """Hand out runs that were made, one half after the other."""
    left = iter(runs)
    return lambda n: [next(left) for _ in range(n)]
