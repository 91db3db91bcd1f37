"""The tests are there and can be found: a collector that finds nothing would pass in silence.

They are counted in the source, without pytest. A floor is about what the folder held when it was
written down: raise it as tests are added, lower it only with a reason.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from discreet.catalog import FAMILIES
from discreet.core.family import Family
from tests.imports import SOURCE, TESTS, modules, reached

FLOORS = {
    ".": 120,
    "browser": 6,
    "catalog": 8,
    "cluster": 1,
    "cli": 179,
    "core": 113,
    "counts": 229,
    "fuzz": 9,
    "generalised": 112,
    "io": 117,
    "kernels": 30,
    "measure": 25,
    "mechanism_audit": 20,
    "networks": 60,
    "papers": 164,
    "power_cuts": 6,
    "real": 50,
    "report": 80,
    "risk": 40,
    "rng": 57,
    "scale": 25,
    "semantics": 68,
    "series": 78,
    "statistical": 21,
    "store": 46,
    "study": 50,
    "tables": 98,
    "verify": 81,
    "web": 48,
}
"""Folder of tests -> how many test functions it holds at least."""


@cache
def functions_in(file: Path) -> list[str]:
    """Return the names of the test functions of a file, in classes or not."""
    nodes = ast.walk(ast.parse(file.read_text()))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in nodes if isinstance(node, kinds) and node.name[:4] == "test"]


@pytest.mark.parametrize("folder", FLOORS)
def test_a_folder_holds_its_tests(folder: str) -> None:
    folder_path = TESTS / folder
    files = folder_path.glob("test_*.py") if folder == "." else folder_path.rglob("test_*.py")
    tests = [name for file in files for name in functions_in(file)]
    assert len(tests) >= FLOORS[folder]


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
    assert sum(count > 0 for count in examples) >= 35


def test_every_room_has_a_folder_of_tests_or_a_file() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file()}
    untested = [
        room
        for room in rooms
        if not (TESTS / room).is_dir() and not (TESTS / f"test_{room}.py").is_file()
    ]
    assert untested == []


BESIDE = {
    "browser": "the workbench in a real browser",
    "cluster": "a real cluster of Spark, whose workers are killed",
    "fuzz": "any bytes to every reader, hostile words to every command",
    "power_cuts": "commands that are killed, full disks, closed pipes",
    "real": "what holds on the real data, by the question asked of them",
    "statistical": "laws of noise, over many runs of several methods",
    "papers/worked_examples": "the papers' examples, number by number",
}
"""Folders of tests that mirror no folder of the source, with what they hold."""

ACROSS = {
    "cli/test_friends.py": "a family's whole flow at the terminal",
    "cli/test_generalised.py": "a family's whole flow at the terminal",
    "cli/test_networks.py": "a family's whole flow at the terminal",
    "cli/test_semantic.py": "an attack's whole flow at the terminal",
    "cli/test_series_methods.py": "a family's whole flow at the terminal",
    "cli/test_tables.py": "a family's whole flow at the terminal",
    "cli/test_verdict.py": "one verdict, the same from every command",
    "generalised/test_wide_blocks.py": "blocks of many members, from file to measure",
    "io/test_fuzz.py": "any bytes at all, to every reader",
    "report/test_browser.py": "every page, in a real browser",
    "report/test_pages.py": "pages of every method, as they are read",
    "rng/test_rng.py": "the room as it is used, stream and draws together",
    "store/test_many_at_once.py": "the store in many processes, some of which are killed",
    "study/test_examples.py": "the studies that the documentation shows",
    "verify/test_claims.py": "every guarantee on its way to its verifier",
    "verify/test_generalised_sets.py": "several guarantees of one content",
    "verify/test_pycanon.py": "several guarantees beside another program",
    "tables/test_kept_columns.py": "what custodians control of columns, from file to release",
    "verify/test_series.py": "several guarantees of one content",
    "verify/test_tables.py": "several guarantees of one content",
}
"""Files of tests that look at several modules at once, with what they look at."""


def _mirrored(file: Path) -> bool:
    mirrored = SOURCE / file.parent.relative_to(TESTS) / file.stem.removeprefix("test_")
    return mirrored.with_suffix(".py").is_file() or (mirrored / "__init__.py").is_file()


def test_a_file_of_tests_stands_where_its_module_does() -> None:
    strange = [
        name
        for file in TESTS.rglob("test_*.py")
        if file.parent != TESTS and not _mirrored(file)
        if (name := file.relative_to(TESTS).as_posix()) not in ACROSS
        and file.parent.relative_to(TESTS).as_posix() not in BESIDE
    ]
    assert strange == []


def test_what_is_listed_as_no_mirror_is_there_and_is_none() -> None:
    listed = [TESTS / name for name in ACROSS]
    assert [file.name for file in listed if not file.is_file() or _mirrored(file)] == []
    assert [name for name in BESIDE if not (TESTS / name).is_dir()] == []


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_method_is_named_by_a_test_of_its_family(family: Family) -> None:
    texts = [file.read_text() for file in (TESTS / family.name).rglob("test_*.py")]
    names = [offered.method.__name__ for offered in (*family.publishers, *family.attacks)]
    assert [name for name in names if not any(name in text for text in texts)] == []


def _own_tests(module: str) -> Path:
    folder, _, name = module.rpartition("/")
    return TESTS / folder / f"test_{name}.py"


MIRRORED = 330
"""Modules with a file of tests of their own: raise it as they are added."""

COMMANDS = {
    "cli/books": "cli/test_ledger.py",
    "cli/completion": "cli/test_root.py",
    "cli/corpus": "cli/test_semantic.py",
    "cli/hierarchy": "cli/test_tables.py",
    "cli/interactive": "cli/test_attack.py",
    "cli/keygen": "cli/test_certify.py",
    "cli/profile": "cli/test_tables.py",
    "cli/published": "cli/test_publish.py",
    "cli/transactions": "cli/test_semantic.py",
    "cli/truth": "cli/test_verdict.py",
}
"""Modules that are reached by typing a command, with the file of tests that types it."""


def test_modules_have_files_of_tests_of_their_own() -> None:
    assert sum(_own_tests(module).is_file() for module in modules()) >= MIRRORED


def test_a_module_without_is_reached_by_the_tests_of_those_who_use_it() -> None:
    tested = {file for test in TESTS.rglob("test_*.py") for file in reached(test, 4)}
    lonely = [
        module
        for module in modules()
        if not _own_tests(module).is_file()
        and SOURCE / f"{module}.py" not in tested
        and module not in COMMANDS
    ]
    assert lonely == []
    assert [file for file in COMMANDS.values() if not (TESTS / file).is_file()] == []


def _asserts(nodes: Iterable[ast.AST]) -> bool:
    return any(
        isinstance(child, ast.Assert)
        or (isinstance(child, ast.Attribute) and child.attr == "raises")
        for node in nodes
        for child in ast.walk(node)
    )


def _chancy(test: ast.FunctionDef) -> list[int]:
    """Return the lines of a test at which it depends on the example whether anything is asked."""
    return [
        node.lineno
        for node in test.body
        if isinstance(node, ast.If) and _asserts(node.body) and not _asserts(node.orelse)
    ]


def _tests_of(text: str) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield node


def test_no_test_asserts_by_chance() -> None:
    """An example that does not fit is left by ``assume``, which is counted; an ``if`` is not."""
    names = {
        f"{file.relative_to(TESTS)}:{line}"
        for file in TESTS.rglob("test_*.py")
        for test in _tests_of(file.read_text())
        for line in _chancy(test)
    }
    assert names == set()


def test_no_test_leaves_by_a_bare_return() -> None:
    names = {
        f"{file.relative_to(TESTS)}:{node.lineno}"
        for file in TESTS.rglob("test_*.py")
        for test in _tests_of(file.read_text())
        for statement in test.body
        if isinstance(statement, ast.If)
        for node in statement.body
        if isinstance(node, ast.Return)
    }
    assert names == set()


def test_a_planted_fault_of_a_test_is_seen() -> None:
    text = "def test_it(x):\n    if x:\n        assert x > 0\n"
    assert [_chancy(test) for test in _tests_of(text)] == [[2]]
    both = text + "    else:\n        assert x <= 0\n"
    assert [_chancy(test) for test in _tests_of(both)] == [[]]
