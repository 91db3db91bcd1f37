"""Looks for the neighbouring data sets on which a mechanism gives itself away most.

The auditee has no say: all small data sets of a universe are tried, each beside each neighbour, on
a first sample; the few pairs that look worst are judged on fresh runs.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, combinations, product
from typing import Any

from discreet.core.exact import positive
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.transactions import Transactions
from discreet.counts.batch import Outcome, outcomes
from discreet.mechanism_audit.audit import AuditVerdict, audit
from discreet.mechanism_audit.neighbouring import crowd
from discreet.rng import Rng, seeded

UNIVERSE = ("a", "b")
CROWDS = (0, 1, 2, 30)
"""How many people may hold a set: nobody, a few near every threshold, many."""
JUDGED = 3
"""Pairs that are judged on fresh runs."""

Held = tuple[int, ...]
"""How many people hold each set of the universe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accusation:
    """The worst pair that was found."""

    one: Held
    other: Held
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
    known = {field.name for field in fields(method)}
    public = {"universe": UNIVERSE, "max_size": len(UNIVERSE)}
    method = replace(method, **{name: public[name] for name in public.keys() & known})
    epsilon = float(positive("epsilon", method.epsilon))
    rng, exchange = seeded(41), _by_exchange(method)
    drawn: dict[Held, list[Outcome]] = {}

    def sample(held: Held) -> list[Outcome]:
        if held not in drawn:
            drawn[held] = outcomes(method, _data(held), rng, first)
        return drawn[held]

    looks: dict[tuple[Held, Held], float] = {}
    for held in product(crowds, repeat=len(sets())):
        for other in neighbours(held, by_exchange=exchange) if sum(held) else ():
            runs = (_replay(sample(held)), _replay(sample(other)))
            looks[held, other] = audit(*runs, runs=first, epsilon=epsilon, error=0.05).bound_95
    chosen = sorted(looks, key=lambda pair: -looks[pair])[:JUDGED]
    judged = [
        Accusation(one=one, other=other, verdict=audit(
            _fresh(method, one, rng), _fresh(method, other, rng),
            runs=fresh, epsilon=epsilon, error=error / JUDGED,
        ))
        for one, other in chosen
    ]  # fmt: skip
    return max(judged, key=lambda each: each.verdict.bound)


def _by_exchange(method: Any) -> bool:
    promised = [each for each in method.guarantees if isinstance(each, DifferentialPrivacy)]
    return bool(promised) and promised[0].neighbours == "replace"


def _data(held: Held) -> Transactions:
    return crowd(UNIVERSE, dict(zip(sets(), held, strict=True)))


def _replay(runs: list[Outcome]) -> Callable[[int], list[Outcome]]:
    """Hand out runs that were made, one half after the other."""
    left = iter(runs)
    return lambda n: [next(left) for _ in range(n)]


def _fresh(method: Any, held: Held, rng: Rng) -> Callable[[int], list[Outcome]]:
    return lambda n: outcomes(method, _data(held), rng, n)
