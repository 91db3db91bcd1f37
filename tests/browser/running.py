"""A workbench that serves, a browser that is let in, and a page that notes what goes wrong."""

import os
import re
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
FOCUSED = """() => {
  const it = document.activeElement;
  return [it.id, (it.innerText || it.value || "").trim()];
}"""
"""What has the focus: its id, and its words."""


@dataclass
class Tab:
    """A page that notes what it complains of, and what it asks of others."""

    page: Any
    home: str
    root: Path
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(240_000)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda said: self.faults.append(said.text))
        self.page.on("request", self._asked)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(self.home):
            self.faults.append(request.url)

    @property
    def folder(self) -> Path:
        """The folder of the project that the page shows."""
        named = re.search(r"/p/(\w+)/", self.page.url)
        return self.root / named[1]

    def findings(self) -> list[str]:
        """Return what axe-core finds that is serious or worse, by light and by dark."""
        axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
        found = []
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            for each in axe.run(self.page).response["violations"]:
                if each["impact"] in ("serious", "critical"):
                    place = each["nodes"][0]["html"]
                    found.append(f"{self.page.title()}, {scheme}: {each['id']} at {place}")
        self.page.emulate_media(color_scheme="light")
        return found

    def too_wide(self) -> list[str]:
        """Return the title of the page where a phone must scroll it sideways."""
        before = self.page.viewport_size
        self.page.set_viewport_size({"width": 390, "height": 800})
        width: int = self.page.evaluate("document.documentElement.scrollWidth")
        self.page.set_viewport_size(before)
        return [f"{self.page.title()} is {width} wide"] if width > 390 else []

    def reach(self, words: str) -> None:
        """Press the tab key until something with these words, or this id, has the focus."""
        for _ in range(400):
            self.page.keyboard.press("Tab")
            if words in self.page.evaluate(FOCUSED):
                return
        raise AssertionError(f"{words} cannot be reached by keyboard on {self.page.title()}")

    def press(self, words: str, key: str = "Enter", *, leads_on: bool = True) -> None:
        """Go to something by keyboard and press a key on it."""
        self.reach(words)
        if leads_on:
            with self.page.expect_navigation():
                self.page.keyboard.press(key)
        else:
            self.page.keyboard.press(key)

    def take(self, words: str) -> None:
        """Click on something of the page that leads on, and wait until the next page is there."""
        with self.page.expect_navigation():
            self.page.click(f"main :is(a, button):text-is({words!r})")


@dataclass
class Bench:
    """A running workbench, and a browser that is let in."""

    root: Path
    home: str
    session: Any
    """The browser's context, with the cookie."""

    def tab(self, width: int = 1200) -> Tab:
        """Open the first page at this width."""
        page = self.session.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        tab = Tab(page, self.home, self.root)
        page.goto(self.home)
        return tab


@contextmanager
def serving(folder: Path, *more: str) -> Iterator[str]:
    """Run a workbench with a store of its own; give the address that it prints."""
    words = ["serve", "--no-browser", "--folder", str(folder), *more]
    command = [sys.executable, "-m", "discreet.cli", *words]
    own = {"DISCREET_STORE": str(folder.parent / "store.db"), "XDG_STATE_HOME": str(folder.parent)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | own
    ) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


@contextmanager
def opened(folder: Path, *more: str) -> Iterator[Bench]:
    """Run a workbench and a browser that has opened its address."""
    if CHROMIUM is None or os.environ.get("DISCREET_NO_BROWSER") == "1":
        pytest.skip("no Chromium is installed")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with serving(folder, *more) as address, api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        session = browser.new_context()
        session.new_page().goto(address)
        yield Bench(folder, address.split("?")[0], session)
        browser.close()
