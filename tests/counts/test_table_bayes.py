"""Every set of a small universe counted with noise, and told from it."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, verify
from discreet.counts import Counts, ItemSupports, SparseHistogram, TableBayes
from discreet.counts.lattice import table_of
from discreet.counts.table_bayes import size_share
from discreet.errors import ParameterError
from discreet.kernels.supersets import superset_sums
from discreet.mechanism_audit.audit import exact_ratio
from discreet.rng import seeded
from tests.mechanism_audit.auditing import tried

UNIVERSE = ("a", "b", "c", "d")
RECORDS = st.lists(st.sets(st.sampled_from(UNIVERSE)), max_size=60)


@given(RECORDS, st.sampled_from(["0.2", "1", "8"]), st.integers(0, 3))
@settings(max_examples=15)
def test_a_release_leaks_nothing_for_certain(records, epsilon, seed):
    method = TableBayes(epsilon=epsilon, universe=UNIVERSE)
    release = method.publish(Transactions.of(records, universe=UNIVERSE), seeded(seed)).release
    told = {type(part.guarantee).__name__: part.holds for part in verify(release).parts}
    assert told == {"NoAttributeLeakage": True, "DifferentialPrivacy": None}


def test_where_nearly_every_set_is_another_one_nobody_is_added_in_the_end():
    """Taking certainty out of such a table adds half as many people again."""
    tossed, names = np.random.default_rng(1).random((400, 12)) < 0.5, [f"i{n}" for n in range(12)]
    people = Transactions.of(tossed.astype(np.int64), universe=names)
    method = TableBayes(epsilon=2, universe=people.universe)
    wrong = []
    for seed in (1, 2, 3):
        made = table_of(method.publish(people, seeded(seed)).release.content.over(people.universe))
        said, true = superset_sums(made), superset_sums(table_of(people.folded))
        wrong.append(np.abs(said - true)[1 << np.arange(12)].mean() / 400)
        assert said[0] < 1.2 * 400
    assert np.mean(wrong) < 0.08  # .24 where people are only added


def test_the_budget_is_spent_on_two_tables_and_no_more(monkeypatch):
    from discreet.counts import table_bayes

    spent = []

    def noiseless(size, epsilon, _):
        spent.append((size, epsilon))
        return np.zeros(size, dtype=np.int64)

    monkeypatch.setattr(table_bayes, "discrete_laplace", noiseless)
    data = Transactions.of([["a"], ["a", "b"], []], universe=UNIVERSE)
    noisy = TableBayes(epsilon="0.9", universe=UNIVERSE).measured(data.folded, seeded(1))
    assert (
        sum(epsilon for _, epsilon in spent) == 9 / 10
        or str(sum(epsilon for _, epsilon in spent)) == "9/10"
    )
    assert sorted(size for size, _ in spent) == [5, 16]
    # one person more is one more in one cell of each
    more = Transactions.of([["a"], ["a", "b"], [], ["b", "c"]], universe=UNIVERSE)
    again = TableBayes(epsilon="0.9", universe=UNIVERSE).measured(more.folded, seeded(1))
    assert np.abs(again.counts - noisy.counts).sum() == 1
    assert np.abs(again.sizes - noisy.sizes).sum() == 1


@pytest.mark.parametrize("many", [21, 300])
def test_a_large_universe_is_refused_with_a_way_out(many):
    items = tuple(f"i{number}" for number in range(many))
    with pytest.raises(ParameterError, match=f"at most 20 items, got {many}; item-supports"):
        TableBayes(epsilon=1).publish(Transactions.of([["i1"]], universe=items))
    # what is public is refused before anything is booked
    with pytest.raises(ParameterError, match=f"got {many}; item-supports"):
        TableBayes(epsilon=1, universe=items)


@pytest.mark.parametrize("universe", [(), ("a",)])
def test_a_universe_of_hardly_anything_is_published(universe):
    data = Transactions.of([[], *[list(universe)] * 5], universe=universe)
    release = TableBayes(epsilon=1, universe=universe or None).publish(data, seeded(2)).release
    assert verify(release).holds is not False


@pytest.mark.parametrize("epsilon", [80, 200, 1000, "99999.999999"])
def test_without_noise_what_nothing_follows_from_is_published_as_it_is(epsilon):
    subsets = [UNIVERSE[:size] for size in range(4)] + [(item,) for item in UNIVERSE]
    counts = {itemset: 3 + 7 * place for place, itemset in enumerate(dict.fromkeys(subsets))}
    counts |= dict.fromkeys(combinations(UNIVERSE[:3], 2), 9)
    people = Transactions.of([each for each, count in counts.items() for _ in range(count)])
    release = TableBayes(epsilon=epsilon, universe=UNIVERSE).publish(people, seeded(1)).release
    assert {tuple(sorted(held)): n for held, n in release.content.as_dict().items()} == counts


def test_a_tiny_epsilon_is_refused_before_anything_is_spent():
    """What noise may make of a count would have to be tabled for millions of counts."""
    with pytest.raises(ParameterError, match=r"must be at least 0\.005 .* item-supports") as caught:
        TableBayes(epsilon="0.004999", universe=("a", "b"))
    assert caught.value.parameter == "epsilon"


def test_long_records_are_cut_and_longer_sets_never_published():
    data = Transactions.of([["a", "b", "c"]] * 40 + [["d"]] * 20, universe=UNIVERSE)
    release = TableBayes(epsilon=4, universe=UNIVERSE, max_size=2).publish(data, seeded(1)).release
    assert max(map(len, release.content.sets)) <= 2


def test_it_is_nearer_to_the_truth_than_a_noisy_histogram():
    generator = np.random.default_rng(3)
    shares = generator.uniform(0.05, 0.5, 8)
    items = [f"i{number}" for number in range(8)]
    held = generator.random((4000, 8)) < shares
    people = Transactions.of(
        [[items[at] for at in np.flatnonzero(row)] for row in held], universe=items
    )
    truth = superset_sums(table_of(people.folded))
    errors = {}
    for method in (TableBayes, SparseHistogram):
        release = method(epsilon="0.5", universe=tuple(items)).publish(people, seeded(4)).release
        supports = superset_sums(table_of(release.content.over(items)))
        errors[method] = np.abs(supports - truth).sum()
    assert errors[TableBayes] < 0.7 * errors[SparseHistogram]


@pytest.mark.parametrize("epsilon", ["0.1", "1", "4"])
def test_the_noisy_counts_spend_epsilon_by_their_exact_law(epsilon):
    for pair in TableBayes(epsilon=epsilon).worst_pair():
        assert exact_ratio(*pair.laws).epsilon == pytest.approx(float(epsilon), rel=1e-6)


def test_an_audit_of_the_noisy_counts_finds_nothing():
    for which in range(2):
        found = tried(TableBayes(epsilon=1), which, seed=1, runs=2000)
        assert not found.accused
        assert found.bound > 0.2


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", [Counts(epsilon=1), Counts(epsilon=1, tau="0.9"), ItemSupports(epsilon=1)]
)
def test_whole_releases_show_no_more_than_epsilon(method):
    for which in range(len(method.worst_pair())):
        assert not tried(method, which, seed=1, runs=400).accused


def test_what_sizes_cost_is_a_matter_of_the_universe():
    assert [size_share(items) for items in (2, 10, 11, 20)] == [
        Fraction(1, 6), Fraction(1, 6), Fraction(1, 3), Fraction(1, 3)
    ]  # fmt: skip
