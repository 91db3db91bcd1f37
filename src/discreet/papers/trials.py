"""What is asked of one release: does the attack succeed, how wrong are its answers, how long."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from time import process_time
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.publisher import Publisher
from discreet.core.transactions import Transactions
from discreet.counts.attribute_linkage import AttributeLinkage
from discreet.counts.knowledge import Known
from discreet.measure import SANITY, CountingQueries, answers, paper_workload, relative_error
from discreet.papers.recipes import DataRecipe, made
from discreet.rng import seeded

Numbers: TypeAlias = dict[str, float]
TARGET, SOME = "P(APL for the target)", "P(some APL for the target)"
PUBLISHED, ANY = "P(target published)", "P(any APL)"
SHARES = frozenset({TARGET, SOME, PUBLISHED, ANY})
"""The numbers that are 1 or 0 in each release."""
ERROR, RATIO = "relative error", "time ratio"
QUERIES = 50_000
WORKLOAD_SEED = 6
"""One workload for each data set, the same for every method and release."""


class Publishes(Hashable, Publisher[Transactions], Protocol):
    """A publisher of itemset histograms that can be told from others."""


class Trial(Protocol):
    """A question that one release answers, with chance of its own."""

    def run(self, recipe: DataRecipe, seed: int) -> Numbers:
        """Publish once and return the numbers; the first of them decides how many are enough."""
        ...


@dataclass(frozen=True, slots=True)
class Linkage:
    """Whether a release gives away who has everything (section 4.3 of the paper).

    The target is the set of all items, the adversary knows all of them but one.
    """

    method: Publishes

    def run(self, recipe: DataRecipe, seed: int) -> Numbers:
        """Return 1 or 0: the attack succeeds with the items chosen, with some, with anything."""
        data = made(recipe)
        release = self.method.publish(data, seeded(seed)).release
        leaks = AttributeLinkage().attack([release], Known())
        content, target = release.content, data.universe
        chances = [succeeds(content, target, known) for known in _boundary_of(target)]
        return {
            TARGET: float(succeeds(content, target, _known(recipe))),
            SOME: float(any(chances)),
            PUBLISHED: float(bool((content.sets.sizes == len(target)).any())),
            ANY: float(len(leaks) > 0),
        }


@lru_cache(maxsize=64)
def _known(recipe: DataRecipe) -> tuple[str, ...]:
    return missing_boundary(made(recipe))


def missing_boundary(data: Transactions) -> tuple[str, ...]:
    """Return all items but one, such that nobody has exactly these: the first such in the order.

    >>> missing_boundary(Transactions.of([["a", "b", "c"], ["b", "c"]]))
    ('a', 'c')
    """
    universe = data.universe
    near = data.folded.sets.take(np.flatnonzero(data.folded.sets.sizes == len(universe) - 1))
    present = set(near)
    boundary = _boundary_of(universe)
    return next((known for known in boundary if known not in present), boundary[0])


def _boundary_of(target: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the sets that lack one item of ``target``.

    >>> _boundary_of(("a", "b", "c"))
    [('b', 'c'), ('a', 'c'), ('a', 'b')]
    """
    return [(*target[:at], *target[at + 1 :]) for at in range(len(target))]


def succeeds(content: ItemsetHistogram, target: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Whether the target is published, and nothing else that holds all that is known.

    >>> out = ItemsetHistogram.of({("a", "b", "c"): 9, ("b", "c"): 2})
    >>> succeeds(out, ("a", "b", "c"), ("a", "b")), succeeds(out, ("a", "b", "c"), ("b", "c"))
    (True, False)
    """
    large = content.sets.take(np.flatnonzero(content.sets.sizes >= len(known)))
    fitting = [itemset for itemset in large if set(known) <= set(itemset)]
    return len(fitting) == 1 and set(fitting[0]) == set(target)


@dataclass(frozen=True, slots=True)
class Error:
    """The relative error of counting queries (section 6.3 of the paper)."""

    method: Publishes

    def run(self, recipe: DataRecipe, seed: int) -> Numbers:
        """Return the mean over all queries, over the existing itemsets, over the random ones."""
        queries, (existing, random) = _workload(recipe)
        data = made(recipe)
        content = self.method.publish(data, seeded(seed)).release.content
        sanity = SANITY * len(data)
        on_existing = relative_error(existing, answers(content, queries.existing), sanity)
        on_random = relative_error(random, answers(content, queries.random), sanity)
        return {
            ERROR: float(np.concatenate([on_existing, on_random]).mean()),
            "relative error, existing": float(on_existing.mean()),
            "relative error, random": float(on_random.mean()),
        }


@lru_cache(maxsize=4)
def _workload(
    recipe: DataRecipe,
) -> tuple[CountingQueries, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the queries and their true answers."""
    folded = made(recipe).folded
    queries = paper_workload(folded, seeded(WORKLOAD_SEED), size=QUERIES)
    return queries, (answers(folded, queries.existing), answers(folded, queries.random))


@dataclass(frozen=True, slots=True)
class Race:
    """The processor time of one method as a share of another's, both in the same run."""

    method: Publishes
    against: Publishes

    def run(self, recipe: DataRecipe, seed: int) -> Numbers:
        """Return the ratio, and the milliseconds of each."""
        order = [("one", self.method), ("other", self.against)]
        # who comes first finds colder caches: they take turns
        turns = order[:: 1 - 2 * (seed % 2)]
        taken = {name: _time(method, recipe, seed) for name, method in turns}
        return {
            RATIO: taken["one"] / taken["other"],
            "milliseconds": 1000 * taken["one"],
            "milliseconds of the other": 1000 * taken["other"],
        }


def _time(method: Publishes, recipe: DataRecipe, seed: int) -> float:
    _warm_up(method, recipe)
    data, rng = made(recipe), seeded(seed)
    before = process_time()
    method.publish(data, rng)
    return max(process_time() - before, 1e-9)


@lru_cache(maxsize=64)
def _warm_up(method: Publishes, recipe: DataRecipe) -> None:
    """Publish once: compiling and the check of the parameters are not part of every release."""
    method.publish(made(recipe), seeded(0))
