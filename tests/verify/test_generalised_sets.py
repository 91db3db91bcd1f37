"""Verifiers of generalised sets agree with their definitions read word by word."""

import sys
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Transactions, rng, verify
from discreet.core.constraints import Constraints
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import ConstraintSupport, KmAnonymity
from discreet.core.publication import LinkageKey
from discreet.errors import DataError, ParameterError
from discreet.generalised import Coat
from discreet.verify import known_items
from discreet.verify.km_anonymity import km_anonymity
from tests.releases import as_released
from tests.verify.generalised import breaches_of_items, km_breaches, records_of, unmet

km = sys.modules[km_anonymity.__module__]

BLOCKS = (("a",), ("b", "c"), ("d", "e", "f"), ("g",), ("h",))
ITEMS = "abcdefghz"
published = st.lists(st.sets(st.sampled_from(BLOCKS)), max_size=12).map(GeneralisedSets.of)
constraints = st.lists(
    st.sets(st.sampled_from(ITEMS), min_size=1, max_size=5), min_size=1, max_size=4
)


@given(published, constraints, st.integers(1, 4))
def test_constraint_support_is_the_definition(
    content: GeneralisedSets, asked: list[set[str]], k: int
) -> None:
    release = as_released(content, ConstraintSupport(k=k))
    verdict = verify(release, privacy=Constraints.of(asked))
    records = records_of(content)
    there = set().union(*asked) & content.block_of.keys()
    expected = not any(unmet(records, each, k) for each in asked) if there else None
    assert verdict.holds is expected


@given(published, st.integers(1, 4), st.integers(1, 4))
def test_km_anonymity_is_the_definition(content: GeneralisedSets, k: int, m: int) -> None:
    names = [frozenset(map(str, row)) for row in records_of(content)]
    assert verify(as_released(content, KmAnonymity(k=k, m=m))).holds is not bool(
        km_breaches(names, k, m)
    )


@given(st.lists(st.sets(st.sampled_from("abcd")), max_size=12), st.integers(1, 4))
def test_km_anonymity_of_plain_transactions_too(rows: list[set[str]], k: int) -> None:
    release = as_released(Transactions.of(rows), KmAnonymity(k=k, m=2))
    assert verify(release).holds is not bool(km_breaches([frozenset(row) for row in rows], k, 2))


@given(
    st.lists(
        st.tuples(st.sets(st.sampled_from("abcd"), min_size=1), st.integers(1, 3)),
        min_size=1,
        max_size=6,
    ),
    st.integers(1, 3),
    st.sampled_from([1, 5, 100_000]),
)
def test_km_anonymity_turns_at_the_rarest_set(
    drawn: list[tuple[set[str], int]], m: int, at_once: int
) -> None:
    rows = [frozenset(items) for items, times in drawn for _ in range(times)]
    content = Transactions.of(rows)
    few = next(k for k in range(2, 20) if km_breaches(rows, k, m))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(km, "AT_ONCE", at_once)
        assert verify(as_released(content, KmAnonymity(k=few - 1, m=m))).holds is True
        witness = str(verify(as_released(content, KmAnonymity(k=few, m=m))).witness)
    assert witness.endswith(f" fits {few - 1} records, not {few}")
    named = witness.split(" fits ")[0].split(", ")
    assert sum(set(named) <= row for row in rows) == few - 1


def test_sets_that_are_too_many_are_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    release = as_released(Transactions.of([["a"]] * 2 + [["b", "c"]] * 2), KmAnonymity(k=2, m=2))
    monkeypatch.setattr(km, "AT_ONCE", 1)
    monkeypatch.setattr(km, "MOST", 1)
    (part,) = verify(release).parts
    assert part.holds is None
    assert part.checked == "sets that begin with one of the first 1 items; the others are many"
    monkeypatch.setattr(km, "MOST", 2)
    assert verify(release).holds is True


