"""Promises that any data keep as they are, and releases about too few people, end in no release."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from discreet import SocialNetwork, Transactions, rng
from discreet.core.guarantee import Guarantee, LDiversity, NTCloseness, TCloseness, TermDiversity
from discreet.core.release import Release
from discreet.counts import SparseHistogram
from discreet.generalised import Coherence, Disassociation, Km, Lkc
from discreet.networks import Dist, GpAsn, RhoM
from discreet.series import Anatomy, Anony, MInvariance, Sanony
from discreet.study import Evidence, examined, judged
from discreet.study.void_promises import people_in, promises_nothing
from discreet.tables import Incognito, RtAnonymity
from tests.samples import CIRCLE, PATIENTS, PATIENTS_WITH_SETS, PLAYLISTS

VOID: list[tuple[Any, Any]] = [
    (Km(k=1, m=2), PLAYLISTS),
    (Coherence(h=1, k=1, p=2), PLAYLISTS),
    (Lkc(c=1, k=1, l=2), PLAYLISTS),
    (Disassociation(k=1, m=1), PLAYLISTS),
    (RhoM(rho=1, known=2), PLAYLISTS),
    (Dist(rho=1), PLAYLISTS),
    (Anatomy(l=1), PLAYLISTS),
    (MInvariance(m=1), PLAYLISTS),
    (Anony(r_th=1000), PLAYLISTS),
    (Sanony(r_th=1000), PLAYLISTS),
    (Incognito(k=1), PATIENTS),
    (RtAnonymity(k=1, m=1), PATIENTS_WITH_SETS),
]
REAL: list[tuple[Any, Any]] = [
    (Km(k=2, m=1), PLAYLISTS),
    (Coherence(h="0.9", k=1, p=2), PLAYLISTS),
    (Lkc(c=1, k=2, l=1), PLAYLISTS),
    (Disassociation(k=2, m=1), PLAYLISTS),
    (RhoM(rho=1, known=2, strict=True), PLAYLISTS),
    (Dist(rho="0.9"), PLAYLISTS),
    (Anatomy(l="1.1"), PLAYLISTS),
    (MInvariance(m=2), PLAYLISTS),
    (Anony(r_th=2), PLAYLISTS),
    (GpAsn(rho="0.5", g_min=4), CIRCLE),
    (Incognito(k=2), PATIENTS),
    (RtAnonymity(k=2, m=1), PATIENTS_WITH_SETS),
]


def published(method: Any, data: Any) -> Release[Any]:
    return method.publish(data, rng.secure()).release


@pytest.mark.parametrize(("method", "data"), VOID, ids=lambda each: type(each).__name__)
def test_what_any_data_would_keep_is_no_promise(method: Any, data: Any) -> None:
    release = published(method, data)
    assert all(promises_nothing(claim, release) for claim in release.guarantees)


@pytest.mark.parametrize(("method", "data"), REAL, ids=lambda each: type(each).__name__)
def test_what_some_data_would_break_is_a_promise(method: Any, data: Any) -> None:
    release = published(method, data)
    assert not any(promises_nothing(claim, release) for claim in release.guarantees)


@pytest.mark.parametrize(
    ("claim", "void"),
    [
        (TCloseness(t=1), True),
        (TCloseness(t=1, own=(("pay", "0.5"),)), False),
        (NTCloseness(n=1, t="0.1"), True),
        (NTCloseness(n=2, t="0.1"), False),
        (LDiversity(l=1), True),
        (LDiversity(l=1, own=(("pay", 2),)), False),
        (LDiversity(l=1, kind="recursive", c=1), False),
        (LDiversity(l=1, kind="recursive", c="1.01"), True),
        (LDiversity(l=2, kind="recursive", c=9), False),
        (TermDiversity(l=Fraction(11, 10)), False),
    ],
)
def test_bounds_of_shares_and_distances(claim: Guarantee, void: bool) -> None:
    assert promises_nothing(claim, published(Incognito(k=2), PATIENTS)) is void


def judgement(method: Any, data: Any) -> Any:
    made = method.publish(data, rng.secure())
    key = made.linkage_key
    return judged(examined(made.release, Evidence(original=data, key=key)))


def test_an_audit_of_a_void_promise_asks_for_care() -> None:
    people = Transactions.of([["beer"]] * 40 + [["beer", "bread"]] * 40)
    words = "nothing is promised that not any data would keep as they are"
    assert words in {each.words for each in judgement(Km(k=1, m=2), people).reasons}
    assert words not in {each.words for each in judgement(Km(k=2, m=2), people).reasons}


def test_fewer_than_five_people_are_no_release() -> None:
    for people, level in ((4, "do not release"), (5, None)):
        data = Transactions.of([["beer", "bread"]] * people)
        told = judgement(Km(k=2, m=2), data)
        assert any("fewer than 5 people" in each.words for each in told.reasons) is bool(level)
        assert level in (None, told.level)


def test_people_are_counted_in_every_kind_of_release() -> None:
    assert people_in(published(Km(k=2, m=1), PLAYLISTS)) == len(PLAYLISTS)
    assert people_in(published(Disassociation(k=2, m=1), PLAYLISTS)) == len(PLAYLISTS)
    assert people_in(published(Incognito(k=2), PATIENTS)) == len(PATIENTS)
    assert people_in(published(GpAsn(rho="0.5", g_min=4), CIRCLE)) == len(CIRCLE)
    clusters = published(Anony(r_th=2), PLAYLISTS)
    assert people_in(clusters) == len(PLAYLISTS)
    declared = clusters.content.counterfeits + (clusters.content.size > 1)
    fewer = replace(clusters, content=replace(clusters.content, counterfeits=declared))
    assert people_in(fewer) == len(PLAYLISTS) - declared.sum()
    counts = SparseHistogram(epsilon=1, universe=("beer",))
    assert people_in(published(counts, Transactions.of([["beer"]] * 3, universe=("beer",)))) is None


def test_a_graph_of_few_people_is_no_release_either() -> None:
    few = SocialNetwork.of(PLAYLISTS[:4], [("person 0", "person 1")])
    assert judgement(GpAsn(rho="0.5", g_min=2), few).level == "do not release"
