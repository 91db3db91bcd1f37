"""The prisoner example of Bewong, Liu, Liu and Li 2019: Tables 1 to 4 and Examples 1 to 12."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from discreet import Transactions, rng, verify
from discreet.core.clusters import BAG, Clusters
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey, State
from discreet.series import Anatomy, MInvariance, Sanony
from discreet.series.anatomy import dissected
from discreet.series.anony import anonymised
from discreet.series.clusters.plan import assemble
from discreet.series.clusters.public_order import numbered
from discreet.series.corpus import Corpus
from discreet.series.evidence.overlaps import Demand, Overlaps, backward, forward, overlaps
from discreet.series.republishing.posterior import Cover, s_range

PEOPLE = {
    "Laura": ["theft", "arson", "fraud", "HIV"],
    "Lucy": ["theft", "arson", "cancer"],
    "Martin": ["vandalism", "arson"],
    "Shane": ["abuse", "arson", "cancer"],
    "John": ["DUI", "assault", "HIV", "herpes"],
    "Stacy": ["DUI", "assault"],
    "Ben": ["theft", "arson", "murder"],
    "Ivy": ["abuse", "arson", "manslaughter"],
    "Pam": ["abuse", "arson", "manslaughter", "cancer"],
    "Jane": ["theft", "arson", "HIV"],
}
PRIVATE = ["HIV", "cancer", "herpes"]
YEARS = (
    (("Laura", "Lucy"), ("Martin", "Shane"), ("John", "Stacy")),
    (("Lucy", "Ben"), ("Martin", "Shane", "Ivy")),
    (("Lucy", "Ben", "Jane"), ("Ivy", "Pam")),
)
"""The clusters of Table 4, year by year."""
TABLE_4 = (
    ([{"HIV": 1, "cancer": 1}, {"cancer": 1}, {"HIV": 1}], {"herpes": 1}),
    ([{"cancer": 1}, {"cancer": 1}], {}),
    ([{"HIV": 1, "cancer": 1}, {"cancer": 1}], {}),
)


def year(names: list[str]) -> Transactions:
    sets = Itemsets.of([PEOPLE[name] for name in names])
    return Transactions(sets, np.array(names), frozenset(PRIVATE))


def known(names: tuple[str, ...]) -> list[list[str]]:
    return [[item for item in PEOPLE[name] if item not in PRIVATE] for name in names]


@pytest.mark.parametrize("number", range(3))
def test_table_4_comes_out_of_the_printed_clusters(number: int) -> None:
    clusters = YEARS[number]
    corpus = Corpus.of(year([name for cluster in clusters for name in cluster]))
    owner = np.repeat(np.arange(len(clusters)), [len(cluster) for cluster in clusters])
    shown = anonymised(corpus, owner, Fraction(2), rng.seeded(number))
    content, _ = assemble(corpus, owner, shown, [], rng.seeded(number))
    copies = sorted((content.copies(c) for c in range(content.count)), key=sorted)
    expected, bag = TABLE_4[number]
    assert copies == sorted(expected, key=sorted)
    assert content.copies(BAG) == bag


def test_table_2_two_snapshots_of_anatomy_give_laura_away() -> None:
    first, second = (
        Corpus.of(year(names)) for names in (["Laura", "Lucy", "Martin"], ["Lucy", "Martin"])
    )
    for corpus, held in ((first, {"HIV": 1, "cancer": 1}), (second, {"cancer": 1})):
        cluster = dissected(corpus, np.zeros(len(corpus.counts), dtype=np.int64), Fraction(2))
        copies = corpus.copies_in(cluster[corpus.kinds[0]])
        told = {term: int(copies.of(n).sum()) for n, term in enumerate(corpus.terms)}
        assert {term: count for term, count in told.items() if count} == held
    release = Anatomy(l=2, cluster_size=3).publish(year(["Laura", "Lucy", "Martin"]), rng.seeded(1))
    assert verify(release.release).by_parts


def printed_signatures() -> LinkageKey:
    """The groups of Table 3(a)."""
    signatures = {
        "Laura": ["HIV", "cancer"],
        "Lucy": ["HIV", "cancer"],
        "Martin": ["", "cancer"],
        "Shane": ["", "cancer"],
        "John": ["HIV\x00herpes", ""],
        "Stacy": ["HIV\x00herpes", ""],
    }
    columns = {"id": list(signatures), "signature": [sorted(s) for s in signatures.values()]}
    history = pl.DataFrame(
        schema={"release": pl.Int64, "row": pl.Int64, "id": pl.String, "value": pl.String}
    )
    tables = {"signatures": pl.DataFrame(columns), "history": history}
    return LinkageKey(tables, {"m": 2, "releases": []})


def test_table_3_m_invariance_postpones_ben_and_ivy_and_needs_one_counterfeit_a_year() -> None:
    second = MInvariance(m=2, keep=State(printed_signatures())).publish(
        year(["Lucy", "Martin", "Shane", "Ben", "Ivy"]), rng.seeded(1)
    )
    assert second.linkage_key.facts["report"] == {
        "counterfeits": 1,
        "postponed": 2,
        "postponed_alike": 2,
    }
    content = second.release.content
    groups = sorted((content.copies(c) for c in range(content.count)), key=sorted)
    assert groups == [{"HIV": 1, "cancer": 1}, {"cancer": 1}]
    third = MInvariance(m=2, keep=State(second.linkage_key)).publish(
        year(["Lucy", "Ben", "Ivy", "Pam", "Jane"]), rng.seeded(1)
    )
    assert third.linkage_key.facts["report"] == {
        "counterfeits": 1,
        "postponed": 0,
        "postponed_alike": 0,
    }
    content = third.release.content
    groups = sorted((content.copies(c) for c in range(content.count)), key=sorted)
    assert groups == [{"HIV": 1}, {"HIV": 1, "cancer": 1}, {"cancer": 1}]
    assert verify(third.release, after=[second.release], key=third.linkage_key).by_parts


def test_two_values_that_share_a_term_are_two_values_to_m_invariance() -> None:
    made = MInvariance(m=2).publish(year(["Laura", "John"]), rng.seeded(1))
    assert made.release.content.copies(0) == {"HIV": 2, "herpes": 1}
    verdicts = verify(made.release, key=made.linkage_key)
    assert verdicts.by_parts is True
    assert "may share a term" in verdicts.parts[0].guarantee.limit


def test_examples_6_and_7_ranges_of_the_overlaps() -> None:
    # Lucy alone is in C1_1 and C1_2; Martin and Shane are in C2_1 and C2_2
    assert s_range(2, 1, 1) == (0, 1)
    assert s_range(2, 0, 1) == (0, 0)
    assert s_range(2, 1, 2) == (1, 1)


def test_examples_9_and_10_laura_is_given_away() -> None:
    cells = ((frozenset[int](), 1), (frozenset({0}), 1))
    hiv = Cover(copies=1, cells=cells, ranges=((0, 0),))
    assert hiv.posteriors == (Fraction(1), Fraction(0))
    assert hiv.within([Fraction(2, 3)] * 2) is False, "a serial risk of 3 is above r_th = 2"
    cancer = Cover(copies=1, cells=cells, ranges=((0, 1),))
    assert cancer.posteriors == (Fraction(1, 2), Fraction(1, 2))
    # the whole corpora share Lucy, Martin and Shane, and herpes is not in the second
    herpes = Cover(copies=1, cells=((frozenset[int](), 3), (frozenset({0}), 3)), ranges=((0, 0),))
    assert herpes.posteriors == (Fraction(1, 3), Fraction(0))
    assert herpes.within([Fraction(2, 6)] * 2) is True, "a risk of 2 is still allowed"


def overlap_of(old: tuple[str, ...], new: tuple[str, ...]) -> Overlaps:
    (there, here), _ = numbered([Itemsets.of(known(old)), Itemsets.of(known(new))])
    one, other = np.zeros(len(here), dtype=np.int64), np.zeros(len(there), dtype=np.int64)
    return overlaps((here, one), (there, other), 0, np.array([len(there)]))


def asked(demand: Demand) -> tuple[int, int]:
    return int(demand.with_term[0]), int(demand.without[0])


def ints(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)


def test_example_11_backward_perturbation() -> None:
    second = overlap_of(YEARS[0][0], YEARS[1][0])
    assert asked(backward(second, ints(2), ints(0), ints(1))) == (1, 0), "HIV"
    assert asked(backward(second, ints(2), ints(1), ints(1))) == (0, 0), "cancer"
    # C1_2 with its counterfeit has three transactions, HIV and cancer
    third = overlap_of(YEARS[1][0], YEARS[2][0])
    third = Overlaps(third.new, third.release, third.old, third.shared, third.known, ints(3))
    assert third.shared.tolist() == [2]
    assert asked(backward(third, ints(3), ints(1), ints(1))) == (0, 0)


def test_example_12_forward_perturbation() -> None:
    over = overlap_of(YEARS[0][1], YEARS[1][1])
    assert asked(backward(over, ints(3), ints(1), ints(1))) == (0, 0)
    assert asked(forward(over, ints(3), ints(1), ints(1), ints(3), ints(0))) == (1, 0), "cancer"
    assert asked(forward(over, ints(3), ints(0), ints(0), ints(3), ints(0))) == (0, 0), "HIV"


def test_the_whole_corpora_need_one_counterfeit_with_hiv_and_herpes() -> None:
    names = [tuple(name for cluster in clusters for name in cluster) for clusters in YEARS]
    over = overlap_of(names[0], names[1])
    assert over.shared.tolist() == [3]
    # the second year has 5 people and, after BP and FP1 of its clusters, 2 counterfeits
    assert asked(backward(over, ints(7), ints(1), ints(2))) == (1, 0), "HIV"
    assert asked(backward(over, ints(7), ints(0), ints(1))) == (1, 0), "herpes"
    assert asked(backward(over, ints(5), ints(0), ints(2))) == (2, 0), "HIV, unperturbed"


@pytest.mark.parametrize("settle", ["bag", "counterfeits"])
def test_sanony_keeps_laura_and_pam_safe_in_all_three_years(settle: str) -> None:
    after: tuple[object, ...] = ()
    for clusters in YEARS:
        data = year([name for cluster in clusters for name in cluster])
        method = Sanony(r_th=2, cluster_size=2, after=after, settle=settle)
        release = method.publish(data, rng.seeded(5)).release
        assert isinstance(release.content, Clusters)
        assert verify(release, after=after).by_parts is True
        after = (*after, release)


def test_anony_alone_fails_where_sanony_holds() -> None:
    first = Clusters.of(
        [(known(names), held) for names, held in zip(YEARS[0], TABLE_4[0][0], strict=True)],
        bag=TABLE_4[0][1],
    )
    second = Clusters.of(
        [(known(names), held) for names, held in zip(YEARS[1], TABLE_4[1][0], strict=True)]
    )
    from tests.verify.test_series import series

    verdicts = verify(series(first, second)[-1], after=series(first, second)[:1])
    assert verdicts.by_parts is False
    assert verdicts.witness is not None
    assert "HIV" in verdicts.witness
