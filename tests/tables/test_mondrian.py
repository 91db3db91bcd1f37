"""Mondrian keeps every promise, leaves no cut that could be made, and says what cells stand for."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata, verify
from discreet.core.ranges import covers
from discreet.errors import InfeasibleError, ParameterError
from discreet.rng import seeded
from discreet.tables import Background, BackgroundJoin, Mondrian, column_losses
from discreet.tables.folding import fold
from discreet.verify.t_closeness import earth_mover

TREE = Hierarchy.of_levels([["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]])
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["?", "1", "2", "3", "5", "8", "13"]),
        st.sampled_from("abcd"),
        st.sampled_from(["red", "green", "blue"]),
        st.sampled_from("123"),
        st.sampled_from(["", "p", "p|q", "q"]),
    ),
    min_size=4,
    max_size=30,
)
COLUMNS = ["age", "zip", "hue", "pay", "ill"]
TREES = (("zip", TREE),)
METHODS: list[Any] = [
    Mondrian(k=2),
    Mondrian(k=2, hierarchy=TREES),
    Mondrian(k=3, hierarchy=TREES, relaxed=True),
    Mondrian(k=2, t="0.4", relaxed=True),
    Mondrian(k=2, t="0.4", distance={"pay": "ordered"}, t_by_attribute={"ill": "0.6"}),
    Mondrian(k=2, diversity=2, diversity_by_attribute={"ill": "1"}),
    Mondrian(k=2, diversity="1.5", diversity_kind="entropy", diversity_by_attribute={"ill": "1"}),
    Mondrian(
        k=2,
        diversity=2,
        diversity_kind="recursive",
        diversity_c=4,
        diversity_by_attribute={"ill": "1"},
    ),
    Mondrian(k=2, beta_likeness=1),
    Mondrian(k=2, beta_likeness=3, enhanced=True),
    Mondrian(k=2, delta_disclosure="0.8"),
    Mondrian(k=2, hierarchy=TREES, highest_level={"zip": "1"}, suppression_limit="0.5"),
    Mondrian(k=2, weights={"hue": "5"}, hierarchy=TREES),
]


def people(rows: list[tuple[str, ...]]) -> Microdata:
    table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    return Microdata.of(table, qids=COLUMNS[:3], sensitive=COLUMNS[3:], multi_valued=["ill"])


def refused(method: Mondrian, data: Microdata) -> bool:
    try:
        method.decide(fold(data), seeded(1))
    except InfeasibleError:
        return True
    return False


@pytest.mark.parametrize("method", METHODS, ids=repr)
@given(rows=ROWS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.filter_too_much])
def test_every_promise_is_kept_and_every_cell_stands_for_its_value(
    method: Mondrian, rows: list[tuple[str, ...]]
) -> None:
    data = people(rows)
    assume(not refused(method, data))
    publication = method.publish(data, seeded(3))
    verdict = verify(publication.release)
    assert all(part.holds for part in verdict.parts), verdict
    table = publication.release.content.parts[0]
    records = publication.linkage_key.tables["rows_1"]["record"].to_list()
    assert len(set(records)) == len(records)
    assert len(records) == len(rows) or method.highest
    below = {"*": "abcd", "ab": "ab", "cd": "cd"}
    for shown, record in zip(table.iter_rows(named=True), records, strict=True):
        given_row = dict(zip(COLUMNS, rows[record], strict=True))
        assert covers(shown["age"], given_row["age"])
        assert covers(shown["hue"], given_row["hue"])
        told = shown["zip"]
        assert given_row["zip"] in below.get(told, ()) or covers(told, given_row["zip"])
        if method.highest:
            assert told != "*"
        assert shown["pay"] == given_row["pay"]


def classes_of(
    method: Mondrian, rows: list[tuple[str, ...]]
) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    """Publish and return the original rows behind each published class."""
    publication = method.publish(people(rows), seeded(3))
    table = publication.release.content.parts[0].select(COLUMNS[:3])
    records = publication.linkage_key.tables["rows_1"]["record"].to_list()
    classes: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for key, record in zip(table.iter_rows(), records, strict=True):
        classes.setdefault(key, []).append(rows[record])
    return classes


@given(rows=ROWS)
def test_no_cut_is_left_that_could_be_made(rows: list[tuple[str, ...]]) -> None:
    """Brute force over the classes: each value boundary of each column would leave too few."""
    k = 3
    assume(len(rows) >= k)
    for members in classes_of(Mondrian(k=k), rows).values():
        for column in range(3):
            held = sorted({row[column] for row in members}, key=lambda v: (v.isdigit(), v.zfill(3)))
            for value, _ in pairwise(held):
                cut = held[: held.index(value) + 1]
                left = sum(row[column] in cut for row in members)
                assert min(left, len(members) - left) < k


@given(rows=ROWS)
def test_no_words_are_left_that_could_go_apart(rows: list[tuple[str, ...]]) -> None:
    """Brute force over all sets of words, whatever their order."""
    k = 3
    assume(len(rows) >= k)
    for members in classes_of(Mondrian(k=k), rows).values():
        for column in (1, 2):
            held = sorted({row[column] for row in members})
            for size in range(1, len(held)):
                for cut in combinations(held, size):
                    left = sum(row[column] in cut for row in members)
                    assert min(left, len(members) - left) < k


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("123")), min_size=4, max_size=40)
)
@example([(word, pay) for word, pay in zip("abcdef", "111222", strict=True) for _ in range(2)])
def test_no_words_are_left_that_could_go_apart_and_be_diverse(rows: list[tuple[str, str]]) -> None:
    """Brute force over all sets of words."""
    assume(len({pay for _, pay in rows}) > 1)
    table = pl.DataFrame(rows, schema=["hue", "pay"], orient="row")
    data = Microdata.of(table, qids=["hue"], sensitive=["pay"])
    publication = Mondrian(k=1, diversity=2).publish(data, seeded(3))
    assert publication.linkage_key is not None
    shown = publication.release.content.parts[0]["hue"].to_list()
    records = publication.linkage_key.tables["rows_1"]["record"].to_list()
    classes: dict[str, list[tuple[str, str]]] = {}
    for cell, record in zip(shown, records, strict=True):
        classes.setdefault(cell, []).append(rows[record])
    for members in classes.values():
        held = sorted({word for word, _ in members})
        for size in range(1, len(held)):
            for cut in combinations(held, size):
                sides = [{p for w, p in members if (w in cut) is side} for side in (True, False)]
                assert min(map(len, sides)) < 2


@pytest.mark.parametrize("t", [None, "0.4"])
@given(rows=ROWS)
def test_no_child_is_left_that_could_go_apart(t: str | None, rows: list[tuple[str, ...]]) -> None:
    """Brute force over the children of the node that a class shows."""
    k = 2
    assume(len(rows) >= k)
    flat = Hierarchy.of_levels([value, "*"] for value in "abcd")
    distance = {"pay": "ordered"} if t else None
    method = Mondrian(k=k, t=t, distance=distance, hierarchy=(("zip", flat),))
    whole = [Counter(row[3] for row in rows), *(Counter(v in row[4] for row in rows) for v in "pq")]

    def keeps(part: list[tuple[str, ...]]) -> bool:
        if t is None or len(part) < k:
            return len(part) >= k
        own = [
            Counter(row[3] for row in part),
            *(Counter(v in row[4] for row in part) for v in "pq"),
        ]
        kinds: list[Any] = ["ordered", "equal", "equal"]
        pairs = zip(own, whole, kinds, strict=True)
        return all(earth_mover(*each) <= Fraction(t) for each in pairs)

    for key, members in classes_of(method, rows).items():
        for child in "abcd" if key[1] == "*" else "":
            below = [row for row in members if row[1] == child]
            others = [row for row in members if row[1] != child]
            assert not (keeps(below) and keeps(others))


@given(rows=ROWS)
@settings(max_examples=30)
def test_closeness_leaves_no_single_cut_by_brute_force(rows: list[tuple[str, ...]]) -> None:
    t = Fraction(2, 5)
    whole = Counter(row[3] for row in rows)
    table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    data = Microdata.of(table, qids=["age"], sensitive=["pay"])
    publication = Mondrian(k=1, t=t).publish(data, seeded(3))
    shown = publication.release.content.parts[0]["age"].to_list()
    records = publication.linkage_key.tables["rows_1"]["record"].to_list()
    classes: dict[str, list[tuple[str, ...]]] = {}
    for cell, record in zip(shown, records, strict=True):
        classes.setdefault(cell, []).append(rows[record])
    for members in classes.values():
        ages = sorted({row[0] for row in members}, key=lambda v: (v.isdigit(), v.zfill(3)))
        for place in range(1, len(ages)):
            sides = [
                Counter(row[3] for row in members if (row[0] in ages[:place]) is side)
                for side in (True, False)
            ]
            assert any(earth_mover(side, whole) > t for side in sides)


@pytest.mark.parametrize("method", METHODS, ids=repr)
@given(rows=ROWS, chance=st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_the_order_of_rows_does_not_matter(
    method: Mondrian, rows: list[tuple[str, ...]], chance: Any
) -> None:
    def told(given_rows: list[tuple[str, ...]]) -> Any:
        try:
            release = method.publish(people(given_rows), seeded(5)).release
        except InfeasibleError as error:
            return str(error)
        return release.content.parts[0].to_dicts()

    assert told(rows) == told(chance.sample(rows, len(rows)))


@pytest.mark.parametrize("method", [each for each in METHODS if not each.relaxed], ids=repr)
@given(rows=ROWS, cut=st.integers(0, 30))
@settings(max_examples=20, suppress_health_check=[HealthCheck.filter_too_much])
def test_slices_of_the_data_give_slices_of_the_table(
    method: Mondrian, rows: list[tuple[str, ...]], cut: int
) -> None:
    data = people(rows)
    assume(not refused(method, data))
    plan = method.decide(fold(data), seeded(5))
    whole = method.apply(plan, data).parts[0]
    halves = [replace(data, table=part) for part in (data.table[:cut], data.table[cut:])]
    together = pl.concat([method.apply(plan, half).parts[0] for half in halves])
    assert together.sort(together.columns).equals(whole)


def test_relaxed_divides_equal_values() -> None:
    data = people([("1", "a", "red", "1", "")] * 10 + [("2", "a", "red", "2", "")] * 2)
    strict = Mondrian(k=3).publish(data, seeded(1)).release.content.parts[0]
    relaxed = Mondrian(k=3, relaxed=True).publish(data, seeded(1)).release.content.parts[0]
    assert strict["age"].unique().to_list() == ["1-2"]
    assert sorted(relaxed["age"].unique().to_list()) == ["1", "1-2"]


def test_a_person_is_found_by_ranges_and_sets() -> None:
    rows = [(str(age), "a", "red", "1", "p") for age in range(20, 24)]
    rows += [(str(age), "b", "blue", "2", "q") for age in range(30, 34)]
    release = Mondrian(k=4).publish(people(rows), seeded(1)).release
    known = Background(person={"age": "31", "hue": "blue", "pay": "2"})
    claims = BackgroundJoin(confidence="0.5").attack(release, known).claims
    assert all(claim.people == 4 for claim in claims)


@pytest.mark.parametrize(
    ("choices", "complaint"),
    [
        ({"k": 0}, "k must be at least 1"),
        ({"k": 2, "t": 2}, "t must be from 0 to 1"),
        ({"k": 2, "t_by_attribute": {"pay": "0.1"}}, "needs the t of the others"),
        ({"k": 2, "enhanced": True}, "enhanced is about beta_likeness"),
        ({"k": 2, "diversity_by_attribute": {"pay": "2"}}, "needs the l of the others"),
        ({"k": 2, "weights": {"age": "0"}}, "weights must be above 0"),
        ({"k": 2, "highest_level": {"age": "0.5"}}, "whole number"),
        ({"k": 2, "beta_likeness": 0}, "beta_likeness must be above 0"),
    ],
)
def test_what_cannot_be_promised_is_refused(choices: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ParameterError, match=complaint):
        Mondrian(**choices)


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        (Mondrian(k=99), "at most the number of rows"),
        (Mondrian(k=2, diversity=5), "as a whole has not the diversity 5 .* would do is 2$"),
        (Mondrian(k=2, highest_level={"zip": "0"}, hierarchy=TREES), "highest levels"),
        (Mondrian(k=2, highest_level={"age": "0"}), "'age' has none"),
        (Mondrian(k=2, weights={"pay": "2"}), "'pay' is not one"),
        (Mondrian(k=2, t=1, t_by_attribute={"age": "0.1"}), "'age' is not one"),
    ],
)
def test_what_does_not_fit_the_table_is_refused(method: Mondrian, complaint: str) -> None:
    data = people(
        [("1", "a", "red", "1", "p"), ("2", "b", "red", "2", ""), ("3", "b", "red", "2", "")]
    )
    with pytest.raises((ParameterError, InfeasibleError), match=complaint):
        method.publish(data, seeded(1))


def test_dates_are_cut_by_day() -> None:
    days = ["2024-01-05", "2024-02-01", "2024-07-09", "2024-07-10"]
    table = pl.DataFrame({"admitted": days, "pay": list("1212")})
    data = Microdata.of(table, qids=["admitted"], sensitive=["pay"])
    shown = Mondrian(k=2).publish(data, seeded(1)).release.content.parts[0]["admitted"]
    assert set(shown.to_list()) == {"2024-01-05/2024-02-01", "2024-07-09/2024-07-10"}


def test_months_are_cut_by_day_and_no_month_stands_for_another() -> None:
    born = ["2019-03", "2020-07", "2019-12", "2021-01", "2020-02", "2019-11"]
    data = Microdata.of({"born": born}, qids=["born"], sensitive=[])
    release = Mondrian(k=3).publish(data, seeded(1)).release
    table = release.content.parts[0]
    assert set(table["born"]) == {"2019-03/2019-12", "2020-02/2021-01"}
    assert column_losses(data, release.content)["born"] < 0.6
    alone = Mondrian(k=1).publish(data, seeded(1)).release
    assert column_losses(data, alone.content) == {"born": 0}


def test_numbers_among_dates_are_words() -> None:
    born = ["2019", "2019-03-01", "2018", "2020-01-01"]
    data = Microdata.of({"born": born}, qids=["born"], sensitive=[])
    table = Mondrian(k=4).publish(data, seeded(1)).release.content.parts[0]
    assert set(table["born"]) == {"{2018, 2019, 2019-03-01, 2020-01-01}"}
