"""What `make serve` opens, on a phone: from the made-up data to a signed release."""

import zipfile
from collections.abc import Iterator

import pytest

from tests.browser.running import Bench, Tab, opened
from tests.browser.walk import WALK


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with opened(tmp_path_factory.mktemp("workbench") / "bench", "--example") as made:
        yield made


def _in_sight(tab: Tab) -> bool:
    place = tab.page.locator("nav [aria-current=step]").bounding_box()
    return bool(place and place["x"] >= 0 and place["x"] + place["width"] <= 390)


def test_from_the_example_to_a_signed_release_on_a_phone(bench: Bench) -> None:
    tab = bench.tab(390)
    found = tab.too_wide()
    for words in ("Example: baskets of a pharmacy", *WALK[1:]):
        tab.take(words)
        found += tab.too_wide()
        assert _in_sight(tab), f"the step after {words} is not seen among the steps"
    tab.page.fill("#signatory", "Ada Example")
    tab.page.check("#first")
    tab.take("Sign")
    tab.take("See the result")
    found += tab.too_wide()
    with tab.page.expect_download() as taken:
        tab.page.click("text=Download the release")
    assert (found, tab.faults) == ([], [])
    names = set(zipfile.ZipFile(taken.value.path()).namelist())
    assert {"release/manifest.json", "certificate.pdf", "certificate.pdf.sig"} <= names
