"""One cell of a study: publish, verify, attack, measure; every number with its name."""

from discreet.study.cell import numbers_of


def test_numbers_have_names_and_intervals() -> None:
    record = {"error": 2, "rate": {"share": 0.5, "low": 0.1, "high": 0.9}, "word": "x", "yes": True}
    assert list(numbers_of(record)) == [("error", 2.0, (None, None)), ("rate", 0.5, (0.1, 0.9))]
