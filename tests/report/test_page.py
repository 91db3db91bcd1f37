"""Pages that stand alone: one file, no outside request, good on screen and on paper."""

from pathlib import Path

import pytest

from discreet.errors import DataError
from discreet.report import write_page
from discreet.report.page import page


def test_a_page_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("a file")
    with pytest.raises(DataError, match=r"page\.html"):
        write_page(tmp_path / "folder" / "page.html", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_template_must_be_given_everything() -> None:
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError):
        page("audit.html", drawings=[])
