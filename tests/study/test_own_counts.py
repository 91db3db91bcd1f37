import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Microdata, Transactions
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.projected_tables import ProjectedTables
from discreet.errors import DataError
from discreet.study.own_counts import own_count
from discreet.tables import Mondrian

PEOPLE = pl.DataFrame(
    {
        "age": ["20", "21", "40", "41"],
        "sex": ["f", "m", "f", "m"],
        "ill": ["flu|cough", "", "flu", "cough"],
        "job": ["spy", "spy", "nurse", "clerk"],
    }
)

NO_TREE = pl.DataFrame(schema={"child": pl.String, "parent": pl.String})


def _people() -> Microdata:
    return Microdata.of(PEOPLE, qids=["age", "sex"], sensitive=["ill", "job"], multi_valued=["ill"])


@given(
    st.lists(st.sets(st.sampled_from("abc")), min_size=1, max_size=8),
    st.sets(st.sampled_from("abc"), min_size=1),
)
def test_published_as_they_are_sets_are_counted_alike(
    held: list[set[str]], asked: set[str]
) -> None:
    people = Transactions(Itemsets.of([sorted(each) for each in held], ("a", "b", "c")))
    counted = own_count(people, people, ",".join(sorted(asked)))
    assert counted.before == counted.after == sum(asked <= each for each in held)


def test_counts_are_added_over_sets_that_hold_all() -> None:
    people = Transactions.of([["a", "b"], ["a"]])
    import numpy as np

    sets = Itemsets.of([["a"], ["a", "b"], ["b"]])
    release = ItemsetHistogram(sets, np.array([5, 3, 9]))
    assert own_count(people, release, "a") == (2, 8)
    assert own_count(people, release, "b, a") == (1, 3)


@pytest.mark.parametrize(
    ("question", "before", "after"),
    [
        ("age=20", 1, 1.0),
        ("age=20-30", 2, 2.0),
        ("sex=f; age=20-30", 1, 1.0),
        ("job=spy; sex=f", 1, 1.0),
        ("ill=flu|cough", 3, 3.0),
        ("ill=flu; age=20|21", 1, 1.0),
    ],
)
def test_a_table_of_two_classes_tells_by_shares(question: str, before: int, after: float) -> None:
    # one class of ages 20 and 21, one of 40 and 41, each of both sexes
    published = ProjectedTables(
        (
            pl.DataFrame(
                {
                    "age": ["20-21", "20-21", "40-41", "40-41"],
                    "sex": ["{f, m}"] * 4,
                    "ill=flu": [1, 0, 1, 0],
                    "ill=cough": [1, 0, 0, 1],
                    "job": ["spy", "spy", "nurse", "clerk"],
                }
            ),
        ),
        {
            "age": NO_TREE,
            "sex": pl.DataFrame({"child": ["f", "m"], "parent": ["{f, m}"] * 2}),
        },
    )
    assert own_count(_people(), published, question) == (before, pytest.approx(after))


def test_columns_of_different_tables_cannot_be_asked_together() -> None:
    parts = (
        PEOPLE.select("age", "sex", "job"),
        PEOPLE.select("age", "sex", pl.col("ill").alias("x")),
    )
    published = ProjectedTables(parts, {"age": NO_TREE, "sex": NO_TREE})
    assert own_count(_people(), published, "job=spy; ill=flu") == (1, None)


def test_what_mondrian_publishes_sums_to_everybody() -> None:
    people = _people()
    content = Mondrian(k=2).publish(people).release.content
    counted = own_count(people, content, "age=0-99")
    assert counted == (4, pytest.approx(4))


@pytest.mark.parametrize("question", ["", " , ", "milk"])
def test_what_nobody_can_hold_is_refused(question: str) -> None:
    people = Transactions.of([["a"]])
    with pytest.raises(DataError):
        own_count(people, people, question)


def test_an_unknown_column_is_refused() -> None:
    content = Mondrian(k=2).publish(_people()).release.content
    with pytest.raises(DataError, match="near: 'age'"):
        own_count(_people(), content, "ages=20")
