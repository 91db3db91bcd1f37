"""Clusters that follow those of earlier releases."""

from fractions import Fraction

import numpy as np

from discreet import Transactions, rng
from discreet.series import Sanony
from discreet.series.clusters.public_order import numbered
from discreet.series.corpus import Corpus
from discreet.series.republishing.following import followed
from discreet.series.republishing.past import Past


def test_where_an_earlier_cluster_would_stand_alone_new_people_join_it() -> None:
    first = [["a", "s"], *[["a"]] * 11, *([f"n{n}"] for n in range(24))]
    second = [*[["a"]] * 8, *([f"m{n}"] for n in range(28))]
    before, now = (Transactions.of(part, sensitive=["s"]) for part in (first, second))
    release = Sanony(r_th=4, cluster_size=4).publish(before, rng.seeded(1)).release
    corpus = Corpus.of(now, {"s"})
    (number, old), _ = numbered([corpus.kinds[1], release.content.sets])
    past = [Past(release.content, old)]

    def beside(fill: tuple[Fraction, Fraction] | None) -> int:
        cluster = followed(corpus, number, past, 4, fill)
        [place] = [n for n, items in enumerate(corpus.kinds[1]) if items == ("a",)]
        return int(corpus.counts[cluster == cluster[place]].sum()) - 8

    assert beside(None) == 0
    # the earlier cluster of twelve shows one copy, and four of its people are gone
    assert beside((Fraction(4), Fraction(9, 10))) >= 1


def test_everyone_has_a_cluster_and_equal_sets_share_one() -> None:
    corpus = Corpus.of(Transactions.of([["a"], ["b", "s"], ["a"], ["c"]], sensitive=["s"]))
    cluster = followed(corpus, np.arange(3), [], 2)
    assert sorted(set(cluster.tolist())) == list(range(int(cluster.max()) + 1))
