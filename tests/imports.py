"""Which modules of the house a file imports, names followed to where they are defined."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "discreet"


def file_of(module: str) -> Path | None:
    """Return the file of a module or of a package."""
    path = SOURCE.joinpath(*module.split(".")[1:])
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


@cache
def imported(file: Path) -> frozenset[Path]:
    """Return the files that define what a file imports."""
    nodes = ast.walk(ast.parse(file.read_text()))
    files = (
        _defined(node.module, name.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("discreet")
        for name in node.names
    )
    return frozenset(file_ for file_ in files if file_ is not None and file_ != file)


@cache
def _defined(module: str, name: str) -> Path | None:
    if (file := file_of(f"{module}.{name}")) is not None:
        return file
    file = file_of(module)
    if file is None or file.name != "__init__.py":
        return file
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
            return _defined(node.module or "", name)
    return file


def reached(file: Path, steps: int) -> dict[Path, int]:
    """Return the modules that a file imports in so many steps, and in how many."""
    distance: dict[Path, int] = {}
    edge = {file}
    for step in range(1, steps + 1):
        edge = {each for one in edge for each in imported(one)} - distance.keys()
        distance |= dict.fromkeys(edge, step)
    return distance


def modules() -> Iterator[str]:
    """Yield the modules of the house that hold more than the exports of their folder."""
    for file in sorted(SOURCE.rglob("*.py")):
        if not file.name.startswith("__"):
            yield file.relative_to(SOURCE).with_suffix("").as_posix()
