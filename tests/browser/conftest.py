from collections.abc import Iterator

import pytest

from tests.browser.running import Bench, Tab, opened


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """One workbench and one browser for all tests of a file."""
    with opened(tmp_path_factory.mktemp("workbench") / "bench") as made:
        yield made


@pytest.fixture
def tab(bench: Bench) -> Iterator[Tab]:
    """A new page, with the start of the workbench in it."""
    made = bench.tab()
    yield made
    made.page.close()
