"""What a new release tells of earlier clusters, against their bounds."""

from fractions import Fraction

import numpy as np
import pytest

from discreet import Transactions, rng, verify
from discreet.core.clusters import Clusters
from discreet.core.itemsets import Itemsets
from discreet.series import Composition, Sanony
from discreet.series.evidence.overlaps import overlaps
from discreet.series.folder import publish_series
from discreet.series.republishing.earlier_clusters import EarlierClusters, whole_cells
from discreet.series.republishing.past import Past


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def earlier(kind: np.ndarray, copies: int, rate: tuple[int, int]) -> Past:
    """Return one release of one cluster that shows copies of a term s, if any."""
    sets = Itemsets.of([[str(number)] for number in kind])
    private = [ints(*([value] if copies else [])) for value in (0, 0, copies)]
    rates = [ints(*([value] if copies else [])) for value in rate]
    terms = ("s",) if copies else ()
    return Past(Clusters(sets, np.zeros_like(kind), terms, *private, ints(0), *rates), kind)


@pytest.mark.parametrize(("factor", "above"), [(5, False), (4, True)])
def test_only_what_is_above_the_bound_counts(factor: int, above: bool) -> None:
    # of ten with two copies eight come back with one: who left holds one with probability 1/2
    past = earlier(np.arange(10), 2, (1, 10))
    kind, cluster = np.arange(8), np.zeros(8, dtype=np.int64)
    over = overlaps((kind, cluster), (past.kind, past.content.cluster), 0, past.content.size)
    clusters = EarlierClusters([past], kind, cluster, Fraction(factor))
    assert clusters.above(over, "s", ints(8), ints(1)).tolist() == [above]
    assert clusters.above(over, "other", ints(8), ints(1)).tolist() == [False]


def test_all_releases_count_together() -> None:
    # each of two releases leaves two of six out of a cluster with one copy, not the same two
    past = earlier(np.arange(6), 1, (1, 6))
    second = earlier(ints(0, 1, 2, 3), 0, (1, 6))
    kind, cluster = ints(0, 1, 4, 7), np.zeros(4, dtype=np.int64)
    clusters = EarlierClusters([past, second], kind, cluster, Fraction(4))
    over = overlaps((kind, cluster), (past.kind, past.content.cluster), 0, past.content.size)
    # by the new release alone one in three is the holder, with the second only number 5 is left
    assert clusters.above(over, "s", ints(4), ints(0)).tolist() == [True]
    alone = EarlierClusters([past], kind, cluster, Fraction(4))
    assert alone.above(over, "s", ints(4), ints(0)).tolist() == [False]


def test_rows_of_a_corpus_by_the_others_that_hold_their_sets() -> None:
    cells = whole_cells([ints(0, 0, 1), ints(0, 2), ints(1)], 0)
    assert dict(cells) == {frozenset({0}): 1, frozenset(): 1, frozenset({1}): 1}


def test_common_sets_that_change_in_number_need_few_counterfeits() -> None:
    """Four sets that hundreds of people have each, and a term that one in twenty holds."""
    chance = np.random.default_rng(1)
    corpora = []
    for _ in range(3):
        sizes = 300 + chance.integers(-20, 20, 4)
        records = [
            [f"a{number}", *(["s"] if chance.random() < 0.05 else [])]
            for number, size in enumerate(sizes.tolist())
            for _ in range(size)
        ]
        corpora.append(Transactions.of(records, sensitive=["s"]))
    made = list(publish_series(Sanony(r_th=4, reserve=0), corpora, rng.seeded(1)))
    releases = [each.release for each in made]
    reports = [each.linkage_key.facts["report"] for each in made if each.linkage_key]
    assert all(report["withheld"] == 0 for report in reports)
    assert sum(report["counterfeits"] for report in reports) < 150
    assert verify(releases[-1], after=releases[:-1]).by_parts is True
    assert Composition(chains="none").attack(releases).summary["at_risk_exact"] == 0
    printed = publish_series(
        Sanony(r_th=4, reserve=0, settle="counterfeits"), corpora, rng.seeded(1)
    )
    asked = [each.linkage_key.facts["report"]["counterfeits"] for each in printed]
    assert sum(asked) > sum(report["counterfeits"] for report in reports)
