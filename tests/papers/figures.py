"""The tables of a paper's figures, as tests read them."""

from typing import Any

import polars as pl


def values(figure: Any) -> dict[tuple[str, str], float]:
    table: pl.DataFrame = figure(None)
    rows = table.select("method", "measure", "value").iter_rows()
    return {(method, measure): value for method, measure, value in rows}
