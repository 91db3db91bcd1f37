"""Verifiers of tables against the definitions, spelled out row by row."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import log

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet import Hierarchy, Release, verify
from discreet.core.guarantee import (
    BetaLikeness,
    DeltaDisclosure,
    Guarantee,
    KAnonymity,
    LDiversity,
    NTCloseness,
    ProjectionPlan,
    TCloseness,
    guarantee_of,
    record_of,
)
from discreet.core.projected_tables import ProjectedTables
from discreet.errors import DataError, ParameterError
from discreet.verify.l_diversity import diverse
from discreet.verify.t_closeness import earth_mover
from tests.releases import as_released

ROWS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from("1234")),
    min_size=1,
    max_size=14,
)
TREE = Hierarchy.of_levels(
    [["1", "low", "*"], ["2", "low", "*"], ["3", "high", "*"], ["4", "high", "*"]]
)


def release(*tables: pl.DataFrame, claims: tuple[Guarantee, ...]) -> Release[ProjectedTables]:
    nothing = pl.DataFrame(schema={"child": pl.String, "parent": pl.String})
    content = ProjectedTables(
        tables, {"q": nothing, "r": nothing}, {"s": TREE.tables()["hierarchy"]}
    )
    return as_released(content, *claims)


def holds(rows: list[tuple[str, str, str]], claim: Guarantee) -> bool | None:
    table = pl.DataFrame(rows, schema=["q", "r", "s"], orient="row")
    return verify(release(table, claims=(claim,))).holds


def classes(rows: list[tuple[str, str, str]]) -> list[list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for q, r, s in rows:
        found.setdefault((q, r), []).append(s)
    return list(found.values())


@given(ROWS, st.integers(1, 5))
def test_k_anonymity(rows: list[tuple[str, str, str]], k: int) -> None:
    assert holds(rows, KAnonymity(k=k)) is all(len(part) >= k for part in classes(rows))


@given(ROWS, st.integers(1, 4))
def test_distinct_and_entropy_diversity(rows: list[tuple[str, str, str]], least: int) -> None:
    parts = classes(rows)
    assert holds(rows, LDiversity(l=least)) is all(len(set(part)) >= least for part in parts)
    entropies = [
        sum(-n / len(part) * log(n / len(part)) for n in Counter(part).values()) for part in parts
    ]
    wanted = all(entropy >= log(least) - 1e-9 for entropy in entropies)
    assert holds(rows, LDiversity(l=least, kind="entropy")) is wanted


@given(ROWS, st.integers(1, 3), st.sampled_from(["0.5", "1", "2", "3"]))
def test_recursive_diversity(rows: list[tuple[str, str, str]], least: int, c: str) -> None:
    wanted = True
    for part in classes(rows):
        counts = sorted(Counter(part).values(), reverse=True)
        wanted &= counts[0] < Fraction(c) * sum(counts[least - 1 :])
    assert holds(rows, LDiversity(l=least, kind="recursive", c=c)) is wanted


@given(ROWS, st.sampled_from(["0.25", "1", "3/2", "3"]), st.booleans())
def test_beta_likeness(rows: list[tuple[str, str, str]], beta: str, enhanced: bool) -> None:
    whole = [s for _, _, s in rows]
    wanted = True
    for part in classes(rows):
        for value in set(part):
            p, q = Fraction(whole.count(value), len(whole)), Fraction(part.count(value), len(part))
            if q > p:
                most = min(float(Fraction(beta)), -log(p)) if enhanced else float(Fraction(beta))
                wanted &= float((q - p) / p) <= most
    assert holds(rows, BetaLikeness(beta=beta, enhanced=enhanced)) is wanted


@given(ROWS, st.sampled_from(["0.3", "0.7", "1.1", "2"]))
def test_delta_disclosure(rows: list[tuple[str, str, str]], delta: str) -> None:
    whole = [s for _, _, s in rows]
    wanted = True
    for part in classes(rows):
        for value in set(whole):
            p, q = whole.count(value) / len(whole), part.count(value) / len(part)
            wanted &= q > 0 and abs(log(q / p)) < float(delta)
    assert holds(rows, DeltaDisclosure(delta=delta)) is wanted


@given(ROWS, st.integers(1, 4), st.sampled_from(["0", "0.2", "0.5"]))
def test_an_attribute_may_have_bounds_of_its_own(
    rows: list[tuple[str, str, str]], least: int, t: str
) -> None:
    assert holds(rows, LDiversity(l=9, own=(("s", least),))) is holds(rows, LDiversity(l=least))
    assert holds(rows, TCloseness(t=0, own=(("s", t),))) is holds(rows, TCloseness(t=t))
    for claim in (LDiversity(l=9, own=(("s", least),)), TCloseness(t=0, own=(("s", t),))):
        assert guarantee_of(record_of(claim)) == claim


def ground(kind: str, values: list[str]) -> np.ndarray:
    """Return the distances between values, from their definition."""
    far = np.zeros((len(values), len(values)))
    for i, one in enumerate(values):
        for j, other in enumerate(values):
            if kind == "equal":
                far[i, j] = one != other
            elif kind == "ordered":
                far[i, j] = abs(i - j) / max(1, len(values) - 1)
            else:
                level = [TREE.level(one, n) == TREE.level(other, n) for n in range(3)]
                far[i, j] = level.index(True) / 2
    return far


def transport(part: list[str], whole: list[str], kind: str) -> float:
    """Return the cheapest way to move one distribution into the other, by linear programming."""
    from scipy.optimize import linprog

    values = sorted(set(whole))
    size = len(values)
    have = [part.count(value) / len(part) for value in values]
    want = [whole.count(value) / len(whole) for value in values]
    constraints = np.zeros((2 * size, size * size))
    for i in range(size):
        constraints[i, i * size : (i + 1) * size] = 1
        constraints[size + i, i::size] = 1
    cost = ground(kind, values).ravel()
    solved = linprog(cost, A_eq=constraints, b_eq=have + want, bounds=(0, None))
    return float(solved.fun)


@given(ROWS, st.sampled_from(["equal", "ordered", "hierarchical"]))
def test_closeness_is_the_cheapest_transport(rows: list[tuple[str, str, str]], kind: str) -> None:
    whole = [s for _, _, s in rows]
    worst = Fraction(0)
    for part in classes(rows):
        distance = earth_mover(Counter(part), Counter(whole), kind, TREE)
        assert float(distance) == pytest.approx(transport(part, whole, kind), abs=1e-9)
        worst = max(worst, distance)
    assert holds(rows, TCloseness(t=worst, distance={"s": kind})) is True
    assume(worst > 0)
    less = worst * Fraction(999_999, 1_000_000)
    assert holds(rows, TCloseness(t=less, distance={"s": kind})) is False


CLAIMS = (
    KAnonymity(k=3),
    LDiversity(l=2, kind="entropy"),
    TCloseness(t="0.4"),
    BetaLikeness(beta=1),
    DeltaDisclosure(delta=1),
)


@given(
    st.lists(st.tuples(ROWS.map(lambda rows: rows[0]), st.integers(1, 4)), min_size=2, max_size=6)
)
def test_a_row_with_its_people_counts_as_so_many_rows(
    weighed: list[tuple[tuple[str, str, str], int]],
) -> None:
    rows, people = [row for row, _ in weighed], np.array([count for _, count in weighed])
    table = pl.DataFrame(rows, schema=["q", "r", "s"], orient="row")
    # the second table keeps every promise, and has more rows, so that people are not mixed up
    other = pl.DataFrame({"q": ["a"] * 8, "r": ["x"] * 8, "u": ["1", "2"] * 4})
    alone = release(table, other, claims=CLAIMS)
    content = replace(alone.content, people=(people, np.full(8, 5)))
    told = verify(replace(alone, content=content)).parts
    spelled = table[np.repeat(np.arange(len(rows)), people)]
    expected = verify(release(spelled, other, claims=CLAIMS)).parts
    assert [each.holds for each in told] == [each.holds for each in expected]


def test_what_is_diverse_by_its_counts_alone() -> None:
    for claim in (LDiversity(l=2), LDiversity(l=2, kind="entropy")):
        assert diverse([5, 5], claim) is True
        assert diverse([5], claim) is False
        assert diverse([], claim) is False


def test_a_witness_names_the_second_table() -> None:
    first = pl.DataFrame({"q": ["a"] * 2, "r": ["x"] * 2, "s": ["1", "2"]})
    twice = first.rename({"s": "u"})
    claims: dict[Guarantee, tuple[pl.DataFrame, str]] = {
        ProjectionPlan(): (first, "s is in table 1 and in table 2"),
        KAnonymity(k=2): (twice[:1], "table 2: the class q a, r x has 1 rows, not 2"),
        LDiversity(l=2): (twice.with_columns(u=pl.lit("1")), "table 2, u: the class q a, r x"),
    }
    for claim, (second, told) in claims.items():
        assert told in str(verify(release(first, second, claims=(claim,))).witness)
    empty = release(first, first[["q", "r"]], claims=(ProjectionPlan(),))
    assert verify(empty).witness == "table 2 holds no sensitive attribute"
    numbered = release(first, twice, claims=(ProjectionPlan(),))
    assert verify(numbered).witness == "s of table 1 and u of table 2 number the rows"
    alone = release(first[:1], twice[:1], claims=(ProjectionPlan(),))
    assert verify(alone).holds is True


def test_what_was_kept_joins_tables_as_well() -> None:
    first = pl.DataFrame({"q": ["a"] * 2, "r": ["x"] * 2, "s": ["1", "1"], "k": ["7", "8"]})
    second = first.rename({"s": "u"})

    def witness(second: pl.DataFrame, *kept: str) -> str | None:
        made = release(first, second, claims=(ProjectionPlan(),))
        return verify(replace(made, content=replace(made.content, kept=kept))).witness

    assert witness(second, "k") == "k is in table 1 and in table 2"
    told = "k of table 1 and n of table 2 number the rows"
    assert witness(second.rename({"k": "n"}), "k") == told
    assert witness(second.rename({"k": "n"}), "k", "n") == told
    assert witness(second.drop("k"), "k") is None


def test_values_of_a_multi_valued_attribute_are_no_ids_of_two_rows() -> None:
    first = pl.DataFrame({"q": ["a"] * 2, "r": ["x"] * 2, "ill=flu": [0, 1]})
    apart = release(first, first.rename({"ill=flu": "ill=cold"}), claims=(ProjectionPlan(),))
    assert verify(apart).holds is True
    numbers = first.rename({"ill=flu": "s"}).with_columns(pl.col("s") + 1)
    joined = release(numbers, numbers.rename({"s": "u"}), claims=(ProjectionPlan(),))
    assert verify(joined).witness == "s of table 1 and u of table 2 number the rows"


def test_a_row_of_several_people_numbers_none_of_them() -> None:
    first = pl.DataFrame({"q": ["a", "b"], "r": ["x"] * 2, "s": ["1", "2"]})
    tables = first, first.rename({"s": "u"}), first.rename({"s": "v"})
    plain = release(*tables, claims=(ProjectionPlan(),))
    for people, told in (
        (([1, 2], [1, 1], [1, 1]), "u of table 2 and v of table 3 number the rows"),
        (([1, 1], [1, 2], [1, 1]), "s of table 1 and v of table 3 number the rows"),
        (([2, 1], [1, 2], [1, 1]), None),
    ):
        content = replace(plain.content, people=tuple(map(np.array, people)))
        assert verify(replace(plain, content=content)).witness == told


def test_a_witness_says_where() -> None:
    rows = [("a", "x", "1"), ("a", "x", "1"), ("b", "x", "2")]
    table = pl.DataFrame(rows, schema=["q", "r", "s"], orient="row")
    for claim, told in (
        (KAnonymity(k=2), "table 1: the class q b, r x has 1 rows, not 2"),
        (LDiversity(l=2), "table 1, s: the class"),
        (TCloseness(t="0.5"), "table 1, s: the class q b, r x is 0.666667 away"),
    ):
        witness = verify(release(table, claims=(claim,))).witness
        assert witness is not None
        assert told in witness


def test_a_plan_has_each_attribute_once_and_no_ids() -> None:
    def plan(*sensitive: dict[str, list[str]]) -> bool | None:
        tables = [pl.DataFrame({"q": ["a"] * 2, "r": ["x"] * 2} | part) for part in sensitive]
        return verify(release(*tables, claims=(ProjectionPlan(),))).holds

    assert plan({"s": ["1", "1"]}, {"u": ["1", "2"]}) is True
    assert plan({"s": ["1", "1"]}, {"s": ["1", "2"]}) is False
    assert plan({"s": ["1", "1"]}, {}) is False
    assert plan({"s": ["1", "1"], "i": ["7", "8"]}, {"u": ["1", "1"], "j": ["8", "7"]}) is False


def test_a_release_without_a_quasi_identifier_in_a_table_is_refused() -> None:
    with pytest.raises(DataError, match="table 1 must hold every quasi-identifier"):
        ProjectedTables((pl.DataFrame({"s": ["1"]}),), {"q": pl.DataFrame()})
    with pytest.raises(DataError, match="file name"):
        ProjectedTables((pl.DataFrame({"a/b": ["1"]}),), {"a/b": pl.DataFrame()})


@pytest.mark.parametrize(
    "claim",
    [
        KAnonymity(k=3),
        LDiversity(l=2),
        LDiversity(l="2.5", kind="entropy"),
        LDiversity(l=2, kind="recursive", c="0.5"),
        TCloseness(t="0.1", distance=(("s", "ordered"), ("r", "equal"))),
        NTCloseness(n=7, t="0.1", distance=(("s", "ordered"), ("r", "equal"))),
        ProjectionPlan(),
    ],
)
def test_a_claim_survives_the_manifest(claim: Guarantee) -> None:
    import json

    assert guarantee_of(json.loads(json.dumps(record_of(claim)))) == claim
    assert len(claim.promise) > 20
    assert len(claim.limit) > 20


def test_claims_out_of_range_are_refused() -> None:
    with pytest.raises(ParameterError, match="k must be"):
        KAnonymity(k=0)
    with pytest.raises(ParameterError, match="whole number"):
        LDiversity(l="1.5")
    with pytest.raises(ParameterError, match="c must be"):
        LDiversity(l=2, kind="recursive")
    with pytest.raises(ParameterError, match="t must be"):
        TCloseness(t="1.5")
    with pytest.raises(ParameterError, match="t must be"):
        NTCloseness(n=2, t="1.5")
    with pytest.raises(ParameterError, match="n must be"):
        NTCloseness(n=0, t="0.5")
    with pytest.raises(ParameterError, match="one of equal, ordered"):
        TCloseness(t=1, distance=(("s", "far"),))


def test_a_gap_adds_nothing_to_diversity() -> None:
    rows = [("1", "f", "hiv")] * 9 + [("1", "f", "?")]
    mixed = [*rows[:5], *[("1", "f", "flu")] * 5, ("1", "f", "?")]
    for claim in (LDiversity(l=2), LDiversity(l=2, kind="entropy")):
        assert holds(rows, claim) is False
        assert holds(mixed, claim) is True
    recursive = LDiversity(l=2, kind="recursive", c=20)
    assert (holds(rows, recursive), holds(mixed, recursive)) == (False, True)
    assert holds([("1", "f", "?")] * 4, LDiversity(l=1)) is False


@pytest.mark.parametrize(
    "claim",
    [
        TCloseness(t="0.3", own=(("pay", "0.1"),), distance=(("age", "ordered"),)),
        NTCloseness(n=9, t="0.3", own=(("pay", "1/7"),)),
        LDiversity(l=3, own=(("pay", 2),)),
        BetaLikeness(beta="0.5", enhanced=True),
        DeltaDisclosure(delta="0.7"),
    ],
    ids=lambda claim: type(claim).__name__,
)
def test_bounds_of_single_attributes_survive_the_manifest(claim: Guarantee) -> None:
    written = json.loads(json.dumps(record_of(claim)))
    assert guarantee_of(written) == claim


@pytest.mark.parametrize("kind", ["ordered", "hierarchical"])
@pytest.mark.parametrize("levels", [[["5", "*"]], [["1", "low", "*"], ["2", "3", "*"]]])
def test_a_value_outside_its_published_hierarchy_is_refused(kind: str, levels: list[list[str]]):
    tree = Hierarchy.of_levels(levels)
    with pytest.raises(DataError, match="every sensitive value must be in the published hierarchy"):
        earth_mover({"1": 4}, {"1": 4, "3": 9}, kind, tree)
    # values that are all alike need none
    assert earth_mover({"1": 4}, {"1": 4, "3": 4}, "equal", tree) == Fraction(1, 2)
