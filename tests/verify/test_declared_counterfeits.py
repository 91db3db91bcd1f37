"""Counterfeits declared by hand: they make no broken promise look kept that anything else tells."""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from discreet import Transactions, rng, verify
from discreet.core.clusters import Clusters
from discreet.core.guarantees.clusters import SPreserving
from discreet.core.publication import LinkageKey
from discreet.core.truth import with_truth
from discreet.series import Anony, Sanony
from tests.verify.test_series import claiming


def tight(declared: list[int]) -> Clusters:
    """A cluster of two with a copy beside one in the bag: above 2 times the rate, unless fakes."""
    content = Clusters.of(
        [([["a"], ["a"]], {"s": 1}), ([["b"], ["c"]] * 3, {"s": 1})], bag={"s": 2}
    )
    return replace(content, counterfeits=np.array(declared))


def test_inflated_counterfeits_can_make_a_broken_promise_look_kept() -> None:
    claim = SPreserving(r_th="1.4")
    broken = claiming(tight([0, 0]), ["earlier"], claim)
    assert verify(broken).holds is False
    # this is what the file alone cannot tell, docs/soundness 003-19
    assert verify(claiming(tight([1, 0]), ["earlier"], claim)).holds is True


def test_a_release_that_follows_none_gains_nothing_by_counterfeits() -> None:
    claim = SPreserving(r_th="1.4")
    first = claiming(tight([1, 0]), [], claim)
    alone = replace(first, manifest=replace(first.manifest, follows=None))
    for release in (first, alone):
        verdict = verify(release)
        assert verdict.holds is False
        said = "where 1 counterfeits count as people that are declared"
        assert str(verdict.witness).endswith(said)


def test_the_original_tells_which_rows_are_nobodys() -> None:
    release = claiming(tight([1, 0]), ["earlier"], SPreserving(r_th="1.4"))
    mine = Transactions.of([["a", "s"], ["a"], *[["b"], ["c"]] * 3], sensitive=["s"])
    verdict = verify(release, against=mine)
    assert verdict.holds is False
    assert "1 counterfeits count as people that are declared" in verdict.parts[0].checked
    others = Transactions.of([["a", "s"], *[["b"], ["c"]] * 3], sensitive=["s"])
    believed = verify(release, against=others)
    assert believed.holds is True
    assert "count as people" not in believed.parts[0].checked


def test_of_several_counterfeits_as_many_are_believed_as_rows_are_nobodys() -> None:
    release = claiming(tight([1, 2]), ["earlier"], SPreserving(r_th="4"))
    # one "a" and one "b" are nobody's
    mine = Transactions.of([["a", "s"], *[["b"], ["c"]] * 2, ["c"]], sensitive=["s"])
    verdict = verify(release, against=mine)
    assert verdict.holds is True
    assert "also where 1 counterfeits count as people" in verdict.parts[0].checked


def test_the_key_tells_which_rows_are_nobodys() -> None:
    release = claiming(tight([1, 0]), ["earlier"], SPreserving(r_th="1.4"))
    rows = pl.DataFrame({"row": np.arange(8), "record": np.arange(8)})
    verdict = verify(release, key=LinkageKey({"rows": rows}))
    assert verdict.witness == (
        "cluster 0 declares 1 counterfeits, and by the key 0 of its rows are nobody's"
    )
    assert verify(release, key=LinkageKey({"rows": rows[1:]})).holds is True
    # a row behind the last is none of this release
    further = pl.DataFrame({"row": np.arange(1, 9), "record": np.arange(8)})
    assert verify(release, key=LinkageKey({"rows": further})).holds is True


def test_of_counterfeits_alone_no_promise_is_kept() -> None:
    verdict = verify(claiming(tight([2, 6]), ["earlier"], SPreserving(r_th="1.4")))
    assert verdict.witness == "all rows are declared to be counterfeits"


def corpora() -> list[Transactions]:
    draw = np.random.default_rng(5)
    pool = [
        [f"i{n}" for n in np.flatnonzero(draw.random(6) < 0.4)]
        + [term for term in ("s", "t") if draw.random() < 0.15]
        for _ in range(90)
    ]
    return [
        Transactions.of(pool[first : first + 60], sensitive=["s", "t"]) for first in (0, 15, 30)
    ]


