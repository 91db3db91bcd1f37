"""The page of all papers: each number with ours, the interval and the reason in sight."""

from discreet.papers.figure import row_of, table_of
from discreet.papers.index import compared_claims
from discreet.report import reproduction_page


def test_a_claim_stands_beside_ours_with_the_reason() -> None:
    shown = {"data": "msnbc", "epsilon": 1.0, "fan_out": 2, "low": 0.1, "high": 0.3}
    rows = [
        row_of("diff-part", "P(APL for the target)", 0.2, 0.92) | shown,
        {"data": "msnbc", "measure": "items", "value": 17.0, "paper": 17.0},
    ]
    page = reproduction_page(compared_claims({"aplkiller": [table_of("aplkiller figure-3", rows)]}))
    assert "diff-part, P(APL for the target), eps=1 f=2" in page
    assert "0.1 to 0.3" in page
    assert "the fan-out is not printed and decides" in page
    assert ">contradicts</td>" in page
    assert ">items</td>" in page
    assert "None" not in page
