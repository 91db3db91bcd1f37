"""Which noisy counts are told: those that stand out, and all where noise does no harm."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.transactions import Transactions
from discreet.counts import SparseHistogram
from discreet.counts.plausible import Passed, plausible
from discreet.rng import seeded


def baskets(people: int, names: tuple[str, ...], falling: int) -> Transactions:
    rng = np.random.default_rng(people + len(names))
    shares = 1 / np.arange(1, len(names) + 1) ** falling
    drawn = rng.choice(len(names), size=(people, 3), p=shares / shares.sum())
    return Transactions.of([{names[item] for item in row} for row in drawn], universe=names)


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "2"])
@pytest.mark.parametrize(
    ("people", "items", "falling"),
    [(20, 16, 1), (50, 16, 2), (200, 16, 1), (200, 8, 2), (1000, 16, 2), (5000, 16, 1)],
)
def test_few_people_are_told_of_no_worse_than_by_publishing_nothing(
    people: int, items: int, falling: int, epsilon: str
) -> None:
    """Mean error over single items, relative to the support or a thousandth of the people."""
    names = tuple(f"i{number:02d}" for number in range(items))
    data = baskets(people, names, falling)
    true, errors = data.supports, []
    for seed in range(5):
        method = SparseHistogram(epsilon=epsilon, universe=names)
        content = method.publish(data, seeded(seed)).release.content
        held = dict(zip(content.sets.vocabulary, content.supports.tolist(), strict=True))
        told = np.array([held.get(name, 0) for name in names])
        errors.append(np.mean(np.abs(told - true) / np.maximum(true, 0.001 * people)))
    nothing = np.mean(true / np.maximum(true, 0.001 * people))
    assert np.mean(errors) <= 1.05 * nothing


@given(
    st.lists(st.integers(12, 400), max_size=40), st.integers(2, 40), st.floats(0.05, 4), st.data()
)
def test_a_larger_count_of_a_size_is_told_where_a_smaller_one_is(
    counts: list[int], items: int, rate: float, drawn: st.DataObject
) -> None:
    size = drawn.draw(st.integers(1, items))
    (told,) = plausible([Passed(np.array(counts, dtype=np.int64), items, size, 12)], rate)
    kept = [count for count, stays in zip(counts, told, strict=True) if stays]
    assert len(told) == len(counts)
    assert all(count < min(kept, default=0) for count in counts if count not in kept) or not kept


def test_noise_is_left_where_many_people_are_told_of() -> None:
    data = baskets(20_000, ("a", "b", "c", "d"), 1)
    method = SparseHistogram(epsilon=1, universe=("a", "b", "c", "d"))
    content = method.publish(data, seeded(1)).release.content
    published = {frozenset(held) for held in content.sets}
    assert published >= {frozenset(held) for held in data.folded.sets if held}


def test_more_sets_than_a_float_can_tell_are_weighed() -> None:
    """Of 3,340 items there are 10 ** 327 sets of 200."""
    many = Passed(np.array([900, 2000]), 3340, 200, 760)
    assert plausible([many], 1.0)[0].tolist() == [True, True]
