from pathlib import Path
from typing import Any

import pytest

from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError
from discreet.study import Study
from discreet.study.file import study_of
from discreet.study.plan import Original

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
        ({"publish": [{"method": "diff-part"}]}, "must have epsilon"),
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


def test_the_kind_of_data_follows_from_how_they_are_read() -> None:
    assert Original(name="a", source="a.dat").nouns == (Transactions,)
    assert Original(name="a", source="a.csv", options=(("qid", "age"),)).nouns == (Microdata,)
    assert Original(name="a", source="dataset:adult").nouns == (Microdata,)
    with pytest.raises(ParameterError, match="no kind of data"):
        _ = Original(name="a", source="a", options=(("qid", "age"), ("edges", "e"))).nouns


def test_files_are_looked_up_beside_the_study(tmp_path: Path) -> None:
    (tmp_path / "baskets.dat").write_text("1 2\n2\n")
    (tmp_path / "study.toml").write_text(
        '[[data]]\nsource = "baskets.dat"\n[[publish]]\nmethod = "sparse-histogram"\nepsilon = 1\n'
    )
    cell, *_ = Study.read(tmp_path / "study.toml").cells()
    assert len(cell.original.read(Transactions)) == 2


@pytest.mark.parametrize("content", [None, b"[[data", b"\xff\xfe"])
def test_what_is_no_study_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "study.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DataError, match=r"study\.toml"):
        Study.read(path)


def test_a_cell_is_known_by_the_content_of_its_data(tmp_path: Path) -> None:
    names = ["one.dat", "two.dat", "other.dat"]
    for name, text in zip(names, ["1 2\n", "1 2\n", "2\n"], strict=True):
        (tmp_path / name).write_text(text)
    data = [{"source": str(tmp_path / name)} for name in names]
    one, two, other = study_of(told(data=data, seeds=1)).cells()
    assert one.key == two.key
    assert one.key != other.key
