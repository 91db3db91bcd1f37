"""The drawing of the tutorial is the one that its own code makes."""

from pathlib import Path
from typing import Any

import pytest

from discreet.papers.graph_drawing import before_and_after
from tests.test_tutorials import blocks, run_console, run_python

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "friends-and-playlists.md"


def test_the_committed_drawing_is_made_by_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for language, text in blocks(PAGE):
        if language == "python":
            run_python(text, names, PAGE)
        elif " publish gp-asn " in text:
            run_console(text)
    made = (tmp_path / "friends-and-playlists.svg").read_text()
    assert made == PAGE.with_suffix(".svg").read_text()


def test_what_changes_is_marked_and_names_are_escaped() -> None:
    drawing = before_and_after({"<1>": 0, "2": 1, "3": 7}, [("<1>", "2")], [("2", "3")])
    assert drawing.count("<line") == 2
    assert drawing.count("#c0392b") == drawing.count("#1e8449") == 1
    assert "&lt;1&gt;" in drawing
    assert "<1>" not in drawing
