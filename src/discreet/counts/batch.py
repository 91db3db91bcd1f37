"""Many runs on the same small data at once: what an audit of a mechanism asks for."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from discreet.core.publisher import Publisher
from discreet.core.transactions import Transactions
from discreet.counts.levels import Level
from discreet.mechanism_audit.neighbouring import NeighbouringPair, crowd
from discreet.rng import Rng

Outcome: TypeAlias = frozenset[tuple[tuple[str, ...], int]]
"""What one run published: itemsets with their counts."""
Part: TypeAlias = tuple[NDArray[np.int64], Level]
"""Itemsets of one size from many runs, each with the run it belongs to."""
Group: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64]]
"""Itemsets of one size, and the runs in which exactly these were found."""


@runtime_checkable
class Batched(Protocol):
    """A publisher that makes many runs faster than one by one, in the same law."""

    def outcomes(
        self, data: Transactions, rng: Rng, runs: int, *, smallest: int = 0
    ) -> list[Outcome]:
        """Return what each of ``runs`` independent runs publishes of at least ``smallest`` items.

        Sizes below may be left out.
        """
        ...


def outcomes(
    method: Any, data: Transactions, rng: Rng, runs: int, *, smallest: int = 0
) -> list[Outcome]:
    """Return what each of ``runs`` independent runs of ``method`` publishes."""
    if isinstance(method, Batched):
        return method.outcomes(data, rng, runs, smallest=smallest)
    return one_by_one(method, data, rng, runs)


def one_by_one(
    method: Publisher[Transactions], data: Transactions, rng: Rng, runs: int
) -> list[Outcome]:
    """Publish ``runs`` times."""
    published = (method.publish(data, rng).release.content for _ in range(runs))
    return [frozenset(content.as_dict().items()) for content in published]


def joined(vocabulary: tuple[str, ...], parts: Iterable[Part], runs: int) -> list[Outcome]:
    """Return what each run published, from its parts."""
    names: dict[tuple[int, ...], tuple[str, ...]] = {}
    published: list[list[tuple[tuple[str, ...], int]]] = [[] for _ in range(runs)]
    for numbers, level in parts:
        rows = map(tuple, level.rows.tolist())
        for run, row, count in zip(numbers.tolist(), rows, level.counts.tolist(), strict=True):
            if row not in names:
                names[row] = tuple(vocabulary[item] for item in row)
            published[run].append((names[row], count))
    return list(map(frozenset, published))


def patterns(batch: Part, group: Group) -> Iterator[Group]:
    """Divide the runs of a group by the itemsets they found; what follows is alike for each."""
    numbers, level = batch
    rows_by_run: dict[int, list[tuple[int, ...]]] = {run: [] for run in group[1].tolist()}
    for run, row in zip(numbers.tolist(), map(tuple, level.rows.tolist()), strict=True):
        rows_by_run[run].append(row)
    alike: defaultdict[tuple[tuple[int, ...], ...], list[int]] = defaultdict(list)
    for run, rows in rows_by_run.items():
        alike[tuple(sorted(rows))].append(run)
    for sets, members in alike.items():
        rows_of = np.array(sets, dtype=np.int32).reshape(len(sets), level.rows.shape[1])
        yield rows_of, np.array(members, dtype=np.int64)


def nobody_or_one() -> NeighbouringPair:
    """Return nobody beside one person: whatever treats empty data differently shows here."""
    universe = ("a", "b")
    return NeighbouringPair(
        shows="whether anybody is there at all",
        one=crowd(universe, {}),
        other=crowd(universe, {universe: 1}),
        universe=universe,
    )
