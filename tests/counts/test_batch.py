"""Many runs at once follow the law of one run after the other."""

import os
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from discreet import Transactions, rng
from discreet.counts import AplKiller, DiffPart
from discreet.counts.batch import Outcome, one_by_one, outcomes
from discreet.counts.levels import Level
from discreet.counts.partition.running import records_of
from discreet.errors import ParameterError
from discreet.mechanism_audit.neighbouring import NeighbouringPair, crowd
from tests.counts.two_samples import differ
from tests.mistakes import OneByOne, RoundedScale

ITEMS = ("a", "b", "c")
DATA = crowd(ITEMS, {("a", "b", "c"): 4, ("a", "b"): 6, ("a",): 3, ("c",): 2, (): 3})
RUNS = 200 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 1000


def seen(runs: list[Outcome]) -> tuple[Counter[Any], ...]:
    """What is published, and with which counts."""
    return (
        Counter(frozenset(itemset for itemset, _ in run) for run in runs),
        Counter(part for run in runs for part in run),
    )


@pytest.mark.parametrize(
    "method",
    [
        AplKiller(epsilon=1, universe=ITEMS, c1="0.5"),
        AplKiller(epsilon=1, universe=ITEMS, fan_out=2, c1="0.3", boundary_noise="paper"),
        AplKiller(epsilon=1, universe=ITEMS, fan_out=2, empty_tests="paper"),
        DiffPart(epsilon=1, universe=ITEMS, fan_out=2, c1="0.3"),
    ],
)
def test_a_batch_has_the_law_of_single_runs(method: Any) -> None:
    many = outcomes(method, DATA, rng.seeded(1), 4 * RUNS)
    single = one_by_one(method, DATA, rng.seeded(2), RUNS)
    assert len(many) == 4 * RUNS
    # as many of either, so that the statistic has its law
    for batched, plain in zip(seen(many[:RUNS]), seen(single), strict=True):
        assert len(plain) > 5
        assert differ(batched, plain) < 6


def test_runs_of_a_batch_are_told_apart() -> None:
    """A set that passes for sure is there once in each run, and runs do not repeat each other."""
    data = crowd(ITEMS, {("a", "b"): 500})
    for method in (AplKiller(epsilon=1, universe=ITEMS), DiffPart(epsilon=1, universe=ITEMS)):
        counts = [dict(run)[("a", "b")] for run in outcomes(method, data, rng.seeded(3), 200)]
        assert len(counts) == 200
        assert abs(sum(counts) / 200 - 500) < 3
        assert len(set(counts)) > 8


def test_a_batch_outgrows_its_room() -> None:
    items, size = 8, 4
    partitioner = AplKiller(epsilon=1, fan_out=2, c1=0, c2=0).partitioner(items, size)
    level = Level(np.array([[0, 2, 4, 6]], dtype=np.int32), np.array([90], dtype=np.int64))
    run, found = partitioner.repeated(records_of([level]), rng.seeded(4), 60).level(size)
    assert len(found.rows) > 60 + 30
    assert (np.diff(run) >= 0).all()
    held = Counter(map(tuple, zip(run.tolist(), map(tuple, found.rows.tolist()), strict=True)))
    assert max(held.values()) == 1
    assert sum((number, (0, 2, 4, 6)) in held for number in range(60)) > 55


def test_the_smallest_size_leaves_the_larger_ones_in_law() -> None:
    method = AplKiller(epsilon=1, universe=ITEMS, c1="0.5")
    some = outcomes(method, DATA, rng.seeded(5), RUNS, smallest=2)
    every = outcomes(method, DATA, rng.seeded(6), RUNS)
    assert {len(itemset) for run in some for itemset, _ in run} == {2, 3}
    cut = [frozenset(part for part in run if len(part[0]) >= 2) for run in every]
    for one, other in zip(seen(some), seen(cut), strict=True):
        assert differ(one, other) < 6


@pytest.mark.parametrize(
    ("method", "data"),
    [
        (AplKiller(epsilon=1, universe=("a",)), crowd(("a",), {("a",): 90})),
        (DiffPart(epsilon=1, universe=("a",)), crowd(("a",), {("a",): 90})),
        (AplKiller(epsilon=1, universe=ITEMS, max_size=1), crowd(ITEMS, {ITEMS: 300})),
        (DiffPart(epsilon=1, universe=ITEMS, max_size=1), crowd(ITEMS, {ITEMS: 300})),
    ],
)
def test_what_cannot_be_batched_runs_one_by_one(method: Any, data: Transactions) -> None:
    found = outcomes(method, data, rng.seeded(7), 20)
    again = one_by_one(method, data, rng.seeded(7), 20)
    assert len(found) == 20
    assert {len(itemset) for run in found for itemset, _ in run} <= {0, 1}
    if len(method.universe) == 1:
        assert found == again
    else:
        # each run cuts anew: one cut for all runs would give the same item every time
        assert {items for run in found for items, count in run if count > 50} == {
            (item,) for item in ITEMS
        }
        assert method.cuts(data)
    assert not replace(method, max_size=None).cuts(data)
    assert not replace(method, longer="drop").cuts(data)


def test_a_method_without_a_batch_is_published_again_and_again() -> None:
    plain, batched = OneByOne(epsilon=1), RoundedScale(epsilon=1)
    data = plain.worst_pair()[0].one
    runs = outcomes(plain, data, rng.seeded(8), 50)
    assert runs == one_by_one(batched, data, rng.seeded(8), 50)
    assert len(set(runs)) > 3


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    "method",
    [AplKiller(epsilon=1), AplKiller(epsilon="0.1", fan_out=2), DiffPart(epsilon=1, c1="0.5")],
)
def test_what_a_pair_needs_is_published(method: Any, seed: int) -> None:
    """The crowd of a pair passes all thresholds, so that the person beside it can be seen."""
    for pair in method.worst_pair():
        fitted = replace(method, universe=pair.universe, max_size=pair.sizes[1])
        crowded = [items for items, count in pair.one.folded.as_dict().items() if count >= 50]
        runs = outcomes(fitted, pair.one, rng.seeded(seed), 300, smallest=pair.sizes[0])
        assert sum(all(items in dict(run) for items in crowded) for run in runs) >= 298


def test_a_pair_differs_by_one_person() -> None:
    one = crowd(ITEMS, {("a",): 2})
    for other in ({("a",): 3}, {("a",): 1}, {("a",): 1, ("b",): 1}, {("a",): 2, (): 1}):
        NeighbouringPair(shows="it", one=one, other=crowd(ITEMS, other), universe=ITEMS)
    for other in ({("a",): 2}, {("a",): 4}, {("b",): 2}):
        with pytest.raises(ParameterError, match="differ by one person's record"):
            NeighbouringPair(shows="it", one=one, other=crowd(ITEMS, other), universe=ITEMS)
