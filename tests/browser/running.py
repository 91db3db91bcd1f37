"""A workbench and a browser for the tests of the pages."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
NEEDS_CHROMIUM = pytest.mark.skipif(
    CHROMIUM is None or os.environ.get("DISCREET_NO_BROWSER") == "1",
    reason="no Chromium is installed",
)


@dataclass
class Bench:
    """A running workbench, and a browser that is let in."""

    root: Path
    home: str
    session: Any
    """The browser's context, with the cookie."""
    faults: list[str] = field(default_factory=list)
    """What a page complained of, and what it asked of others."""

    def tab(self, width: int) -> Any:
        """Open a page of this width that notes what goes wrong."""
        tab = self.session.new_page()
        tab.set_viewport_size({"width": width, "height": 900})
        tab.set_default_timeout(240_000)
        tab.on("pageerror", lambda error: self.faults.append(str(error)))
        tab.on("console", lambda said: self.faults.append(said.text))
        tab.on("request", self._asked)
        return tab

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(self.home):
            self.faults.append(request.url)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Run a workbench with a store of its own; give the address that it prints."""
    words = ["serve", "--no-browser", "--folder", str(folder)]
    command = [sys.executable, "-m", "discreet.cli", *words]
    own = {"DISCREET_STORE": str(folder.parent / "store.db"), "XDG_STATE_HOME": str(folder.parent)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | own
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
