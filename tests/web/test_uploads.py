import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from discreet.errors import DataError
from discreet.web.projects import Project
from discreet.web.uploads import received
from tests.web.conftest import HOME


def _send(visitor: Any, name: str, content: bytes) -> Any:
    return visitor.ask(
        "POST", "/upload", data={"csrf": visitor.session.csrf}, files={"file": (name, content)},
        headers={"origin": HOME},
    )  # fmt: skip


def test_a_file_comes_in_under_a_name_that_tells_nothing(visitor: Any, workspace: Any) -> None:
    answer = _send(visitor.enter(), "../../Ada's secret.csv", b"id,item\n1,a\n")
    assert answer.status_code == 303
    (project,) = workspace.all()
    assert answer.headers["location"] == f"/p/{project.name}/data"
    assert project.data.read_bytes() == b"id,item\n1,a\n"
    assert project.data.name == "data.csv"
    assert project.data.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("name", "content"), [("a.exe", b"x"), ("a.csv", b""), ("a", b"x")])
def test_what_cannot_be_read_leaves_nothing(
    visitor: Any, workspace: Any, name: str, content: bytes
) -> None:
    assert _send(visitor.enter(), name, content).status_code == 400
    assert list(workspace.root.iterdir()) == []


@pytest.mark.parametrize("step", ["choose", "rename"])
def test_a_project_that_cannot_be_made_leaves_nothing(
    visitor: Any, workspace: Any, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """People's data must not stay in a file that no project knows of."""

    def full(*_args: Any, **_kept: Any) -> None:
        msg = "there is no room left"
        raise DataError(msg)

    visitor.enter()
    monkeypatch.setattr(Project if step == "choose" else Path, step, full)
    answer = _send(visitor, "a.csv", b"id,item\n1,a\n")
    assert (answer.status_code, "There is no room left." in answer.text) == (400, True)
    assert list(workspace.root.iterdir()) == []


def test_a_further_file_that_cannot_be_kept_leaves_nothing(
    visitor: Any, workspace: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: Any, **_kept: Any) -> None:
        msg = "there is no room left"
        raise OSError(msg)

    _send(visitor.enter(), "a.csv", b"id,item\n1,a\n")
    (project,) = workspace.all()
    there = sorted(path.name for path in project.folder.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", full)
        answer = visitor.ask(
            "POST", f"/p/{project.name}/upload", files={"file": ("b.csv", b"id,item\n1,b\n")},
            data={"csrf": visitor.session.csrf, "part": "later"}, headers={"origin": HOME},
        )  # fmt: skip
    assert answer.status_code == 500
    assert sorted(path.name for path in project.folder.iterdir()) == there
    assert "later" not in workspace.open(project.name).choices


def test_a_file_too_large_leaves_nothing(tmp_path: Path) -> None:
    mark = b"--b\r\nContent-Disposition: form-data; name="
    head = mark + b'"csrf"\r\n\r\nc\r\n' + mark + b'"f"; filename="a.csv"\r\n\r\n'

    async def blocks() -> AsyncIterator[bytes]:
        yield head
        for _ in range(100):
            yield b"x" * 100

    kind = "multipart/form-data; boundary=b"
    with pytest.raises(DataError, match="at most 1,000 bytes"):
        asyncio.run(received(blocks(), kind, tmp_path / "f", "c", limit=1000))
    assert list(tmp_path.iterdir()) == []


def _form(*parts: bytes) -> AsyncIterator[bytes]:
    async def blocks() -> AsyncIterator[bytes]:
        for part in parts:
            yield b"--b\r\nContent-Disposition: form-data; name=" + part
        yield b"--b--\r\n"

    return blocks()


FIELD = b'"csrf"\r\n\r\nc\r\n'
FILE = b'"f"; filename="a.csv"\r\n\r\nid,item\r\n'


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([FIELD, FILE, FILE], "upload one file at a time"),
        ([FIELD, *[b'"x%d"\r\n\r\n%s\r\n' % (number, b"y" * 900) for number in range(1300)], FILE],
         "a file is sent by the form"),
        ([FIELD, b'"long"\r\n\r\n' + b"y" * 2000 + b"\r\n", FILE], "too long"),
        ([FIELD, b'"f"\r\nX-Long: ' + b"y" * (2 << 20) + b"\r\n\r\n\r\n"],
         "a file is sent by the form"),
    ],
)  # fmt: skip
def test_what_comes_beside_a_file_has_an_end(
    tmp_path: Path, parts: list[bytes], words: str
) -> None:
    kind = "multipart/form-data; boundary=b"
    with pytest.raises(DataError, match=words):
        asyncio.run(received(_form(*parts), kind, tmp_path / "f", "c", limit=10_000))
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_is_taken_is_not_written_to(tmp_path: Path) -> None:
    aim = tmp_path / "aim"
    aim.write_text("mine")
    (tmp_path / "f").symlink_to(aim)
    kind = "multipart/form-data; boundary=b"
    with pytest.raises(FileExistsError):
        asyncio.run(received(_form(FIELD, FILE), kind, tmp_path / "f", "c", limit=10_000))
    assert aim.read_text() == "mine"


def test_a_name_with_a_page_in_it_is_shown_as_letters(visitor: Any) -> None:
    name = "<script>alert(1)</script>.csv"
    address = _send(visitor.enter(), name, b"<b>id,item\n1,<img src=x>\n").headers["location"]
    for path in ("/", address):
        page = visitor.ask("GET", path).text
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "&lt;" in page
