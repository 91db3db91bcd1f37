"""``discreet reproduce PAPER [FIGURE]``: a paper's figures on its data, its values beside ours."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.catalog import unknown
from discreet.cli import show
from discreet.errors import DataError
from discreet.experiments import PAPERS, Figures, Lab
from discreet.experiments.sampling import LEAST, PRECISION, ROUNDS

if TYPE_CHECKING:
    import polars as pl

__all__ = ["reproduce"]

NO_PLOTS = "plots need altair and vl-convert-python; get them with: pip install 'discreet[plots]'"


@click.command(short_help="A paper's figures on its real data, its values beside ours.")
@click.argument("paper")
@click.argument("figure", nargs=-1)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder for tables and plots, and for the points measured so far.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=ROUNDS,
    show_default=True,
    help="Releases of a point, at most; 1000 for the full run.",
)
@click.option("--seed", type=int, default=2022, show_default=True, help="Makes the seeds.")
@click.option(
    "--workers", type=click.IntRange(min=1), help="Processes at work.  [default: all cores]"
)
@click.option("--json", is_flag=True, help="Print the result for machines, as JSON.")
def reproduce(*, paper: str, figure: tuple[str, ...], json: bool, **typed: Any) -> int:
    """Measure the figures of PAPER again, all of them or those named.

    A point gets 30 releases, and then more until its 95 % interval is within 2 % of its value or
    --rounds is reached. What is measured is kept in the folder: an interrupted run goes on where it
    was, and a run with more rounds draws only what is missing.
    """
    figures = _chosen(paper, figure)
    out: Path = typed["out"]
    _refuse(out)
    workers = {} if typed["workers"] is None else {"workers": typed["workers"]}
    told: dict[str, Any] = {}
    with Lab(out / "points", typed["rounds"], seed=typed["seed"], **workers) as lab:
        for name, function in figures.items():
            with show.counting(name) as lab.progress:
                table = function(lab)
            told[name] = _written(table, out, name)
            if not json:
                _tell(name, table)
        drawn = lab.drawn
    if json:
        show.as_json({"paper": paper, "releases_drawn": drawn, "figures": told})
    else:
        _tell_end(out, drawn)
    return 0


def _chosen(paper: str, names: tuple[str, ...]) -> Figures:
    """Return the figures asked for; ``3`` and ``fig3`` are figure-3."""
    if paper not in PAPERS:
        raise unknown("paper", paper, PAPERS)
    known = PAPERS[paper]
    asked = {
        name: re.sub(r"^(?:fig(?:ure)?)?[-. ]?(\d+)$", r"figure-\1", name.lower()) for name in names
    }
    for name, full in asked.items():
        if full not in known:
            raise unknown("figure", name, known)
    return {name: known[name] for name in asked.values()} or known


def _refuse(out: Path) -> None:
    """Refuse, before the work starts, a folder that cannot be written."""
    try:
        (out / "points").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{out} must be a folder that can be written, and is not: {error.strerror}"
        raise DataError(msg) from None


def _written(table: "pl.DataFrame", out: Path, name: str) -> dict[str, Any]:
    """Write the table, and its plot where that can be drawn."""
    file = out / f"{name}.csv"
    table.write_csv(file)
    return {"table": file, "plots": _plots(table, out, name), "rows": table.to_dicts()}


def _plots(table: "pl.DataFrame", out: Path, name: str) -> list[Path]:
    try:
        from discreet.experiments.drawing import drawn
    except ImportError:
        show.warn(NO_PLOTS)
        return []
    chart = drawn(table)
    files = [out / f"{name}.{ending}" for ending in ("png", "svg")] if chart else []
    for file in files:
        chart.save(file, **({"scale_factor": 2} if file.suffix == ".png" else {}))
    return files


def _tell(name: str, table: "pl.DataFrame") -> None:
    """Show the rows that the paper says something about."""
    show.heading(name)
    printed = [row for row in table.to_dicts() if row["paper"] is not None]
    refused = [row for row in table.to_dicts() if str(row["note"]).startswith("refused")]
    show.table(
        ("data", "method", "setting", "measure", "ours", "95 % interval", "releases", "paper"),
        [_cells(row) for row in printed],
    )
    rest = table.height - len(printed) - len(refused)
    show.lines(f"{rest} more rows, and {len(refused)} refused settings, in {name}.csv")


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    letters = {"epsilon": "eps", "theta": "theta", "c1": "c1", "fan_out": "f", "occurrences": "n"}
    setting = [
        f"{letter}={row[name]:g}" for name, letter in letters.items() if row[name] is not None
    ]
    sampled = row["low"] is not None
    return (
        row["data"],
        row["method"] or "",
        " ".join(setting),
        row["measure"],
        f"{row['value']:,.0f}" if row["value"] % 1 == 0 and not sampled else f"{row['value']:.3f}",
        f"{row['low']:.3f} to {row['high']:.3f}" if sampled else "",
        f"{row['releases']}" if sampled else "",
        f"{row['paper']:,g}",
    )


def _tell_end(out: Path, drawn: int) -> None:
    show.lines(
        "",
        f"{drawn:,} releases were drawn now. A point has at least {LEAST}, and more until its 95 %",
        f"interval is within {PRECISION:.0%} of its value or --rounds is reached.",
        f"Tables, plots and points are in {out.as_posix()}.",
    )
