from typing import Any

import pytest

ROWS, BUTTON = "The first rows, as they are read", "This is right, continue"


def _page(visitor: Any, workspace: Any, name: str, content: bytes, **chosen: Any) -> str:
    project = workspace.new("a", name)
    project.data.write_bytes(content)
    project.choose(**chosen)
    page: str = visitor.enter().ask("GET", f"/p/{project.name}/data").text
    return page


def test_the_rows_stand_before_the_question_about_them(visitor: Any, workspace: Any) -> None:
    page = _page(visitor, workspace, "data.csv", b"id,item\n1,a\n1,b\n2,a\n")
    assert 0 < page.index(ROWS) < page.index(BUTTON)


def test_a_file_that_is_no_text_leads_back_to_another(visitor: Any, workspace: Any) -> None:
    page = _page(visitor, workspace, "data.csv", b"\x89PNG\r\n")
    assert '<a href="/">Use another file.</a>' in page
    assert BUTTON not in page


@pytest.mark.parametrize("content", [b"who,what\n1,\n", b"who,what\n1,a\n1,b\n"])
def test_a_file_with_columns_can_be_read_otherwise(
    visitor: Any, workspace: Any, content: bytes
) -> None:
    page = _page(visitor, workspace, "data.csv", content, kind="sets")
    assert "Choose below" in page
    assert BUTTON in page


def test_friendships_can_still_be_added(visitor: Any, workspace: Any) -> None:
    page = _page(visitor, workspace, "data.dat", b"1 2\n2 3\n", kind="network")
    assert "add the file of friendships first" in page
    assert "Who is friends with whom" in page
