"""Releases that show nothing of what they promise about: taken out by hand, or never there."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet import Release, Transactions, rng, verify
from discreet.core.clusters import Clusters
from discreet.core.constraints import Constraints
from discreet.core.guarantee import TermDiversity
from discreet.core.publication import LinkageKey
from discreet.core.release import Manifest
from discreet.core.truth import with_truth
from discreet.errors import DataError
from discreet.generalised import Coat, Km, Pcta
from discreet.networks import Dist
from discreet.series import Anatomy, Anony, MInvariance, Sanony
from discreet.study import Evidence, examined, judged
from discreet.verify.emptied import NO_ITEMS, NO_TERMS
from tests.samples import PUBLISHERS

OF_CLUSTERS = (Anony, Sanony, Anatomy)
OF_SETS = (Km, Coat, Pcta)
MANIFEST = Manifest(method="planted", parameters={}, randomness="none")
BREAD = Constraints.of([["bread"]])


def without_terms(release: Release[Any]) -> Release[Any]:
    """Take the private terms out of clusters, and their rates."""
    tables = release.content.tables()
    bare = tables | {name: tables[name].clear() for name in ("private", "rates")}
    return replace(release, content=Clusters.of_tables(bare))


def without_items(release: Release[Any]) -> Release[Any]:
    """Take every block out of every row."""
    tables = release.content.tables()
    rows = pl.Series("blocks", [[]] * len(release.content), dtype=pl.List(pl.Int64))
    content = type(release.content)
    return replace(release, content=content.of_tables(tables | {"transactions": rows.to_frame()}))


def published(kind: type[Any]) -> Release[Any]:
    method, data = PUBLISHERS[kind]
    release: Release[Any] = method.publish(data, rng.secure()).release
    return release


def checked(release: Release[Any], kind: type[Any], **beside: Any) -> Any:
    after = getattr(PUBLISHERS[kind][0], "after", ())
    return verify(release, after=after, privacy=BREAD if kind in OF_SETS else None, **beside)


@pytest.mark.parametrize("kind", OF_CLUSTERS)
def test_clusters_without_any_private_term_are_not_checked(kind: type[Any]) -> None:
    release = published(kind)
    bare = without_terms(release)
    assert checked(release, kind).by_parts is True
    found = checked(bare, kind)
    assert found.by_parts is None
    assert all(part.checked.startswith(f"nothing: {NO_TERMS}") for part in found.parts)
    assert found.needs == ("--against",)
    original = PUBLISHERS[kind][1]
    told = checked(bare, kind, against=original)
    assert told.by_parts is None
    assert told.needs == ()
    # a list of private terms that was misspelt, or not given, does not make it milder
    for misspelt in (frozenset({"pslams"}), frozenset[str]()):
        wrong = replace(original, sensitive=misspelt)
        assert checked(bare, kind, against=wrong).by_parts is None


@pytest.mark.parametrize("kind", OF_CLUSTERS)
def test_where_nobody_held_a_private_term_the_original_tells(kind: type[Any]) -> None:
    method = PUBLISHERS[kind][0]
    sets: Sequence[Sequence[str]] = [["rock"], ["jazz", "rock"], []] * 4
    people = Transactions.of(sets, universe=["jazz", "psalms", "rock"], sensitive=["psalms"])
    if kind is Sanony:
        method = replace(method, after=())
    publication = method.publish(people, rng.secure())
    assert verify(publication.release).by_parts is None
    assert verify(publication.release, against=people).by_parts is True
    # others than those who were published
    for other in (sets[1:], [*sets[1:], ["jazz"]], [*sets[1:], ["psalms", *sets[0]]]):
        assert verify(publication.release, against=Transactions.of(other)).by_parts is None
    # somebody may have been withheld
    more = Transactions.of([*sets, ["psalms"]])
    assert verify(publication.release, against=more).by_parts is True


def test_a_row_may_be_a_counterfeit_in_a_release_that_follows_another() -> None:
    content = Clusters.of([([["rock"], ["jazz"], []], {})], counterfeits=[1])
    first, later = (
        Release(content, (TermDiversity(l=2),), replace(MANIFEST, follows=follows))
        for follows in ((), ("another",))
    )
    two = Transactions.of([["rock"], ["jazz"]])
    assert verify(later, against=two).holds is True
    assert verify(first, against=two).holds is None
    assert verify(later, against=Transactions.of([["rock"], ["beat"]])).holds is None
    assert verify(later, against=Transactions.of([["rock"]])).holds is None


@pytest.mark.parametrize("kind", OF_SETS)
def test_rows_that_hold_nothing_are_not_checked(kind: type[Any]) -> None:
    release, original = published(kind), PUBLISHERS[kind][1]
    bare = without_items(release)
    assert checked(release, kind).by_parts is True
    found = checked(bare, kind)
    assert found.by_parts is None
    assert found.parts[0].checked.startswith(f"nothing: {NO_ITEMS}")
    assert found.needs == ("--against",)
    fewer = Transactions.of(list(original.sets)[1:])
    assert checked(bare, kind, against=fewer).by_parts is None
    # a row for each: all that they hold was left out
    assert checked(bare, kind, against=original).by_parts is True


def test_whoever_leaves_everything_out_is_believed_by_the_original_or_the_key() -> None:
    people = Transactions.of([["beer"], ["bread"], ["wine"]])
    publication = Km(k=5, m=2).publish(people, rng.secure())
    release = publication.release
    assert list(release.content.sets) == [()] * 3
    assert verify(release).holds is None
    assert verify(release, against=people).holds is True
    key = with_truth(publication.linkage_key, people, release, {})
    assert verify(release, key=key).holds is True
    # a key that does not say which release it is of tells nothing
    assert verify(release, key=LinkageKey({}, {})).holds is None


def test_the_key_is_refused_beside_a_release_that_was_emptied() -> None:
    method, people = PUBLISHERS[Anony]
    publication = method.publish(people, rng.secure())
    key = with_truth(publication.linkage_key, people, publication.release, {})
    assert verify(publication.release, key=key).by_parts is True
    with pytest.raises(DataError, match="of another"):
        verify(without_terms(publication.release), key=key)


def test_items_without_secrets_are_told_by_the_original_of_as_many() -> None:
    method, people = PUBLISHERS[Dist]
    release = method.publish(people, rng.secure()).release
    bare = replace(release, content=Transactions.of([[]] * len(people)))
    assert verify(bare).holds is None
    assert verify(bare, against=people).holds is True
    cut = replace(release, content=Transactions.of([[]] * (len(people) - 1)))
    assert verify(cut, against=people).holds is None


def test_what_is_broken_stays_broken() -> None:
    content = Clusters.of([([["rock"], ["jazz"]], {})], counterfeits=[2])
    release = replace(published(Anony), content=content)
    assert verify(release).holds is False


def test_m_invariance_is_told_by_the_key() -> None:
    people = replace(Transactions.of([["rock"]], sensitive=["psalms"]), ids=np.array(["p"]))
    publication = MInvariance(m=1).publish(people, rng.secure())
    release = publication.release
    assert not len(release.content.private_copies)
    assert verify(release).needs == ("--key",)
    assert verify(release, key=publication.linkage_key).holds is True


@pytest.mark.parametrize("kind", [*OF_CLUSTERS, *OF_SETS])
def test_an_audit_of_what_shows_nothing_does_not_say_release(kind: type[Any]) -> None:
    release = published(kind)
    bare = without_terms(release) if kind in OF_CLUSTERS else without_items(release)
    assert judged(examined(bare, Evidence())).level != "release"
