from pathlib import Path

import pytest

from discreet.core.hierarchy import Hierarchy
from discreet.errors import DataError

JOBS = """distinct
name job
type string
height 3

food has baker cook
care has nurse

* has food care spy
"""


def test_a_file_of_amnesia_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "jobs.txt"
    path.write_text(JOBS)
    tree = Hierarchy.read(path)
    assert tree.ancestors("cook") == ("food", "*")
    assert tree.ancestors("spy") == ("*",)
    again = Hierarchy.read(tree.save(tmp_path / "again.txt", "amnesia"))
    assert {value: again.ancestors(value) for value in again.values} == {
        value: tree.ancestors(value) for value in tree.values
    }
    blocks = (tmp_path / "again.txt").read_text().split("\n\n")
    assert blocks[0] == "distinct\nname hierarchy\ntype string\nheight 3"
    assert set(blocks[1].splitlines()) == {"food has baker cook", "care has nurse"}


def test_the_same_tree_comes_back_from_every_file(tmp_path: Path) -> None:
    tree = Hierarchy.of_levels([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"], ["d", "y", "*"]])
    for kind in ("arx", "amnesia", "pairs"):
        again = Hierarchy.read(tree.save(tmp_path / kind, kind))
        assert sorted(again.rows()) == sorted(tree.rows())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("range\nname age\n\n0-3 has 0-1 2-3\n", "line 1: ranges"),
        ("distinct\nname job\n\n* has food\nfood of baker\n", "line 5: a line must read"),
        ("distinct\nname job\n\n* has a b\nx has a\n", "line 5: a value must have one parent"),
        ("distinct\nname job\n", "at least one child"),
    ],
)
def test_what_is_no_hierarchy_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "jobs.txt"
    path.write_text(text)
    with pytest.raises(DataError, match=complaint):
        Hierarchy.read(path)


def test_names_with_blanks_have_no_place_in_such_a_file(tmp_path: Path) -> None:
    tree = Hierarchy.flat(["pastry cook"])
    with pytest.raises(DataError, match="rename"):
        tree.save(tmp_path / "jobs.txt", "amnesia")
    assert not (tmp_path / "jobs.txt").exists()
