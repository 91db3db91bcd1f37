"""The kernels draw empties by the handful; one test for each of them is the same in law."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from discreet.counts import AplKiller, DiffPart
from discreet.counts.kernels.layout import CUT, WIDTH
from discreet.counts.levels import Level
from discreet.counts.partition.running import Partitioner, records_of
from discreet.rng import seeded
from tests.counts.two_samples import differ

RUNS = 20_000


def noise(rate: float, rng: random.Random) -> int:
    """A discrete Laplace draw as the difference of two geometric ones; floats do for a test."""
    q = math.exp(-rate)
    one, other = (int(math.log(1 - rng.random()) / math.log(q)) for _ in range(2))
    return one - other


def held_by(count: dict[frozenset[int], int], cut: tuple[frozenset[int], ...]) -> int:
    """The records that touch every node of the cut and nothing else."""
    items = frozenset().union(*cut)
    return sum(
        number
        for itemset, number in count.items()
        if itemset <= items and all(itemset & node for node in cut)
    )


def parts_of(cut: tuple[frozenset[int], ...], size: int) -> list[tuple[frozenset[int], ...]]:
    """The legal sub-partitions of a cut: its last largest node gives way to some of its halves."""
    inner = max(reversed(cut), key=len)
    ordered = sorted(inner)
    half = len(ordered) // 2
    children = (frozenset(ordered[:half]), frozenset(ordered[half:]))
    rest = list(cut)
    rest.remove(inner)
    parts = [
        (*rest, *(child for bit, child in enumerate(children) if key >> bit & 1))
        for key in (1, 2, 3)
    ]
    return [part for part in parts if len(part) <= size <= sum(map(len, part))]


def plain_level_part(
    count: dict[frozenset[int], int], partitioner: Partitioner, rng: random.Random
) -> frozenset[frozenset[int]]:
    """LevelPart over four items with fan-out two, one test for each sub-partition."""
    rule = partitioner.rule
    unit = rule.s / rule.t
    published = set()

    def passes(held: int, units: int, constant: float) -> bool:
        least = max(1, math.ceil(math.sqrt(2) * constant / (units * unit) - 1e-9))
        return held + noise(units * unit, rng) >= least

    def split(cut: tuple[frozenset[int], ...], budget: int, operations: int) -> None:
        alpha = budget // operations
        for part in parts_of(cut, rule.size):
            held = held_by(count, part)
            # below the root of this tree every inner node has single items as children
            left = sum(1 for node in part if len(node) > 1)
            if not passes(held, alpha, rule.c1):
                continue
            if left:
                split(part, budget - alpha, left)
            elif passes(held, rule.half + budget - alpha, rule.c2):
                published.add(frozenset().union(*part))

    split((frozenset(range(4)),), rule.half, {1: 2, 2: 3, 3: 3, 4: 3}[rule.size])
    return frozenset(published)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_level_part_in_law(size: int) -> None:
    method = AplKiller(epsilon=1, fan_out=2, c1="0.2", c2="0.1")
    partitioner = method.partitioner(4, size)
    rows = {1: [[0]], 2: [[0, 2]], 3: [[0, 1, 2]]}[size]
    level = Level(np.array(rows, dtype=np.int32), np.array([3], dtype=np.int64))
    rng, twin = seeded(size), random.Random(size)
    ours: Counter[object] = Counter()
    plain: Counter[object] = Counter()
    for _ in range(RUNS):
        run = partitioner.partition(records_of([level]), rng)
        ours[frozenset(frozenset(row.tolist()) for row in run.level(size).rows)] += 1
        plain[plain_level_part({frozenset(rows[0]): 3}, partitioner, twin)] += 1
    assert len(ours) > 3
    assert differ(ours, plain) < 6


def test_diff_part_in_law_on_two_items() -> None:
    """Three leaves, each tested once with the whole budget: the law is known exactly."""
    partitioner = DiffPart(epsilon=1, fan_out=2, c1=1).partitioner(2, 2)
    level = Level(np.array([[1]], dtype=np.int32), np.array([2], dtype=np.int64))
    rng = seeded(5)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(RUNS):
        run = partitioner.partition(records_of([level]), rng)
        found.update(tuple(row[CUT : CUT + row[WIDTH]].tolist()) for row in run.published)
    q = math.exp(-1)
    passes = {(0,): q**2 / (1 + q), (1,): 1 / (1 + q), (0, 1): q**2 / (1 + q)}
    for itemset, probability in passes.items():
        spread = math.sqrt(RUNS * probability * (1 - probability))
        assert abs(found[itemset] - RUNS * probability) < 5.5 * spread


@pytest.mark.parametrize(("fan_out", "children"), [(2, 3), (3, 7), (6, 63)])
def test_every_legal_empty_part_is_tested_once(fan_out: int, children: int) -> None:
    """At the root of an empty data set each part passes with the same known probability."""
    items = fan_out
    partitioner = DiffPart(epsilon=1, fan_out=fan_out, c1=0, c2=1).partitioner(items, items)
    none = Level(np.zeros((0, 1), dtype=np.int32), np.zeros(0, dtype=np.int64))
    rng = seeded(fan_out)
    runs = RUNS // 4
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(runs):
        run = partitioner.partition(records_of([none]), rng)
        itemsets = [tuple(row[CUT : CUT + row[WIDTH]].tolist()) for row in run.published]
        assert len(set(itemsets)) == len(itemsets)
        found.update(itemsets)
    probability = math.exp(-2) / (1 + math.exp(-1))
    spread = math.sqrt(runs * probability)
    assert len(found) == children
    assert all(abs(count - runs * probability) < 6 * spread for count in found.values())
