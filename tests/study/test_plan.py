from pathlib import Path

import pytest

from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError
from discreet.study import Study
from discreet.study.plan import Original


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