def test_true_counterfeits_are_believed() -> None:
    releases: list[Any] = []
    declared = 0
    for corpus in corpora():
        method = Sanony(r_th=3, cluster_size=6, settle="counterfeits", after=tuple(releases))
        made = method.publish(corpus, rng.seeded(3))
        declared += int(made.release.content.counterfeits.sum())
        with_both = verify(
            made.release, against=corpus, after=releases, key=made.linkage_key
        ).by_parts
        assert with_both is True
        releases.append(made.release)
    assert declared > 0


def test_one_more_declared_counterfeit_is_told_by_the_key_of_the_method() -> None:
    corpus = corpora()[0]
    made = Anony(r_th=3, cluster_size=6).publish(corpus, rng.seeded(3))
    content = made.release.content
    more = content.counterfeits.copy()
    more[0] += 1
    changed = replace(made.release, content=replace(content, counterfeits=more))
    assert verify(changed, key=made.linkage_key).holds is False


def rated(people: int) -> Clusters:
    """A cluster of five with all three copies, beside one of fifteen with none."""
    content = Clusters.of([([["a"]] * 5, {"s": 3}), ([["b"], ["c"], ["d"]] * 5, {})])
    return replace(content, rate_num=np.array([3]), rate_den=np.array([people]))


def test_larger_rates_can_make_a_broken_promise_look_kept() -> None:
    claim = SPreserving(r_th=2)
    assert verify(claiming(rated(20), ["earlier"], claim)).holds is False
    # counterfeits that are not declared may be why, docs/soundness 003-19
    assert verify(claiming(rated(10), ["earlier"], claim)).holds is True


def test_the_rates_of_a_release_that_follows_none_are_of_all_its_rows() -> None:
    for follows in ([], None):
        release = claiming(rated(10), [], SPreserving(r_th=2))
        release = replace(release, manifest=replace(release.manifest, follows=follows))
        verdict = verify(release)
        assert verdict.holds is False
        assert str(verdict.witness).endswith("where rates are of 20 people at least")
    assert verify(claiming(rated(20), [], SPreserving(r_th=4))).holds is True


def test_the_original_tells_of_how_many_people_rates_are() -> None:
    release = claiming(rated(10), ["earlier"], SPreserving(r_th=2))
    everybody = [["a"]] * 5 + [["b"], ["c"], ["d"]] * 5
    assert verify(release, against=Transactions.of(everybody, sensitive=["s"])).holds is False
    half = [["a"]] * 5 + [["b"], ["c"], ["d"]] + [["b"], ["c"]]
    assert verify(release, against=Transactions.of(half, sensitive=["s"])).holds is True


def test_counterfeits_that_are_declared_do_not_make_rates_larger() -> None:
    content = replace(rated(10), counterfeits=np.array([0, 5]))
    release = claiming(content, ["earlier"], SPreserving(r_th=2))
    mine = Transactions.of([["a"]] * 5 + [["b"], ["c"], ["d"]] * 3 + [["b"]], sensitive=["s"])
    verdict = verify(release, against=mine)
    assert verdict.holds is False
    assert str(verdict.witness).endswith("where rates are of 20 people at least")


def test_releases_with_counterfeits_have_the_rates_that_are_believed() -> None:
    releases: list[Any] = []
    for corpus in corpora():
        made = Sanony(r_th=2, cluster_size=6, after=tuple(releases)).publish(corpus, rng.seeded(3))
        verdict = verify(made.release, against=corpus, after=releases, key=made.linkage_key)
        assert verdict.by_parts is True
        assert "also where" not in "".join(part.checked for part in verdict.parts)
        releases.append(made.release)


def test_a_key_names_the_rows_of_the_last_release_only() -> None:
    claim = SPreserving(r_th="1.4")
    people = Transactions.of([["a", "s"], *[["b"], ["c"]] * 3], sensitive=["s"])
    first, later = (claiming(tight(fakes), ["earlier"], claim) for fakes in ([1, 0], [0, 0]))

    def key_of(real: list[int]) -> LinkageKey:
        return LinkageKey({"rows": pl.DataFrame({"row": real, "record": range(len(real))})})

    mine = with_truth(key_of([1, 2, 3, 4, 5, 6, 7]), people, first, {})
    assert verify(first, key=mine).holds is True
    # sanony reads the key of the series and writes it anew: its rows are those of the last release
    anew = with_truth(key_of(list(range(8))), people, later, {}, mine)
    assert verify(first, key=anew).holds is True
    assert verify(first, key=with_truth(key_of(list(range(8))), people, first, {})).holds is False
