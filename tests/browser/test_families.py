"""The whole way in a real browser, from files to a signed release, for all five families."""

import random
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.browser.running import CHROMIUM, NEEDS_CHROMIUM, Bench, serving

pytestmark = NEEDS_CHROMIUM
ITEMS = ("rock", "jazz", "folk", "soul", "punk", "opera", "metal", "blues")


def _sets(people: int, seed: int) -> str:
    draw = random.Random(seed)
    rows = [
        f"p{person},{item}"
        for person in range(people)
        for item in sorted(draw.sample(ITEMS, draw.choice([1, 2, 2])))
    ]
    return "\n".join(["id,item", *rows]) + "\n"


def _table(people: int) -> str:
    draw = random.Random(1)
    rows = [
        f"p{person},{draw.randint(20, 29)},{draw.choice('fm')},{draw.choice(('flu', 'gout'))}"
        for person in range(people)
    ]
    return "\n".join(["name,age,sex,ill", *rows]) + "\n"


def _friends(people: int) -> str:
    pairs = [f"p{person},p{(person + 1) % people}" for person in range(people)]
    return "\n".join(["source,target", *pairs]) + "\n"


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """One workbench and one browser for all ways."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    root = tmp_path_factory.mktemp("workbench") / "bench"
    with serving(root) as address, api.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        made = Bench(root, address.split("?")[0], opened.new_context())
        made.tab(1280).goto(address)
        yield made
        opened.close()


@dataclass(frozen=True, kw_only=True)
class Way:
    """What a person has, and what they click and type on the way."""

    name: str
    files: tuple[tuple[str, str], ...]
    """The first file, and further ones by what they are."""
    data: tuple[str, ...] = ()
    """What is clicked under Data."""
    answers: tuple[str, ...] = ()
    method: str
    values: dict[str, str] = field(default_factory=dict)
    new_people: bool = False


WAYS = (
    Way(
        name="counts",
        files=(("first", _sets(300, 1)),),
        data=("button:text-is('all')",),
        answers=("secret=everything",),
        method="counts",
        new_people=True,
    ),
    Way(
        name="generalised",
        files=(("first", _sets(60, 1)),),
        answers=("readers=researchers",),
        method="km-anonymity",
        values={"k": "3", "m": "2"},
    ),
    Way(
        name="tables",
        files=(("first", _table(200)),),
        data=(
            "[name=kind][value=table]", "GO", "#role-0-id", "#role-1-qid", "#role-2-qid",
            "#role-3-sensitive_attributes", "GO",
        ),
        answers=("secret=values",),
        method="l-diversity",
        values={"k": "20", "l": "2"},
    ),
    Way(
        name="series",
        files=(("first", _sets(60, 1)), ("later", _sets(70, 2))),
        data=("[name=sensitive][value=opera]", "[name=sensitive][value=punk]"),
        answers=("secret=values", "times=yearly"),
        method="sanony",
        values={"r_th": "5"},
        new_people=True,
    ),
    Way(
        name="networks",
        files=(("first", _sets(60, 1)), ("edges", _friends(60))),
        data=("[name=sensitive][value=opera]",),
        answers=("secret=values",),
        method="gp-asn",
        values={"rho": "0.5"},
    ),
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_from_files_to_a_signed_release(way: Way, workbench: Bench, tmp_path: Path) -> None:
    tab = workbench.tab(1280)
    _bring(tab, workbench.home, way, tmp_path)
    for each in way.data:
        _take(tab, each)
    _go(tab)
    tab.wait_for_url("**/exposure")
    tab.click("main >> button:text-is('Count')")
    tab.click("text=See what came of it")
    assert tab.locator(".card svg").count() >= 1
    tab.click("text=Go on")
    for name, value in (each.split("=") for each in way.answers):
        tab.check(f"[name={name}][value={value}]")
    tab.click("text=Which methods fit?")
    assert tab.locator("section.card").count() in (2, 3)
    tab.click(f"text=Take {way.method}")
    _tune(tab, way)
    tab.click("main >> button:text-is('Publish')")
    tab.click("text=See what came of it")
    assert tab.locator("h2:has-text('Your own counts')").count() == 1
    tab.click("text=Go on to the verdict")
    _sign(tab, way)
    assert workbench.faults == []
    folder = workbench.root / re.search(r"/p/(\w+)/", tab.url)[1]  # type: ignore[index]
    (packed,) = folder.rglob("release.zip")
    names = zipfile.ZipFile(packed).namelist()
    assert any(name.endswith("manifest.json") for name in names)
    assert not any("owner" in name or "linkage" in name for name in names)
    tab.close()


def _bring(tab: Any, home: str, way: Way, folder: Path) -> None:
    tab.goto(home)
    for number, (part, text) in enumerate(way.files):
        file = folder / f"{number}.csv"
        file.write_text(text)
        tab.set_input_files("#file" if part == "first" else f"#f-{part}", file)
        if part == "first":
            tab.fill("#title", way.name)
            tab.click("text=Take this file")
        else:
            # the address stays the same, so that only its words tell that the file is there
            tab.locator(f"form:has(#f-{part}) button").click()
            tab.wait_for_selector("text=Take it out")
        tab.wait_for_url("**/data")


def _take(tab: Any, what: str) -> None:
    """Go on, press a button, or tick what is named."""
    if what == "GO":
        _go(tab)
    elif what.startswith("button"):
        tab.click(what)
    else:
        tab.check(what, force=True)


def _go(tab: Any) -> None:
    tab.click("text=This is right, go on")
    tab.wait_for_load_state("load")


def _tune(tab: Any, way: Way) -> None:
    tab.wait_for_url("**/tune")
    for name, value in way.values.items():
        tab.fill(f"#f-{name}", value)
    if way.new_people:
        tab.click("summary:text-is('New people')")
        tab.fill("#new_people", f"people of {way.name}")
        tab.fill("#new_budget", "5")
    tab.click("text=Go on with these values")
    tab.wait_for_url("**/run")


def _sign(tab: Any, way: Way) -> None:
    """Sign; a verdict of no is answered by its first repair, once."""
    tab.wait_for_url("**/sign")
    if tab.locator(".verdict.no").count():
        tab.locator("form[action$=repair] button").first.click()
        tab.wait_for_url("**/run")
        tab.click("text=See what came of it")
        tab.click("text=Go on to the verdict")
        tab.wait_for_url("**/sign")
    tab.fill("#signatory", "Ada Example")
    if not way.new_people:
        tab.check("[name=first]")
    tab.click("main >> button:text-is('Sign')")
    tab.click("text=See what came of it")
    tab.wait_for_selector("text=Take the release")


def test_closing_the_page_does_not_stop_the_work(workbench: Bench, tmp_path: Path) -> None:
    way = WAYS[1]
    tab = workbench.tab(1280)
    _bring(tab, workbench.home, way, tmp_path)
    _go(tab)
    address = tab.url.removesuffix("/exposure")
    tab.click("main >> button:text-is('Count')")
    tab.wait_for_selector(".work [aria-current]")
    tab.close()
    again = workbench.tab(390)
    again.goto(f"{address}/exposure")
    again.click("text=See what came of it")
    assert again.locator(".card svg").count() >= 1
    assert again.evaluate("document.documentElement.scrollWidth") <= 390
    again.close()
