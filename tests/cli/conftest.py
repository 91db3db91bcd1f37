from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from discreet.cli.root import root
from discreet.core.guarantee import DifferentialPrivacy, Guarantee, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from tests.cli.running import Run
from tests.releases import as_released

LEAKS = {("beer", "bread"): 5, ("bread",): 2}
"""Whoever holds beer holds bread."""
SAFE = {("bread",): 5, ("beer",): 3, (): 2}


@pytest.fixture
def run() -> Run:
    """Run ``discreet`` with these words and return how it ended."""
    return lambda *words: CliRunner().invoke(root, [str(word) for word in words])


@pytest.fixture
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep books in a store of the test's own."""
    monkeypatch.setenv("DISCREET_STORE", str(tmp_path / "store.db"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("DISCREET_PASSPHRASE", raising=False)


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    path = tmp_path / "baskets.dat"
    path.write_text("1 2\n" * 60 + "2\n" * 40 + "3\n" * 20)
    return path


@pytest.fixture
def released(tmp_path: Path) -> Callable[..., Path]:
    """Write a release of a histogram with these promises."""

    def write(
        counts: dict[tuple[str, ...], int], *promises: Guarantee, name: str = "release"
    ) -> Path:
        release = as_released(ItemsetHistogram.of(counts), *promises)
        return release.save(tmp_path / name)

    return write


@pytest.fixture
def leaking(released: Callable[..., Path]) -> Path:
    return released(LEAKS, NoAttributeLeakage(), DifferentialPrivacy(epsilon=1), name="leaking")


@pytest.fixture
def safe(released: Callable[..., Path]) -> Path:
    return released(SAFE, NoAttributeLeakage(), DifferentialPrivacy(epsilon=1), name="safe")


@pytest.fixture
def untold(released: Callable[..., Path]) -> Path:
    return released(SAFE, DifferentialPrivacy(epsilon=1), name="untold")
