"""Bewong, Liu, Liu and Li 2019: the examples of the prisoners, and the audit's numbers."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from discreet.core.clusters import Clusters
from discreet.core.findings import Claim, Findings
from discreet.core.release import Release
from discreet.series import Composition, Victim
from discreet.series.evidence.joint_evidence import Series, cover_of, judged
from tests.releases import as_released

LAURA, LUCY = ["theft", "arson", "fraud"], ["theft", "arson"]
MARTIN, SHANE = ["vandal.", "arson"], ["abuse", "arson"]
JOHN, STACY = ["DUI", "assault"], ["DUI", "assault"]
BEN, IVY = ["theft", "arson", "murder"], ["abuse", "arson", "mansl."]
PAM, JANE = ["abuse", "arson", "mansl."], ["theft", "arson"]

YEAR_1 = Clusters.of(
    [([LAURA, LUCY], ["HIV", "cancer"]), ([MARTIN, SHANE], ["cancer"]), ([JOHN, STACY], ["HIV"])],
    bag=["herpes"],
)
YEAR_2 = Clusters.of([([LUCY, BEN], ["cancer"]), ([MARTIN, SHANE, IVY], ["cancer"])])
YEAR_3 = Clusters.of([([LUCY, BEN, JANE], ["cancer", "HIV"]), ([IVY, PAM], ["cancer"])])
"""Table 4."""


def published(*contents: Clusters) -> list[Release[Clusters]]:
    return [as_released(content, method="anony") for content in contents]


def attacked(*contents: Clusters, knows: Sequence[str] = (), **choices: object) -> Findings:
    method = Composition(chains="none", r_th=choices.pop("r_th", 1), **choices)
    return method.attack(published(*contents), Victim(items=tuple(knows)))


def claimed(findings: Findings, known: Sequence[str], term: str, release: int = 1) -> Claim | None:
    fitting = [
        claim
        for claim in findings.claims
        if set(claim.known) == set(known) and claim.inferred == (term,) and claim.release == release
    ]
    assert len(fitting) <= 1
    return fitting[0] if fitting else None


def posterior(*contents: Clusters, person: Sequence[str], term: str, cluster: int = 0) -> tuple:
    """Return paper, merged and exact posterior of a person in a cluster of all clusters."""
    series = Series(contents)
    groups = series.clusters
    told = judged(groups, cover_of(groups))
    number = next(
        int(part[row])
        for one, part in zip(contents, series.numbers, strict=True)
        for row in range(len(one))
        if set(one.sets[row]) == set(person)
    )
    for at, (place, slot) in enumerate(zip(told.positions(groups), told.slot(), strict=True)):
        if (groups.owner[place], groups.sets[place], series.terms[groups.terms[slot]]) == (
            cluster,
            number,
            term,
        ):
            return told.paper[at], told.merged[at], told.exact[at]
    raise LookupError(term)


def ranges(*contents: Clusters) -> set[tuple[int, str, int, int, int]]:
    """Return what overlaps tell: cluster, term, members, low and high."""
    series = Series(contents)
    groups = series.clusters
    cover = cover_of(groups)
    found = set()
    for at, slot in enumerate(cover.slot.tolist()):
        begin, end = cover.pattern_offsets[cover.pattern[at] : cover.pattern[at] + 2]
        found.add(
            (
                int(groups.slot_owner[slot]),
                series.terms[groups.terms[slot]],
                int(cover.counts[begin:end].sum()),
                int(cover.low[at]),
                int(cover.high[at]),
            )
        )
    return found


def test_example_1_anatomy_gives_laura_away() -> None:
    first = Clusters.of([([LAURA, LUCY, MARTIN], ["HIV", "cancer"])])
    second = Clusters.of([([LUCY, MARTIN], ["cancer"])])
    claim = claimed(attacked(first, second), LAURA, "HIV")
    assert (claim.confidence, claim.how) == (1, "composition")


def test_example_2_signatures_do_not_keep_john_from_skewness() -> None:
    first = Clusters.of(
        [
            ([LAURA, LUCY], ["HIV", "cancer"]),
            ([MARTIN, SHANE], ["NULL", "cancer"]),
            ([JOHN, STACY], ["HIV+herpes", "NULL"]),
        ]
    )
    findings = attacked(first, r_th=2)
    claim = claimed(findings, JOHN, "HIV+herpes")
    assert (claim.confidence, claim.lift, claim.how) == (0.5, pytest.approx(3), "skewness")
    assert findings.summary["at_risk_alone"] == 4
    # the counterfeit keeps Laura safe from composition
    fake = ["theft", "fraud"]
    second = Clusters.of(
        [([LUCY, fake], ["HIV", "cancer"]), ([MARTIN, SHANE], ["NULL", "cancer"])],
        counterfeits=[1, 0],
    )
    assert posterior(first, second, person=LAURA, term="HIV") == (0.5, 0.5, 0.5)


INVARIANT = (
    Clusters.of([([LAURA, LUCY], ["HIV", "cancer"]), ([MARTIN, SHANE], ["NULL", "cancer"])]),
    Clusters.of([([MARTIN, SHANE, BEN, IVY], {"NULL": 3, "cancer": 1})]),
    Clusters.of([([BEN, PAM], ["NULL", "cancer"]), ([IVY, JANE], ["NULL", "HIV"])]),
)


def test_example_3_null_values_lead_on_to_pam_and_jane() -> None:
    through_ben = attacked(*INVARIANT, r_th=1)
    pam = claimed(through_ben, PAM, "cancer", 3)
    assert pam.how == "transitive composition"
    # her set is also Ivy's, who sits in the other cluster without cancer
    assert pam.confidence == pytest.approx(0.5)
    # there is no HIV where Ivy was, so Jane's follows without a chain
    jane = claimed(through_ben, JANE, "HIV", 3)
    assert (jane.confidence, jane.how) == (1, "composition")


def test_example_4_each_year_alone_keeps_its_promise() -> None:
    for year in (YEAR_1, YEAR_2, YEAR_3):
        findings = attacked(year, r_th=2)
        assert findings.claims == ()
        assert findings.summary["at_risk_alone"] == 0


def test_example_5_laura_has_hiv() -> None:
    findings = attacked(YEAR_1, YEAR_2, r_th=2, knows=LAURA)
    assert [(claim.inferred, claim.confidence) for claim in findings.claims] == [(("HIV",), 1)]


def test_examples_6_and_7_ranges_of_overlaps() -> None:
    told = ranges(YEAR_1, YEAR_2)
    # of Lucy alone: no HIV; cancer 0 to 1 is what her cluster says anyway, so it is not listed
    assert (0, "HIV", 1, 0, 0) in told
    assert not [row for row in told if row[:2] == (0, "cancer")]
    # Martin and Shane hold the one cancer of year 2
    assert (4, "cancer", 2, 1, 1) in told
    assert not [row for row in told if row[:2] == (1, "cancer")]


def test_example_8_pam_has_cancer_by_way_of_year_2() -> None:
    claim = claimed(attacked(YEAR_1, YEAR_2, YEAR_3), PAM, "cancer", 3)
    assert (claim.confidence, claim.how) == (1, "transitive composition")
    without = claimed(attacked(YEAR_1, YEAR_2, YEAR_3, depth=0), PAM, "cancer", 3)
    assert without is None or without.confidence < 1
    assert claimed(attacked(YEAR_2, YEAR_3), PAM, "cancer", 2) is None or (
        claimed(attacked(YEAR_2, YEAR_3), PAM, "cancer", 2).confidence < 1
    )


def test_example_9_prior_and_posterior_of_laura() -> None:
    assert posterior(YEAR_1, YEAR_2, person=LAURA, term="HIV") == (1, 1, 1)
    assert posterior(YEAR_1, YEAR_2, person=LAURA, term="cancer") == (0.5, 0.5, 0.5)
    assert posterior(YEAR_1, person=LAURA, term="HIV") == (0.5, 0.5, 0.5)


def test_example_10_risk_of_laura_in_clusters_and_globally() -> None:
    findings = attacked(YEAR_1, YEAR_2)
    claim = claimed(findings, LAURA, "HIV")
    assert claim.lift == pytest.approx(3)
    herpes = claimed(findings, LAURA, "herpes")
    assert herpes.how == "global composition"
    assert (herpes.confidence, herpes.lift) == (pytest.approx(1 / 3), pytest.approx(2))
    assert herpes.prior == pytest.approx(1 / 6)


def test_example_11_a_counterfeit_with_hiv_makes_the_overlap_safe() -> None:
    fake = ["theft", "murder"]
    second = Clusters.of(
        [([LUCY, BEN, fake], ["cancer", "HIV"]), ([MARTIN, SHANE, IVY], ["cancer"])],
        counterfeits=[1, 0],
    )
    told = ranges(YEAR_1, second)
    assert not [row for row in told if row[0] == 0]
    assert posterior(YEAR_1, second, person=LAURA, term="HIV") == (0.5, 0.5, 0.5)
    # the new cluster and year 3 share two sets, of which both may hold cancer or HIV once
    series = Series((second, YEAR_3))
    cover = cover_of(series.clusters)
    assert not [slot for slot in cover.slot.tolist() if series.clusters.slot_owner[slot] == 0]


def test_example_12_a_counterfeit_with_cancer_stops_the_chain() -> None:
    second = Clusters.of(
        [([LUCY, BEN], ["cancer"]), ([MARTIN, SHANE, IVY, ["abuse", "vandal."]], {"cancer": 2})],
        counterfeits=[0, 1],
    )
    series = Series((YEAR_1, second, YEAR_3))
    claim = claimed(attacked(YEAR_1, second, YEAR_3), PAM, "cancer", 3)
    assert claim is None or claim.how != "transitive composition"
    (pam,) = [cluster for cluster in range(7) if cluster == 6]
    found = posterior(YEAR_1, second, YEAR_3, person=PAM, term="cancer", cluster=pam)
    assert found == (0.5, 0.5, 0.5)
    assert series.clusters.counterfeits.tolist() == [0, 0, 0, 0, 1, 0, 0]


def people(*numbers: int) -> list[list[str]]:
    return [[f"p{number}"] for number in numbers]


@pytest.mark.parametrize(
    ("more", "wanted"),
    [(0, "3/5"), (1, "4/9"), (2, "5/14"), (5, "8/35"), (20, "23/275")],
)
def test_counterfeits_lower_the_posterior_beyond_one_overlap(more: int, wanted: str) -> None:
    first = Clusters.of([(people(*range(4 + more)), {"s": 2})])
    second = Clusters.of([(people(0, 1, 90, 91), {"s": 1})])
    expected = pytest.approx(float(Fraction(wanted)))
    assert posterior(first, second, person=["p3"], term="s") == (expected,) * 3


@pytest.mark.parametrize(("times", "paper"), [(1, "2/3"), (2, "8/9"), (3, "32/33")])
def test_the_product_counts_the_same_news_again_and_again(times: int, paper: str) -> None:
    first = Clusters.of([(people(*range(6)), {"s": 2})])
    again = [
        Clusters.of([(people(0, 1, 2, 50 + number), {"t": 1})], rates={"t": Fraction(1, 4)})
        for number in range(times)
    ]
    found = posterior(first, *again, person=["p5"], term="s")
    assert found == pytest.approx((float(Fraction(paper)), 2 / 3, 2 / 3))


def test_the_product_can_also_say_too_little() -> None:
    first = Clusters.of([(people(*range(6)), {"s": 1})])
    second, third = (Clusters.of([(people(0, *both), {"s": 1})]) for both in ((1, 2), (3, 4)))
    found = posterior(first, second, third, person=["p0"], term="s")
    assert found == pytest.approx((5 / 9, 5 / 9, 1))


@pytest.mark.parametrize(
    ("size", "exact", "paper"),
    [
        *((6, "5/9", 0.505), (8, "7/11", 0.549), (12, "11/15", 0.626)),
        *((20, "19/23", 0.726), (40, "39/43", 0.837)),
    ],
)
def test_with_two_overlaps_counterfeits_can_make_it_worse(
    size: int, exact: str, paper: float
) -> None:
    first = Clusters.of([(people(*range(size)), {"s": 2})])
    second = Clusters.of([(people(0, 1, 2, 90), {"s": 2})])
    third = Clusters.of([(people(0, 3, 4, 91), {"s": 2})])
    found = posterior(first, second, third, person=["p0"], term="s")
    assert found[2] == pytest.approx(float(Fraction(exact)))
    assert found[0] == pytest.approx(paper, abs=6e-4)


def test_a_bag_that_was_not_refined_tells_where_it_comes_from() -> None:
    # three clusters of two; the two copies of s are in the bag, of the third of t one fits
    crowd = [([[f"a{at}"], [f"b{at}"]], {}) for at in range(8)]
    full = ([["x"], ["y"]], {"s": 1})
    unrefined = Clusters.of([full, *crowd], bag={"s": 2})
    findings = attacked(unrefined, r_th=4)
    claim = claimed(findings, ["x"], "s")
    assert claim.how == "minimality"
    assert claim.confidence == 1
    assert findings.summary["at_risk_minimality"] == 2
    # after refining no cluster can take a copy, or the bag is empty
    refined = Clusters.of([full, (crowd[0][0], {"s": 1}), (crowd[1][0], {"s": 1}), *crowd[2:]])
    assert attacked(refined, r_th=4).claims == ()


def test_counterfeits_of_the_last_step_must_not_be_told(tmp_path: Path) -> None:
    fakes = [["theft", "f1"], ["theft", "f2"], ["theft", "f3"], ["theft", "f4"]]
    first = Clusters.of(
        [([LAURA, LUCY, *fakes], {"HIV": 1}), ([MARTIN, SHANE] * 3, {})],
        rates={"HIV": Fraction(1, 6)},
    )
    assert attacked(first, r_th=2).claims == ()
    slip = tmp_path / "fakes.csv"
    slip.write_text("release,cluster,count\n1,0,4\n")
    told = Composition(r_th=2).attack(published(first), Victim(fakes=slip))
    claim = claimed(told, LAURA, "HIV")
    assert (claim.confidence, claim.lift) == (0.5, pytest.approx(3))
