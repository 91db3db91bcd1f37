"""Draws workbench.png anew: `python docs/images/workbench.py`, with playwright and Chromium."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).with_suffix(".png")
WAY = ("This is right, continue", "Goal", "Which methods fit?", "Use km-anonymity")


def main() -> None:
    """Walk to the values of a method, and draw that screen."""
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        words = ["serve", "--no-browser", "--example", "--folder", f"{folder}/bench"]
        store = os.environ | {"DISCREET_STORE": f"{folder}/store.db"}
        command = [sys.executable, "-m", "discreet.cli", *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=store) as server:
            assert server.stdout is not None
            browser = driver.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1200, "height": 730})
            page.goto(server.stdout.readline().strip())
            page.click("ul.projects a")
            for each in WAY:
                page.click(f":is(a, button):text-is('{each}')")
            page.wait_for_selector("text=Continue with these values")
            page.screenshot(path=PICTURE)
            browser.close()
            server.terminate()


if __name__ == "__main__":
    main()
