"""The pages in a real browser: nothing fails, nothing is asked for, the table sorts."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from discreet.core.transactions import Transactions
from discreet.report import audit_page, audit_record, study_page, write_page
from discreet.study import Evidence, examined, studied
from discreet.study.file import study_of
from tests.report.test_audit import published

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or os.environ.get("DISCREET_NO_BROWSER") == "1",
    reason="no Chromium is installed",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Any) -> Any:
    def open_page(path: Path) -> tuple[Any, list[str]]:
        faults: list[str] = []
        tab = browser.new_page(viewport={"width": 1000, "height": 800})
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("console", lambda said: faults.append(said.text))
        tab.on("request", lambda asked: faults.append(asked.url))
        tab.goto(path.as_uri())
        # the page itself is the one thing that is asked for
        return tab, [fault for fault in faults if fault != path.as_uri()]

    return open_page


@pytest.fixture(scope="module")
def study_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    (folder / "baskets.dat").write_text("1 2\n" * 60 + "2\n" * 40 + "3\n" * 20)
    study = study_of(
        {
            "title": "A study",
            "seeds": 1,
            "data": [{"source": str(folder / "baskets.dat")}],
            "publish": [{"method": "sparse-histogram", "epsilon": [0.5, 1, 2]}],
        }
    )
    return write_page(folder / "report.html", study_page(study, studied(study, workers=1)))


def test_an_audit_is_shown_and_printed(opened: Any, tmp_path: Path) -> None:
    evidence = Evidence(original=Transactions.of([["bread"]] * 40 + [["bread", "milk"]] * 30))
    found = examined(published(), evidence)
    record = audit_record(found, evidence, {}, owner=True)
    path = write_page(tmp_path / "audit.html", audit_page(record, found, evidence))
    tab, faults = opened(path)
    assert faults == []
    assert tab.locator(".verdict strong").inner_text() == "Release with care"
    assert tab.locator("figure svg").count() >= 2
    overflow = tab.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert not overflow
    printed = tab.pdf()
    assert printed.startswith(b"%PDF")


def test_the_table_of_a_study_sorts_and_filters(opened: Any, study_file: Path) -> None:
    tab, faults = opened(study_file)
    assert faults == []
    head = tab.locator("#numbers th", has_text="mean")
    place = tab.locator("#numbers th").all_inner_texts().index("mean")

    def means() -> list[float]:
        cells = tab.locator(f"#numbers tbody tr td:nth-child({place + 1})").all()
        return [float(cell.get_attribute("data-v") or "-inf") for cell in cells]

    before = means()
    assert before != sorted(before)
    head.locator("button").click()
    assert means() == sorted(before)
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").click()
    assert means() == sorted(before, reverse=True)
    tab.select_option("#part", "measure")
    shown = tab.locator("#numbers tbody tr:not([hidden])").count()
    assert 0 < shown < len(before)
    assert str(shown) in tab.locator("#count").inner_text()


def test_nothing_is_cut_off_in_print(opened: Any, study_file: Path) -> None:
    tab, _ = opened(study_file)
    tab.emulate_media(media="print")
    # what A4 has within its margins
    tab.set_viewport_size({"width": 660, "height": 900})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 660


def test_every_figure_can_be_taken_along(opened: Any, study_file: Path) -> None:
    tab, _ = opened(study_file)
    for ending in ("csv", "svg", "png"):
        link = tab.locator(f'figure a[download$=".{ending}"]').first
        with tab.expect_download() as download:
            link.click()
        assert download.value.suggested_filename.endswith(ending)
        assert Path(download.value.path()).stat().st_size > 50
