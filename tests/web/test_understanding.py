from typing import Any

import pytest

from discreet.web import understanding
from discreet.web.understanding import columns_guessed, understood


def _project(workspace: Any, text: str, **choices: Any) -> Any:
    project = workspace.new("a", "data.csv")
    project.data.write_text(text)
    project.choose(**choices)
    return project


def test_sets_are_shown_with_counts_and_oddities(workspace: Any) -> None:
    seen = understood(_project(workspace, "id,item\n1,a\n1,A\n2,a\n3,a\n"))
    assert (seen.kind, seen.people, seen.values) == ("sets", 3, (("a", 3), ("A", 1)))
    assert seen.rows[0] == ("A", "a")
    told = " ".join(seen.oddities)
    assert "1 of 2 items are held by one person only" in told
    assert "differ from another only by capitals" in told


def test_a_table_is_guessed_and_its_columns_counted(workspace: Any) -> None:
    text = "name,age,ill\nA,30,flu\nB,30,\nC,31,flu\n"
    seen = understood(_project(workspace, text, kind="table", roles={"name": "qid"}))
    assert [(each.name, each.different) for each in seen.columns] == [
        ("name", 3),
        ("age", 2),
        ("ill", 2),
    ]
    assert seen.columns[2].values == (("flu", 2), ("", 1))
    assert "the column ill has 1 empty cell" in seen.oddities
    assert (
        "the column name is different for everybody: it may name people, so it should be left out"
        in seen.oddities
    )


def test_friendships_are_told_with_what_is_odd_about_them(workspace: Any) -> None:
    project = _project(workspace, "id,item\n1,a\n2,b\n3,b\n", kind="network", edges="edges.csv")
    (project.folder / "edges.csv").write_text("source,target\n1,2\n2,1\n2,2\n")
    seen = understood(project)
    assert (seen.kind, seen.edges, seen.people) == ("network", 1, 3)
    told = " ".join(seen.oddities)
    assert "in both directions: 1" in told
    assert "1 people have no friend" in told


def test_a_series_says_who_comes_again(workspace: Any) -> None:
    project = _project(workspace, "id,item\n1,a\n2,b\n", kind="series", later=["data-2.csv"])
    (project.folder / "data-2.csv").write_text("id,item\n2,c\n3,a\n")
    seen = understood(project)
    assert seen.values == (("a", 1), ("b", 1), ("c", 1))
    assert "of 2 people in file 2, 1 were in the one before" in seen.oddities


def test_excel_is_read(workspace: Any) -> None:
    import polars as pl
    import pytest

    pytest.importorskip("xlsxwriter", reason="nothing here writes Excel")
    project = workspace.new("a", "data.xlsx")
    pl.DataFrame({"age": [30, 31], "ill": ["flu", "cough"]}).write_excel(project.data)
    project.choose(kind="table", roles={"age": "qid", "ill": "sensitive_attributes"})
    seen = understood(project)
    assert seen.fault == ""
    assert (seen.people, seen.rows[0]) == (2, ("30", "flu"))


def test_a_file_that_cannot_be_read_so_says_why(workspace: Any) -> None:
    seen = understood(_project(workspace, "x,y\n1,2\n", kind="sets"))
    assert seen.fault
    assert seen.rows == (("1", "2"),)


def test_a_table_is_not_read_as_sets_first(workspace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(understanding, "read", refused)
    assert understood(_project(workspace, "age,job\n30,cook\n41,spy\n")).kind == "table"


def test_a_matrix_of_0_and_1_is_read_as_sets(workspace: Any) -> None:
    assert understood(_project(workspace, "beer,wine\n1,0\n1,1\n")).kind == "sets"


def test_people_beside_the_data_must_be_others(workspace: Any) -> None:
    project = _project(workspace, "id,item\n1,a\n2,b\n", control="control.csv")
    (project.folder / "control.csv").write_text("id,item\n2,c\n3,a\n")
    seen = understood(project)
    assert seen.kind == "sets"
    assert "1 id is in both" in seen.fault
    (project.folder / "control.csv").write_text("id,item\n4,c\n3,a\n")
    assert understood(project).fault == ""


def test_a_column_may_be_called_count(workspace: Any) -> None:
    seen = understood(_project(workspace, "count,job\n1,a\n1,b\n2,b\n", kind="table"))
    assert seen.columns[0].values == (("1", 2), ("2", 1))


SEVERAL = 'who,diagnoses\n1,"flu, gout"\n2,"gout, HIV"\n3,"HIV, flu"\n4,"flu, gout, HIV"\n5,flu\n'
"""Several diagnoses in a cell, as spreadsheets have them."""


def test_several_values_that_are_read_as_one_are_told(workspace: Any) -> None:
    roles = {"who": "", "diagnoses": "multi_valued"}
    seen = understood(_project(workspace, SEVERAL, kind="table", roles=roles))
    assert "cells of diagnoses seem to be separated by ','; if so, say so above" in seen.oddities
    said = _project(workspace, SEVERAL, kind="table", roles=roles, separator=",")
    assert "separated" not in " ".join(understood(said).oddities)


def test_all_items_of_a_person_may_stand_in_one_cell(visitor: Any, workspace: Any) -> None:
    project = _project(workspace, SEVERAL, kind="sets")
    assert "name the columns of sets" in understood(project).fault
    at = f"/p/{project.name}/data"
    visitor.enter().post(at, kind="sets", id_column="who", items_column="diagnoses")
    assert "most items seem to be several" in " ".join(
        understood(workspace.open(project.name)).oddities
    )
    fields = {"id_column": "who", "items_column": "diagnoses", "separator": ","}
    visitor.post(at, kind="sets", **fields)
    assert sorted(understood(workspace.open(project.name)).values) == [
        ("HIV", 3),
        ("flu", 4),
        ("gout", 3),
    ]
    assert 'name="separator"' in visitor.ask("GET", at).text


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("customer,product\n1,tea\n2,tea\n1,rice\n", ("customer", "product")),
        ("customer,product\n1,tea\n1,tea\n1,rice\n2,tea\n", ("customer", "product")),
        ("Date,ID,Item\nMay,1,tea\nMay,2,tea\n", ("ID", "Item")),
    ],
)
def test_a_file_with_an_item_a_row_is_guessed_to_be_sets(
    workspace: Any, text: str, columns: tuple[str, str]
) -> None:
    project = _project(workspace, text)
    guessed = columns_guessed(project)
    assert guessed == dict(zip(("id", "item"), columns, strict=True))
    project.choose(columns=guessed)
    seen = understood(project)
    assert (seen.kind, seen.people, seen.fault) == ("sets", 2, "")


@pytest.mark.parametrize(
    "text",
    [
        "age,job\n30,cook\n41,spy\n",
        "age,job\n30,cook\n41,spy\n30,cook\n",
        "age,town,job\n30,A,cook\n30,B,spy\n",
        "id,item\n1,tea\n1,rice\n",
        "tea,rice\n1,0\n1,1\n",
    ],
)
def test_nothing_is_guessed_of_other_files(workspace: Any, text: str) -> None:
    assert columns_guessed(_project(workspace, text)) == {}


def test_what_was_said_is_not_guessed_again(workspace: Any) -> None:
    text = "customer,product\n1,tea\n2,tea\n1,rice\n"
    assert columns_guessed(_project(workspace, text, kind="table")) == {}
