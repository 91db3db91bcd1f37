"""The verifier of (k, k^m)-anonymity against the definition, spelled out set by set."""

import sys
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Release, verify
from discreet.core.guarantee import RtAnonymity, guarantee_of, record_of
from discreet.core.projected_tables import ProjectedTables
from discreet.errors import DataError, ParameterError
from discreet.verify.km_anonymity import rare_set
from tests.releases import as_released

BLOCK = st.sets(st.sampled_from("abcd"), min_size=1, max_size=3).map(sorted)
ROWS = st.lists(
    st.tuples(st.sampled_from("xy"), st.lists(BLOCK, max_size=3, unique_by=tuple)),
    min_size=1,
    max_size=12,
)
"""Blocks may overlap, as no publisher makes them: the definition does not mind."""


def release(
    rows: list[tuple[str, list[list[str]]]], claim: RtAnonymity, names: pl.DataFrame | None = None
) -> Release[ProjectedTables]:
    kinds = {"q": pl.String, "s": pl.List(pl.List(pl.String))}
    table = pl.DataFrame(rows, schema=kinds, orient="row")
    nothing = pl.DataFrame(schema={"child": pl.String, "parent": pl.String})
    content = ProjectedTables((table,), {"q": nothing}, names=names)
    return as_released(content, claim)


def keeps(rows: list[tuple[str, list[list[str]]]], k: int, m: int, items: str = "abcd") -> bool:
    """Say it as the paper does: quasi-identifiers and up to m items fit no row, or at least k."""
    for q in {q for q, _ in rows}:
        sets = [{item for block in blocks for item in block} for own, blocks in rows if own == q]
        for size in range(m + 1):
            for known in combinations(items, size):
                if 0 < sum(set(known) <= held for held in sets) < k:
                    return False
    return True


@given(ROWS, st.integers(1, 3), st.integers(1, 3))
def test_the_verifier_finds_what_the_definition_does(
    rows: list[tuple[str, list[list[str]]]], k: int, m: int
) -> None:
    assert verify(release(rows, RtAnonymity(k=k, m=m))).holds is keeps(rows, k, m)


@given(
    st.lists(
        st.tuples(
            st.sampled_from("xy"),
            st.lists(
                st.sampled_from(["a", "b", "c", "d", "ab", "*", "e"]).map(lambda name: [name]),
                max_size=3,
                unique_by=tuple,
            ),
        ),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 3),
    st.integers(1, 3),
)
def test_a_name_stands_for_every_item_below_it(
    rows: list[tuple[str, list[list[str]]]], k: int, m: int
) -> None:
    """Names above each other, as no publisher makes them, and one that no hierarchy has."""
    pairs = [("a", "ab"), ("b", "ab"), ("ab", "*"), ("c", "*"), ("d", "*")]
    names = pl.DataFrame(pairs, schema=["child", "parent"], orient="row")
    stands = {"ab": ["a", "b"], "*": ["a", "b", "c", "d"]}
    spelled = [
        (q, [[item for name in block for item in stands.get(name, [name])] for block in blocks])
        for q, blocks in rows
    ]
    told = verify(release(rows, RtAnonymity(k=k, m=m), names)).holds
    assert told is keeps(spelled, k, m, "abcde")


def test_a_witness_names_the_class_and_the_items() -> None:
    rows = [("x", [["a"], ["b", "c"]]), ("x", [["a"]]), ("x", [["b", "c"]])]
    told = verify(release(rows, RtAnonymity(k=2, m=2))).parts[0]
    assert told.holds is False
    assert told.witness == "the class q x: a, b fits 1 rows, not 2"
    assert verify(release(rows, RtAnonymity(k=2, m=1))).holds is True


def test_a_witness_of_a_later_class_and_what_was_checked() -> None:
    rows = [("x", [["a"]])] * 4 + [("y", [["a"]])] * 2 + [("y", [["a"], ["b"]])] * 3
    told = verify(release(rows, RtAnonymity(k=4, m=2))).parts[0]
    assert told.witness == "the class q y: b fits 3 rows, not 4"
    told = verify(release(rows, RtAnonymity(k=3, m=2))).parts[0]
    assert told.holds is True
    assert told.checked.endswith("how many of them every set of up to 2 known items fits")


def test_sets_that_are_too_many_are_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    # the sets of y are more than may be listed at once; those of x are not
    rows = [("x", [["a"]])] * 2 + [("y", [["a"], ["b"]])] * 2
    counting = sys.modules[rare_set.__module__]
    monkeypatch.setattr(counting, "AT_ONCE", 1)
    monkeypatch.setattr(counting, "MOST", 1)
    told = verify(release(rows, RtAnonymity(k=2, m=2))).parts[0]
    assert told.holds is None
    assert told.checked == "items of the first 1 classes; the others are many"
    monkeypatch.setattr(counting, "MOST", 2)
    assert verify(release(rows, RtAnonymity(k=2, m=2))).holds is True


def test_a_small_class_breaks_it_whatever_the_sets() -> None:
    told = verify(release([("x", []), ("y", []), ("y", [])], RtAnonymity(k=2, m=1))).parts[0]
    assert told.holds is False
    assert told.witness is not None
    assert "1 rows, not 2" in told.witness


def test_a_table_without_sets_promises_nothing_of_them() -> None:
    table = pl.DataFrame({"q": ["x", "x"]})
    content = ProjectedTables((table,), {"q": pl.DataFrame()})
    with pytest.raises(DataError, match="a table with a set column"):
        verify(as_released(content, RtAnonymity(k=2, m=1)))


def test_without_quasi_identifiers_all_rows_are_one_class() -> None:
    table = pl.DataFrame({"sets": [[["a"]], [["a"]], [["b"]]]})
    content = ProjectedTables((table,), {})
    for k, holds in ((1, True), (2, False), (4, False)):
        assert verify(as_released(content, RtAnonymity(k=k, m=1))).holds is holds


def test_the_promise_survives_the_manifest_and_checks_its_numbers() -> None:
    claim = RtAnonymity(k=5, m=2)
    assert guarantee_of(record_of(claim)) == claim
    assert "up to 2 items" in claim.promise
    with pytest.raises(ParameterError, match="m must be at least 1"):
        RtAnonymity(k=2, m=0)
