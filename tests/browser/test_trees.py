"""Trees, constraints and comparisons in a real browser: by keyboard, by mouse, on a phone."""

from typing import Any

import pytest

from discreet import Hierarchy


@pytest.fixture
def project(tab: Any) -> str:
    """The address of a project with made-up data."""
    tab.take("Try it with made-up data")
    return str(tab.page.url).removesuffix("/data")


def test_a_tree_is_built_and_changed_by_keyboard(tab: Any, project: str) -> None:
    page = tab.page
    page.goto(f"{project}/hierarchies/1")
    found = tab.findings()
    tab.press("Make the tree", leads_on=False)
    page.wait_for_selector("text=Every value is covered")
    found += [*tab.findings(), *tab.too_wide()]
    box = page.locator("#tree input[value='aspirin']")
    while not box.evaluate("each => each === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    page.focus("#t-name")
    page.keyboard.type("for a cold")
    page.keyboard.press("Enter")
    page.wait_for_selector("#tree details[data-name='for a cold']")
    file = tab.folder / "hierarchy-1.csv"
    assert Hierarchy.read(file).leaves("for a cold") == ("aspirin", "cough syrup")
    page.locator("#t-level").focus()
    page.keyboard.press("End")
    page.wait_for_selector("#preview th:text('On level 2')")
    found += tab.findings()
    assert (found, tab.faults) == ([], [])


def test_a_name_is_dragged_onto_a_group(tab: Any, project: str) -> None:
    page = tab.page
    # all of the tree in sight: the mouse presses where it was before a page scrolls
    page.set_viewport_size({"width": 1200, "height": 2400})
    page.goto(f"{project}/hierarchies/1")
    page.check("input[value=from-data]")
    page.click("text=Make the tree")
    page.wait_for_selector("#tree")
    file = tab.folder / "hierarchy-1.csv"
    tree = Hierarchy.read(file)
    groups = [name for name in tree.names if name.startswith("cluster")]
    group, other = [name for name in groups if "soap" not in tree.leaves(name)][:2]
    page.click(f"details[data-name='{other}'] > summary")
    page.drag_and_drop("#tree label:has(input[value='soap'])",
                       f"#tree label:has(input[value='{group}'])")  # fmt: skip
    page.wait_for_selector(f"#tree li:has(> label > input[value='{group}']) input[value='soap']")
    assert Hierarchy.read(file).parent("soap") == group
    # what was closed before stays closed
    assert page.locator(f"details[data-name='{other}']:not([open])").count() == 1
    assert tab.faults == []


def test_methods_are_compared_and_drawn_as_they_come_in(tab: Any, project: str) -> None:
    page = tab.page
    page.goto(f"{project}/compare")
    found = [*tab.findings(), *tab.too_wide()]
    page.check("input[value=km-anonymity]")
    for name, value in (("k.least", "2"), ("k.most", "10"), ("m.least", "1"), ("m.most", "2")):
        page.locator(f"[name='{name}']").fill(value)
    for name in ("k.count", "m.count"):
        page.fill(f"[name='{name}']", "2")
    page.click("main button:text-is('Compare')")
    page.wait_for_selector("text=Take the study (zip)")
    assert page.locator(".plots svg").count() >= 3
    page.wait_for_selector("text=4 of 4 releases")
    found += [*tab.findings(), *tab.too_wide()]
    assert (found, tab.faults) == ([], [])


@pytest.mark.parametrize(
    "step", ["hierarchies", "constraints/privacy", "constraints/utility", "like"]
)
def test_every_further_screen_is_for_everybody(tab: Any, project: str, step: str) -> None:
    tab.page.goto(f"{project}/{step}")
    assert "nothing leaves it" in tab.page.inner_text("header")
    assert (tab.findings(), tab.too_wide(), tab.faults) == ([], [], [])
