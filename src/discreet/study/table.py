"""A study as tables: every number once, means over seeds, and what no other setting beats."""

from collections.abc import Sequence
from typing import Any

from discreet.lazy import pl
from discreet.measure.score import student
from discreet.study.cell import LEVELS, Row
from discreet.study.counting_loss import COUNTING_LOSS, TABLE_LOSS
from discreet.study.plan import Cell

COLUMNS = (
    "data", "method", "parameters", "seed", "part", "by", "quantity", "value", "low", "high",
    "note",
)  # fmt: skip
"""The columns of the tidy table: which release, which number, and what it is."""
SETTING = ("data", "method", "parameters")
"""What a setting of a study is known by."""
LOSSES = (
    *(name.replace("_", " ") for name in (COUNTING_LOSS, TABLE_LOSS)),
    "query error",
    "relative error",
    "association loss",
    "ncp",
)
"""Words of quantities that stand for what is lost, the best first: what all methods share."""


def tidy(cells: "Sequence[tuple[Cell, Sequence[Row]]]") -> "pl.DataFrame":
    """Return one row for each number of each cell."""
    kinds = dict.fromkeys(COLUMNS, pl.String) | dict.fromkeys(("value", "low", "high"), pl.Float64)
    rows = [
        {
            "data": cell.original.name,
            "method": cell.label,
            "parameters": cell.method.words,
            "seed": cell.seed,
            **row,
        }
        for cell, results in cells
        for row in results
    ]
    return pl.DataFrame(rows, schema=kinds | {"seed": pl.Int64}, orient="row")


def summary(table: "pl.DataFrame") -> "pl.DataFrame":
    """Return for each setting and quantity the mean over the seeds with its 95 % interval.

    With several seeds the interval is that of the mean over them; with one it is the quantity's
    own, where it has one.

    Parameters
    ----------
    table
        What ``studied`` returns.

    Returns
    -------
    polars.DataFrame
        A row for each setting and quantity.
    """
    value, mean, several = pl.col("value"), pl.col("mean"), pl.col("seeds") > 1
    count = range(2, table["seed"].n_unique() + 1)
    quantile = pl.col("seeds").replace_strict(
        list(count), [student(each) for each in count], default=0.0, return_dtype=pl.Float64
    )
    reach = quantile * pl.col("spread") / pl.col("seeds").sqrt()
    return (
        table.filter(value.is_not_null())
        .group_by(*SETTING, "part", "by", "quantity", maintain_order=True)
        .agg(
            value.mean().alias("mean"),
            pl.col("low", "high").first(),
            pl.col("seed").n_unique().alias("seeds"),
            value.std().alias("spread"),
        )
        .with_columns(
            pl.when(several).then(mean - reach).otherwise(pl.col("low")).alias("low"),
            pl.when(several).then(mean + reach).otherwise(pl.col("high")).alias("high"),
        )
        .drop("spread")
    )


def front(
    table: "pl.DataFrame", exposure: str | None = None, loss: str | None = None
) -> "pl.DataFrame":
    """Return verdict, exposure and loss of each setting, and whether none allowed is better.

    A setting is allowed where the verdict on none of its releases is "do not release". Without a
    name, exposure is how far the best attack lies above what anybody could guess, and where no
    attack was scored its highest confidence; loss is the first quantity that says how wrong
    answers are.

    Parameters
    ----------
    table
        What ``studied`` returns.
    exposure
        The quantity that says how much is given away.
    loss
        The quantity that says what is lost.

    Returns
    -------
    polars.DataFrame
        A row for each setting.
    """
    numbers = summary(table)
    losses = _losses(numbers, loss)
    both = losses.join(
        _exposures(numbers, exposure), on=list(SETTING), how="full", coalesce=True,
        maintain_order="left_right",
    )  # fmt: skip
    both = both.join(_verdicts(table), on=list(SETTING), how="left", maintain_order="left")
    allowed = pl.col("verdict").is_null() | (pl.col("verdict") != LEVELS[-1])
    rows = [
        row[:3] if row[3] else (*row[:2], None)
        for row in both.select(pl.struct("data", "measure"), "exposure", "loss", allowed).rows()
    ]
    best = [None not in row and not any(_beats(other, row) for other in rows) for row in rows]
    return both.select(*SETTING, "verdict", "exposure", "attack", "loss", "measure").with_columns(
        pl.Series("best", best, dtype=pl.Boolean)
    )


def _verdicts(table: "pl.DataFrame") -> "pl.DataFrame":
    """Return the gravest verdict on the releases of each setting."""
    gravest = table.filter(part="verdict").group_by(SETTING).agg(pl.col("value").max())
    words = (
        pl.col("value")
        .cast(pl.Int64)
        .replace_strict(list(range(len(LEVELS))), list(LEVELS), return_dtype=pl.String)
    )
    return gravest.select(*SETTING, words.alias("verdict"))


def _beats(other: tuple[Any, float, float], row: tuple[Any, float, float]) -> bool:
    """Whether a setting of the same data, its loss measured alike, is as good and better in one."""
    if other[0] != row[0] or None in other:
        return False
    return other[1:] != row[1:] and other[1] <= row[1] and other[2] <= row[2]


def _exposures(numbers: "pl.DataFrame", name: str | None) -> "pl.DataFrame":
    quantity, part = pl.col("quantity"), pl.col("part")
    if name:
        chosen = numbers.filter(quantity == name)
    else:
        gained = numbers.filter(part == "gain")
        surest = numbers.filter((part == "attack") & (quantity == "highest confidence"))
        unscored = surest.join(gained, on=list(SETTING), how="anti")
        chosen = pl.concat([gained, unscored])
    return (
        chosen.sort("mean", descending=True, maintain_order=True)
        .unique(SETTING, keep="first", maintain_order=True)
        .select(*SETTING, pl.col("mean").alias("exposure"), pl.col("by").alias("attack"))
    )


def _losses(numbers: "pl.DataFrame", name: str | None) -> "pl.DataFrame":
    measured = numbers.filter(pl.col("part") == "measure")
    chosen = measured.filter(pl.col("quantity") == name) if name else _ranked(measured)
    return chosen.unique(SETTING, keep="first", maintain_order=True).select(
        *SETTING, pl.col("mean").alias("loss"), pl.col("quantity").alias("measure")
    )


def _ranked(measured: "pl.DataFrame") -> "pl.DataFrame":
    """Return the quantities that say what is lost, the best for it first."""
    words = pl.col("quantity").str.to_lowercase()
    rank = pl.lit(len(LOSSES))
    for index, word in reversed(list(enumerate(LOSSES))):
        rank = pl.when(words.str.contains(word, literal=True)).then(index).otherwise(rank)
    # among several of a kind the shortest name is the whole
    return (
        measured.with_columns(rank.alias("rank"), words.str.len_chars().alias("length"))
        .filter(pl.col("rank") < len(LOSSES))
        .sort("rank", "length", maintain_order=True)
    )
