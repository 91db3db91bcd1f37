from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import verify
from discreet.core.transactions import Transactions
from discreet.counts import Counts, ItemSupports, TableBayes
from discreet.errors import ParameterError
from discreet.rng import seeded

ITEMS = tuple(f"i{number:02d}" for number in range(30))


@pytest.mark.parametrize(
    ("items", "records", "epsilon", "method", "pairs"),
    [
        (1, None, 1, TableBayes, None),
        (20, 10**6, 1, TableBayes, None),
        (21, None, 1, ItemSupports, 0),
        (500, 40_000, 1, ItemSupports, 0),
        (500, 50_000, 1, ItemSupports, "0.5"),
        (500, 50_000, "0.5", ItemSupports, 0),
    ],
)
def test_public_facts_choose(
    items: int, records: int | None, epsilon: Any, method: type, pairs: Any
) -> None:
    counts = Counts(epsilon=epsilon, records=records)
    chosen = counts.chosen(items)
    assert type(chosen) is method
    assert getattr(chosen, "pairs", None) == pairs
    name = "table-bayes" if method is TableBayes else "item-supports"
    assert counts.reason(items).startswith(f"{name}, because the universe has")


baskets = st.lists(st.frozensets(st.sampled_from(ITEMS), max_size=6), max_size=60)


@given(baskets, st.sampled_from([8, 30]), st.sampled_from([None, "0.9", "0.5"]), st.integers(0, 99))
@settings(max_examples=25)
def test_every_release_keeps_what_it_promises(
    records: list[frozenset[str]], items: int, tau: Any, seed: int
) -> None:
    universe = ITEMS[:items]
    data = Transactions.of([record & set(universe) for record in records], universe=universe)
    method = Counts(epsilon=2, tau=tau, universe=universe)
    release = method.publish(data, seeded(seed)).release
    assert release.guarantees == method.guarantees
    assert verify(release).holds is not False


def test_the_manifest_says_why() -> None:
    data = Transactions.of([["a", "b"], ["a"]] * 40, universe=("a", "b"))
    release = Counts(epsilon=1, universe=("a", "b")).publish(data, seeded(1)).release
    assert "table-bayes" in release.manifest.notes["choice"]


def test_a_tiny_epsilon_is_spent_on_items() -> None:
    counts = Counts(epsilon="0.000001", universe=("a", "b"))
    release = counts.publish(Transactions.of([["a"]] * 9), seeded(1)).release
    assert release.manifest.notes["choice"].startswith(
        "item-supports, because epsilon is below 0.005"
    )
    assert counts.worst_pair() == ItemSupports(epsilon="0.000001").worst_pair()
    with pytest.raises(ParameterError, match=r"where epsilon is below 0\.005"):
        replace(counts, rows=True).publish(Transactions.of([["a"]]), seeded(1))


def test_a_bound_out_of_range_is_refused() -> None:
    with pytest.raises(ParameterError, match="tau"):
        Counts(epsilon=1, tau=2)
