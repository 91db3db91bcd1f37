"""Nothing spells out the members of a block row by row: not to write, read, verify or measure."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet import Release, Transactions, verify
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantees.sets import KmAnonymity
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.generalised import FAMILY, SinglingOut
from tests.releases import as_released

PEOPLE, BLOCKS, MEMBERS = 600, 4, 5_000
"""Spelled out these are 12 million cells, 48 MB at four bytes each."""
MOST = 24 << 20
"""Bytes that may be taken at once on top of what is there."""


@pytest.fixture(scope="module")
def wide() -> tuple[Transactions, Release[GeneralisedSets], LinkageKey]:
    """Everybody holds nine members of each block, and each member is held by somebody."""
    names = tuple(f"{item:05d}" for item in range(BLOCKS * MEMBERS))
    blocks = tuple(names[block::BLOCKS] for block in range(BLOCKS))
    rows = np.arange(PEOPLE)
    member = (rows[:, None] * 9 + np.arange(9)) % MEMBERS
    held = np.sort((member[:, :, None] * BLOCKS + np.arange(BLOCKS)).reshape(PEOPLE, -1), axis=1)
    places = np.arange(PEOPLE + 1)
    data = Transactions(Itemsets(places * 9 * BLOCKS, held.ravel().astype(np.int32), names))
    shown = np.tile(np.arange(BLOCKS, dtype=np.int32), PEOPLE)
    content = GeneralisedSets.named(places * BLOCKS, shown, blocks)
    key = LinkageKey({"rows": pl.DataFrame({"row": rows, "record": rows})})
    return data, as_released(content, KmAnonymity(k=2, m=3), method="km-anonymity"), key


def most_taken(work: Callable[[], Any]) -> int:
    """Return the most bytes that were held at once by Python and numpy while something ran."""
    work()  # compiles, and fills what is kept
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_what_is_written_and_read_is_not_spelled_out(wide: Any, tmp_path: Path) -> None:
    _, release, _ = wide
    folder = release.save(tmp_path / "r")
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1 << 19
    assert most_taken(lambda: Release.load(folder)) < MOST
    assert most_taken(lambda: release.save(tmp_path / "r", force=True)) < MOST


def test_a_verifier_counts_blocks(wide: Any) -> None:
    _, release, _ = wide
    assert verify(release).holds is True
    assert most_taken(lambda: verify(release)) < MOST


MEASURES = [measure for measure in FAMILY.measures if GeneralisedSets in measure.contents]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_a_measure_counts_blocks(wide: Any, measure: Any) -> None:
    data, release, key = wide
    assert most_taken(lambda: measure(data, release, key)) < MOST


def test_an_attack_counts_blocks(wide: Any) -> None:
    _, release, _ = wide
    assert most_taken(lambda: SinglingOut().attack(release)) < MOST
