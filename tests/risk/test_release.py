"""Risks of releases of every kind, from the release alone."""

import polars as pl
import pytest

from discreet import Release, Transactions
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.guarantee import DifferentialPrivacy, KAnonymity
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Manifest
from discreet.risk import release_risk, sets_risk

MADE = Manifest(method="none", parameters={}, randomness="none")


def test_rows_made_with_noise_are_nobodys() -> None:
    content = ItemsetHistogram.of({("a",): 1})
    told = release_risk(Release(content, (DifferentialPrivacy(epsilon=1),), MADE))
    assert "prosecutor" not in told
    assert told["taking_part"]["posterior_at_most"][2]["prior"] == 0.5


def test_a_promise_of_noise_hides_no_row_of_a_table() -> None:
    table = pl.DataFrame({"age": ["30", "41"], "job": ["spy", "cook"]})
    content = ProjectedTables((table,), {"age": pl.DataFrame()})
    told = release_risk(Release(content, (DifferentialPrivacy(epsilon=1),), MADE))
    assert told["prosecutor"]["highest"] == 1.0


def test_of_several_tables_the_worst_counts() -> None:
    fine = pl.DataFrame({"age": ["3*", "4*", "4*"], "job": ["spy", "cook", "nurse"]})
    rough = pl.DataFrame({"age": ["*"] * 3, "ill=flu": ["1"] * 3, "ill=gout": ["0", "1", "0"]})
    content = ProjectedTables((rough, fine), {"age": pl.DataFrame()})
    told = release_risk(Release(content, (KAnonymity(k=1),), MADE))
    assert told["prosecutor"]["highest"] == 1.0
    assert told["classes"] == 2
    assert set(told["attributes"]) == {"job", "ill"}
    assert told["attributes"]["ill"]["values"] == 2
    assert told["wp29"]["inference"]["share"] == pytest.approx(1 / 3)


def test_tables_without_a_row_are_not_counted() -> None:
    empty = pl.DataFrame({"age": [], "job": []}, schema={"age": pl.String, "job": pl.String})
    told = release_risk(Release(ProjectedTables((empty,), {"age": pl.DataFrame()}), (), MADE))
    assert told["not_counted"] == "No row was published."


def test_a_network_is_at_risk_by_degrees() -> None:
    told = release_risk(Release(Network.of_edges(4, [(0, 1), (0, 2), (0, 3)]), (), MADE))
    assert told["prosecutor"] == {
        "highest": 1.0, "mean": 2 / 4, "share_above_20_percent": 1.0,
    }  # fmt: skip


def test_counts_and_rows_of_the_same_people_are_at_the_same_risk() -> None:
    people = Transactions.of([["a", "b"]] * 3 + [["b"], ["a", "b", "c"]])
    rows, counts = (Release(content, (), MADE) for content in (people, people.folded))
    assert release_risk(rows) == release_risk(counts)
    assert release_risk(rows)["knowing_2"] == sets_risk(people.folded)["knowing_2"]


def test_hidden_items_are_known_as_published() -> None:
    hidden = GeneralisedSets.of([[["a", "b"]]] * 5 + [[["a", "b"], ["c"]]])
    told = release_risk(Release(hidden, (), MADE))
    assert told["knowing_1"]["share_alone_by_worst"] == pytest.approx(1 / 6)
