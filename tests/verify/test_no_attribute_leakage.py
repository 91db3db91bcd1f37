import sys
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.guarantee import (
    DifferentialPrivacy,
    NoAttributeLeakage,
)
from discreet.core.histogram import ItemsetHistogram
from discreet.verify import verify
from discreet.verify.no_attribute_leakage import no_attribute_leakage
from tests.verify.leakages import boundary_closed, containers, leakages, released

module = sys.modules[no_attribute_leakage.__module__]

families = st.sets(st.frozensets(st.sampled_from("abcdef")), max_size=10)


def holds(family) -> bool | None:
    return no_attribute_leakage(released(family).content, NoAttributeLeakage()).holds


@given(families)
def test_no_missing_boundary_is_no_leakage(family):
    missing = [
        (held, item)
        for held in family
        if len(containers(held, family)) == 1
        for item in held
        if len(containers(held - {item}, family)) == 1
    ]
    assert (not missing) == (not leakages(family))


@given(families)
def test_verifier_agrees_with_brute_force(family):
    assert holds(family) == (not leakages(family))


@given(families)
def test_witness_is_a_leakage(family):
    verdict = verify(released(family))
    if verdict.holds:
        assert verdict.witness is None
    else:
        spoken = verdict.witness.partition(" fits")[0].partition("hold ")[2]
        known = frozenset() if spoken == "nothing at all" else frozenset(spoken[1:-1].split(", "))
        assert known in leakages(family)
        assert verdict.witness.endswith(f"must also hold {min(leakages(family)[known] - known)}")


@given(families, families)
def test_union_of_leakage_free_releases_is_leakage_free(one, other):
    one, other = boundary_closed(one), boundary_closed(other)
    assert holds(one)
    assert holds(other)
    assert holds(one | other)
    assert not leakages(one | other)


def test_union_of_leaking_releases_may_still_leak():
    assert not holds([{"a", "b"}, {"a"}, {"c"}])


def test_empty_itemset_saves_a_lone_singleton():
    assert not holds([{"a"}])
    assert holds([{"a"}, set()])
    assert holds([{"a"}, {"b"}])


def test_nothing_published_leaks_nothing():
    assert holds([])
    assert holds([set()])


def test_equal_rows_do_not_vouch_for_each_other():
    assert not holds([{"a", "b"}, {"a", "b"}])


def test_witness_of_a_lone_singleton_needs_no_knowledge():
    verdict = verify(released([{"a"}]))
    assert verdict.witness == (
        "who is known to hold nothing at all fits one published itemset only and must also hold a"
    )


@pytest.mark.parametrize("size", [2, 3, 4])
def test_all_sets_of_one_size_and_one_less_are_safe(size):
    items = "abcdef"
    family = [*combinations(items, size), *combinations(items, size - 1)]
    assert holds(family)
    # without its own boundary a pair of neighbours is still covered by the other pairs
    assert holds(combinations(items, size))


def test_budget_cannot_be_told_from_a_release():
    release = released([{"a"}, set()])
    both = type(release)(
        release.content, (*release.guarantees, DifferentialPrivacy(epsilon=1)), release.manifest
    )
    verdicts = verify(both)
    assert verdicts.holds
    assert verdicts.untold == (DifferentialPrivacy(epsilon=1),)


def test_a_rest_that_is_published_itself_needs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = {items: 1 for size in range(4) for items in combinations("abc", size)}

    def never(*_: object) -> None:
        pytest.fail("all published sets are searched for each of them")

    monkeypatch.setattr(module._Holders, "of_all", never)
    assert no_attribute_leakage(ItemsetHistogram.of(sets), NoAttributeLeakage()).holds is True
