"""The plots of an audit: each is drawn where what it needs is there."""

from dataclasses import replace
from typing import Any

from discreet import rng
from discreet.core.clusters import Clusters
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import NoAttributeLeakage, SPreserving
from discreet.core.release import Manifest, Release
from discreet.core.transactions import Transactions
from discreet.report import audit_page, audit_record
from discreet.report.figures import audit_figures
from discreet.series import Sanony
from discreet.study import Evidence, examined
from tests.report.test_audit import looked_at


def test_no_cluster_of_sanony_lies_above_the_promised_line() -> None:
    records = [
        [f"n{n}", *(["s"] if n % 7 < 2 else []), *(["u"] if n % 11 == 9 else [])] for n in range(90)
    ]
    years = records, [[f"n{n}", *(["s"] if n % 9 < 1 else [])] for n in range(30, 100)]
    after: tuple[Any, ...] = ()
    for year in years:
        data = Transactions.of(year, sensitive=["s", "u"])
        method = Sanony(r_th=2, cluster_size=5, after=after, settle="counterfeits")
        after = (*after, method.publish(data, rng.seeded(1)).release)
    assert after[-1].content.counterfeits.any()
    found = examined(after[-1], Evidence(earlier=after[:-1]))
    (figure,) = [each for each in audit_figures(found, Evidence()) if each.name == "posterior"]
    # chains of releases are promised only where that is asked for
    direct = figure.table.filter(~figure.table["by"].str.ends_with("by chains"))
    points = direct.select("rate", "posterior").rows()
    assert points
    assert all(posterior <= 2 * rate * (1 + 1e-12) for rate, posterior in points)


def test_posteriors_are_drawn_without_any_claim() -> None:
    content = Clusters.of(
        [([["a"], ["b"]], ["HIV"]), ([["c"], ["d"], ["e"], ["f"]], ["HIV"])], bag=["herpes"]
    )
    manifest = Manifest(method="planted", parameters={}, randomness="system")
    found = examined(Release(content, (SPreserving(r_th=2),), manifest), Evidence(), [])
    (figure,) = [each for each in audit_figures(found, Evidence()) if each.name == "posterior"]
    points = figure.table.select("rate", "posterior", "times").rows()
    assert sorted(points) == [(1 / 3, 0.25, 1), (1 / 3, 0.5, 1)]
    assert "promised: at most 2 times" in figure.svgs[0]


def test_supports_of_generalised_items_are_those_of_what_they_became() -> None:
    data = Transactions.of([["a"]] * 4 + [["b"]] * 3 + [["c"]] * 9 + [["d"]])
    content = GeneralisedSets.of([[["a", "b"]]] * 7 + [[["c"]]] * 9 + [[]])
    manifest = Manifest(method="planted", parameters={}, randomness="system")
    evidence = Evidence(original=data)
    found = examined(Release(content, (), manifest), evidence, [])
    (figure,) = [each for each in audit_figures(found, evidence) if each.name == "supports"]
    assert figure.table.rows() == [(1, 0, 1), (3, 7, 1), (4, 7, 1), (9, 9, 1)]


def test_what_is_kept_is_drawn_against_what_may_be_known() -> None:
    found, evidence = looked_at(NoAttributeLeakage())
    assert "kept-by-known" not in [figure.name for figure in audit_figures(found, evidence)]
    rows = [(1, 0.7123, 0.9456), (2, 0.24, 0.92)]
    known = replace(found, measured={**found.measured, "kept_by_known": rows})
    (figure,) = [each for each in audit_figures(known, evidence) if each.name == "kept-by-known"]
    # two digits: exact ones would count people
    assert figure.table.rows() == [(1, 0.71, 0.95), (2, 0.24, 0.92)]
    assert "secrets kept" in figure.svgs[0]
    page = audit_page(audit_record(known, evidence, {}, owner=True), known, evidence)
    assert "0.7123" not in page
