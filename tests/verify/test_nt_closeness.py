"""(n,t)-closeness against the definition: every set of rows that a coarser class could be."""

from fractions import Fraction
from itertools import product

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet import Hierarchy, verify
from discreet.core.guarantee import Guarantee, NTCloseness, TCloseness
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict
from tests.releases import as_released

Row = tuple[str, str, str]
# the values hang at different heights, and so do the groups
TREES = {
    "q": Hierarchy.of_pairs(
        [("a", "g"), ("b", "g"), ("g", "h"), ("c", "h"), ("h", "*"), ("d", "*")]
    ),
    "r": Hierarchy.of_pairs([("x", "*"), ("y", "*")]),
}
ROWS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("xy"), st.sampled_from("123")),
    min_size=1,
    max_size=14,
)


def checked(rows: list[Row], claim: Guarantee, *, told: tuple[str, ...] = ("q", "r")) -> Verdict:
    table = pl.DataFrame(rows, schema=["q", "r", "s"], orient="row")
    nothing = pl.DataFrame(schema={"child": pl.String, "parent": pl.String})
    applied = {
        name: tree.tables()["hierarchy"] if name in told else nothing
        for name, tree in TREES.items()
    }
    content = ProjectedTables((table,), applied)
    return verify(as_released(content, claim)).parts[0]


def apart(part: list[Row], whole: list[Row], kind: str, values: list[str]) -> Fraction:
    """Return the distance of two groups, from shares: half of all, or what passes each rank."""
    differences = [
        Fraction([s for *_, s in part].count(value), len(part))
        - Fraction([s for *_, s in whole].count(value), len(whole))
        for value in values
    ]
    if kind == "equal":
        return sum(map(abs, differences), Fraction(0)) / 2
    passing = [sum(differences[: rank + 1], Fraction(0)) for rank in range(len(values))]
    return sum(map(abs, passing), Fraction(0)) / max(1, len(values) - 1)


def nearest(rows: list[Row], n: int, kind: str) -> Fraction | None:
    """Return the least t for which every class has a superset of n rows; None if one has none."""
    values = sorted({s for *_, s in rows})
    worst = Fraction(0)
    for key in {row[:2] for row in rows}:
        part = [row for row in rows if row[:2] == key]
        found = []
        names = [(value, *TREES[name].ancestors(value)) for name, value in zip("qr", key)]  # noqa: B905
        for region in product(*names):
            leaves = [TREES[name].leaves(node) for name, node in zip("qr", region, strict=True)]
            group = [row for row in rows if row[0] in leaves[0] and row[1] in leaves[1]]
            if len(group) >= n:
                found.append(apart(part, group, kind, values))
        if not found:
            return None
        worst = max(worst, min(found))
    return worst


@given(ROWS, st.integers(1, 15), st.sampled_from(["equal", "ordered"]))
def test_every_class_has_a_close_superset(rows: list[Row], n: int, kind: str) -> None:
    least = nearest(rows, n, kind)
    chosen = (("s", kind),)
    assume(least is not None)
    assert checked(rows, NTCloseness(n=n, t=least, distance=chosen)).holds is True
    assume(least)
    less = least - Fraction(1, 10**9)
    assert checked(rows, NTCloseness(n=n, t=less, distance=chosen)).holds is False


@given(ROWS, st.integers(1, 15), st.sampled_from(["equal", "ordered"]))
def test_a_class_without_a_superset_of_the_size_is_named(
    rows: list[Row], n: int, kind: str
) -> None:
    assume(nearest(rows, n, kind) is None)
    verdict = checked(rows, NTCloseness(n=n, t=1, distance=(("s", kind),)))
    assert verdict.holds is False
    assert f"in no more general class of at least {n} rows" in str(verdict.witness)


@given(ROWS, st.sampled_from(["0", "0.2", "0.5"]))
def test_with_the_whole_table_as_the_only_superset_it_is_t_closeness(
    rows: list[Row], t: str
) -> None:
    whole = checked(rows, NTCloseness(n=len(rows), t=t))
    assert whole.holds is checked(rows, TCloseness(t=t)).holds
    assume(whole.holds)
    assert all(checked(rows, NTCloseness(n=n, t=t)).holds for n in range(1, len(rows)))


UNEVEN = [("a", "x", "1"), ("b", "x", "2"), ("c", "x", "3"), ("c", "x", "3"), ("c", "x", "3")]


def test_a_class_without_a_close_superset_is_named() -> None:
    verdict = checked(UNEVEN, NTCloseness(n=2, t="0.4"))
    assert verdict.holds is False
    assert "is at least 0.5 away from every more general class of at least 2" in str(
        verdict.witness
    )


def test_ranks_are_those_of_the_whole_table() -> None:
    # from 1 to 2 is half the way to 3, although nobody near a and b has a 3
    for t, holds in (("0.25", True), ("0.24", False)):
        claim = NTCloseness(n=2, t=t, distance=(("s", "ordered"),))
        assert checked(UNEVEN, claim).holds is holds


def test_a_group_holds_values_of_any_depth() -> None:
    rows = [("a", "x", "1"), ("b", "x", "1"), ("c", "x", "1"), *[("d", "x", "2")] * 5]
    assert checked(rows, NTCloseness(n=3, t=0)).holds is True
    assert checked(rows, NTCloseness(n=4, t=0)).holds is False


@pytest.mark.parametrize(("n", "holds"), [(1, True), (2, None), (5, None)])
def test_what_the_release_does_not_tell_is_not_judged(n: int, holds: bool | None) -> None:
    # without the hierarchy of q nobody can say that a and b are neighbours
    assert checked(UNEVEN, NTCloseness(n=n, t="0.5"), told=("r",)).holds is holds
    assert checked(UNEVEN, NTCloseness(n=2, t="0.5")).holds is True


def test_a_group_beside_its_values_and_a_circle_do_no_harm() -> None:
    rows = [("g", "x", "1"), ("a", "x", "2"), ("b", "x", "2")]
    assert checked(rows, NTCloseness(n=3, t="0.7")).holds is True
    circle = pl.DataFrame({"child": ["a", "b"], "parent": ["b", "a"]})
    table = pl.DataFrame({"q": ["a", "b"], "s": ["1", "2"]})
    content = ProjectedTables((table,), {"q": circle})
    assert verify(as_released(content, NTCloseness(n=2, t="0.1"))).holds is None


def test_an_attribute_is_held_to_its_own_bound() -> None:
    rows: list[Row] = [("a", "x", value) for value in "1112"]
    rows += [("b", "x", value) for value in "1222"]
    own = NTCloseness(n=8, t="0.5", own=(("s", "0.1"),))
    verdict = checked(rows, own)
    assert verdict.holds is False
    assert "more than 0.1" in str(verdict.witness)
    assert checked(rows, NTCloseness(n=8, t="0.1", own=(("s", "0.5"),))).holds is True
