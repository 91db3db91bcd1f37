import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng, verify
from discreet.core.guarantee import DifferentialPrivacy, NoAttributeLeakage
from discreet.counts import AplKiller, DiffPart
from discreet.counts.apl_killer import boundary_counts, calibrated
from discreet.counts.kernels.layout import ALPHA, BUDGET, PARENT
from discreet.counts.levels import Level, Longer, levels_of, limited
from discreet.counts.partition.running import HALF, records_of
from discreet.errors import InfeasibleError, ParameterError
from discreet.rng.stream import _Keystream
from tests.verify.leakages import leakages

ITEMS = tuple("abcdef")

baskets = st.lists(
    st.tuples(st.sets(st.sampled_from(ITEMS)), st.integers(1, 40)), min_size=0, max_size=8
).map(lambda pairs: [held for held, count in pairs for _ in range(count)])

methods = st.builds(
    AplKiller,
    epsilon=st.sampled_from(["0.25", "1", "2"]),
    fan_out=st.sampled_from([2, 3, 4, (2, 3, 6)]),
    c1=st.sampled_from(["0.5", "1", ("1", "0.5", "0.3")]),
    c2=st.sampled_from([None, "1", "0.1"]),
    max_size=st.sampled_from([None, 1, 3, 6]),
    universe=st.just(ITEMS),
    longer=st.sampled_from(["cut", "drop"]),
    boundary_noise=st.sampled_from(["clamp", "reject-calibrated", "paper"]),
    par=st.sampled_from(["exact", "paper"]),
)


@given(baskets, methods, st.integers(0, 2**32))
@settings(max_examples=300)
def test_no_release_of_any_data_has_a_leak(
    records: list[set[str]], method: AplKiller, seed: int
) -> None:
    data = Transactions.of(records, universe=ITEMS)
    release = method.publish(data, rng.seeded(seed)).release
    assert verify(release).by_parts
    sets = [frozenset(held) for held in release.content.sets]
    assert not leakages(sets)
    assert len(set(sets)) == len(sets)
    assert (release.content.counts >= 1).all()
    assert max((len(held) for held in sets), default=0) <= (method.max_size or len(ITEMS))


@given(baskets, st.integers(0, 2**32))
@settings(max_examples=50)
def test_the_printed_empty_loop_is_leak_free_too(records: list[set[str]], seed: int) -> None:
    data = Transactions.of(records, universe=ITEMS)
    method = AplKiller(epsilon=1, fan_out=2, c1=2, universe=ITEMS, empty_tests="paper")
    assert verify(method.publish(data, rng.seeded(seed)).release).by_parts


@given(baskets, st.sampled_from([2, 3, 4]), st.integers(0, 2**32))
@settings(max_examples=100)
def test_what_a_path_spends_adds_up_to_epsilon_exactly(
    records: list[set[str]], fan_out: int, seed: int
) -> None:
    data = Transactions.of(records, universe=ITEMS)
    epsilon = Fraction(7, 10)
    levels = levels_of(data.folded, len(ITEMS))
    runs = [
        (method.partitioner(len(ITEMS), size), part)
        for method, sizes in (
            (AplKiller(epsilon=epsilon, fan_out=fan_out, c1="0.3"), [1, 2, 3, 6]),
            (DiffPart(epsilon=epsilon, fan_out=fan_out, c1="0.3"), [6]),
        )
        for size in sizes
        for part in [[levels[size]] if isinstance(method, AplKiller) else levels[1:]]
    ]
    for partitioner, part in runs:
        unit = Fraction(partitioner.rule.s, partitioner.rule.t)
        run = partitioner.partition(records_of(part), rng.seeded(seed), trace=10**4)
        for row in run.published:
            visit, spent = int(row[PARENT]), int(row[BUDGET])
            # DiffPart does not charge the split that makes a leaf
            if len(part) > 1:
                visit_row = run.trace[visit]
                assert int(visit_row[BUDGET]) + HALF == spent
                visit = int(visit_row[PARENT])
            while visit >= 0:
                spent += int(run.trace[visit, ALPHA])
                visit = int(run.trace[visit, PARENT])
            assert spent * unit == epsilon
        assert (run.trace[:, ALPHA] >= 1).all()
        assert (run.trace[:, ALPHA] <= run.trace[:, BUDGET]).all()


@pytest.mark.parametrize("block", [1, 7, 97, 4096])
def test_the_release_depends_on_the_words_and_not_on_their_blocks(block: int) -> None:
    data = Transactions.of([["a", "b"]] * 60 + [["a", "c", "d"]] * 30 + [["e"]] * 9, universe=ITEMS)
    for method in (
        AplKiller(epsilon=1, c1="0.5", max_size=2, universe=ITEMS),
        DiffPart(epsilon=1, c1="0.3", max_size=2, universe=ITEMS),
    ):
        usual = method.publish(data, rng.seeded(11)).release.content
        blocked = method.publish(data, _Keystream(11, block)).release.content
        assert list(blocked.sets) == list(usual.sets)
        assert blocked.counts.tolist() == usual.counts.tolist()


