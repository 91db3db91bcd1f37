"""Anony, Sanony, m-invariance and anatomy keep their promises on any data."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Release, Transactions, rng, verify
from discreet.core.clusters import BAG, Clusters
from discreet.core.itemsets import Itemsets
from discreet.core.lineage import fingerprint
from discreet.core.publication import LinkageKey, State
from discreet.core.truth import with_truth
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.series import Anatomy, Anony, MInvariance, Sanony
from discreet.series.clusters.public_order import numbered, public_order, runs
from discreet.series.clusters.sanitising import Room, refined, sanitised
from discreet.series.republishing.past import SHARE_OF_BOUND

PRIVATE = ("s", "t", "u")
RECORD = st.tuples(
    st.lists(st.sampled_from("abcd"), max_size=3), st.lists(st.sampled_from(PRIVATE), max_size=2)
).map(lambda parts: sorted({*parts[0], *parts[1]}))
CORPUS = st.lists(RECORD, min_size=1, max_size=14)
R_TH = st.sampled_from(["1", "1.01", "1.1", "1.5", "2", "4", "8"])


def transactions(records: list[list[str]]) -> Transactions:
    return Transactions.of(records, sensitive=PRIVATE)


def people(records: dict[str, list[str]]) -> Transactions:
    sets = Itemsets.of(records.values())
    return Transactions(sets, np.array(list(records)), frozenset(PRIVATE))


@given(records=CORPUS, r_th=R_TH, size=st.integers(1, 5))
def test_anony_is_s_preserving_and_no_copy_in_the_bag_fits_a_cluster(
    records: Any, r_th: str, size: int
) -> None:
    data = transactions(records)
    release = Anony(r_th=r_th, cluster_size=size).publish(data, rng.seeded(1))
    content = release.release.content
    assert verify(release.release, against=data).by_parts is True
    assert content.total.sum() == sum(len({*record} & {*PRIVATE}) for record in records)
    people, bound = len(content), Fraction(r_th)
    for term, copies in content.copies(BAG).items():
        for cluster, members in enumerate(content.size.tolist()):
            held = content.copies(cluster).get(term, 0)
            moved = held + 1 + Fraction(members * (copies - 1), people)
            assert held == members or moved / members > bound * content.rate(term)


@given(records=CORPUS, size=st.integers(1, 5))
def test_equal_sets_stay_together_and_clusters_are_large_enough(records: Any, size: int) -> None:
    release = Anony(r_th=2, cluster_size=size).publish(transactions(records), rng.seeded(1))
    content = release.release.content
    homes: dict[tuple[str, ...], set[int]] = {}
    for items, cluster in zip(content.sets, content.cluster.tolist(), strict=True):
        homes.setdefault(tuple(sorted(items)), set()).add(cluster)
    assert all(len(home) == 1 for home in homes.values())
    assert content.size.min() >= min(size, len(records))


@given(
    held=st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), min_size=1, max_size=5),
    factor=st.fractions(1, 5, max_denominator=4),
)
def test_the_bag_is_the_smallest_that_is_safe(held: Any, factor: Fraction) -> None:
    size = np.array([n for n, _ in held])
    copies = np.array([min(n, k) for n, k in held])
    room = Room(size, int(copies.sum()), factor)
    kept, bag = sanitised(copies, room)
    assert kept.sum() + bag == copies.sum()
    for smaller in range(bag):
        assert np.minimum(copies, room.at(smaller)).sum() < copies.sum() - smaller
    again, left = refined(kept, bag, room, np.arange(len(size)))
    assert (again >= kept).all()
    assert again.sum() + left == copies.sum()
    assert (again <= room.at(left)).all()


def test_the_order_does_not_depend_on_the_corpus() -> None:
    sets = [["a"], ["a", "b"], ["x", "y"], [], ["a", "c"], ["x"]]
    names = [tuple(items) for items in Itemsets.of(sets)]
    order = [names[place] for place in public_order(Itemsets.of(sets))]
    again = [names[place] for place in public_order(Itemsets.of(sets[::-1], list("yxcba")))[::1]]
    assert order[-1] == ()
    assert [tuple(sorted(sets[::-1][p])) for p in public_order(Itemsets.of(sets[::-1]))] == order
    assert len(again) == len(order)


@given(counts=st.lists(st.integers(1, 9), min_size=1, max_size=20), size=st.integers(1, 6))
def test_runs_are_large_enough_and_numbered_without_gaps(counts: Any, size: int) -> None:
    run = runs(np.array(counts), size)
    totals = np.bincount(run, weights=counts)
    assert sorted(set(run.tolist())) == list(range(len(totals)))
    assert totals.min() >= min(size, sum(counts))


SERIES = st.lists(CORPUS, min_size=2, max_size=3)


def published(
    series: list[list[list[str]]], *, lasting: bool = False, **parameters: Any
) -> list[tuple[Release[Clusters], LinkageKey]]:
    """Publish a series; a corpus that cannot be hidden ends it."""
    out: list[tuple[Release[Clusters], LinkageKey]] = []
    for records in series:
        after = tuple(release for release, _ in out)
        keep = State(out[-1][1]) if lasting and out else None
        try:
            publication = Sanony(after=after, keep=keep, **parameters).publish(
                transactions(records), rng.seeded(len(out))
            )
        except InfeasibleError:
            break
        assert publication.linkage_key is not None
        out.append((publication.release, publication.linkage_key))
    return out


@settings(max_examples=60)
@given(
    series=SERIES,
    r_th=R_TH,
    settle=st.sampled_from(["bag", "counterfeits"]),
    hopeless=st.sampled_from(["withhold", "grandfather"]),
    reserve=st.sampled_from(["0", "0.4"]),
    lasting=st.booleans(),
    chains=st.booleans(),
)
def test_sanony_is_serially_preserving(
    series: Any, r_th: str, lasting: bool, **choices: Any
) -> None:
    releases = published(series, lasting=lasting, r_th=r_th, cluster_size=2, **choices)
    for place, (release, key) in enumerate(releases):
        after = [earlier for earlier, _ in releases[:place]]
        # where no term is left, the key tells that the release is as it was published
        told = with_truth(key, transactions(series[place]), release, {})
        verdicts = verify(release, after=after, key=told)
        assert verdicts.by_parts is True, verdicts.witness


@settings(max_examples=40)
@given(series=SERIES, settle=st.sampled_from(["bag", "counterfeits"]))
def test_a_counterfeit_is_nobody_who_was_seen_before_and_everyone_else_is_real(
    series: Any, settle: str
) -> None:
    releases = published(series, r_th=2, cluster_size=2, settle=settle)
    for place, (release, keep) in enumerate(releases):
        sets = [tuple(sorted(items)) for items in release.content.sets]
        rows = dict(keep.tables["rows"].iter_rows())
        fakes = [items for row, items in enumerate(sets) if row not in rows]
        assert len(fakes) == keep.facts["report"]["counterfeits"]
        earlier = [
            Counter(tuple(sorted(items)) for items in old.content.sets)
            for old, _ in releases[:place]
        ]
        real = [tuple(sorted({*record} - {*PRIVATE})) for record in series[place]]
        people = Counter(real[record] for record in rows.values())
        for items, times in Counter(fakes).items():
            if people[items]:
                # one more of a set that several have, and never more had
                assert people[items] > 1
                assert all(people[items] >= old[items] for old in earlier)
            else:
                assert times == 1
                assert not any(old[items] for old in earlier)
        assert all(sets[row] == real[record] for row, record in rows.items())
        assert release.content.counterfeits.sum() <= len(fakes)


def test_the_same_people_again_need_no_counterfeit() -> None:
    records = [["a", "s"], ["b"], ["a", "b"], ["c", "t"], ["c"], ["d"], ["a"], ["b", "d"]] * 3
    for _, keep in published([records] * 3, r_th=4, cluster_size=3):
        assert keep.facts["report"] == {"counterfeits": 0, "withheld": 0}


def test_a_term_that_everyone_may_have_needs_no_counterfeit() -> None:
    # r_th times its rate is 1 or more in every release: no probability can be above it
    first = [["a", "s"], ["b"], ["c", "s"], ["d"]]
    second = [["a"], ["b", "s"], ["c"], ["e", "s"]]
    for _, keep in published([first, second], r_th=2, cluster_size=2):
        assert keep.facts["report"]["counterfeits"] == 0


def test_where_a_term_became_rare_its_people_are_withheld_or_grandfathered() -> None:
    # 003-6: two people share one copy, and that stays so whatever is added
    first = [["a", "s"], ["a"], ["c"], ["c"], ["d"], ["d"]]
    second = [["a", "s"], ["a"], *([name] for name in "efghijklm" for _ in range(2))]
    reports = {
        hopeless: published(
            [first, second], r_th=4, cluster_size=2, settle="counterfeits", hopeless=hopeless
        )[-1][1].facts["report"]
        for hopeless in ("withhold", "grandfather")
    }
    assert reports["withhold"]["withheld"] > 0
    assert reports["grandfather"]["withheld"] == 0


@pytest.mark.parametrize("settle", ["bag", "counterfeits"])
@pytest.mark.parametrize("r_th", ["1", "1.01"])
def test_what_is_wholly_in_the_bag_keeps_its_rate_beside_declared_counterfeits(
    settle: str, r_th: str
) -> None:
    # two counterfeits hide that a term became rarer: they lower its rate, not a cluster's share
    years = [
        [[f"n{n}", *(["s"] if n < holders else []), *(["u"] if n == 9 else [])] for n in range(60)]
        for holders in (3, 1)
    ]
    (first, _), (second, keep) = published(
        years, r_th=r_th, cluster_size=5, settle=settle, hopeless="grandfather", reserve=0
    )
    assert second.content.counterfeits.sum() == 2
    assert keep.facts["report"]["counterfeits"] == 4
    assert verify(second, after=[first]).by_parts is True


def test_an_updated_record_is_one_who_left_and_one_who_came() -> None:
    first = [["a", "s"], ["b"], ["c"], ["d"]]
    updated = [["a"], ["b"], ["c"], ["d"]]
    releases = published([first, updated], r_th=2, cluster_size=2)
    assert verify(releases[1][0], after=[releases[0][0]]).by_parts is True


def first_release(r_th: int = 2) -> Release[Clusters]:
    data = transactions([["a", "s"], ["b"], ["c", "t"], ["d"]])
    return Sanony(r_th=r_th, cluster_size=2).publish(data, rng.seeded(1)).release


@pytest.mark.parametrize(
    ("sensitive", "items", "r_th", "words"),
    [
        (PRIVATE, ["a"], 3, "must have the same r_th"),
        (("s",), ["a"], 2, "what was private stays private"),
        ((*PRIVATE, "a"), ["b"], 2, "stood in the non-private sets of release 1"),
    ],
)
def test_sanony_refuses_data_that_cannot_follow(
    sensitive: Any, items: list[str], r_th: int, words: str
) -> None:
    data = Transactions.of([items], sensitive=sensitive)
    with pytest.raises(DataError, match=words):
        Sanony(r_th=r_th, after=(first_release(),)).publish(data, rng.seeded(1))


def test_sanony_refuses_a_wrong_order_and_a_stranger() -> None:
    one = first_release()
    data = transactions([["a", "s"], ["b"], ["c"]])
    two = Sanony(r_th=2, cluster_size=2, after=(one,)).publish(data, rng.seeded(1)).release
    with pytest.raises(DataError, match="oldest first"):
        Sanony(r_th=2, after=(two, one)).publish(data, rng.seeded(1))
    stranger = Anony(r_th=2).publish(data, rng.seeded(1)).release
    with pytest.raises(DataError, match="begin the series with sanony"):
        Sanony(r_th=2, after=(stranger,)).publish(data, rng.seeded(1))


def test_a_tampered_earlier_release_is_refused(tmp_path: Path) -> None:
    first_release().save(tmp_path / "one", file_format="csv")
    private = tmp_path / "one" / "private.csv"
    private.write_text(private.read_text().replace("s", "t"))
    with pytest.raises(DataError, match="was changed after the release was written"):
        Release.load(tmp_path / "one")


@pytest.mark.parametrize("method", [Anony(r_th=2), Sanony(r_th=2), Anatomy(l=2)])
def test_an_empty_corpus_and_no_private_terms_are_refused(method: Any) -> None:
    with pytest.raises(DataError, match="at least one transaction"):
        method.publish(transactions([]), rng.seeded(1))
    with pytest.raises(ParameterError, match="name them with sensitive"):
        method.publish(Transactions.of([["a"]]), rng.seeded(1))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Anony(r_th="0.5"), "r_th must be at least 1"),
        (lambda: Sanony(r_th=2, cluster_size=0), "cluster_size must be at least 1"),
        (lambda: Sanony(r_th=2, settle="no"), "settle must be one of"),
        (lambda: MInvariance(m=0), "m must be at least 1"),
        (lambda: Anatomy(l=0), "l must be at least 1"),
    ],
)
def test_bad_parameters_are_refused(make: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        make()


@given(records=CORPUS, least=st.integers(1, 4), size=st.integers(1, 4))
def test_anatomy_is_diverse_or_says_which_l_would_do(records: Any, least: int, size: int) -> None:
    data = transactions(records)
    most = max(sum(term in record for record in records) for term in PRIVATE)
    method = Anatomy(l=least, cluster_size=size)
    if most * least > len(records):
        with pytest.raises(InfeasibleError, match=f"would do is {max(len(records) // most, 1)}"):
            method.publish(data, rng.seeded(1))
    else:
        assert verify(method.publish(data, rng.seeded(1)).release, against=data).by_parts is True


def test_clusters_survive_every_format(tmp_path: Path) -> None:
    content = Clusters.of([([["a"], []], {"s": 1}), ([["b", "a"]], {})], bag={"t": 1})
    for file_format in ("parquet", "csv", "jsonl"):
        release = first_release()
        release = Release(content, (), release.manifest)
        release.save(tmp_path / file_format, file_format=file_format)
        loaded = Release.load(tmp_path / file_format).content
        for name, table in content.tables().items():
            assert loaded.tables()[name].equals(table)


def test_a_fingerprint_does_not_depend_on_the_file_nor_on_the_order_of_items(
    tmp_path: Path,
) -> None:
    content = Clusters.of([([["a"], ["c", "a", "b"]], {"s": 1}), ([[]], {})])
    turned = replace(content, sets=content.sets.over(["c", "b", "a"]))
    assert fingerprint(turned) == fingerprint(content)
    other = replace(content, sets=Itemsets.of([["a"], ["c", "a"], ["b"]]))
    assert fingerprint(other) != fingerprint(content)
    for file_format in ("parquet", "csv", "jsonl"):
        Release(turned, (), first_release().manifest).save(
            tmp_path / file_format, file_format=file_format
        )
        loaded = Release.load(tmp_path / file_format).content
        assert fingerprint(loaded) == fingerprint(content)


def test_a_reserve_is_kept_for_later_releases() -> None:
    assert 0 < SHARE_OF_BOUND < 1
    assert numbered([Itemsets.of([])])[1] == 0
