"""PrivBayes: the worked example, its budget to the last fraction, and its laws."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import exp

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet import Transactions, verify
from discreet.core.guarantee import DifferentialPrivacy
from discreet.counts import PrivBayes
from discreet.counts.batch import one_by_one
from discreet.counts.bayes import network as bayes_network
from discreet.counts.bayes.network import (
    KINDS,
    Conditional,
    Pair,
    Records,
    conditionals,
    sample,
    sensitivity,
    structure,
    unit,
)
from discreet.counts.bayes.pairs import count_law
from discreet.counts.kernels.marginals import marginal, score_parents
from discreet.errors import ParameterError
from discreet.mechanism_audit.neighbouring import crowd
from discreet.rng import discrete_laplace, permute_and_flip, seeded
from tests.rng.laws import QUICK, flip_law, follows

NAMES = ("a", "b", "c", "d", "e", "f")
EIGHT = ("000", "001", "010", "111", "111", "101", "000", "110")


def data_of(rows, universe=None):
    items = NAMES[: len(rows[0])] if universe is None else universe
    held = [[item for item, bit in zip(items, row, strict=True) if bit == "1"] for row in rows]
    return Transactions.of(held, universe=items)


def records_of(rows):
    folded = data_of(rows).folded
    return Records.of(folded.sets, folded.counts)


def score_of(rows, child, parents, score):
    records = records_of(rows)
    order, children = np.array(parents, dtype=np.int32), np.array([child], dtype=np.int32)
    _, scores = score_parents(
        records.columns, records.counts, order, len(parents), children, KINDS[score]
    )
    return int(scores[0, 0]) * unit(score, records.total)


def random_rows(seed, n, d):
    bits = np.random.default_rng(seed).integers(0, 2, (n, d))
    return ["".join(map(str, row)) for row in bits]


# the worked example of the baselines


@pytest.mark.parametrize(
    ("child", "parents", "mi", "f", "r"),
    [
        (0, [1], 0.1887, Fraction(-1, 4), Fraction(1, 4)),
        (0, [2], 0.1887, Fraction(-1, 4), Fraction(1, 4)),
        (1, [2], 0.0, Fraction(-1, 2), 0),
        (2, [0, 1], 0.3113, Fraction(-1, 4), Fraction(1, 4)),
    ],
)
def test_scores_of_eight_rows(child, parents, mi, f, r):
    assert float(score_of(EIGHT, child, parents, "MI")) == pytest.approx(mi, abs=5e-5)
    assert score_of(EIGHT, child, parents, "F") == f
    assert score_of(EIGHT, child, parents, "R") == r


def test_sensitivities_of_eight_rows():
    assert float(sensitivity("MI", 8)) == pytest.approx(0.5436, abs=5e-5)
    assert sensitivity("F", 8) == Fraction(1, 8)
    assert sensitivity("R", 8) == Fraction(7, 32)


@pytest.mark.parametrize(
    ("theta", "records", "epsilons", "degrees"),
    [
        (4, 21_574, (".1", ".2", ".4", ".8", "1.6"), (2, 3, 5, 6, 6)),
        (5, 21_574, (".1", ".2", ".4", ".8", "1.6"), (2, 3, 4, 5, 6)),
        (4, 17_721, (".1", ".4", "1.0"), (2, 4, 6)),
    ],
)
def test_theta_chooses_the_degree(theta, records, epsilons, degrees):
    chosen = [PrivBayes(epsilon=e, theta=theta).degree_for(records, 16) for e in epsilons]
    assert tuple(chosen) == degrees


@pytest.mark.parametrize(("records", "items"), [(0, 5), (1, 5), (3, 2), (10**9, 1), (10**9, 0)])
def test_few_records_or_items_have_no_parents(records, items):
    assert PrivBayes(epsilon=1).degree_for(records, items) == 0


def test_a_degree_beyond_the_means_is_lowered_by_default_and_refused_on_request():
    chosen = PrivBayes(epsilon=1).degree_for(100_000, 64)
    assert chosen == 3  # theta alone would allow 6
    with pytest.raises(ParameterError, match="degree must be at most 3 for 100000 records"):
        PrivBayes(epsilon=1, degree=6).degree_for(100_000, 64)
    assert PrivBayes(epsilon=1, degree=9).degree_for(100, 4) == 3
    assert PrivBayes(epsilon=1, degree=9).degree_for(0, 4) == 0


def test_score_f_pays_for_records():
    # theta alone would allow 13, of which most are noise where data are sparse
    assert PrivBayes(epsilon=1).degree_for(989_818, 17) == 6
    assert PrivBayes(epsilon=1, score="F").degree_for(989_818, 17) == 6
    # for the same choices of parents F takes more steps the more records there are
    assert PrivBayes(epsilon=1, degree=9, score="F").degree_for(989_818, 17) == 9
    with pytest.raises(ParameterError, match="degree must be at most 4 for 100000000 records"):
        PrivBayes(epsilon=1, degree=9, score="F").degree_for(100_000_000, 17)
    assert PrivBayes(epsilon=1, degree=9).degree_for(100_000_000, 17) == 9


# sensitivities


@given(st.integers(1, 14), st.integers(1, 3), st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_replaced_record_changes_no_score_by_more_than_its_sensitivity(n, parents, seed, where):
    rows = random_rows(seed, n, parents + 1)
    other = list(rows)
    other[where % n] = random_rows(seed + 1, 1, parents + 1)[0]
    for score in ("R", "F", "MI"):
        one, two = (score_of(r, parents, list(range(parents)), score) for r in (rows, other))
        # MI is rounded to its unit
        slack = 4 * unit(score, n) if score == "MI" else 0
        assert abs(one - two) <= sensitivity(score, n) + slack


@pytest.mark.parametrize(("n", "parents"), [(1, 2), (2, 2), (3, 2), (4, 1), (5, 1), (7, 1)])
def test_r_moves_by_its_sensitivity_at_most_and_really_does(n, parents):
    # every bag of n records, and every record of it replaced by every other
    kinds = ["".join(bits) for bits in product("01", repeat=parents + 1)]
    child, before = parents, list(range(parents))
    scores = {
        bag: score_of(list(bag), child, before, "R")
        for bag in combinations_with_replacement(kinds, n)
    }
    largest = max(
        abs(score - scores[tuple(sorted([*bag[:place], new, *bag[place + 1 :]]))])
        for bag, score in scores.items()
        for place in range(n)
        for new in kinds
    )
    assert largest == (sensitivity("R", n) if n > 1 else 0)


@pytest.mark.parametrize(
    ("rows", "other"),
    [
        (["00", "11"] + ["00"] * 6, ["00"] * 8),
        (["01", "10"] * 4, ["11"] + ["10", "01"] * 3 + ["10"]),
    ],
)
def test_f_really_moves_by_its_sensitivity(rows, other):
    moved = abs(score_of(rows, 1, [0], "F") - score_of(other, 1, [0], "F"))
    assert moved == sensitivity("F", 8)


# the budget


def spent(method, rows, monkeypatch):
    """Return what selections and tables spend of epsilon under a replaced record."""
    selections, tables = [], []

    def select(scores, epsilon, sensitive, rng, *, unit):
        selections.append(epsilon)
        assert sensitive == sensitivity(method.score, len(rows))
        return permute_and_flip(scores, epsilon, sensitive, rng, unit=unit)

    def noise(size, epsilon, rng):
        tables.append((size, 2 * epsilon))  # a record leaves one cell and enters another
        return discrete_laplace(size, epsilon, rng)

    monkeypatch.setattr(bayes_network, "permute_and_flip", select)
    monkeypatch.setattr(bayes_network, "discrete_laplace", noise)
    method.publish(data_of(rows), seeded(1))
    return selections, tables


@pytest.mark.parametrize("score", ["R", "F"])
@pytest.mark.parametrize(("degree", "items"), [(0, 5), (1, 5), (2, 5), (3, 5), (1, 3)])
def test_the_budget_is_spent_to_the_last_fraction(score, degree, items, monkeypatch):
    method = PrivBayes(epsilon="0.7", beta="1/3", degree=degree, score=score)
    selections, tables = spent(method, random_rows(1, 40, items), monkeypatch)
    assert sum(selections) + sum(rate for _, rate in tables) == Fraction(7, 10)
    assert sum(selections) == (Fraction(7, 30) if degree else 0)
    assert len(selections) == (items - 1 if degree else 0)
    assert [size for size, _ in tables] == [2 << degree] * (items - degree)


@pytest.mark.parametrize("items", [2, 4])
def test_a_single_possible_network_is_not_paid_for(items, monkeypatch):
    method = PrivBayes(epsilon=1, degree=items - 1)
    selections, tables = spent(method, random_rows(1, 40, items), monkeypatch)
    assert selections == []
    assert tables == [(1 << items, 1)]


def test_data_enter_through_scores_and_tables_only(monkeypatch):
    """With both gates shut, two data sets of the same public facts give the same release."""

    def shut_scores(*args):
        parents, scores = score_parents(*args)
        return parents, np.zeros_like(scores)

    def shut_tables(*args):
        return np.zeros_like(marginal(*args))

    monkeypatch.setattr(bayes_network, "score_parents", shut_scores)
    monkeypatch.setattr(bayes_network, "marginal", shut_tables)
    data = random_rows(1, 60, 5), ["00000"] * 60, ["11111"] * 59 + ["10000"]
    for degree, negatives in product((0, 1, 2, 4), ("spread", "paper")):
        method = PrivBayes(epsilon=1, degree=degree, negatives=negatives)
        releases = [method.publish(data_of(r), seeded(4)).release for r in data]
        assert len({str(release.content.as_dict()) for release in releases}) == 1
        assert len({str(release.record()) for release in releases}) == 1


# laws


def law_of_structures(rows, degree, epsilon, score):
    """Return the probability of every network, by the definition, for one parent or two."""
    d, records = len(rows[0]), records_of(rows)
    scale = epsilon / (d - 1) / (2 * sensitivity(score, records.total))
    grown = {(Pair(first, ()),): 1 / d for first in range(d)}
    for _ in range(d - 1):
        longer = {}
        for pairs, probability in grown.items():
            before = [pair.child for pair in pairs]
            candidates = [
                (child, parents)
                for child in range(d)
                if child not in before
                for parents in product(before, repeat=min(degree, len(before)))
                if list(parents) == sorted(set(parents))
            ]
            scores = [score_of(rows, child, parents, score) for child, parents in candidates]
            law = flip_law([exp(-float(scale * (max(scores) - s))) for s in scores])
            for index, candidate in enumerate(candidates):
                longer[(*pairs, Pair(*candidate))] = probability * law[index]
        grown = longer
    return grown


@pytest.mark.parametrize(("score", "degree", "d"), [("R", 1, 3), ("F", 1, 3), ("R", 2, 4)])
def test_networks_are_chosen_by_their_law(score, degree, d):
    rows = ["0000", "0011", "0111", "1110", "1111", "1010", "0001", "1101", "1111"]
    rows = [row[:d] for row in rows]
    epsilon = Fraction(20)
    law = law_of_structures(rows, degree, epsilon, score)
    assert sum(law.values()) == pytest.approx(1)
    records, rng = records_of(rows), seeded(5)
    number = {pairs: index for index, pairs in enumerate(law)}
    drawn = []
    for _ in range(QUICK // 4):
        pairs = structure(records, degree, epsilon, score, rng)
        drawn.append(number[tuple(Pair(c, tuple(sorted(p))) for c, p in pairs)])
    assert follows(drawn, {number[pairs]: probability for pairs, probability in law.items()})


def test_without_noise_the_network_of_all_items_is_the_data(monkeypatch):
    monkeypatch.setattr(bayes_network, "discrete_laplace", lambda size, *_: np.zeros(size, int))
    records = records_of(EIGHT)
    for negatives in ("spread", "paper"):
        network = PrivBayes(epsilon=1, negatives=negatives).network(records, 2, seeded(1))
        sets = sample(network, QUICK, seeded(2))
        # bit i of a word is item i: the row read backwards
        words = [int(row[::-1], 2) for row in EIGHT]
        assert follows(sets, {word: words.count(word) / 8 for word in range(8)})


def test_conditionals_of_a_chain_without_noise(monkeypatch):
    monkeypatch.setattr(bayes_network, "discrete_laplace", lambda size, *_: np.zeros(size, int))
    chain = [Pair(2, ()), Pair(0, (2,)), Pair(1, (0,))]
    network = conditionals(records_of(EIGHT), chain, Fraction(1), "paper", seeded(1))
    assert [conditional.pair for conditional in network] == chain
    shares = [conditional.probabilities.tolist() for conditional in network]
    assert shares == [[1 / 2], [1 / 4, 3 / 4], [1 / 4, 3 / 4]]


def test_samples_follow_the_network():
    chain = [
        Conditional(Pair(1, ()), np.array([0.25])),
        Conditional(Pair(0, (1,)), np.array([0.5, 1.0])),
        Conditional(Pair(2, (0, 1)), np.array([0.0, 0.3, 0.6, 0.9])),
    ]
    law = {
        0b000: 0.75 * 0.5, 0b001: 0.75 * 0.5 * 0.4, 0b101: 0.75 * 0.5 * 0.6,
        0b011: 0.25 * 0.1, 0b111: 0.25 * 0.9,
    }  # fmt: skip
    assert follows(sample(chain, QUICK, seeded(3)), law)


@given(st.lists(st.integers(-50, 200), min_size=2, max_size=16), st.integers(0, 300))
def test_spread_gives_the_nearest_table_of_the_right_sum(noisy, total):
    table = bayes_network._raised(np.array(noisy), total, "spread")
    assert table.min() >= 0
    assert table.sum() == pytest.approx(total, abs=1e-9)
    # of a projection: positive cells are lowered alike, cells at 0 would have to fall further
    lowered = np.array(noisy) - table
    assume(total)
    same = lowered[table > 1e-9]
    assert same == pytest.approx(same[0])
    assert (lowered <= same[0] + 1e-9).all()


@given(st.lists(st.integers(-50, 200), min_size=2, max_size=16))
def test_the_paper_raises_negative_cells_to_zero(noisy):
    assert bayes_network._raised(np.array(noisy), 7, "paper").tolist() == [max(0, x) for x in noisy]


# many runs at once


@pytest.mark.parametrize("negatives", ["spread", "paper"])
@pytest.mark.parametrize(("degree", "rows"), [(None, None), (1, 3), (2, None)])
def test_many_runs_at_once_follow_the_law_of_one_after_the_other(degree, rows, negatives):
    method = PrivBayes(epsilon=8, degree=degree, rows=rows, negatives=negatives, universe=NAMES[:3])
    data, runs = data_of(["110", "111", "001", "010"]), QUICK // 16
    sides = (
        method.outcomes(data, seeded(1), runs),
        one_by_one(method, data, seeded(2), runs),
    )
    assert len(sides[0]) == runs
    batch, single = (Counter(part for run in side for part in run) for side in sides)
    often = [part for part in batch | single if batch[part] + single[part] >= 20]
    assert len(often) > 5
    apart = sum((batch[part] - single[part]) ** 2 / (batch[part] + single[part]) for part in often)
    # the chi-square law, five deviations out
    assert apart < len(often) + 5 * (2 * len(often)) ** 0.5


def test_few_runs_at_a_time_and_many_are_the_same(monkeypatch):
    data = data_of(["110"] * 5)
    for cells in (1, 12, 1 << 22):
        monkeypatch.setattr("discreet.counts.priv_bayes.MOST_CELLS", cells)
        method = PrivBayes(epsilon=10**6, universe=NAMES[:3])
        runs = method.outcomes(data, seeded(1), 7)
        assert runs == [frozenset({(("a", "b"), 5)})] * 7
    assert method.outcomes(data, seeded(1), 2, smallest=3) == [frozenset()] * 2


def test_many_runs_on_nobody_and_on_nothing():
    nobody = Transactions.of([], universe=("a",))
    assert PrivBayes(epsilon=1).outcomes(nobody, seeded(1), 3) == [frozenset()] * 3
    nothing = Transactions.of([[], []])
    assert PrivBayes(epsilon=1).outcomes(nothing, seeded(1), 3) == [frozenset({((), 2)})] * 3


def test_sixty_four_items_leave_no_room_for_two_runs_in_a_word():
    universe = tuple(f"i{n}" for n in range(64))
    data = Transactions.of([[universe[63]]] * 9, universe=universe)
    runs = PrivBayes(epsilon=10**6).outcomes(data, seeded(1), 3)
    assert runs == [frozenset({(("i63",), 9)})] * 3


# what an audit looks at


@pytest.mark.parametrize(("holders", "rows"), [(2, 2), (1, 2), (0, 5)])
def test_the_law_of_a_count_is_that_of_the_runs(holders, rows):
    data = crowd(("a",), {("a",): holders, (): 2 - holders})
    runs = PrivBayes(epsilon=1, rows=rows).outcomes(data, seeded(3), QUICK)
    law = count_law(2, holders, Fraction(1), rows)
    assert sum(law.values()) == pytest.approx(1, abs=1e-12)
    assert follows([dict(run).get(("a",), 0) for run in runs], law)


@pytest.mark.parametrize(
    ("method", "pairs"),
    [
        (PrivBayes(epsilon=1), 3),
        (PrivBayes(epsilon=8), 3),
        (PrivBayes(epsilon=1, degree=2, score="F"), 3),
        # no network to choose, or only one
        (PrivBayes(epsilon=1, degree=0), 2),
        (PrivBayes(epsilon=1, degree=9), 2),
        # only thousands of records would have one
        (PrivBayes(epsilon="0.05"), 2),
    ],
)
def test_the_pairs_replace_a_record_and_have_a_network_to_choose(method, pairs):
    proposed = method.worst_pair()
    assert len(proposed) == pairs
    for pair in proposed:
        assert len(pair.one) == len(pair.other)
    chosen = [method.degree_for(len(pair.one), len(pair.universe)) for pair in proposed[2:]]
    assert all(0 < degree < 3 for degree in chosen)
    assert PrivBayes(epsilon=1, negatives="paper").worst_pair()[0].laws is None


# corners


@pytest.mark.parametrize("score", ["R", "F", "MI"])
@pytest.mark.parametrize("degree", [None, 0, 1, 2])
@pytest.mark.parametrize(
    "rows", [[], [""] * 3, ["1"], ["0"] * 5, ["101"], ["000"] * 4, ["1111"] * 3, EIGHT]
)
def test_small_and_constant_data_are_published(rows, degree, score):
    universe = NAMES[: len(rows[0]) if rows else 3]
    data = data_of(rows, universe) if rows else Transactions.of([], universe=universe)
    method = PrivBayes(epsilon=1, degree=degree, score=score, universe=universe or None)
    content = method.publish(data, seeded(1)).release.content
    assert content.total == len(rows)
    assert set(content.sets.vocabulary) <= set(universe)


def test_an_item_nobody_has_can_be_published_and_one_all_have_can_be_missed():
    method = PrivBayes(epsilon="0.01", universe=("a", "b"))
    data = data_of(["10"] * 20)
    sets = set().union(
        *(method.publish(data, seeded(s)).release.content.as_dict() for s in range(20))
    )
    assert sets == {(), ("a",), ("b",), ("a", "b")}


def test_a_large_budget_gives_the_data_back():
    data = data_of(["110000", "111000", "000111", "000000"] * 50)
    content = PrivBayes(epsilon=10**6, degree=5, rows=100_000).publish(data, seeded(1))
    shares = {s: n / 100_000 for s, n in content.release.content.as_dict().items()}
    assert shares.keys() == {("a", "b"), ("a", "b", "c"), ("d", "e", "f"), ()}
    assert all(abs(share - 0.25) < 0.01 for share in shares.values())


def test_items_outside_the_universe_are_dropped():
    data = Transactions.of([["a", "x"], ["b"], ["x"]] * 30)
    content = PrivBayes(epsilon=10**6, universe=("b", "a")).publish(data, seeded(1))
    assert content.release.content.as_dict().keys() <= {("b",), ("a",), (), ("b", "a")}
    assert content.release.content.total == 90


def test_sixty_four_items_fit_and_one_more_does_not():
    universe = tuple(f"i{n}" for n in range(65))
    data = Transactions.of([[universe[63], universe[0]]] * 50, universe=universe[:64])
    content = PrivBayes(epsilon=100, degree=1).publish(data, seeded(1)).release.content
    assert content.supports[content.sets.vocabulary.index("i63")] > 40
    with pytest.raises(ParameterError, match="at most 64 items, got 65; give a smaller one"):
        PrivBayes(epsilon=1, universe=universe).publish(data, seeded(1))


# what is promised


def test_neighbours_are_replaced_records_and_their_number_is_public():
    given_universe, taken = PrivBayes(epsilon="0.5", universe=("a",)), PrivBayes(epsilon="0.5")
    assert given_universe.guarantees == (
        DifferentialPrivacy(
            epsilon="0.5", neighbours="replace", public=("number of records", "item universe")
        ),
    )
    assert "not covered by epsilon" in taken.guarantees[0].public[1]


def test_mutual_information_claims_nothing():
    release = PrivBayes(epsilon=1, score="MI", degree=1).publish(data_of(EIGHT), seeded(1))
    assert release.release.guarantees == ()
    assert "no differential privacy is claimed" in release.release.manifest.notes["score"]
    assert verify(release.release).by_parts is None


def test_the_manifest_says_the_degree_and_not_the_universe():
    universe = ("secret", "b", "c")
    method = PrivBayes(epsilon=1, degree=1, universe=universe)
    record = method.publish(data_of(EIGHT, universe), seeded(1)).release.record()
    assert record["notes"]["degree"] == 1
    assert "secret" not in str(record)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("epsilon", 0, "epsilon must be above 0"),
        ("epsilon", "1/" + "7" * 20, "fewer digits"),
        ("theta", 0, "theta must be above 0"),
        ("beta", 1, "beta must be between 0 and 1"),
        ("beta", 0, "beta must be between 0 and 1"),
        ("beta", "0." + "1" * 20, "fewer digits"),
        ("score", "X", "score must be one of R, F, MI"),
        ("negatives", "X", "negatives must be one of spread, paper"),
        ("degree", -1, "degree must be at least 0"),
        ("rows", -1, "rows must be at least 0"),
    ],
)
def test_wrong_parameters_are_refused(field, value, message):
    with pytest.raises(ParameterError, match=message):
        PrivBayes(**({"epsilon": 1} | {field: value}))


def test_too_many_records_are_refused(monkeypatch):
    monkeypatch.setattr("discreet.counts.priv_bayes.MOST_RECORDS", 8)
    with pytest.raises(ParameterError, match="fewer than 8 records, got 8; publish parts"):
        PrivBayes(epsilon=1).publish(data_of(EIGHT), seeded(1))
