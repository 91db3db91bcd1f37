"""The workbench in a real browser, from made-up data to a signed release."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or os.environ.get("DISCREET_NO_BROWSER") == "1",
    reason="no Chromium is installed",
)


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    return tmp_path / "bench"


@pytest.fixture
def address(bench: Path) -> Iterator[str]:
    words = ["serve", "--no-browser", "--folder", str(bench)]
    command = [sys.executable, "-m", "discreet.cli", *words]
    surroundings = os.environ | {"DISCREET_STORE": str(bench.parent / "store.db")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=surroundings) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


@pytest.fixture
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


def test_from_data_to_a_signed_release_on_a_phone(browser: Any, address: str, bench: Path) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 800})
    tab.set_default_timeout(240_000)
    faults: list[str] = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda said: faults.append(said.text))
    home = address.split("?")[0]
    tab.on(
        "request", lambda asked: faults.extend([] if asked.url.startswith(home) else [asked.url])
    )
    tab.goto(address)
    for words in (
        "Try it with made-up data", "This is right, go on", "Count", "See what came of it",
        "Go on", "Which methods fit?", "Take km-anonymity", "Go on with these values", "Publish",
        "See what came of it", "Go on to the verdict",
    ):  # fmt: skip
        tab.locator(f"main >> :is(a, button):text-is('{words}')").click()
        tab.wait_for_load_state("load")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390, words
    tab.fill("#signatory", "Ada Example")
    tab.check("[name=first]")
    tab.click("main >> button:text-is('Sign')")
    tab.click("text=See what came of it")
    tab.wait_for_selector("text=Take the release")
    assert faults == []
    (packed,) = bench.rglob("release.zip")
    names = set(zipfile.ZipFile(packed).namelist())
    assert {"release/manifest.json", "certificate.pdf", "certificate.pdf.sig"} <= names
    assert not any("owner" in name or "key" in name for name in names)
