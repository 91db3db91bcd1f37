import pytest

from discreet.papers.claims import times_reduced, with_reductions


def row(method: str, epsilon: float, value: float, **other: object) -> dict[str, object]:
    labels = {"data": "msnbc", "c1": 0.1, "fan_out": 2, "theta": None}
    numbers = {"low": value - 0.1, "high": value + 0.1, "releases": 5}
    found = {"method": method, "epsilon": epsilon, "measure": "relative error", "value": value}
    return labels | numbers | found | other


def test_a_reduction_with_its_interval_by_hand() -> None:
    rows = [row("apl-killer", 1, 1.0), row("diff-part", 1, 2.0)]
    *_, claim = with_reductions(rows, {("msnbc", "diff-part"): 0.036})
    assert claim["value"] == pytest.approx(0.5)
    # relative reaches .1 and .05 of a ratio of .5
    assert claim["high"] - claim["value"] == pytest.approx(0.5 * (0.1**2 + 0.05**2) ** 0.5)
    assert claim["paper"] == 0.036
    assert claim["releases"] == 10


def test_curves_of_other_parameters_or_data_are_not_compared() -> None:
    rows = [
        row("apl-killer", 1, 1.0),
        row("diff-part", 1, 2.0, c1=0.5),
        row("diff-part", 1, 2.0, fan_out=4),
        row("diff-part", 1, 2.0, data="nltcs"),
        row("diff-part", 1, 2.0, measure="relative error, random"),
    ]
    assert with_reductions(rows, {}) == rows


def test_a_method_without_these_parameters_is_compared_with_each() -> None:
    rows = [
        row("apl-killer", 1, 1.0),
        row("apl-killer", 1, 3.0, c1=0.5),
        row("priv-bayes", 1, 2.0, c1=None, fan_out=None, theta=4),
    ]
    claims = with_reductions(rows, {})[3:]
    assert [claim["value"] for claim in claims] == pytest.approx([0.5, -0.5])
    assert {claim["theta"] for claim in claims} == {4}


def test_budgets_that_only_one_curve_has_do_not_count() -> None:
    rows = [row("apl-killer", 1, 1.0), row("apl-killer", 2, 9.0), row("diff-part", 1, 2.0)]
    *_, claim = with_reductions(rows, {})
    assert claim["value"] == pytest.approx(0.5)
    assert claim["note"].startswith("mean over 1 budgets")


def test_the_papers_times_stand_beside_ratios_to_diff_part() -> None:
    rows = [
        {"measure": "time ratio", "publisher": "apl-killer", "against": "diff-part", "data": name}
        for name in ("msnbc", "checkin")
    ]
    other = {"measure": "milliseconds", "method": "apl-killer / diff-part", "data": "msnbc"}
    *papers, untouched = times_reduced([*rows, other])
    assert [found["paper"] for found in papers] == [0.7296, 0.5]
    assert untouched == other


def test_curves_without_a_common_budget_are_not_compared() -> None:
    rows = [row("apl-killer", 1, 1.0), row("diff-part", 2, 2.0), row("priv-bayes", 1, 0.0)]
    assert with_reductions(rows, {}) == rows
