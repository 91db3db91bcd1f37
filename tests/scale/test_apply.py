"""A release written by an engine is the bag of rows that is published in memory."""

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet import DataError, Microdata, ParameterError, Release, Transactions, rng, scale, verify
from discreet.generalised import Km
from discreet.scale import apply
from discreet.tables import Incognito, Mondrian
from tests.samples import PUBLISHERS
from tests.scale.beside import bags, opened, same_release

FOLDING = [
    kind
    for kind, (method, data) in PUBLISHERS.items()
    if not hasattr(method, "in_memory") and not isinstance(data, Release)
]
some = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("kind", FOLDING)
def test_every_method_that_folds_publishes_the_same_with_an_engine(kind, tmp_path):
    method, data = PUBLISHERS[kind]
    assert verify(same_release(method, data, tmp_path)).by_parts is not False


def test_methods_that_need_records_say_why_before_any_work(tmp_path):
    _, data = PUBLISHERS[Km]
    kept = [method for method, _ in PUBLISHERS.values() if hasattr(method, "in_memory")]
    assert len(kept) == 8
    with opened(data, tmp_path) as people:
        for method in kept:
            with pytest.raises(ParameterError, match=r"in memory, for it .*; use engine memory"):
                scale.publish(method, people, tmp_path / "release")
    assert not (tmp_path / "release").exists()


@given(
    st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=5, unique=True), min_size=1),
    st.integers(1, 4),
    st.integers(1, 3),
)
@some
def test_km_is_the_same_in_many_parts_on_any_data(tmp_path, held, k, m):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apply, "PART", 7)
        patch.setattr("discreet.scale.collect.BATCH", 3)
        release = same_release(Km(k=k, m=m), Transactions.of(held), tmp_path)
    assert verify(release).by_parts is not False


@given(
    st.lists(
        st.tuples(st.sampled_from("123"), st.sampled_from("fm"), st.sampled_from(["flu", "cold"])),
        min_size=4,
        max_size=40,
    ),
    st.sampled_from([Incognito(k=2), Mondrian(k=2), Mondrian(k=2, relaxed=True)]),
)
@some
def test_tables_are_the_same_on_any_data(tmp_path, rows, method):
    age, sex, ill = zip(*rows, strict=True)
    table = pl.DataFrame({"age": age, "sex": sex, "ill": ill})
    same_release(method, Microdata.of(table, qids=["age", "sex"], sensitive=["ill"]), tmp_path)


def test_columns_kept_as_they_are_go_with_their_rows(tmp_path):
    data = PUBLISHERS[Incognito][1]
    table = data.table.with_columns(pl.Series("town", ["x", "y"] * 20))
    same_release(Incognito(k=3), replace(data, table=table, kept=("town",)), tmp_path)


NAMES = ("place", "Copies", "part", "range", "copy", "people", "part of it")


@pytest.mark.parametrize("role", ["qids", "sensitive", "kept"])
def test_columns_may_be_called_as_engines_call_their_own(tmp_path, role):
    table = pl.DataFrame({"age": ["1", "2"] * 4} | {name: list("abcdabcd") for name in NAMES})
    roles = {"qids": ("age",), "sensitive": (), "kept": ()}
    data = Microdata.of(table, **roles | {role: (*roles[role], *NAMES)})
    verdict = verify(same_release(Mondrian(k=2), data, tmp_path))
    assert verdict.by_parts is True


def test_columns_that_differ_in_case_alone_are_refused_by_an_engine(tmp_path):
    table = pl.DataFrame({"age": ["1", "2"] * 4, "ill": ["flu", "flu|Flu"] * 4})
    data = Microdata.of(table, qids=["age"], sensitive=["ill"], multi_valued=["ill"])
    told = "'ill=Flu' and 'ill=flu'; rename one, or use engine memory"
    with opened(data, tmp_path) as people, pytest.raises(DataError, match=told):
        scale.decided(Mondrian(k=2), people)
    folder = Mondrian(k=2).publish(data, rng.seeded(1)).save(tmp_path / "release")
    assert scale.verify(folder).by_parts is True


def test_rows_stand_in_an_order_that_only_what_they_show_decides(tmp_path):
    held = [["a"], ["b"], ["a", "c"], ["b"], ["c"], []] * 4
    orders = []
    for number, people in enumerate([held, held[::-1]]):
        place = tmp_path / str(number)
        place.mkdir()
        with opened(Transactions.of(people), place, memory="1GB") as opened_people:
            scale.publish(Km(k=2, m=1), opened_people, place / "r", rng=rng.seeded(3))
        orders.append(Release.load(place / "r"))
    assert orders[0] == orders[1]
    assert sum(bags(orders[0])["transactions"].values()) == len(held)


def test_an_engine_writes_parquet_only(tmp_path):
    method, data = PUBLISHERS[Km]
    with opened(data, tmp_path) as people, pytest.raises(ParameterError, match="writes parquet"):
        scale.publish(method, people, tmp_path / "release", file_format="csv")
