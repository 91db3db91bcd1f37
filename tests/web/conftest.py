import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from discreet.web import Session, Workspace, application

HOME = "http://127.0.0.1:8123"


class Visitor:
    """A browser that remembers its cookie, or does not."""

    def __init__(self, app: Any, session: Session) -> None:
        self.app, self.session, self.cookies = app, session, httpx.Cookies()

    def ask(self, method: str, path: str, **rest: Any) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(
                transport=transport, base_url=HOME, cookies=self.cookies
            ) as client:
                answer = await client.request(method, path, **rest)
                self.cookies = client.cookies
                return answer

        return asyncio.run(asked())

    def enter(self) -> "Visitor":
        assert self.ask("GET", f"/?token={self.session.token}").status_code == 200
        return self

    def post(self, path: str, **fields: str) -> httpx.Response:
        data = {"csrf": self.session.csrf} | fields
        return self.ask("POST", path, data=data, headers={"origin": HOME})


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCREET_STORE", str(tmp_path / "own-store.db"))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "bench")


@pytest.fixture
def visitor(workspace: Workspace) -> Visitor:
    session = Session(port=8123)
    return Visitor(application(workspace, session), session)
