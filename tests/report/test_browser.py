"""The pages in a real browser: on a desk, on a phone, in the dark and on paper."""

import os
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from discreet import rng
from discreet.counts import DiffPart
from discreet.generalised import Km
from discreet.networks import GpAsn
from discreet.papers.figure import row_of, table_of
from discreet.papers.index import compared_claims
from discreet.report import audit_page, audit_record, reproduction_page, study_page, write_page
from discreet.risk import Population
from discreet.series import Sanony
from discreet.study import Evidence, examined, studied
from discreet.study.file import study_of
from discreet.tables import CodipStar
from tests import samples

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


KINDS = (DiffPart, Km, CodipStar, Sanony, GpAsn)
"""One method of each family."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, study_file: Path) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("audits")
    found = {"study": study_file, "papers": write_page(folder / "papers.html", papers_page())}
    for kind in KINDS:
        method, data = samples.PUBLISHERS[kind]
        publication = method.publish(data, rng.seeded(5))
        evidence = Evidence(original=data, key=publication.linkage_key, population=Population())
        seen = examined(publication.release, evidence)
        occasion = {"date": "2026-11-15", "recipient": "a university", "purpose": "research"}
        files = {"manifest.json": "ab" * 32}
        record = audit_record(seen, evidence, files, owner=True, occasion=occasion)
        path = folder / f"{kind.__name__}.html"
        found[kind.__name__] = write_page(path, audit_page(record, seen, evidence))
    return found


def papers_page() -> str:
    shown = {"data": "msnbc", "epsilon": 1.0, "fan_out": 2, "low": 0.1, "high": 0.3}
    rows = [
        row_of("diff-part", "P(APL for the target)", value, 0.92) | shown
        for value in (0.3, 0.2, 0.9)
    ]
    return reproduction_page(compared_claims({"aplkiller": [table_of("figure-3", rows)]}))


NAMES = ("study", "papers", *(kind.__name__ for kind in KINDS))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_asks_for_nothing_and_is_well_built(
    opened: Any, pages: dict[str, Path], name: str
) -> None:
    tab, faults = opened(pages[name])
    assert faults == []
    assert tab.locator("h1").count() == 1
    assert tab.locator("html").get_attribute("lang") == "en"
    assert tab.title()
    for picture in tab.locator("svg").all():
        hidden = picture.get_attribute("aria-hidden") == "true"
        assert hidden or picture.locator("title").first.text_content()
        assert hidden or picture.get_attribute("role") == "img"
    levels = [
        int(each.evaluate("each => each.tagName[1]")) for each in tab.locator("h1,h2,h3").all()
    ]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert tab.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)") == list(
        dict.fromkeys(tab.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)"))
    )


@pytest.mark.parametrize("name", NAMES)
def test_nothing_has_to_be_scrolled_sideways(
    opened: Any, pages: dict[str, Path], name: str
) -> None:
    tab, _ = opened(pages[name])
    for width in (1100, 768, 390):
        tab.set_viewport_size({"width": width, "height": 844})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
    small = tab.evaluate(
        """[...document.querySelectorAll('svg text')].map(text => {
            const svg = text.ownerSVGElement;
            return 13 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width })"""
    )
    # letters of a picture stay readable on a phone
    assert all(size >= 9.5 for size in small)


@pytest.mark.parametrize("name", NAMES)
def test_words_in_pictures_are_not_cut(opened: Any, pages: dict[str, Path], name: str) -> None:
    tab, _ = opened(pages[name])
    outside = tab.evaluate(
        """[...document.querySelectorAll('svg text')].filter(text => {
            const box = text.getBBox(), view = text.ownerSVGElement.viewBox.baseVal;
            return box.x < -1 || box.x + box.width > view.width + 1 || box.y < -1
                || box.y + box.height > view.height + 3 }).map(text => text.textContent)"""
    )
    assert outside == []


@pytest.mark.parametrize("name", NAMES)
def test_the_dark_is_dark(browser: Any, pages: dict[str, Path], name: str) -> None:
    def seen(scheme: str) -> tuple[str, str]:
        tab = browser.new_page(color_scheme=scheme)
        tab.goto(pages[name].as_uri())
        style = "getComputedStyle(document.body)"
        return tab.evaluate(f"[{style}.backgroundColor, {style}.color]")

    (day, ink), (night, light) = seen("light"), seen("dark")
    assert day == "rgb(255, 255, 255)"
    assert night != day
    assert light != ink


@pytest.mark.parametrize("name", NAMES)
def test_paper_cuts_no_picture(opened: Any, pages: dict[str, Path], name: str) -> None:
    tab, _ = opened(pages[name])
    tab.emulate_media(media="print", color_scheme="dark")
    # what A4 has within its margins
    tab.set_viewport_size({"width": 672, "height": 1000})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 672
    kept = tab.evaluate(
        "[...document.querySelectorAll('figure, .card, .verdict, tr')]"
        ".map(each => getComputedStyle(each).breakInside)"
    )
    assert set(kept) <= {"avoid"}
    high = tab.evaluate(
        "[...document.querySelectorAll('figure svg, .card, .verdict')]"
        ".map(each => each.getBoundingClientRect().height)"
    )
    assert all(each < 1000 for each in high)
    # ink on white, whatever the screen likes
    assert tab.evaluate("getComputedStyle(document.body).color") == "rgb(27, 36, 48)"
    assert tab.pdf(format="A4").startswith(b"%PDF")


def test_the_verdict_is_on_the_first_screen(opened: Any, pages: dict[str, Path]) -> None:
    tab, _ = opened(pages["Km"])
    assert tab.locator(".verdict strong").inner_text() == "Do not release"
    assert tab.locator(".verdict").bounding_box()["y"] < 500
    assert tab.locator("text=What you can do about it").bounding_box()["y"] < 900
    assert tab.locator("td svg.strip").count() >= 1


def test_a_table_of_claims_sorts_and_filters(opened: Any, pages: dict[str, Path]) -> None:
    tab, _ = opened(pages["papers"])
    head = tab.locator("#numbers th", has_text="ours")
    place = tab.locator("#numbers th").all_inner_texts().index("ours")

    def ours() -> list[float]:
        cells = tab.locator(f"#numbers tbody tr td:nth-child({place + 1})").all()
        return [float(cell.get_attribute("data-v") or "-inf") for cell in cells]

    before = ours()
    assert before != sorted(before)
    head.locator("button").click()
    assert ours() == sorted(before)
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").click()
    assert ours() == sorted(before, reverse=True)
    tab.locator("#words").fill("nothing of the kind")
    assert tab.locator("#numbers tbody tr:not([hidden])").count() == 0
    assert "0 of 3" in tab.locator("#count").inner_text()


def test_a_study_is_a_few_screens(opened: Any, pages: dict[str, Path]) -> None:
    tab, _ = opened(pages["study"])
    assert tab.evaluate("document.documentElement.scrollHeight") < 4 * 900


def test_every_figure_can_be_taken_along(opened: Any, study_file: Path) -> None:
    tab, _ = opened(study_file)
    for ending in ("csv", "svg"):
        link = tab.locator(f'figure a[download$=".{ending}"]').first
        with tab.expect_download() as download:
            link.click()
        assert download.value.suggested_filename.endswith(ending)
        assert Path(download.value.path()).stat().st_size > 50
