"""m-invariance: nobody's groups are told apart by a value, in any release of a series."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Release, Transactions, rng, verify
from discreet.core.clusters import Clusters
from discreet.core.guarantee import MInvariant
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey, State
from discreet.errors import DataError, InfeasibleError
from discreet.series import Composition, MInvariance
from tests.releases import as_released

PRIVATE = ("s", "t", "u")
RECORD = st.tuples(
    st.lists(st.sampled_from("abcd"), max_size=3), st.lists(st.sampled_from(PRIVATE), max_size=2)
).map(lambda parts: sorted({*parts[0], *parts[1]}))
PEOPLE = st.dictionaries(st.sampled_from("ABCDEFGHIJKLMN"), RECORD, min_size=4, max_size=12)


def people(records: dict[str, list[str]], private: Any = PRIVATE) -> Transactions:
    sets = Itemsets.of(records.values())
    return Transactions(sets, np.array(list(records)), frozenset(private))


def series(
    years: list[dict[str, list[str]]], m: int, private: Any = PRIVATE
) -> tuple[list[Release[Clusters]], LinkageKey | None, list[dict[str, Any]]]:
    """Publish a series; a corpus that cannot be grouped is left out."""
    releases: list[Release[Clusters]] = []
    keep, reports = None, []
    for records in years:
        method = MInvariance(m=m, keep=None if keep is None else State(keep))
        try:
            made = method.publish(people(records, private), rng.seeded(1))
        except InfeasibleError:
            continue
        releases.append(made.release)
        keep = made.linkage_key
        reports.append(keep.facts["report"])
        assert len(made.release.content) == (
            len(records) - reports[-1]["postponed"] + reports[-1]["counterfeits"]
        )
    return releases, keep, reports


@settings(max_examples=80)
@given(years=st.lists(PEOPLE, min_size=2, max_size=5), m=st.integers(1, 3))
def test_everyone_meets_the_same_values_or_none_of_them(years: Any, m: int) -> None:
    releases, keep, _ = series(years, m)
    for number, release in enumerate(releases):
        verdicts = verify(release, after=releases[:number], key=keep)
        assert verdicts.by_parts is True, verdicts.witness


def test_a_value_that_comes_back_meets_its_signature_again() -> None:
    # V0, then V6, then V0 again: groups that show V0 with V1 and then with V2 would give it away
    private = [f"V{n}" for n in range(8)]
    first = {"A": ["a", "V0"], "B": ["b", "V1"]}
    second = {"A": ["a", "V6"], "D": ["d", "V7"]}
    third = {"A": ["a", "V0"], "C": ["c", "V2"], "E": ["e", "V3"]}
    releases, keep, _ = series([first, second, third], 2, private)
    (home,) = [
        release.content.cluster[row]
        for release in releases[2:]
        for row, items in enumerate(release.content.sets)
        if items == ("a",)
    ]
    assert releases[2].content.copies(int(home)) == {"V0": 1, "V1": 1}
    assert verify(releases[2], after=releases[:2], key=keep).by_parts is True


def test_being_left_out_does_not_tell_the_value_for_certain() -> None:
    records = {f"p{n:03d}": ["a", *(["s"] if n % 5 == 0 else [])] for n in range(400)}
    _, _, (report,) = series([records], 2)
    assert 0 < report["postponed_alike"] < report["postponed"]
    assert report["postponed_alike"] <= 0.91 * report["postponed"]


def test_m_invariance_needs_ids_its_own_key_and_the_same_terms() -> None:
    with pytest.raises(DataError, match="have no ids"):
        MInvariance(m=2).publish(Transactions.of([["a"]], sensitive=PRIVATE), rng.seeded(1))
    data = people({"A": ["s"], "B": ["a"], "C": ["t"], "D": ["b", "u"]})
    keep = MInvariance(m=2).publish(data, rng.seeded(1)).linkage_key
    assert keep is not None
    with pytest.raises(DataError, match="with m = 3"):
        MInvariance(m=3, keep=State(keep)).publish(data, rng.seeded(1))
    fewer = Transactions(data.sets, data.ids, frozenset({"s"}))
    with pytest.raises(DataError, match="what was private stays private"):
        MInvariance(m=2, keep=State(keep)).publish(fewer, rng.seeded(1))


def broken(years: list[dict[str, list[str]]], change: Any) -> str | None:
    """Publish a series and change its key; return the witness."""
    releases, keep, _ = series(years, 2)
    tables = dict(keep.tables) | {"history": change(keep.tables["history"])}
    changed = LinkageKey(tables, keep.facts)
    verdicts = verify(releases[-1], after=releases[:-1], key=changed)
    assert verdicts.by_parts is False
    return verdicts.witness


def test_a_broken_series_is_seen_from_releases_and_key() -> None:
    year = {"A": ["a", "s"], "B": ["b"], "C": ["c", "t"], "D": ["d", "u"]}
    releases, keep, _ = series([year, year], 2)
    assert verify(releases[1], after=releases[:1]).by_parts is None
    assert verify(releases[1], key=keep).by_parts is None
    assert verify(releases[1], after=releases[:1], key=keep).by_parts is True
    value, person = pl.col("value"), pl.col("id")
    everyone_s = broken([year], lambda rows: rows.with_columns(value=pl.lit("s")))
    assert "does not hold m values" in str(everyone_s)
    other = pl.when(value == "s").then(pl.lit("v")).otherwise(value)
    assert "does not publish" in str(broken([year], lambda rows: rows.with_columns(value=other)))
    nobody = pl.when(person == "A").then(None).otherwise(person)
    assert "does not declare" in str(broken([year], lambda rows: rows.with_columns(id=nobody)))


def test_a_publisher_that_forgets_signatures_is_caught() -> None:
    private = [f"V{n}" for n in range(8)]
    years: list[dict[str, list[str]]] = [
        {"A": ["a", "V0"], "B": ["b", "V1"]},
        {"A": ["a", "V6"], "D": ["d", "V7"]},
        {"A": ["a", "V0"], "C": ["c", "V2"]},
    ]
    releases, keep = [], None
    for records in years:
        if keep is not None:
            forgotten = keep.tables["signatures"].clear()
            keep = LinkageKey(dict(keep.tables) | {"signatures": forgotten}, keep.facts)
        method = MInvariance(m=2, keep=None if keep is None else State(keep))
        made = method.publish(people(records, private), rng.seeded(1))
        releases.append(made.release)
        keep = made.linkage_key
        assert keep is not None
    assert verify(releases[1], after=releases[:1], key=keep).by_parts is True
    verdicts = verify(releases[2], after=releases[:2], key=keep)
    assert verdicts.by_parts is False
    assert "differ and have values in common" in str(verdicts.witness)


def test_composition_intersects_signatures() -> None:
    promise = (MInvariant(m=2),)
    contents = [
        Clusters.of([([["a"], ["b"]], ["V0", "V1"]), ([["x"], ["y"]], ["V3", "V4"])]),
        Clusters.of([([["a"], ["d"]], ["V6", "V7"]), ([["x"], ["y"]], ["V3", "V4"])]),
        Clusters.of([([["a"], ["c"]], ["V0", "V2"]), ([["x"], ["y"]], ["V3", "V4"])]),
    ]
    releases = [
        as_released(content, *promise, method="m-invariance", follows=()) for content in contents
    ]
    found = Composition().attack(releases)
    sure = {
        (claim.release, claim.known, claim.inferred, claim.confidence)
        for claim in found.claims
        if claim.how == "intersected signatures"
    }
    assert sure == {(1, ("a",), ("V0",), 1.0), (3, ("a",), ("V0",), 1.0)}
    assert found.summary["at_risk_signatures"] == 2
    unnarrowed = Composition().attack(releases[:2])
    assert unnarrowed.summary["at_risk_signatures"] == 0


def test_the_key_of_another_series_is_refused() -> None:
    year = {"A": ["a", "s"], "B": ["b"], "C": ["c", "t"], "D": ["d", "u"]}
    (release,), _, _ = series([year], 2)
    _, other, _ = series([{**year, "E": ["a"]}], 2)
    with pytest.raises(DataError, match="must be of this series"):
        verify(release, key=other)
