"""A release with all rows taken out: a check over nothing checks nothing."""

from dataclasses import replace
from typing import Any

import pytest

from discreet import Release, Transactions, rng, verify
from discreet.core.constraints import Constraints
from discreet.core.disassociated import Disassociated
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import BoundedConfidence, DifferentialPrivacy, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.counts import AplKiller
from discreet.errors import DataError
from discreet.generalised import Disassociation, Km
from discreet.study import Evidence, examined, judged
from discreet.tables import Codip, Mondrian
from tests.samples import BASKETS, PATIENTS, PUBLISHERS

OF_COUNTS = NoAttributeLeakage | BoundedConfidence | DifferentialPrivacy
"""Promises that say something of counts that are not there: nothing can be linked by them."""


def emptied(release: Release[Any]) -> Release[Any] | None:
    """Take all rows out of every table; None where such a release is refused as damaged."""
    tables = {
        name: table if name.startswith(("hierarchy", "ground", "kept")) else table.clear()
        for name, table in release.content.tables().items()
    }
    try:
        return replace(release, content=type(release.content).of_tables(tables))
    except DataError:
        return None


def emptied_by(kind: type[Any]) -> Release[Any]:
    method, data = PUBLISHERS[kind]
    release = emptied(method.publish(data, rng.secure()).release)
    if release is None:
        pytest.skip("refused when it is read")
    return release


@pytest.mark.parametrize("kind", PUBLISHERS, ids=lambda kind: kind.__name__)
def test_of_a_release_without_rows_no_promise_holds(kind: type[Any]) -> None:
    release = emptied_by(kind)
    beside: dict[str, Any] = {"after": getattr(PUBLISHERS[kind][0], "after", ())}
    if isinstance(release.content, GeneralisedSets):
        beside["privacy"] = Constraints.of([["bread"]])
    for part in verify(release, **beside).parts:
        if not isinstance(part.guarantee, OF_COUNTS):
            assert part.holds is not True
            assert part.holds is False or part.checked.startswith("nothing") or part.needs


@pytest.mark.parametrize("kind", PUBLISHERS, ids=lambda kind: kind.__name__)
def test_an_audit_of_nothing_does_not_say_release(kind: type[Any]) -> None:
    release = emptied_by(kind)
    original = PUBLISHERS[kind][1]
    for evidence in (Evidence(), Evidence(original=original)):
        assert judged(examined(release, evidence)).level != "release"


def test_counts_that_came_out_empty_keep_what_they_promise() -> None:
    release = PUBLISHERS[AplKiller][0].publish(BASKETS, rng.secure()).release
    verdicts = verify(replace(release, content=ItemsetHistogram.of({})))
    assert verdicts.holds is True


def test_of_nobody_nothing_but_what_is_true_is_promised() -> None:
    nobody = Transactions.of([])
    release = emptied_by(Km)
    assert verify(release).holds is None
    assert verify(release, against=nobody).holds is True
    assert verify(release, against=BASKETS).holds is None
    # one person with one item is somebody
    assert verify(release, against=Transactions.of([["bread"]])).holds is None


def test_of_a_table_about_nobody_nothing_but_what_is_true_is_promised() -> None:
    release = emptied_by(Mondrian)
    for people, holds in ((0, True), (1, None), (2, None)):
        original = replace(PATIENTS, table=PATIENTS.table.head(people))
        assert verify(release, against=original).by_parts is holds


def test_clusters_without_sub_records_and_terms_are_no_rows() -> None:
    release = PUBLISHERS[Disassociation][0].publish(BASKETS, rng.secure()).release
    bare = replace(release, content=Disassociated.of([(50, [], []), (52, [], [])]))
    assert verify(bare).holds is None
    assert verify(bare, against=Transactions.of([[]] * 102)).holds is True


def test_one_table_without_rows_is_not_checked_by_the_others() -> None:
    release = (
        Codip(k=3, t="0.3", plan=(("job",), ("ill=cough", "ill=flu"))).publish(PATIENTS).release
    )
    tables = release.content.tables()
    tables["table_2"] = tables["table_2"].clear()
    half = replace(release, content=type(release.content).of_tables(tables))
    assert verify(release).holds is True
    assert verify(half).holds is not True