@pytest.mark.parametrize(
    ("at_once", "most", "stopped"),
    [
        # from each item on, of all records: 4, 2, 4, 2, 8 and 4 items; behind it 2, 0, 2, 0, 4, 0
        (1, 4, None),
        (7, 4, None),
        (7, 3, 4),
        (7, 1, 0),
        (13, 4, None),
        (13, 3, 0),
        (21, 8, None),
        (21, 7, 0),
    ],
)
def test_first_items_are_taken_together_up_to_so_many_behind_them(
    at_once: int, most: int, stopped: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [["a", "b"], ["c", "d"], ["e", "f"], ["e", "f"]] * 2
    monkeypatch.setattr(km, "AT_ONCE", at_once)
    monkeypatch.setattr(km, "MOST", most)
    sets = Transactions.of(pairs).sets
    assert km.rare_set(sets, 2, 2) == km.Rare(stopped=stopped)
    # nothing stands behind single items
    monkeypatch.setattr(km, "MOST", 0)
    assert km.rare_set(sets, 2, 1) == km.Rare()


TREE = Hierarchy.of_levels(
    [["a", "x", "u", "*"], ["b", "x", "u", "*"], ["c", "y", "u", "*"], ["d", "z", "v", "*"]]
)
names = st.sampled_from([*TREE.names, "s"])


@settings(max_examples=300)
@given(st.lists(st.sets(names, max_size=3), max_size=10), st.integers(1, 4), st.integers(1, 3))
def test_under_local_recoding_the_promise_is_about_original_items(
    rows: list[set[str]], k: int, m: int
) -> None:
    content = replace(Transactions.of(rows), applied=TREE)
    broken = breaches_of_items([frozenset(row) for row in rows], TREE, k, m)
    assert verify(as_released(content, KmAnonymity(k=k, m=m))).holds is not bool(broken)


def test_an_item_fits_the_names_above_it_in_other_records(monkeypatch: pytest.MonkeyPatch) -> None:
    content = replace(Transactions.of([["a"], ["x"], ["x"]]), applied=TREE)
    assert verify(as_released(content, KmAnonymity(k=2, m=1))).holds is True
    assert verify(as_released(content, KmAnonymity(k=3, m=1))).witness == "b fits 2 records, not 3"
    # a fits one name, and each x stands for two: five in all
    for most, holds in ((5, True), (4, None)):
        monkeypatch.setattr(known_items, "MOST", most)
        assert verify(as_released(content, KmAnonymity(k=2, m=1))).holds is holds


def test_names_that_nothing_is_above_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_items, "MOST", 1)
    for rows in ([["a", "b"]] * 2, [["y", "v"]] * 2):
        content = replace(Transactions.of(rows), applied=TREE)
        assert verify(as_released(content, KmAnonymity(k=2, m=1))).holds is True


@given(
    st.lists(
        st.tuples(st.sets(names, min_size=1, max_size=3), st.integers(1, 3)),
        min_size=1,
        max_size=5,
    ),
    st.integers(1, 3),
)
@example([({"z"}, 1), ({"v"}, 1)], 1)
def test_under_local_recoding_the_verdict_turns_at_the_rarest_items(
    drawn: list[tuple[set[str], int]], m: int
) -> None:
    rows = [frozenset(row) for row, times in drawn for _ in range(times)]
    content = replace(Transactions.of(rows), applied=TREE)
    few = next(k for k in range(2, 20) if breaches_of_items(rows, TREE, k, m))
    assert verify(as_released(content, KmAnonymity(k=few - 1, m=m))).holds is True
    witness = str(verify(as_released(content, KmAnonymity(k=few, m=m))).witness)
    assert witness.endswith(f" fits {few - 1} records, not {few}")


def test_a_witness_says_which_items_fit_too_few() -> None:
    content = GeneralisedSets.of([[["a"], ["b", "c"]], [["a"]], [["a"]], [["b", "c"]]])
    verdict = verify(
        as_released(content, ConstraintSupport(k=2)), privacy=Constraints.of([["a"], ["a", "c"]])
    )
    assert verdict.holds is False
    assert verdict.witness == "a, c of constraint 2 fits 1 records, not 2"
    assert (
        verify(as_released(content, KmAnonymity(k=2, m=2))).witness
        == "a, (b, c) fits 1 records, not 2"
    )


def test_a_witness_names_the_rare_part_alone() -> None:
    rows = [["a", "b"]] * 2 + [["b", "c"]] * 2 + [["a", "c"]]
    content = GeneralisedSets.of([[[item] for item in row] for row in rows])
    asked = Constraints.of([["b"], ["a", "b", "c"]])
    verdict = verify(as_released(content, ConstraintSupport(k=2)), privacy=asked)
    assert verdict.witness == "a, c of constraint 2 fits 1 records, not 2"
    verdict = verify(as_released(content, ConstraintSupport(k=4)), privacy=Constraints.of([["a"]]))
    assert verdict.witness == "a of constraint 1 fits 3 records, not 4"


def test_without_the_constraints_it_cannot_be_told() -> None:
    release = as_released(GeneralisedSets.of([[["a"]]]), ConstraintSupport(k=2))
    (part,) = verify(release).parts
    assert part.holds is None
    assert "--privacy" in part.checked


def test_a_constraint_may_need_a_support_of_its_own() -> None:
    release = as_released(GeneralisedSets.of([[["a"]]] * 3), ConstraintSupport(k=2))
    assert verify(release, privacy=Constraints.of(["a"])).holds is True
    assert verify(release, privacy=Constraints.of(["a"], least=[4])).holds is False
    # what the release promises to everyone is not made less by a line of the owner's file
    stronger = as_released(GeneralisedSets.of([[["a"]]] * 3), ConstraintSupport(k=4))
    assert verify(stronger, privacy=Constraints.of(["a"], least=[2])).holds is False


def test_items_that_the_release_does_not_hold_are_told() -> None:
    release = as_released(GeneralisedSets.of([[["blood pressure"]]]), ConstraintSupport(k=2))
    (part,) = verify(release, privacy=Constraints.of([["blood", "pressure"]])).parts
    assert part.holds is None
    assert part.checked == "nothing: no item of the 1 constraints is in the release"
    some = Constraints.of([["blood pressure", "pressure", "blood"]])
    (part,) = verify(as_released(release.content, ConstraintSupport(k=1)), privacy=some).parts
    assert part.holds is True
    assert "2 of their 3 items are in no record" in part.checked


