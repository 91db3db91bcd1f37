"""Series of real click streams: releases that are safe alone are not together, Sanony's are."""

from pathlib import Path

import pytest

from discreet import Transactions, rng
from discreet.series import (
    Anatomy,
    Anony,
    Composition,
    MInvariance,
    Sanony,
    Victim,
    cluster_measures,
    score_series,
)
from discreet.series.folder import publish_series
from discreet.series.segen import SeGen, Serial


@pytest.fixture(scope="module")
def made(data_folder: Path) -> Serial:
    assert data_folder.exists()
    data = Transactions.read("dataset:bms2")
    return SeGen(sample="0.02").make(data, rng.seeded(3))


@pytest.mark.parametrize("method", [Anony(r_th=8), Anatomy(l=2), MInvariance(m=2)])
def test_releases_that_are_safe_alone_are_not_together(made: Serial, method: object) -> None:
    published = list(publish_series(method, made.corpora, rng.seeded(4)))
    releases = [each.release for each in published]
    found = Composition(r_th=8).attack(releases, Victim())
    assert found.summary["at_risk_exact"]
    score = score_series(found, made.corpora, releases, [each.linkage_key for each in published])
    assert score.success.low > 3 * score.baseline.high


def test_sanony_leaves_nobody_at_risk(made: Serial) -> None:
    published = list(publish_series(Sanony(r_th=8), made.corpora[:3], rng.seeded(4)))
    # what chains of releases tell is promised only where that is asked for
    attack = Composition(chains="none")
    found = attack.attack([each.release for each in published], Victim())
    assert found.claims == ()
    for name in ("at_risk_exact", "at_risk_transitive", "at_risk_global"):
        assert found.summary[name] == 0
    told = cluster_measures(made.corpora[2], published[2].release, key=published[2].linkage_key)
    assert 0 < told["private terms seen in clusters"] <= told["private terms"]
    assert told["perturbation rate"] < 0.5
