"""Counterfeits declared by hand: they make no broken promise look kept that anything else tells."""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from discreet import Transactions, rng, verify
from discreet.core.clusters import Clusters
from discreet.core.guarantees.clusters import SPreserving
from discreet.core.publication import LinkageKey
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
        assert str(verdict.witness).endswith("where 1 of them count as people")


def test_the_original_tells_which_rows_are_nobodys() -> None:
    release = claiming(tight([1, 0]), ["earlier"], SPreserving(r_th="1.4"))
    mine = Transactions.of([["a", "s"], ["a"], *[["b"], ["c"]] * 3], sensitive=["s"])
    verdict = verify(release, against=mine)
    assert verdict.holds is False
    assert "1 counterfeits as people that are declared" in verdict.parts[0].checked
    others = Transactions.of([["a", "s"], *[["b"], ["c"]] * 3], sensitive=["s"])
    believed = verify(release, against=others)
    assert believed.holds is True
    assert "as people" not in believed.parts[0].checked


def test_of_several_counterfeits_as_many_are_believed_as_rows_are_nobodys() -> None:
    release = claiming(tight([1, 2]), ["earlier"], SPreserving(r_th="4"))
    # one "a" and one "b" are nobody's
    mine = Transactions.of([["a", "s"], *[["b"], ["c"]] * 2, ["c"]], sensitive=["s"])
    verdict = verify(release, against=mine)
    assert verdict.holds is True
    assert "also with 1 counterfeits as people" in verdict.parts[0].checked


def test_the_key_tells_which_rows_are_nobodys() -> None:
    release = claiming(tight([1, 0]), ["earlier"], SPreserving(r_th="1.4"))
    rows = pl.DataFrame({"row": np.arange(8), "record": np.arange(8)})
    verdict = verify(release, key=LinkageKey({"rows": rows}))
    assert verdict.witness == (
        "cluster 0 declares 1 counterfeits, and by the key 0 of its rows are nobody's"
    )
    assert verify(release, key=LinkageKey({"rows": rows[1:]})).holds is True


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