def test_constraints_of_which_all_was_suppressed_are_kept_if_the_key_says_they_were_meant() -> None:
    data = Transactions.of([["bread"]] * 5 + [["wine"]])
    publication = Coat(k=3, protect="rare", rare_size=1, suppress=100).publish(data, rng.seeded(1))
    assert "wine" not in publication.release.content.block_of
    (part,) = verify(publication).parts
    assert part.holds is True
    assert "1 of their 1 items are in no record" in part.checked
    meant = Constraints.of([["wine"]])
    assert [each.holds for each in verify(publication.release, privacy=meant).parts] == [None]


def test_constraints_that_the_original_does_not_know_are_refused() -> None:
    release = as_released(GeneralisedSets.of([[["hiv"]], [["flu"]]]), ConstraintSupport(k=1))
    original = Transactions.of([["hiv"], ["flu"]])
    assert verify(release, privacy=Constraints.of([["hiv"]]), against=original).holds is True
    with pytest.raises(DataError, match=r"'HIV' \(near: 'hiv'\)"):
        verify(release, privacy=Constraints.of([["HIV"], ["flu"]]), against=original)


def test_the_owners_key_holds_the_constraints_too() -> None:
    import polars as pl

    table = pl.DataFrame({"items": [["a"]], "least": [4]})
    release = as_released(GeneralisedSets.of([[["a"]]] * 3), ConstraintSupport(k=2))
    key = LinkageKey({"constraints": table})
    assert verify(release, key=key).holds is False
    # those handed in take nothing from those of the key, and are asked for first
    handed = Constraints.of(["a"], least=[3])
    assert verify(release, privacy=handed).holds is True
    verdict = verify(release, privacy=handed, key=key)
    assert verdict.witness == "a of constraint 1 fits 3 records, not 4"
    # what is misspelt is what was handed in; without it, what the key holds
    original = Transactions.of([["b"]])
    with pytest.raises(DataError, match="'a'"):
        verify(release, key=key, against=original)
    fine = Constraints.of(["b"])
    assert verify(release, privacy=fine, key=key, against=original).holds is False


def test_names_that_nobody_had_when_the_data_went_out_are_no_other_data() -> None:
    data = Transactions.of([["a"], ["a", "b"], ["a"]])
    asked = Constraints.of([["a"], ["c"]])
    made = Coat(k=2, privacy=asked).publish(data, rng.seeded(1))
    for privacy in (None, asked):
        (part,) = verify(made, against=data, privacy=privacy).parts
        assert part.holds is True
        assert part.checked.endswith("1 of their 2 items are in no record")
    with pytest.raises(DataError, match="1 does not: 'd'"):
        verify(made, against=data, privacy=Constraints.of([["d"]]))
    with pytest.raises(DataError, match="'c'; the linkage key holds those that the data went out"):
        verify(made.release, against=data, privacy=asked)


def test_long_constraints_are_checked_beyond_a_machine_word() -> None:
    items = [f"i{number:02}" for number in range(70)]
    content = GeneralisedSets.of([[[item] for item in items]] * 2 + [[[items[0]], [items[69]]]] * 2)
    asked = Constraints.of([items])
    assert verify(as_released(content, ConstraintSupport(k=2)), privacy=asked).holds is True
    assert verify(as_released(content, ConstraintSupport(k=3)), privacy=asked).holds is False


@pytest.mark.parametrize("wrong", [{"k": 0, "m": 1}, {"k": 1, "m": 0}])
def test_numbers_start_at_one(wrong: dict[str, int]) -> None:
    with pytest.raises(ParameterError, match="at least 1"):
        KmAnonymity(**wrong)
    with pytest.raises(ParameterError, match="at least 1"):
        ConstraintSupport(k=0)


def test_guarantees_of_sets_are_about_sets() -> None:
    from discreet.core.histogram import ItemsetHistogram

    for guarantee in (ConstraintSupport(k=2), KmAnonymity(k=2, m=2)):
        with pytest.raises(DataError, match="GeneralisedSets"):
            verify(as_released(ItemsetHistogram.of([(["a"], 1)]), guarantee))
        assert guarantee.promise
        assert guarantee.limit


def test_constraints_that_no_key_confirms_are_told() -> None:
    """A shorter list than the owner's is met more easily."""
    import polars as pl

    release = as_released(GeneralisedSets.of([[["a"]]] * 2), ConstraintSupport(k=2))
    asked = Constraints.of(["a"])
    (part,) = verify(release, privacy=asked).parts
    assert part.checked.endswith("; no key confirms that these are what the data went out by")
    key = LinkageKey({"constraints": pl.DataFrame({"items": [["a"]], "least": [0]})})
    (part,) = verify(release, privacy=asked, key=key).parts
    assert "no key" not in part.checked
