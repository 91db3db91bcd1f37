"""The whole way without a mouse, every screen looked at by axe-core and on a phone."""

import zipfile
from typing import Any

from tests.browser.walk import WALK


def test_from_data_to_a_signed_release_by_keyboard(tab: Any) -> None:
    found = []

    def press(words: str) -> None:
        tab.page.wait_for_selector(f"main :is(a, button):text-is({words!r})")
        found.extend([*tab.findings(), *tab.too_wide()])
        tab.press(words)

    for words in WALK:
        press(words)
    tab.reach("signatory")
    tab.page.keyboard.type("Ada Example")
    tab.press("first", "Space", leads_on=False)
    press("Sign")
    press("See the result")
    tab.reach("Download the release (zip)")
    found.extend([*tab.findings(), *tab.too_wide()])
    assert (found, tab.faults) == ([], [])
    assert "Results" in tab.page.locator("nav li.done").all_inner_texts()[-1]
    packed = tab.folder / "run-1" / "release.zip"
    names = set(zipfile.ZipFile(packed).namelist())
    assert {"release/manifest.json", "certificate.pdf", "certificate.pdf.sig"} <= names
    assert not any("owner" in name or "key" in name for name in names)
    choices = tab.folder / "run-1" / "owner" / "choices.json"
    assert '"method": "km-anonymity"' in choices.read_text()
