"""A study from its TOML file: unknown names are refused with the nearest known one."""

from pathlib import Path
from typing import Any

import pytest

from discreet.errors import DataError, ParameterError
from discreet.study.file import study_of

DATA = [{"source": "dataset:nltcs"}]


METHOD = {"method": "sparse-histogram", "epsilon": 1}


def told(**parts: Any) -> dict[str, Any]:
    return {"data": DATA, "publish": [METHOD]} | parts


def test_every_combination_is_a_cell() -> None:
    methods = [
        {"method": "sparse-histogram", "epsilon": [0.5, 1], "max-size": [2, 3]},
        {"method": "diff-part", "epsilon": 1},
    ]
    cells = study_of(told(publish=methods, seeds=[5, 7])).cells()
    assert len(cells) == (4 + 1) * 2
    assert {cell.seed for cell in cells} == {5, 7}
    assert {cell.method.words for cell in cells} == {
        "epsilon=0.5 max_size=2",
        "epsilon=0.5 max_size=3",
        "epsilon=1 max_size=2",
        "epsilon=1 max_size=3",
        "epsilon=1",
    }


def test_a_method_is_run_only_on_data_it_takes() -> None:
    methods = [METHOD, {"method": "incognito", "k": 3}]
    data = [*DATA, {"source": "dataset:adult", "qid": "age,sex", "name": "people"}]
    cells = study_of(told(data=data, publish=methods, seeds=1)).cells()
    assert [(cell.original.name, cell.label) for cell in cells] == [
        ("nltcs", "sparse-histogram"),
        ("people", "incognito"),
    ]


def test_a_release_can_be_worked_on() -> None:
    cell, *_ = study_of(told(publish=[METHOD | {"then": "apl-free"}])).cells()
    assert cell.label == "sparse-histogram + apl-free"


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ({"publish": [{"method": "sparse-histogam", "epsilon": 1}]}, "did you mean sparse-hist"),
        ({"publish": [{"method": "diff-part", "epsilom": 1}]}, "did you mean epsilon"),
        ({"publish": [{"method": "diff-part"}]}, "needs epsilon"),
        ({"publish": [{"method": "diff-part", "epsilon": -1}]}, "epsilon"),
        ({"publish": []}, "at least one .*publish"),
        ({"data": [{"name": "nowhere"}]}, "source"),
        ({"data": [{"source": "x.dat", "colums": "id=a"}]}, "did you mean columns"),
        ({"seeds": []}, "seeds"),
        ({"seeds": ["one"]}, "seeds"),
        ({"sedes": 3}, "did you mean seeds"),
        ({"attack": [{"method": "attribute-linkag"}]}, "did you mean attribute-linkage"),
        ({"front": {"los": "query error"}}, "did you mean loss"),
    ],
)
def test_a_mistake_is_one_sentence_with_a_cure(parts: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ParameterError, match=complaint):
        study_of(told(**parts))


def test_a_source_that_is_not_there_is_refused_before_the_work_starts() -> None:
    with pytest.raises(DataError, match=r"'nowhere\.dat' is none"):
        study_of(told(data=[{"source": "nowhere.dat"}]))


def test_data_that_no_method_takes_are_refused() -> None:
    study = study_of(told(publish=[{"method": "incognito", "k": 3}]))
    with pytest.raises(ParameterError, match="no method"):
        study.cells()


def test_a_cell_is_known_by_the_content_of_its_data(tmp_path: Path) -> None:
    names = ["one.dat", "two.dat", "other.dat"]
    for name, text in zip(names, ["1 2\n", "1 2\n", "2\n"], strict=True):
        (tmp_path / name).write_text(text)
    data = [{"source": str(tmp_path / name)} for name in names]
    one, two, other = study_of(told(data=data, seeds=1)).cells()
    assert one.key == two.key
    assert one.key != other.key
