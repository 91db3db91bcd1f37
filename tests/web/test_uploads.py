import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from discreet.errors import DataError
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
