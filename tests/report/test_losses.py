"""What was lost: in percent where it is a share, with its interval beside it."""

from discreet.report.losses import loss_rows

SHARE = {"direction": "less is better", "unit": "share from 0 to 1", "sentence": "what is gone"}
PAIRS = {"direction": "neither", "unit": "pairs of rows", "sentence": "pairs that look alike"}


def test_a_share_is_told_in_percent() -> None:
    (row,) = loss_rows({"ncp": 0.25}, {"ncp": SHARE})
    assert row == ("certainty penalty (NCP)", "What is gone, less is better.", "25.0 %")


def test_an_interval_stands_beside_its_measure() -> None:
    measured = {"ncp": 0.25, "ncp_low": 0.2, "ncp_high": 0.3}
    (row,) = loss_rows(measured, {"ncp": SHARE})
    assert row.value == "25.0 % (20.0 % to 30.0 %)"


def test_parts_of_a_measure_share_its_meaning() -> None:
    measured = {"loss": {"age": 0.5}, "pairs": 12_345, "unknown": 3, "missing": None}
    rows = loss_rows(measured, {"loss": SHARE, "pairs": PAIRS})
    assert [row.name for row in rows] == ["loss: age", "pairs", "unknown"]
    assert rows[0].meaning == "What is gone, less is better."
    assert rows[1] == ("pairs", "Pairs that look alike (pairs of rows).", "12,345")
    assert rows[2].meaning == ""


def test_a_measure_has_the_name_that_people_use() -> None:
    names = [row.name for row in loss_rows({"ncp": 0.5, "kl_divergence": 0.1}, {})]
    assert names == ["certainty penalty (NCP)", "Kullback-Leibler divergence"]
