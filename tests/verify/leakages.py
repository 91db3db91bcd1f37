"""Definition 4 by brute force: the twin of the verifier and of the attack."""

from collections.abc import Iterable
from itertools import chain, combinations

from discreet.core.guarantee import NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Release
from tests.releases import as_released

Family = Iterable[Iterable[str]]


def subsets(items: Iterable[str]) -> Iterable[frozenset[str]]:
    pool = sorted(items)
    sized = (combinations(pool, size) for size in range(len(pool) + 1))
    return map(frozenset, chain.from_iterable(sized))


def containers(known: frozenset[str], family: Family) -> list[frozenset[str]]:
    return [held for held in set(map(frozenset, family)) if known <= held]


def leakages(family: Family) -> dict[frozenset[str], frozenset[str]]:
    """Each Q that exactly one set contains, with that set, which holds more than Q."""
    family = list(family)
    found = {}
    for known in subsets(set(chain.from_iterable(family))):
        match containers(known, family):
            case [only] if only != known:
                found[known] = only
    return found


def boundary_closed(family: Family) -> set[frozenset[str]]:
    """The family with every boundary of its maximal sets, as APLKiller leaves it."""
    sets = set(map(frozenset, family))
    top = [held for held in sets if len(containers(held, sets)) == 1]
    return sets | {held - {item} for held in top for item in held}


def released(
    family: Family, counts: Iterable[int] | None = None, *, fillers: int = 0
) -> Release[ItemsetHistogram]:
    """A release of the family; ``fillers`` are items of the universe that nobody holds."""
    rows = [tuple(sorted(held)) for held in family]
    universe = sorted(set(chain.from_iterable(rows))) + [f"~{place}" for place in range(fillers)]
    pairs = list(zip(rows, counts or [1] * len(rows), strict=True))
    content = ItemsetHistogram.of(pairs, universe)
    return as_released(content, NoAttributeLeakage())
