"""What is tried out before publishing, and what is done about a verdict of no, by clicks."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.browser.running import Tab

ILLNESSES = ("flu", "gout", "cold")


def _patients() -> str:
    """Return people whose age gives their illness away more often than not."""
    draw = random.Random(1)
    ages = [draw.randint(20, 49) for _ in range(300)]
    rows = [
        f"{age},{draw.choice(('north', 'south'))},"
        f"{ILLNESSES[age // 10 - 2] if draw.random() < 0.9 else draw.choice(ILLNESSES)}"
        for age in ages
    ]
    return "\n".join(["age,town,ill", *rows]) + "\n"


@pytest.fixture
def patients(tab: Tab, tmp_path: Path) -> Tab:
    """The page with the methods that fit a table of patients."""
    file = tmp_path / "patients.csv"
    file.write_text(_patients())
    tab.page.set_input_files("#file", file)
    tab.take("Use this file")
    tab.page.check("[name=kind][value=table]")
    tab.take("This is right, continue")
    for place, role in enumerate(("qid", "qid", "sensitive_attributes")):
        tab.page.check(f"#role-{place}-{role}", force=True)
    tab.take("This is right, continue")
    tab.take("This is right, continue")
    tab.page.goto(tab.page.url.replace("exposure", "goal"))
    tab.take("Which methods fit?")
    return tab


def test_the_lattice_and_the_curve_of_a_method_that_weighs_plans(patients: Tab) -> None:
    tab, page = patients, patients.page
    tab.take("Use incognito")
    tune = page.url
    page.goto(tune.replace("tune", "hierarchies/1"))
    page.check("input[value=intervals]")
    page.fill("[name='intervals.widths']", "5, 10")
    page.click("text=Make the tree")
    page.wait_for_selector("text=Every value is covered")
    page.goto(tune)
    tab.take("Compare them")
    tab.take("See the result")
    assert page.locator("h2:text-is('The options it chooses from') ~ table tbody tr").count() > 1
    weighed = page.locator("figure svg[aria-label*='Plans of table 1'], figure svg:has(title)")
    assert weighed.count() == 1
    found = [*tab.findings(), *tab.too_wide()]
    # nothing of what was tried stays but its picture
    assert not (tab.folder / "plans").exists()
    tab.take("Try")
    tab.take("See the result")
    assert page.locator("h2#curve ~ table tbody tr:has(td[data-h=Lost])").count() == 5
    assert page.locator("figure svg").count() == 2
    found += [*tab.findings(), *tab.too_wide()]
    page.fill("#f-k", "9")
    tab.take("Save")
    # what was weighed for another k is not shown for this one
    assert page.locator("figure svg").count() == 1
    assert (found, tab.faults) == ([], [])


def test_the_first_repair_is_one_click_away_and_helps(patients: Tab) -> None:
    tab, page = patients, patients.page
    tab.take("Use mondrian")
    tab.take("Continue with these values")
    tab.take("Publish")
    tab.take("See the result")
    tab.take("Continue to the verdict")
    assert page.locator(".verdict.no").count() == 1
    assert page.locator("button:text-is('Sign')").count() == 0
    found = [*tab.findings(), *tab.too_wide()]
    first = page.locator("form[action$=repair] button").first
    assert "Do that" in first.inner_text()
    with page.expect_navigation():
        first.click()
    tab.take("See the result")
    tab.take("Continue to the verdict")
    assert page.locator(".verdict.no").count() == 0
    assert page.locator("button:text-is('Sign')").count() == 1
    before, after = (_run(tab, number) for number in (1, 2))
    assert after["k"] > before["k"]
    assert (found, tab.faults) == ([], [])


def _run(tab: Tab, number: int) -> dict[str, Any]:
    manifest = tab.folder / f"run-{number}" / "release" / "manifest.json"
    parameters: dict[str, Any] = json.loads(manifest.read_text())["parameters"]
    return parameters