def law(count: int, epsilon: float, how: str, most: int) -> dict[int, float]:
    """The exact law of a boundary count."""
    q = math.exp(-epsilon)
    point = {y: q ** abs(y - count) * (1 - q) / (1 + q) for y in range(1, most + 1)}
    below = q**count / (1 + q)
    if how == "clamp":
        return point | {1: point[1] + below}
    return {y: mass / (1 - below) for y, mass in point.items()}


@pytest.mark.parametrize("epsilon", ["0.000001", "1/700000", "0.01", "1", "5", "40"])
def test_the_calibrated_budget_never_overspends(epsilon: str) -> None:
    exact = Fraction(epsilon)
    budget = calibrated(exact)
    assert exact / 2 - exact / 10**5 < budget < exact
    spent = math.log1p(math.exp(-budget) - math.exp(-2 * budget)) + float(budget)
    assert spent <= float(exact)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1, 2])
def test_likelihood_ratios_of_the_boundary_draw(epsilon: float) -> None:
    """000-1: one clamped draw keeps epsilon, drawing until positive does not."""

    def worst(how: str, budget: float) -> float:
        laws = [law(count, budget, how, 60) for count in range(41)]
        return max(abs(math.log(one[y] / other[y])) for one, other in pairwise(laws) for y in one)

    assert worst("clamp", epsilon) <= epsilon + 1e-9
    assert worst("paper", epsilon) > epsilon + 1e-3
    printed = math.log(math.exp(epsilon) + 1 - math.exp(-epsilon))
    assert worst("paper", epsilon) == pytest.approx(printed)
    calibrated_budget = calibrated(Fraction(str(epsilon)))
    assert epsilon - 1e-4 < worst("paper", float(calibrated_budget)) <= epsilon + 1e-9


def test_the_printed_draw_claims_what_it_spends() -> None:
    printed = AplKiller(epsilon=1, boundary_noise="paper").guarantees[1]
    assert isinstance(printed, DifferentialPrivacy)
    assert float(printed.budget) == pytest.approx(1.209, abs=1e-3)
    for how in ("clamp", "reject-calibrated"):
        sound = AplKiller(epsilon=1, boundary_noise=how).guarantees[1]
        assert isinstance(sound, DifferentialPrivacy)
        assert sound.budget == 1


@pytest.mark.parametrize("option", [{"empty_tests": "paper"}, {"par": "paper"}])
def test_printed_steps_that_break_privacy_do_not_claim_it(option: dict[str, str]) -> None:
    method = AplKiller(epsilon=1, **option)
    assert method.guarantees == (NoAttributeLeakage(),)


@pytest.mark.parametrize("how", ["clamp", "reject-calibrated", "paper"])
@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_boundary_counts_follow_their_law(how: str, count: int) -> None:
    n, epsilon = 40_000, Fraction(1)
    true = np.full(n, count, dtype=np.int64)
    drawn = Counter(boundary_counts(true, epsilon, how, rng.seeded(count)).tolist())
    budget = calibrated(epsilon) if how == "reject-calibrated" else epsilon
    expected = law(count, float(budget), "clamp" if how == "clamp" else "paper", 40)
    for value in range(1, 9):
        spread = math.sqrt(n * expected[value] * (1 - expected[value])) + 1
        assert abs(drawn[value] - n * expected[value]) < 5.5 * spread


@pytest.mark.parametrize("how", ["clamp", "reject-calibrated", "paper"])
def test_a_boundary_count_of_nobody_is_drawn_however_large_epsilon_is(how: str) -> None:
    true = np.zeros(50, dtype=np.int64)
    drawn = boundary_counts(true, 1000, how, rng.seeded(1))
    assert drawn.tolist() == [1] * 50


def test_the_empty_itemset_is_published_beside_a_lone_item() -> None:
    data = Transactions.of([["a"]] * 500, universe=("a",))
    release = AplKiller(epsilon=1, universe=("a",)).publish(data, rng.seeded(1)).release
    assert set(release.content.as_dict()) == {("a",), ()}


def test_printed_par_starves_single_items_of_msnbcs_tree() -> None:
    """000-3: with 17 items and fan-out 2 the printed formula spends all at the root."""
    items = tuple(str(number) for number in range(1, 18))
    data = Transactions.of([[item] for item in items] * 2000, universe=items)
    sizes = {
        par: max(map(len, AplKiller(epsilon=1, fan_out=2, max_size=1, universe=items, par=par)
        .publish(data, rng.seeded(1)).release.content.sets), default=0)
        for par in ("exact", "paper")
    }  # fmt: skip
    assert sizes == {"exact": 1, "paper": 0}


