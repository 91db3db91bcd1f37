"""A release is compared with trivial ways to publish, in the unit in which it is measured."""

import polars as pl
import pytest

from discreet import Microdata, SocialNetwork, Transactions, rng
from discreet.core.graph import Network
from discreet.core.guarantee import KAnonymity, KmAnonymity
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.study import Evidence, examined, judged
from discreet.study.alternatives import NOTHING, alternatives, remarks_on_alternatives
from discreet.tables import Incognito
from tests.releases import as_released
from tests.samples import PUBLISHERS

PEOPLE = Transactions.of([["a", "s"], ["a"], ["a", "b"], ["a"]], sensitive=["s"])
PATIENTS = Microdata(
    pl.DataFrame({"age": ["3", "3", "4"], "sex": ["m", "m", "f"], "ill": ["x", "y", "x"]}),
    qids=("age", "sex"),
    sensitive=("ill",),
)


def test_sets_lose_occurrences() -> None:
    found = alternatives(PEOPLE, as_released(PEOPLE, KmAnonymity(k=2, m=1)))
    assert found == {
        "suppressing items of fewer than 2 people": 2 / 6,
        "deleting every sensitive item": 1 / 6,
        NOTHING: 1.0,
    }
    for measured in ({"deleted_share": 0.2}, {"deleted_share": 0.0, "ncp": 0.2}):
        (worse,) = remarks_on_alternatives(as_released(PEOPLE), measured, found)
        assert worse.startswith("deleting every sensitive item would lose 17 %")
    assert not list(remarks_on_alternatives(as_released(PEOPLE), {"deleted_share": 0.1}, found))


def test_tables_lose_cells() -> None:
    found = alternatives(PATIENTS, as_released(PEOPLE, KAnonymity(k=2)))
    assert found == {
        "leaving out every sensitive attribute": pytest.approx(1 / 3),
        "leaving out rows that look like fewer than 2": pytest.approx(1 / 3),
        NOTHING: 1.0,
    }
    table = PATIENTS.table
    published = as_released(ProjectedTables((table,), dict.fromkeys(PATIENTS.qids, pl.DataFrame())))
    starred = {"loss_by_column": {"age": 1.0, "sex": 1.0}, "suppressed_share": 0.0}
    told = list(remarks_on_alternatives(published, starred, found))
    assert len(told) == 2
    assert "this release loses 67 %" in told[0]
    kept = {"loss_by_column": {"age": 0.1, "sex": 0.0}, "suppressed_share": 0.0}
    assert not list(remarks_on_alternatives(published, kept, found))


def test_graphs_lose_edges() -> None:
    star = Network.of_edges(5, [(0, 1), (0, 2), (0, 3), (0, 4)])
    found = alternatives(star, as_released(star))
    assert found["publishing no edge"] == 1
    assert found["deleting the edges of people whose number of friends fewer than 5 have"] == 1
    (none,) = [
        each
        for each in remarks_on_alternatives(as_released(star), {"edges_kept_share": 0.0}, found)
        if "publishing no edge" in each
    ]
    assert none.endswith("of all edges; this release loses 100 %")
    friends = SocialNetwork(PEOPLE, Network.of_edges(4, [(0, 1)]).edges)
    both = alternatives(friends, as_released(PEOPLE))
    assert {"publishing no edge", "deleting every sensitive item"} <= both.keys()


def test_counts_lose_counts() -> None:
    counts = as_released(ItemsetHistogram.of({("a",): 3}))
    found = alternatives(PEOPLE, counts)
    (useless,) = remarks_on_alternatives(counts, {"query_error_existing": 1.4}, found)
    assert useless == (
        "publishing nothing would lose 100 % of a count on average; this release loses 140 %"
    )
    assert not list(remarks_on_alternatives(counts, {"query_error_existing": 0.3}, found))


def test_every_kind_of_data_has_an_alternative_beside_nothing() -> None:
    for _, data in PUBLISHERS.values():
        found = alternatives(data, as_released(PEOPLE))
        assert found[NOTHING] == 1.0
        assert len(found) > 1 or isinstance(data, Release)


def test_an_audit_says_so() -> None:
    """All quasi-identifiers are one class."""
    made = Incognito(k=3).publish(PATIENTS, rng.secure())
    found = examined(made.release, Evidence(original=PATIENTS, key=made.linkage_key))
    remarks = judged(found).record()["remarks"]
    assert any("leaving out every sensitive attribute would lose 33 %" in each for each in remarks)
    assert any("one class" in each for each in remarks)
