"""Absent itemsets are drawn by the handful; noise for each of them is the same in law."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Transactions, verify
from discreet.core.guarantee import DifferentialPrivacy
from discreet.counts import SparseHistogram
from discreet.counts.levels import Level
from discreet.counts.sparse_histogram import absent_level, cell_law, least_count, random_rows
from discreet.errors import ParameterError
from discreet.rng import Rng, discrete_laplace, seeded
from discreet.rng.binomial import tail_bounds
from tests.rng.laws import QUICK, follows, laplace_law

ITEMS = tuple("abcde")
RUNS = QUICK // 3
LEVEL = Level(np.array([[0, 1], [2, 4]], dtype=np.int32), np.array([3, 1], dtype=np.int64))
"""Two of the ten pairs of five items occur."""

baskets = st.lists(
    st.tuples(st.sets(st.sampled_from(ITEMS)), st.integers(1, 40)), min_size=0, max_size=8
).map(lambda pairs: [held for held, count in pairs for _ in range(count)])


def pairs_of(level: Level) -> dict[tuple[int, ...], int]:
    rows = (tuple(row) for row in level.rows.tolist())
    return dict(zip(rows, level.counts.tolist(), strict=True))


def plain_level(method: SparseHistogram, rng: Rng) -> dict[tuple[int, ...], int]:
    """Noise for every pair there is, one after the other."""
    held = pairs_of(LEVEL)
    least = method.threshold(5, 2)
    noise = discrete_laplace(10, Fraction(str(method.epsilon)), rng).tolist()
    cells = combinations(range(5), 2)
    noisy = {cell: held.get(cell, 0) + x for cell, x in zip(cells, noise, strict=True)}
    return {cell: count for cell, count in noisy.items() if count >= least}


def ours(method: SparseHistogram, rng: Rng) -> dict[tuple[int, ...], int]:
    found, absent = method.level(5, LEVEL, rng)
    assert not pairs_of(found).keys() & pairs_of(absent).keys()
    return pairs_of(found) | pairs_of(absent)


def homogeneous(one: Counter[object], other: Counter[object]) -> float:
    """How likely so different samples are if their law is one."""
    from scipy.stats import chi2

    cells = [key for key in one | other if one[key] + other[key] >= 25]
    rest = [sum(found.values()) - sum(found[key] for key in cells) for found in (one, other)]
    pairs = [(one[key], other[key]) for key in cells] + ([(rest[0], rest[1])] if sum(rest) else [])
    return float(chi2.sf(sum((a - b) ** 2 / (a + b) for a, b in pairs), max(1, len(pairs) - 1)))


@pytest.mark.parametrize("epsilon", ["1", "0.3"])
def test_the_same_in_law_as_noise_for_every_cell(epsilon: str) -> None:
    method = SparseHistogram(epsilon=epsilon, spurious="0.7")
    rng = seeded(3)
    runs = [(ours(method, rng), plain_level(method, rng)) for _ in range(RUNS)]
    whole: list[Counter[object]] = [Counter(), Counter()]
    single: list[Counter[object]] = [Counter(), Counter()]
    for run in runs:
        for found, each, cells in zip(run, whole, single, strict=True):
            each[frozenset(found)] += 1
            cells.update(found.items())
    assert len(whole[0]) > 10
    assert homogeneous(*whole) > 1e-8
    assert homogeneous(*single) > 1e-8


def test_each_cell_follows_its_law() -> None:
    """Published with count y: the noise is y less the true count; else it stayed below."""
    method = SparseHistogram(epsilon="0.8", spurious=1)
    least, rng = method.threshold(5, 2), seeded(11)
    seen: dict[tuple[int, ...], list[int]] = {cell: [] for cell in combinations(range(5), 2)}
    for _ in range(RUNS):
        found = ours(method, rng)
        for cell, counts in seen.items():
            counts.append(found.get(cell, 0))
    for cell, counts in seen.items():
        true = pairs_of(LEVEL).get(cell, 0)
        law = {x + true: share for x, share in laplace_law(0.8).items() if x + true >= least}
        assert follows(counts, law | {0: 1 - sum(law.values())}), cell


@given(st.integers(0, 6), st.fractions(Fraction(1, 10), 3), st.integers(1, 12))
@settings(max_examples=60)
def test_one_person_changes_no_probability_of_a_cell_by_more_than_epsilon(
    count: int, epsilon: Fraction, least: int
) -> None:
    """The exact law of a cell, absent or present, at neighbouring counts."""
    q = math.exp(-epsilon)

    def law(true: int) -> list[float]:
        # an absent cell passes by the binomial's probability and exceeds by a geometric draw
        if true == 0:
            low, high = tail_bounds(least, epsilon)(80)
            passes = float((low + high) / 2)
            published = [passes * (1 - q) * q**y for y in range(40)]
        else:
            published = [(1 - q) / (1 + q) * q ** abs(least + y - true) for y in range(40)]
        above = least + 40 - true
        rest = q**above / (1 + q) if above >= 1 else 0.0
        return [*published, rest, max(1e-300, 1 - sum(published) - rest)]

    for one, other in zip(law(count), law(count + 1), strict=True):
        assert max(one, other) <= math.exp(epsilon) * min(one, other) * (1 + 1e-6) + 1e-12


@given(
    st.integers(1, 10**30),
    st.fractions(Fraction(1, 50), 5, max_denominator=100),
    st.fractions(Fraction(1, 100), 100, max_denominator=100),
)
@settings(max_examples=200)
def test_the_threshold_is_the_smallest_that_keeps_noise_rare(
    cells: int, epsilon: Fraction, spurious: Fraction
) -> None:
    least = least_count(cells, epsilon, spurious)
    low, high = tail_bounds(least, epsilon)(200)
    assert least >= 1
    assert cells * high <= spurious
    assume(least > 1)
    low, high = tail_bounds(least - 1, epsilon)(200)
    assert cells * low > spurious


@pytest.mark.parametrize(
    ("items", "size", "least"), [(3340, 1, 7), (3340, 2, 14), (3340, 3, 21), (17, 8, 9), (17, 0, 1)]
)
def test_thresholds_at_epsilon_one(items: int, size: int, least: int) -> None:
    """Worked out beside it: ln(cells / 5 / 1.3679), rounded up."""
    assert SparseHistogram(epsilon=1).threshold(items, size) == least


def test_absent_itemsets_are_chosen_uniformly() -> None:
    taken, rng = LEVEL.rows, seeded(2)
    drawn: Counter[frozenset[tuple[int, ...]]] = Counter()
    for _ in range(QUICK):
        rows = random_rows(5, taken, 2, rng)
        drawn[frozenset(tuple(row) for row in rows.tolist())] += 1
    absent = [cell for cell in combinations(range(5), 2) if cell not in pairs_of(LEVEL)]
    couples = [frozenset(couple) for couple in combinations(absent, 2)]
    assert set(drawn) == set(couples)
    sample = [number for number, couple in enumerate(couples) for _ in range(drawn[couple])]
    assert follows(sample, dict.fromkeys(range(len(couples)), 1 / len(couples)))


@given(st.integers(0, 7), st.integers(0, 7), st.data())
def test_all_that_is_left_can_be_drawn(items: int, size: int, data: st.DataObject) -> None:
    cells = list(combinations(range(items), min(size, items)))
    taken = data.draw(st.lists(st.sampled_from(cells), unique=True))
    table = np.array(taken, dtype=np.int32).reshape(len(taken), min(size, items))
    rows = random_rows(items, table, len(cells) - len(taken), seeded(1))
    assert sorted([*taken, *map(tuple, rows.tolist())]) == cells


def test_the_count_of_a_noise_itemset_is_a_passing_count() -> None:
    level = absent_level(100, np.zeros((0, 3), dtype=np.int32), Fraction(1), 2, seeded(1))
    expected = math.comb(100, 3) * math.exp(-2) / (1 + math.exp(-1))
    assert abs(len(level.rows) - expected) < 6 * math.sqrt(expected)
    assert level.counts.min() == 2
    assert (np.diff(level.rows, axis=1) > 0).all()


@given(
    baskets,
    st.sampled_from(["0.25", "1", "4"]),
    st.sampled_from([None, 1, 2, 5, 9]),
    st.sampled_from(["1e-9", "1", "20"]),
    st.integers(0, 2**32),
)
@settings(max_examples=200)
def test_any_data_are_published(
    records: list[set[str]], epsilon: str, max_size: int | None, spurious: str, seed: int
) -> None:
    method = SparseHistogram(
        epsilon=epsilon, max_size=max_size, spurious=spurious, universe=ITEMS, longer="drop"
    )
    content = method.publish(Transactions.of(records), seeded(seed)).release.content
    sets = list(content.sets)
    assert len(set(sets)) == len(sets)
    for held, count in content.as_dict().items():
        assert count >= method.threshold(5, len(held))
        assert len(held) <= (max_size or 5)


@given(st.integers(0, 12), st.sampled_from(["0.3", "1", "2"]), st.integers(1, 9))
def test_the_law_told_of_a_cell_keeps_epsilon(count: int, epsilon: str, least: int) -> None:
    """Exact likelihood ratios at neighbouring counts, and equality with epsilon somewhere."""
    last = max(count + 1, least) + 2
    one, other = (cell_law(held, epsilon, least, last=last) for held in (count, count + 1))
    assert sum(one.values()) == pytest.approx(1)
    ratios = [abs(math.log(other[y] / one[y])) for y in one]
    assert max(ratios) <= float(epsilon) + 1e-9
    assert max(ratios) >= float(epsilon) - 1e-9


def test_the_pairs_it_proposes_are_told_their_law() -> None:
    method = SparseHistogram(epsilon="0.8", spurious=1, universe=ITEMS)
    for pair in method.worst_pair():
        rng = seeded(8)
        runs = method.outcomes(pair.other, rng, RUNS // 4, smallest=pair.sizes[0])
        counts = [dict(found).get(("a", "b"), 0) for found in runs]
        law, last = pair.laws[1], max(pair.laws[1])
        assert follows([min(count, last) for count in counts], dict(law))


def test_many_runs_at_once_are_runs() -> None:
    data = Transactions.of([["a", "b"]] * 20 + [["c"]] * 30, universe=ITEMS)
    for max_size in (None, 1):
        method = SparseHistogram(epsilon=1, universe=ITEMS, max_size=max_size)
        found = method.outcomes(data, seeded(1), 20)
        assert len(found) == 20
        assert len(set(found)) > 10
        assert all(("c",) in dict(run) for run in found)
        assert all(len(held) <= (max_size or 5) for run in found for held, _ in run)


def test_frequent_itemsets_are_kept_and_noise_is_rare() -> None:
    records = [["a", "b"]] * 500 + [["c"]] * 400 + [[]] * 300
    method = SparseHistogram(epsilon=1, universe=ITEMS, spurious="1e-6")
    content = method.publish(Transactions.of(records), seeded(1)).release.content
    published = content.as_dict()
    assert published.keys() == {("a", "b"), ("c",), ()}
    assert all(abs(published[held] - true) < 40 for held, true in [(("a", "b"), 500), ((), 300)])


def test_a_universe_of_nothing_has_the_empty_set_only() -> None:
    method = SparseHistogram(epsilon=2)
    content = method.publish(Transactions.of([[]] * 50), seeded(1)).release.content
    assert list(content.sets) == [()]


def test_the_promise_names_what_is_public() -> None:
    (given,) = SparseHistogram(epsilon="0.5", universe=ITEMS).guarantees
    (taken,) = SparseHistogram(epsilon="0.5").guarantees
    assert isinstance(given, DifferentialPrivacy)
    assert isinstance(taken, DifferentialPrivacy)
    assert given.budget == Fraction(1, 2)
    assert "not covered" not in given.promise
    assert "not covered" in taken.promise
    release = SparseHistogram(epsilon="0.5").publish(Transactions.of([["a"], ["b"]]), seeded(1))
    assert verify(release.release).by_parts is None


@pytest.mark.parametrize(
    "wrong",
    [{"epsilon": 0}, {"epsilon": 1, "max_size": 0}, {"epsilon": 1, "spurious": 0},
     {"epsilon": 1, "spurious": "1e7"}],
)  # fmt: skip
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match=list(wrong)[-1]):
        SparseHistogram(**wrong)


def test_a_large_universe_needs_a_largest_size() -> None:
    items = [str(number) for number in range(70)]
    data = Transactions.of([items])
    with pytest.raises(ParameterError, match="max_size must be given"):
        SparseHistogram(epsilon=1).publish(data, seeded(1))
    SparseHistogram(epsilon=1, max_size=3).publish(data, seeded(1))
