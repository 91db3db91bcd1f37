"""The tests are there and can be found: a collector that finds nothing would pass in silence.

They are counted in the source, without pytest. A floor is about what the folder held when it was
written down: raise it as tests are added, lower it only with a reason.
"""

import ast
from collections import Counter
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "discreet"

FLOORS = {
    ".": 106,
    "cli": 165,
    "core": 108,
    "counts": 229,
    "generalised": 64,
    "io": 115,
    "kernels": 30,
    "measure": 25,
    "mechanism_audit": 20,
    "networks": 60,
    "papers": 164,
    "real": 47,
    "report": 29,
    "risk": 7,
    "rng": 55,
    "semantics": 38,
    "series": 63,
    "statistical": 17,
    "study": 27,
    "tables": 64,
    "verify": 69,
}
"""Folder of tests -> how many test functions it holds at least."""


def functions_in(file: Path) -> list[str]:
    """Return the names of the test functions of a file, in classes or not."""
    nodes = ast.walk(ast.parse(file.read_text()))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in nodes if isinstance(node, kinds) and node.name[:4] == "test"]


@pytest.mark.parametrize("folder", FLOORS)
def test_a_folder_holds_its_tests(folder: str) -> None:
    place = TESTS / folder
    files = place.glob("test_*.py") if folder == "." else place.rglob("test_*.py")
    found = [name for file in files for name in functions_in(file)]
    assert len(found) >= FLOORS[folder]


def test_every_file_of_tests_holds_some() -> None:
    assert [file.name for file in TESTS.rglob("test_*.py") if not functions_in(file)] == []


def test_no_test_hides_in_a_file_that_is_not_collected() -> None:
    hidden = [
        file.name
        for file in TESTS.rglob("*.py")
        if not file.name.startswith("test_") and functions_in(file)
    ]
    assert hidden == []


def test_no_test_is_replaced_by_another_of_the_same_name() -> None:
    for file in TESTS.rglob("test_*.py"):
        twice = [name for name, times in Counter(functions_in(file)).items() if times > 1]
        assert twice == [], file.name


def test_this_very_file_is_counted() -> None:
    assert "test_this_very_file_is_counted" in functions_in(Path(__file__))


def test_the_examples_in_the_source_are_there() -> None:
    examples = [file.read_text().count(">>> ") for file in SOURCE.rglob("*.py")]
    assert sum(examples) >= 90
    assert sum(many > 0 for many in examples) >= 35


def test_every_room_has_a_folder_of_tests_or_a_file() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file()}
    untested = [
        room
        for room in rooms
        if not (TESTS / room).is_dir() and not (TESTS / f"test_{room}.py").is_file()
    ]
    assert untested == []
