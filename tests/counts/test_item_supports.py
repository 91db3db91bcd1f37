from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.core.histogram import ItemsetHistogram
from discreet.core.transactions import Transactions
from discreet.counts import ItemSupports, item_supports
from discreet.counts.item_supports import posterior_medians
from discreet.errors import ParameterError
from discreet.rng import discrete_laplace, seeded

ITEMS = tuple(f"i{number:02d}" for number in range(30))


def people(seed: int, many: int = 4000) -> Transactions:
    """Two items that always go together, one that half of the people have, and rare ones."""
    rng = np.random.default_rng(seed)
    held = rng.random((many, 30)) < np.array([0.3, 0, 0.5, *[0.01] * 27])
    held[:, 1] = held[:, 0]
    return Transactions.of(
        [[ITEMS[item] for item in np.flatnonzero(row)] for row in held], universe=ITEMS
    )


def supports(data: Any) -> dict[str, int]:
    return dict(zip(data.sets.vocabulary, data.supports.tolist(), strict=True))


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "2"])
@pytest.mark.parametrize(
    ("many", "items", "falling"), [(20, 20, 2), (50, 200, 1), (200, 200, 2), (50, 5, 1)]
)
def test_few_people_are_told_of_no_worse_than_by_publishing_nothing(
    many: int, items: int, falling: int, epsilon: str
) -> None:
    """Mean error over all items, relative to the support or a thousandth of the people."""
    rng = np.random.default_rng(many + items)
    names = tuple(f"i{number:04d}" for number in range(items))
    shares = 1 / np.arange(1, items + 1) ** falling
    drawn = rng.choice(items, size=(many, 3), p=shares / shares.sum())
    data = Transactions.of([{names[item] for item in row} for row in drawn], universe=names)
    method, true, errors = ItemSupports(epsilon=epsilon, universe=names), data.supports, []
    for seed in range(5):
        found = supports(method.publish(data, seeded(seed)).release.content)
        told = np.array([found.get(name, 0) for name in names])
        errors.append(np.mean(np.abs(told - true) / np.maximum(true, 0.001 * many)))
    nothing = np.mean(true / np.maximum(true, 0.001 * many))
    assert np.mean(errors) <= 1.05 * nothing


def test_an_item_of_many_is_told_where_no_size_stands_out() -> None:
    """Sets of each size have few people beside the noise of sizes; most people hold the item."""
    names = tuple("abcdefghij")
    data = Transactions.of([names[: 1 + row % 10] for row in range(150)], universe=names)
    method = ItemSupports(epsilon=2, universe=names)
    for seed in range(5):
        told = supports(method.publish(data, seeded(seed)).release.content)
        assert told.get("a", 0) > 75


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2"])
def test_sizes_that_nobody_has_make_up_for_nothing(epsilon: str) -> None:
    """Sixty sizes, of which one occurs: the noise of the others once doubled every support."""
    names = tuple(f"i{number:02d}" for number in range(60))
    data = Transactions.of([[names[row % 3]] for row in range(4800)], universe=names)
    method = ItemSupports(epsilon=epsilon, universe=names)
    for seed in range(5):
        told = supports(method.publish(data, seeded(seed)).release.content)
        assert [told[name] for name in names[:3]] == pytest.approx([1600] * 3, rel=0.1)


@pytest.mark.parametrize("pairs", [0, "0.5"])
def test_supports_come_back(pairs: Any) -> None:
    data = people(1)
    method = ItemSupports(epsilon=1, pairs=pairs, universe=ITEMS)
    content = method.publish(data, seeded(2)).release.content
    found, true = supports(content), supports(data.folded)
    for item in ITEMS[:3]:
        assert found[item] == pytest.approx(true[item], rel=0.15)
    assert sum(found.get(item, 0) for item in ITEMS[3:]) < 3 * sum(true[i] for i in ITEMS[3:])


def test_pairs_that_go_together_are_told_only_where_asked_for() -> None:
    data, pair = people(1), (ITEMS[0], ITEMS[1])
    plain, with_pairs = (
        ItemSupports(epsilon=1, pairs=share, universe=ITEMS).publish(data, seeded(2))
        for share in (0, "0.6")
    )
    assert set(plain.release.content.sets.sizes.tolist()) == {1}
    held = with_pairs.release.content.as_dict()
    assert held[pair] > 400
    # two items that nothing joins are not together more often than chance has it
    assert held[pair] > 2 * held.get((ITEMS[2], ITEMS[29]), 0)


