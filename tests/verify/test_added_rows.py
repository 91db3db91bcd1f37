"""Releases with more rows than people: whoever added them made everybody look less alone."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from discreet import Microdata, SocialNetwork, Transactions, rng, verify
from discreet.core.guarantee import KAnonymity, KmAnonymity
from discreet.core.verdict import Verdicts
from discreet.series import MInvariance, Sanony
from discreet.tables import Mondrian
from discreet.verify.added_rows import ORIGINALS
from tests.releases import as_released
from tests.samples import CIRCLE, PATIENTS, PLAYLISTS, PUBLISHERS

MADE = {
    kind: (method, method.publish(data, rng.secure()), data)
    for kind, (method, data) in PUBLISHERS.items()
    if isinstance(data, Transactions | Microdata | SocialNetwork)
}
OF_ROWS = [
    kind
    for kind, (_, made, _) in MADE.items()
    if type(made.release.content) in ORIGINALS and made.release.manifest.follows is None
]
ADDED = "it is another one, or was read otherwise, or rows were added"


def beside(kind: type[Any], original: Any) -> Verdicts:
    method, made, _ = MADE[kind]
    return verify(made, against=original, after=getattr(method, "after", ()))


def without_last(data: Any) -> Any:
    if isinstance(data, SocialNetwork):
        people = without_last(data.people)
        ids = data.people.ids
        assert ids is not None
        edges = [(ids[one], ids[other]) for one, other in data.edges if other < len(people)]
        return SocialNetwork.of(people, edges)
    if isinstance(data, Transactions):
        rows = np.arange(len(data) - 1)
        ids = None if data.ids is None else data.ids[rows]
        return replace(data, sets=data.sets.take(rows), ids=ids)
    return data.head(len(data) - 1)


def test_every_content_with_a_row_for_each_of_the_people_is_tried() -> None:
    assert {type(MADE[kind][1].release.content) for kind in OF_ROWS} == set(ORIGINALS)


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_no_publisher_publishes_more_people_than_there_are(kind: type[Any]) -> None:
    assert not any(ADDED in part.checked for part in beside(kind, MADE[kind][2]).parts)


@pytest.mark.parametrize("kind", OF_ROWS, ids=lambda kind: kind.__name__)
def test_nothing_is_checked_where_one_row_is_nobodys(kind: type[Any]) -> None:
    data = MADE[kind][2]
    verdicts = beside(kind, without_last(data))
    assert verdicts.holds is not True
    assert all(part.holds is not True for part in verdicts.parts)
    told = f"nothing: {len(data):,} people are published, and the original has {len(data) - 1:,}"
    assert any(told in part.checked for part in verdicts.parts)
    assert not verdicts.needs or "--against" not in verdicts.needs


def test_a_broken_promise_stays_broken() -> None:
    made = MADE[Mondrian][1].release
    broken = replace(made, guarantees=(KAnonymity(k=9999), *made.guarantees))
    verdicts = verify(broken, against=without_last(PATIENTS))
    assert [part.holds for part in verdicts.parts] == [False, *[None] * len(made.guarantees)]


@pytest.mark.parametrize(
    "first", [Sanony(r_th=2, cluster_size=4, reserve="0.5"), MInvariance(m=2)], ids=str
)
def test_a_series_has_counterfeits_from_the_first_release_on(first: Any) -> None:
    made = first.publish(PLAYLISTS, rng.secure())
    verdicts = verify(made, against=PLAYLISTS)
    assert not any(ADDED in part.checked for part in verdicts.parts)


def test_other_nouns_than_those_of_the_content_are_not_counted() -> None:
    kind = next(kind for kind in OF_ROWS if MADE[kind][2] is CIRCLE)
    few = without_last(CIRCLE).people
    assert not any(ADDED in part.checked for part in beside(kind, few).parts)


@pytest.mark.parametrize("follows", [(), ("earlier",)])
def test_a_manifest_that_speaks_of_a_series_adds_nobody(follows: tuple[str, ...]) -> None:
    rows = [["a"], ["a"], ["b"]]
    twice = as_released(Transactions.of(rows * 2), KmAnonymity(k=2, m=1), follows=follows)
    (part,) = verify(twice, against=Transactions.of(rows)).parts
    assert part.holds is None
    assert ADDED in part.checked
