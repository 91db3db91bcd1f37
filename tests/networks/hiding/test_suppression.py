"""Partial suppression: safe by an independent check, and nothing deleted that could stay."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet.core.guarantee import RhoUncertainty
from discreet.core.itemsets import Itemsets
from discreet.networks.hiding.suppression import Bound, Heuristic, Records
from discreet.verify.rho_uncertainty import rho_uncertainty
from tests.networks.dropping import names_dropped

ITEMS = "abcdefgh"
SECRET = np.array([item in "abc" for item in ITEMS])
RECORDS = st.lists(st.sets(st.sampled_from(ITEMS)), min_size=1, max_size=12)
RHO = st.sampled_from([Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(7, 10)])
BOUND = st.builds(Bound, rho=RHO, mixed=st.booleans(), strict=st.booleans())


def keeps(sets: Itemsets, bound: Bound) -> bool:
    antecedents = "mixed" if bound.mixed else "nonsensitive"
    claim = RhoUncertainty(rho=bound.rho, antecedents=antecedents, strict=bound.strict)
    return rho_uncertainty(sets, claim, "abc").holds is not False


@settings(max_examples=300)
@given(RECORDS, BOUND, st.sampled_from(["num", "dist"]), st.booleans())
def test_what_is_left_is_safe_and_tight(
    records: list[set[str]], bound: Bound, heuristic: Heuristic, table: bool
) -> None:
    sets = Itemsets.of(records, ITEMS)
    work = Records(sets, SECRET, bound, table=table)
    assert work.safe() is keeps(sets, bound)
    assert work.suppress(heuristic)
    assert keeps(work.left(), bound)
    work.put_back()
    left = work.left()
    assert keeps(left, bound)
    assert work.sizes.tolist() == left.sizes.tolist()
    assert len(work.deleted) == len(sets.items) - len(left.items)
    kept = [set(record) for record in left]
    for row, item in work.deleted:
        fuller = [set(record) for record in kept]
        fuller[row].add(ITEMS[item])
        assert not keeps(Itemsets.of(fuller, ITEMS), bound)


def test_an_item_with_too_many_antecedents_to_try_is_deleted() -> None:
    records = [[*"defgh"[:size], "a"] for size in range(6)] + [list("defgh")] * 40
    work = Records(Itemsets.of(records, ITEMS), SECRET, Bound(rho=Fraction(9, 10)), tried=3)
    assert not work.safe()
    assert work.suppress("dist")
    assert "a" not in {item for record in work.left() for item in record}


def test_it_gives_up_where_more_secrets_would_go_than_allowed() -> None:
    work = Records(Itemsets.of([["a"], ["a"], ["d"]], ITEMS), SECRET, Bound(rho=Fraction(1, 3)))
    assert not work.suppress("dist", most_secrets=0)


@settings(max_examples=300)
@given(RECORDS, BOUND, st.sampled_from(range(len(ITEMS))))
def test_a_whole_item_comes_back_only_where_nothing_becomes_too_sure(
    records: list[set[str]], bound: Bound, item: int
) -> None:
    work = Records(Itemsets.of(records, ITEMS), SECRET, bound)
    work.clear(item)
    without = work.left()
    assume(keeps(without, bound))
    returns = keeps(work.sets, bound)
    assert work.restore(item) is returns
    left = work.left()
    assert list(left) == list(work.sets if returns else without)
    assert work.sizes.tolist() == left.sizes.tolist()
    assert work.counts.tolist() == np.bincount(left.items, minlength=len(ITEMS)).tolist()


@settings(max_examples=200)
@given(RECORDS, BOUND)
def test_rules_are_broken_and_found_where_there_are_any(
    records: list[set[str]], bound: Bound
) -> None:
    work = Records(Itemsets.of(records, ITEMS), SECRET, bound)
    found, untried = work.rules(work.present())
    assert not untried

    def sure(known: set[str], secret: str) -> bool:
        fitting = [record for record in records if known <= record]
        share = Fraction(sum(secret in record for record in fitting), len(fitting))
        return share > bound.rho or (bound.strict and share == bound.rho)

    cuts = zip(found.starts, found.starts[1:], found.ends, strict=False)
    rules = [(tuple(found.items[low:high].tolist()), int(end)) for low, high, end in cuts]
    assert rules == sorted(set(rules))
    for numbers, number in rules:
        known, secret = {ITEMS[item] for item in numbers}, ITEMS[number]
        assert sure(known, secret)
        assert bound.mixed or not known & {"a", "b", "c"}
    assert bool(rules) is not keeps(work.sets, bound)


@settings(max_examples=200)
@given(RECORDS, BOUND, st.sampled_from(["num", "dist"]), st.integers(1, 4))
def test_items_that_were_not_tried_may_stand_in_rules_of_others(
    records: list[set[str]], bound: Bound, heuristic: Heuristic, tried: int
) -> None:
    work = Records(Itemsets.of(records, ITEMS), SECRET, bound, tried=tried)
    assert work.suppress(heuristic)
    assert keeps(work.left(), bound)


@settings(max_examples=300)
@given(RECORDS, BOUND, st.sampled_from([None, 1, 2]), st.integers(0, 20))
def test_as_few_rare_names_go_as_make_it_safe_if_they_are_cheap_enough(
    records: list[set[str]], bound: Bound, known: int | None, below: int
) -> None:
    bound = replace(bound, known=known)
    work = Records(Itemsets.of(records, ITEMS), SECRET, bound)
    names = work.rare_names(below)
    assert not work.deleted
    antecedents = "mixed" if bound.mixed else "nonsensitive"
    claim = RhoUncertainty(rho=bound.rho, antecedents=antecedents, strict=bound.strict, known=known)
    fewest = names_dropped(records, claim, "abc")
    possible = fewest is not None and fewest < below
    assert sum(int(work.counts[name]) for name in names) == (fewest if possible and fewest else 0)
    safe = work.only_frequent_names(below)
    assert rho_uncertainty(work.left(), claim, "abc").holds is not False or not safe
    assert len(work.deleted) <= (below if safe else 0)
