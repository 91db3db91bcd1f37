"""Columns published as they are, coded ends, levels of many, and what each column loses."""

from pathlib import Path

import polars as pl
import pytest

from discreet import Hierarchy, Microdata, Release, scale, verify
from discreet.catalog.reading import TableFile
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.risk import table_profile
from discreet.rng import seeded
from discreet.tables import (
    Codip,
    CodipStar,
    Incognito,
    Mondrian,
    column_losses,
    table_measures,
)
from tests.scale.beside import opened, same_release

ROWS = {
    "age": ["17", "20", "34", "50", "80", "91", "?", "30"],
    "sex": list("fmfmfmfm"),
    "job": list("xyxyxyxy"),
    "pay": list("12121212"),
    "ward": list("AABBAABB"),
}


def people() -> Microdata:
    table = pl.DataFrame(ROWS)
    return Microdata.of(table, qids=["age", "sex"], sensitive=["job", "pay"], kept=["ward"])


@pytest.mark.parametrize("method", [Mondrian(k=2, t=1), Incognito(k=2), CodipStar(k=2, t=1)])
def test_kept_columns_stand_in_the_first_table_as_they_are(
    method: Mondrian, tmp_path: Path
) -> None:
    publication = method.publish(people(), seeded(1))
    content = publication.release.content
    assert content.kept == ("ward",)
    assert [("ward" in table.columns) for table in content.parts] == [
        number == 0 for number in range(len(content))
    ]
    assert all("ward" not in names for names in content.sensitive)
    records = publication.linkage_key.tables["rows_1"]["record"].to_list()
    wards = [ROWS["ward"][record] for record in records]
    assert content.parts[0]["ward"].to_list() == wards
    assert verify(publication.release).holds is not False
    again = Release.load(publication.save(tmp_path / "release"))
    assert again.content.kept == ("ward",)
    assert again.content.sensitive == content.sensitive


def test_kept_columns_of_divided_rows_do_not_tell_the_order_of_the_input() -> None:
    # people with equal values go to different classes, and only what is kept tells them apart
    table = pl.DataFrame(
        {"age": ["1", "2", "2"] * 4, "job": ["x"] * 12, "ward": list("ABCDEFGHIJKL")}
    )
    method = Mondrian(k=2, relaxed=True)
    released = [
        method.publish(
            Microdata.of(rows, qids=["age"], sensitive=["job"], kept=["ward"]), seeded(1)
        ).release.to_polars()["table_1"]
        for rows in (table, table.reverse(), table.sort("age", "ward"))
    ]
    assert released[0].equals(released[1])
    assert released[0].equals(released[2])


def test_risk_counts_kept_columns_as_known() -> None:
    constant = Microdata.of(pl.DataFrame(ROWS), qids=["sex"], sensitive=["job"], kept=["ward"])
    assert table_profile(constant)["smallest_class"] == 2
    release = Incognito(k=2).publish(constant, seeded(1)).release
    measured = table_measures(constant, release)
    assert measured["smallest_class"] == 4
    assert measured["smallest_class_knowing_kept_columns"] == 2


def test_a_column_has_one_role() -> None:
    with pytest.raises(DataError, match="'age' was given two roles"):
        Microdata.of(pl.DataFrame(ROWS), qids=["age"], sensitive=["job"], kept=["age"])


def test_ends_are_coded(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    pl.DataFrame(ROWS).write_csv(file)
    reading = TableFile(
        qid=("age",),
        sensitive_attributes=("job",),
        bottom_code={"age": "20"},
        top_code={"age": "80"},
    )
    data = reading.read(str(file))
    assert data.table["age"].to_list() == ["<20", "20", "34", "50", ">=80", ">=80", "?", "30"]
    shown = Mondrian(k=2).publish(data, seeded(1)).release.content.parts[0]["age"].to_list()
    assert ">=80" in shown
    with pytest.raises(ParameterError, match="ascending"):
        data.code_ends("age", below="80", from_="20")


def test_columns_lose_what_their_cells_take_in() -> None:
    tree = Hierarchy.of_levels([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c2", "*"]])
    table = pl.DataFrame({"age": ["0", "5", "10", "10"], "zip": ["a", "b", "c", "c"]})
    data = Microdata.of(table, qids=["age", "zip"], sensitive=[])
    release = Mondrian(k=2, hierarchy=(("zip", tree),)).publish(data, seeded(1)).release
    # two people in 0-5 under ab, two in 10 under c
    assert column_losses(data, release.content) == pytest.approx({"age": 0.25, "zip": 0.25})
    sets = Mondrian(k=2).publish(data, seeded(1)).release
    assert column_losses(data, sets.content)["zip"] == pytest.approx(0.25)
    whole = Mondrian(k=4).publish(data, seeded(1)).release
    assert column_losses(data, whole.content) == pytest.approx({"age": 1.0, "zip": 1.0})


def test_a_column_suppressed_as_a_whole_loses_all_whatever_stars_are_in_it() -> None:
    data = Microdata.of({"job": ["*", "a", "b", "c"]}, qids=["job"], sensitive=[])
    release = Incognito(k=2).publish(data, seeded(1)).release
    assert set(release.content.parts[0]["job"]) == {"**"}
    assert column_losses(data, release.content) == {"job": 1.0}
    alone = Incognito(k=1).publish(data, seeded(1)).release
    assert column_losses(data, alone.content) == {"job": 0.0}


def test_the_owner_is_told_what_the_best_generalisations_cost() -> None:
    publication = Incognito(k=2).publish(people(), seeded(1))
    report = publication.linkage_key.facts["report"]
    assert next(iter(report)) == "cost of age 1 of 1, sex 0 of 1"
    assert list(report.values()) == sorted(report.values())
    assert publication.release.manifest.notes["heights"] == {"age": 1, "sex": 1}


def test_dates_have_a_hierarchy() -> None:
    tree = Hierarchy.dates(["2024-03-09", "?"])
    assert tree.ancestors("2024-03-09") == ("2024-03", "2024", "2020..<2030", "*")
    with pytest.raises(DataError, match="such as 2024-03-09"):
        Hierarchy.dates(["yesterday"])


def test_a_kept_column_that_numbers_rows_as_an_attribute_of_another_table_does_is_refused(
    tmp_path: Path,
) -> None:
    ranks = [str(rank) for rank in range(6)]
    columns = {"age": ["3"] * 6, "job": ["spy", "cook"] * 3, "rank": ranks}
    apart = Codip(k=3, t=1, plan=(("job",), ("rank",)))

    def people(place: list[str]) -> Microdata:
        return Microdata.of(
            columns | {"place": place}, qids=["age"], sensitive=["job", "rank"], kept=["place"]
        )

    told = "'place', which is published as it is, and 'rank' hold the same values, each in one row"
    with pytest.raises(InfeasibleError, match=told):
        apart.publish(people(ranks))
    with opened(people(ranks), tmp_path) as elsewhere, pytest.raises(InfeasibleError, match=told):
        scale.decided(apart, elsewhere, seeded(1))
    for place in ([*ranks[1:], "1"], [*ranks[1:], "6"]):
        assert verify(same_release(apart, people(place), tmp_path)).by_parts is True
    together = Codip(k=3, t=1, plan=(("job", "rank"),))
    assert verify(same_release(together, people(ranks), tmp_path)).by_parts is True
