"""The whole way in a real browser, from files to a signed release, for all five families."""

import random
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.browser.running import Bench, Tab

RIGHT = "This is right, continue"
ITEMS = ("rock", "jazz", "folk", "soul", "punk", "opera", "metal", "blues")


def _sets(people: int, seed: int, name: str = "p") -> str:
    draw = random.Random(seed)
    rows = [
        f"{name}{person},{item}"
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
        files=(("first", _sets(300, 1)), ("control", _sets(100, 3, "other"))),
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
            "[name=kind][value=table]", RIGHT, "#role-0-id", "#role-1-qid", "#role-2-qid",
            "#role-3-sensitive_attributes", RIGHT,
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
def test_from_files_to_a_signed_release(way: Way, tab: Tab, tmp_path: Path) -> None:
    page, found = tab.page, tab.findings()
    _bring(tab, way, tmp_path)
    for each in way.data:
        _choose(tab, each)
    found += tab.findings()
    tab.take(RIGHT)
    assert page.url.endswith("/exposure")
    tab.take("Count")
    tab.take("See the result")
    assert page.locator(".card svg").count() >= 1
    found += tab.findings()
    tab.take("Continue")
    for name, value in (each.split("=") for each in way.answers):
        page.check(f"[name={name}][value={value}]")
    tab.take("Which methods fit?")
    assert page.locator("section.card").count() in (2, 3)
    found += tab.findings()
    tab.take(f"Use {way.method}")
    found += tab.findings()
    _tune(tab, way)
    tab.take("Publish")
    tab.take("See the result")
    assert page.locator("h2:has-text('Your own counts')").count() == 1
    found += tab.findings()
    tab.take("Continue to the verdict")
    found += tab.findings()
    _sign(tab, way)
    assert (found, tab.faults) == ([], [])
    (packed,) = tab.folder.rglob("release.zip")
    names = zipfile.ZipFile(packed).namelist()
    assert any(name.endswith("manifest.json") for name in names)
    assert not any("owner" in name or "linkage" in name for name in names)


def _bring(tab: Tab, way: Way, folder: Path) -> None:
    for number, (part, text) in enumerate(way.files):
        file = folder / f"{number}.csv"
        file.write_text(text)
        tab.page.set_input_files("#file" if part == "first" else f"#f-{part}", file)
        if part == "first":
            tab.page.fill("#title", way.name)
            tab.take("Use this file")
        else:
            with tab.page.expect_navigation():
                tab.page.locator(f"form:has(#f-{part}) button").click()


def _choose(tab: Tab, what: str) -> None:
    """Go on, press a button, or tick what is named."""
    if what == RIGHT:
        tab.take(what)
    elif what.startswith("button"):
        tab.page.click(what)
    else:
        tab.page.check(what, force=True)


def _tune(tab: Tab, way: Way) -> None:
    for name, value in way.values.items():
        tab.page.fill(f"#f-{name}", value)
    if way.new_people:
        tab.page.fill("#new_people", f"people of {way.name}")
        tab.page.fill("#new_budget", "5")
    tab.take("Continue with these values")
    assert tab.page.url.endswith("/run")


def _sign(tab: Tab, way: Way) -> None:
    """Sign; a verdict of no is answered by its first repair, once."""
    if tab.page.locator(".verdict.no").count():
        with tab.page.expect_navigation():
            tab.page.locator("form[action$=repair] button").first.click()
        tab.take("See the result")
        tab.take("Continue to the verdict")
    tab.page.fill("#signatory", "Ada Example")
    if not way.new_people:
        tab.page.check("#first")
    tab.take("Sign")
    tab.take("See the result")
    tab.page.wait_for_selector("text=Download the release")


def test_closing_the_page_does_not_stop_the_work(bench: Bench, tmp_path: Path) -> None:
    tab = bench.tab()
    _bring(tab, WAYS[1], tmp_path)
    tab.take(RIGHT)
    address = tab.page.url
    tab.take("Count")
    tab.page.wait_for_selector(".work [aria-current]")
    tab.page.close()
    again = bench.tab(390)
    again.page.goto(address)
    again.take("See the result")
    assert again.page.locator(".card svg").count() >= 1
    assert (again.too_wide(), again.faults) == ([], [])
    again.page.close()
