"""A series of BMS-WebView-2: the promise holds, and few counterfeits are needed."""

import pytest

from discreet import Release, Transactions, rng, verify
from discreet.core.clusters import Clusters
from discreet.series import Sanony
from discreet.series.segen import SeGen


@pytest.mark.usefixtures("data_folder")
def test_a_tenth_of_bms2_three_times_over() -> None:
    data = Transactions.read("dataset:bms2")
    after: tuple[Release[Clusters], ...] = ()
    for corpus in SeGen(sample="0.1", corpora=3).make(data, rng.seeded(1)).corpora:
        made = Sanony(r_th=8, after=after).publish(corpus, rng.seeded(2))
        assert verify(made.release, after=after).by_parts is True
        assert made.linkage_key.facts["report"]["counterfeits"] < 0.04 * len(corpus)
        after = (*after, made.release)
