import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.catalog import Choices, find
from discreet.catalog.choices import choosable, series_parameter
from discreet.errors import DataError


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / "drinks.csv"
    path.write_text("beer;alcohol;*\ntea;hot;*\n")
    return path


def test_choices_hold_files_and_no_path(tree: Path, tmp_path: Path) -> None:
    typed = {"k": "5", "m": "2", "hierarchy": str(tree), "allow_absent": True, "out": "r"}
    made = Choices.of(find("km-anonymity"), typed, {"people": "town", "format": None})
    assert made.options == {
        "k": "5", "m": "2", "hierarchy": "hierarchy-1.csv", "allow_absent": True,
    }  # fmt: skip
    saved = tmp_path / "choices.json"
    saved.write_text(made.text(), encoding="utf-8")
    again = Choices.read(saved)
    assert again == made
    assert again.files["hierarchy-1.csv"] == tree.read_bytes()
    assert again.about == {"people": "town"}
    assert str(tmp_path) not in made.text()


def test_what_is_typed_besides_counts_instead(tree: Path, tmp_path: Path) -> None:
    typed = {"k": "5", "m": "2", "hierarchy": str(tree), "allow_absent": True}
    made = Choices.of(find("km-anonymity"), typed, {"people": "town", "format": "csv"})
    words = set(made.words(tmp_path / "laid", ["--k", "--people"]))
    placed = tmp_path / "laid" / "hierarchy-1.csv"
    assert words == {"--m=2", f"--hierarchy={placed}", "--allow-absent", "--format=csv"}
    assert placed.read_bytes() == tree.read_bytes()


def test_a_flag_that_was_switched_off_stays_so(tmp_path: Path) -> None:
    typed = {"k": "5", "m": "2", "refine": False}
    made = Choices.of(find("disassociation"), typed, {})
    saved = tmp_path / "choices.json"
    saved.write_text(made.text(), encoding="utf-8")
    assert Choices.read(saved) == made
    assert "--no-refine" in made.words(tmp_path)
    assert "--no-refine" not in made.words(tmp_path, ["--refine"])
    assert "refine" not in Choices.of(find("disassociation"), typed | {"refine": True}, {}).options


@given(content=st.binary())
def test_a_file_of_any_bytes_comes_back(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any")
    file = folder / "list"
    file.write_bytes(content)
    made = Choices.of(find("counts"), {"epsilon": "1", "universe": str(file)}, {})
    saved = folder / "choices.json"
    saved.write_text(made.text(), encoding="utf-8")
    again = Choices.read(saved)
    assert list(again.files.values()) == [content]


def test_what_is_of_one_publication_is_no_choice() -> None:
    assert not {"after", "keep"} & set(choosable(find("sanony")))
    assert "edges" not in choosable(find("gp-asn"))
    assert {"columns", "sensitive", "rho", "hierarchy"} <= set(choosable(find("gp-asn")))


def test_a_series_is_known_by_what_it_goes_on_from() -> None:
    found = {name: series_parameter(find(name)) for name in ("sanony", "m-invariance", "anony")}
    assert {name: part and part.option for name, part in found.items()} == {
        "sanony": "--after", "m-invariance": "--keep", "anony": None,
    }  # fmt: skip


GOOD = {
    "discreet": "choices of a publication", "format": 1, "method": "km-anonymity",
    "options": {"k": "5", "m": "2"}, "about": {}, "files": {},
}  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"discreet": "rules"}, "must hold the choices of a publication"),
        ({"format": 2}, "format of choices that this version does not know"),
        ({"method": "km-anonimity"}, "did you mean km-anonymity"),
        ({"options": []}, "must be tables of names"),
        ({"options": {"kk": "5"}}, "no choice for km-anonymity called 'kk'; did you mean k?"),
        ({"options": {"k": 5}}, "the choice k must be a text"),
        ({"options": {"allow_absent": "yes"}}, "allow_absent must be true"),
        ({"about": {"seed": "7"}}, "called 'seed'"),
        ({"about": {"people": 7}}, "must be texts"),
        ({"about": {"people": "\ud800"}}, "must hold the choices of a publication"),
        ({"files": {"a": 7}}, "neither lines nor base64"),
        ({"files": {"../a": ["x"]}}, "plain name without a folder"),
        ({"files": {"/etc/a": ["x"]}}, "plain name without a folder"),
    ],
)
def test_a_foreign_file_is_refused_in_one_sentence(
    tmp_path: Path, wrong: dict[str, object], words: str
) -> None:
    path = tmp_path / "choices.json"
    path.write_text(json.dumps(GOOD))
    assert Choices.read(path).options == GOOD["options"]
    path.write_text(json.dumps(GOOD | wrong))
    with pytest.raises(DataError, match=r"choices\.json") as refused:
        Choices.read(path)
    assert words in str(refused.value)


@given(content=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode()))
def test_no_bytes_break_the_reader(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("any") / "choices.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match="must hold the choices"):
        Choices.read(path)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no file of choices"):
        Choices.read(tmp_path / "none.json")
