import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from discreet.errors import DataError
from discreet.web.serve import listening
from tests.waiting import PATIENCE


@contextmanager
def first_line(folder: Path, *words: str) -> Iterator[str]:
    """Give what a server prints first, which is ended with the block."""
    command = [sys.executable, "-m", "discreet.cli", "serve", "--no-browser", *words]
    with subprocess.Popen(
        [*command, "--folder", str(folder)], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with first_line(tmp_path / "bench") as line:
        yield line


def test_the_one_line_opens_the_page(address: str) -> None:
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{40,}", address)
    home = address.split("?")[0]
    assert httpx.get(home, timeout=PATIENCE).status_code == 403
    with httpx.Client(timeout=PATIENCE) as client:
        assert client.get(address).status_code == 200
        assert "nothing leaves it" in client.get(home).text


def test_the_one_line_may_be_json(tmp_path: Path) -> None:
    with first_line(tmp_path / "bench", "--json") as line:
        assert httpx.get(json.loads(line)["address"], timeout=PATIENCE).status_code in (200, 303)


def test_it_listens_on_this_machine_only() -> None:
    with listening(0) as opened:
        host, port = opened.getsockname()
        assert host == "127.0.0.1"
        with pytest.raises(DataError, match="choose another"):
            listening(port)
