import polars as pl

from discreet.report.curves import curves


def _settings(rows: list[tuple[str, str, float | None, float | None]]) -> pl.DataFrame:
    names = ["method", "parameters", "loss", "exposure"]
    return pl.DataFrame(rows, schema=names, orient="row")


def test_a_parameter_with_several_values_is_a_curve() -> None:
    rows = [(name, f"k={k} m=2", k / 10, 0.5) for name in ("km", "lkc") for k in (2, 5, 9)]
    (figure,) = curves(_settings(rows))
    assert figure.title == "By k"
    assert len(figure.svgs) == 2
    assert "km m=2" in figure.svgs[0]
    assert "lkc m=2" in figure.svgs[1]


def test_one_value_or_no_number_is_no_curve() -> None:
    assert curves(_settings([("km", "k=2 loss=ncp", 0.1, 0.2), ("lkc", "k=5", 0.1, 0.2)])) == []
    (figure,) = curves(_settings([("km", "k=2", 0.1, None), ("km", "k=5", 0.3, None)]))
    assert len(figure.svgs) == 1
