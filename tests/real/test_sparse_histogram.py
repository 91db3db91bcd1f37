"""SparseHistogram on the papers' data; the expected figures are counts above the threshold."""

from pathlib import Path

import numpy as np
import pytest

from discreet import Transactions, rng, verify
from discreet.counts import AplFree, SparseHistogram

KEPT = {"bms1": (4, [353, 134, 13, 8]), "bms2": (3, [768, 40, 1])}
"""Largest size, and true itemsets of size 1, 2 ... whose true count reaches the threshold."""


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize("name", KEPT)
def test_about_what_reaches_the_threshold_is_kept(name: str) -> None:
    max_size, expected = KEPT[name]
    data = Transactions.read(f"dataset:{name}")
    method = SparseHistogram(epsilon=1, max_size=max_size, universe=data.universe, longer="drop")
    content = method.publish(data, rng.seeded(1)).release.content
    published = np.bincount(content.sets.sizes, minlength=max_size + 1)[1:]
    for size, (kept, count) in enumerate(zip(published, expected, strict=True), start=1):
        least = method.threshold(len(data.universe), size)
        reach = (data.folded.sets.sizes == size) & (data.folded.counts >= least)
        assert int(reach.sum()) == count
        # true counts about the threshold go either way, and five noise itemsets are expected
        assert abs(kept - count - 5) < 6 * np.sqrt(count + 5)


def test_msnbc_is_published_and_made_leak_free(data_folder: Path) -> None:
    data = Transactions.read(data_folder / "msnbc990928.seq.gz")
    method = SparseHistogram(epsilon=1, universe=data.universe)
    release = method.publish(data, rng.seeded(1)).release
    assert 2_400 < len(release.content) < 2_800
    true = data.folded.as_dict()
    noise = sum(held not in true for held in release.content.sets)
    assert noise < 17 * 5 + 6 * np.sqrt(17 * 5)
    assert verify(AplFree().publish(release, rng.seeded(1)).release).by_parts