@given(st.integers(0, 2**32), st.sampled_from([0, "0.3", "0.9"]), st.integers(1, 40))
@settings(max_examples=30)
def test_pairs_never_exceed_the_supports_of_their_items(seed: int, pairs: Any, many: int) -> None:
    method = ItemSupports(epsilon=3, pairs=pairs, universe=ITEMS)
    content = method.publish(people(seed, many), seeded(seed)).release.content
    assert (content.counts > 0).all()
    assert content.sets.sizes.max(initial=1) <= 2
    assert len(set(content.sets)) == len(content)


@pytest.mark.parametrize("pairs", [0, "0.25"])
def test_what_is_spent_is_epsilon(pairs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rates: list[Fraction] = []

    def noise(size: int, rate: Fraction, rng: Any) -> Any:
        rates.append(rate)
        return discrete_laplace(size, rate, rng)

    limits: list[int] = []
    cut = item_supports._cut
    monkeypatch.setattr(item_supports, "discrete_laplace", noise)
    monkeypatch.setattr(
        item_supports,
        "_cut",
        lambda folded, size, rng: limits.append(size) or cut(folded, size, rng),
    )
    ItemSupports(epsilon=2, pairs=pairs, universe=ITEMS).publish(people(1), seeded(1))
    # a person is in one size, in as many items as the limit says, and in one pair
    spent = rates[0] + limits[0] * rates[1] + sum(rates[2:])
    assert (spent, limits[1:]) == (2, [2] if pairs else [])


@given(st.lists(st.integers(-40, 400), min_size=1, max_size=40), st.floats(0.01, 5))
def test_a_posterior_median_is_a_count_and_grows_with_what_was_seen(
    noisy: list[int], rate: float
) -> None:
    found = posterior_medians(np.array(noisy), rate, 300.0, 1.0, 1.0)
    assert ((found >= 0) & (found <= 300)).all()
    order = np.argsort(noisy, kind="stable")
    assert (np.diff(found[order]) >= 0).all()


@pytest.mark.parametrize("people", [10_000, 1_000_000, 1_000_000_000])
@pytest.mark.parametrize("epsilon", ["0.25", "1", "50000"])
def test_what_many_people_hold_is_told_as_well_as_its_noise_lets_it(
    people: int, epsilon: str
) -> None:
    # between any points of a logarithmic grid
    true = {(f"i{item:02}",): people * (31 + item) // 1000 for item in range(25)}
    statistics = ItemsetHistogram.of(true)
    method = ItemSupports(epsilon=epsilon, universe=statistics.sets.vocabulary)
    published = method.decide(statistics, seeded(1)).as_dict()
    far = max(1, 20 / float(epsilon))
    assert all(abs(published[item] - count) <= far for item, count in true.items())


def test_no_people_and_no_items_are_published() -> None:
    for data in (Transactions.of([], universe=ITEMS), Transactions.of([[], []])):
        method = ItemSupports(epsilon=1, pairs="0.5")
        assert method.publish(data, seeded(1)).release.content.total < 2000


@pytest.mark.parametrize("pairs", ["-0.1", "0.91", 1, "0.1234567", "1/1000001"])
def test_a_share_out_of_range_is_refused(pairs: Any) -> None:
    with pytest.raises(ParameterError, match="pairs must be a share of the budget"):
        ItemSupports(epsilon=1, pairs=pairs)


@pytest.mark.parametrize("epsilon", ["99999.999999", "0.000001", "1/999999"])
@pytest.mark.parametrize("pairs", ["0.000001", "0.899999", "1/999983"])
def test_a_budget_of_many_digits_is_shared_exactly(epsilon: str, pairs: str) -> None:
    everything = Transactions.of([[f"i{item:02}" for item in range(70)]] * 3)
    method = ItemSupports(epsilon=epsilon, pairs=pairs, universe=everything.universe)
    assert method.publish(everything, seeded(1)).release.content.counts.min(initial=1) > 0