def test_an_explosion_is_refused_with_advice() -> None:
    items = tuple(str(number) for number in range(77))
    data = Transactions.of([["1"]], universe=items)
    method = AplKiller(epsilon=1, fan_out=4, c1="0.3", max_size=20, universe=items)
    with pytest.raises(InfeasibleError, match=r"raise c1.*lower fan_out"):
        method.publish(data, rng.seeded(1))
    # on no data this one would end at the root in most runs
    many = AplKiller(epsilon=1, fan_out=4, c1="0.8", universe=items[:64])
    with pytest.raises(InfeasibleError, match=r"raise c1.*lower fan_out"):
        many.publish(data, rng.seeded(1))
    with pytest.raises(InfeasibleError, match=r"raise c1.*lower fan_out"):
        DiffPart(epsilon=1, fan_out=10, c1=0, universe=items[:60]).publish(data, rng.seeded(1))


def test_a_large_universe_needs_a_largest_size() -> None:
    data = Transactions.of([[str(number)] for number in range(65)])
    with pytest.raises(ParameterError, match="max_size must be given"):
        AplKiller(epsilon=1).publish(data, rng.seeded(1))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"epsilon": 0}, "epsilon must be above 0, got 0"),
        ({"epsilon": "a lot"}, "epsilon must be a number"),
        ({"fan_out": 1}, "fan_out must be from 2 to 16"),
        ({"fan_out": (2, 17)}, "got 17"),
        ({"c1": -1}, "c1 must be from 0"),
        ({"c2": ("1", "-2")}, "c2 must be from 0"),
        ({"max_size": 0}, "max_size must be at least 1, got 0"),
        ({"epsilon": "0.0000001"}, "six decimals"),
        ({"epsilon": 10**12}, "below 100,000"),
    ],
)
def test_wrong_parameters_are_refused_at_construction(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        AplKiller(**({"epsilon": 1} | wrong))


@pytest.mark.parametrize("epsilon", ["0.000001", "99999.999999", "10000"])
@pytest.mark.parametrize("c1", [0, 1000])
def test_extreme_parameters_stay_within_a_machine_word(epsilon: str, c1: int) -> None:
    data = Transactions.of([["a", "b"]] * 50, universe=ITEMS)
    for kind in (AplKiller, DiffPart):
        method = kind(epsilon=epsilon, fan_out=2, c1=c1, max_size=2, universe=ITEMS)
        content = method.publish(data, rng.seeded(1)).release.content
        assert (content.counts >= 1).all()
        if float(epsilon) > 1000:
            assert content.as_dict()[("a", "b")] == 50
            assert len(content) <= 3


def test_a_vector_gives_each_size_its_own() -> None:
    method = AplKiller(epsilon=1, fan_out=(8, 2), c1=("0.5", "1.5"), c2="1")
    assert [(rule.fan_out, rule.c1, rule.c2) for rule in map(method.rule, (1, 2, 3))] == [
        (8, 0.5, 1.0),
        (2, 1.5, 1.0),
        (2, 1.5, 1.0),
    ]


def up_to_two(data: Transactions, longer: Longer, seed: int) -> list[Level]:
    return levels_of(limited(data, ITEMS, 2, longer, rng.seeded(seed)), 2)


def test_longer_records_are_cut_or_dropped() -> None:
    data = Transactions.of([list("abcdef")] * 100 + [["a"]] * 50, universe=ITEMS)
    cut = up_to_two(data, "cut", 1)
    drop = up_to_two(data, "drop", 1)
    assert [int(level.counts.sum()) for level in cut] == [0, 50, 100]
    assert [int(level.counts.sum()) for level in drop] == [0, 50, 0]


def test_a_cut_is_uniform() -> None:
    data = Transactions.of([list("abcd")], universe=ITEMS)
    found = Counter(tuple(up_to_two(data, "cut", seed)[2].rows[0].tolist()) for seed in range(3000))
    assert len(found) == 6
    assert all(abs(count - 500) < 5.5 * math.sqrt(500) for count in found.values())


def test_equal_records_are_cut_each_by_itself() -> None:
    data = Transactions.of([list("abcde")] * 1000, universe=ITEMS)
    pairs = up_to_two(data, "cut", 1)[2]
    assert len(pairs.rows) == 10
    assert int(pairs.counts.sum()) == 1000
    assert (abs(pairs.counts - 100) < 6 * 10).all()


def test_items_outside_the_universe_are_dropped_first() -> None:
    data = Transactions.of([["a", "z"]] * 400)
    release = AplKiller(epsilon=1, universe=("a", "b")).publish(data, rng.seeded(1)).release
    assert release.content.as_dict()[("a",)] > 300


def test_an_empty_universe_publishes_nothing() -> None:
    data = Transactions.of([[], []])
    for method in (AplKiller(epsilon=1), DiffPart(epsilon=1)):
        content = method.publish(data, rng.seeded(1)).release.content
        assert all(not held for held in content.sets)
