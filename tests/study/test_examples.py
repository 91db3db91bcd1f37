"""The studies to start from: each can be read, and the arena has every method that takes data."""

from pathlib import Path

import pytest

from discreet.catalog import entries
from discreet.core.graph import Network
from discreet.core.release import Release
from discreet.study import Study

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_study_to_start_from_can_be_read(path: Path) -> None:
    cells = Study.read(path).cells()
    assert cells
    assert path.read_text().startswith("#")


def test_the_arena_has_every_method_and_every_kind_of_data() -> None:
    cells = Study.read(EXAMPLES[0].with_name("arena.toml")).cells()
    fought = {step.name for cell in cells for step in (cell.method, *cell.then)}
    offered = {entry.name for entry in entries("publisher") if entry.data is not Network}
    assert fought == offered
    assert {cell.original.name for cell in cells} == {"nltcs", "bms1", "adult", "lastfm"}
    assert any(Release in (step.entry.data,) for cell in cells for step in cell.then)
