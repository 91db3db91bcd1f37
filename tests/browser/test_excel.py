"""A workbook of Excel in a real browser: brought in by click, its columns given their roles."""

from pathlib import Path

import polars as pl
import pytest

from tests.browser.running import Tab


def test_a_workbook_is_brought_in_and_shown(tab: Tab, tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter", reason="nothing here writes Excel")
    book = tmp_path / "patients.xlsx"
    pl.DataFrame({"age": [30, 31, 30], "town": ["Ulm", "Bonn", "Ulm"], "ill": ["flu", "", "gout"]}
                 ).write_excel(book)  # fmt: skip
    page = tab.page
    page.set_input_files("input[type=file]", book)
    with page.expect_navigation():
        page.click("main form button")
    assert page.url.endswith("/data")
    shown = page.inner_text("main")
    assert all(each in shown for each in ("town", "Bonn", "gout"))
    assert "The column ill has 1 empty cell" in shown
    for place, role in enumerate(("qid", "qid", "sensitive_attributes")):
        page.click(f"label:has(#role-{place}-{role})")
    assert (tab.findings(), tab.too_wide(), tab.faults) == ([], [], [])
