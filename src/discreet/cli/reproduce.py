"""``discreet reproduce PAPER [FIGURE]``: a paper's figures on its data, its values beside ours."""

import os
import re
from collections.abc import Set
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import click

from discreet.catalog import unknown
from discreet.cli import show
from discreet.core.findings import rounded_percent
from discreet.errors import DataError
from discreet.io.writing import write_file
from discreet.lazy import pl
from discreet.papers import BY_NAME, LONG, PAPERS, Figures, Lab
from discreet.papers.index import compared_claims, setting_of
from discreet.papers.sampling import LEAST, PRECISION, ROUNDS

ALL = "all"
"""What stands for every paper."""
QUICK = 5
"""Releases of a point in a quick run."""
NO_PLOTS = "plots need altair and vl-convert-python; get them with: pip install 'discreet[plots]'"


@click.command(
    short_help=("Measure a paper's figures again on its data, next to its printed values.")
)
@click.argument("paper")
@click.argument("figure", nargs=-1)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder for tables, plots and the points measured so far.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=ROUNDS,
    show_default=True,
    help="Most releases drawn for each point; 1000 for the full run.",
)
@click.option("--seed", type=int, default=2022, show_default=True, help="Makes the seeds.")
@click.option(
    "--workers", type=click.IntRange(min=1), help="How many processes to use.  [default: all cores]"
)
@click.option(
    "--quick",
    is_flag=True,
    help=(
        f"At most {QUICK} releases for each point: takes minutes, gives wider intervals, and "
        "skips what takes long."
    ),
)
@show.json_option
def reproduce(*, paper: str, figure: tuple[str, ...], json: bool, **typed: Any) -> int:
    """Measure the figures of PAPER again, all of them or those named.

    PAPER is one of those that `discreet reproduce all` goes through; all writes a folder for each
    and one page with every number that a paper prints beside ours. Where a release takes
    milliseconds, a point gets 30, and then more until its 95 % interval is within 2 % of its value
    or --rounds is reached; where it takes seconds, five. What is measured is kept in the folder:
    an interrupted run goes on where it was, and a run with more rounds draws only what is missing.
    """
    unnamed = BY_NAME | LONG if typed["quick"] else BY_NAME
    named = PAPERS if paper == ALL else (paper,)
    papers = {name: _chosen(name, figure, unnamed) for name in named}
    out: Path = typed["out"]
    most = min(QUICK, typed["rounds"]) if typed["quick"] else typed["rounds"]
    lab = Lab(rounds=most, seed=typed["seed"])
    lab.workers = typed["workers"] or lab.workers
    records: dict[str, Any] = {}
    tables: dict[str, list[pl.DataFrame]] = {}
    with lab:
        for name, figures in papers.items():
            folder = out / name if paper == ALL else out
            _refuse(folder)
            lab.folder = folder / "points"
            results = _measured(figures, lab, folder, silent=json)
            records[name] = {
                figure_name: _written(table, folder, figure_name)
                for figure_name, table in results.items()
            }
            tables[name] = list(results.values())
    if paper == ALL:
        _write_index(tables, out)
    if json:
        figure_records = records if paper == ALL else records[paper]
        show.as_json({"paper": paper, "releases_drawn": lab.drawn, "figures": figure_records})
    else:
        _tell_end(out, lab)
    return 0


def _measured(
    figures: Figures, lab: Lab, folder: Path, *, silent: bool
) -> "dict[str, pl.DataFrame]":
    """Measure the figures one after the other, and tell of each as soon as it is there."""
    results = {}
    for name, function in figures.items():
        with show.counting(name, "points") as lab.progress:
            results[name] = function(lab)
        write_file(folder / f"{name}.csv", results[name].write_csv(), "the table")
        if not silent:
            _tell(name, results[name])
    return results


def _write_index(tables: "dict[str, list[pl.DataFrame]]", out: Path) -> None:
    """Write every number that a paper prints beside ours, as a table and a page."""
    from discreet.report import reproduction_page, write_page

    compared = compared_claims(tables)
    write_file(out / "claims.csv", compared.write_csv(), "the claims")
    page = write_page(out / "index.html", reproduction_page(compared))
    show.lines("", f"Every printed number next to ours: {page}")


def _chosen(paper: str, names: tuple[str, ...], unnamed: Set[str]) -> Figures:
    """Return the figures asked for, or all but the ``unnamed`` ones; ``fig3`` is figure-3."""
    if paper not in PAPERS:
        raise unknown("paper", paper, PAPERS)
    known = PAPERS[paper]
    figure_names = {
        name: re.sub(r"^(?:fig(?:ure)?)?[-. ]?(\d+)$", r"figure-\1", name.lower()) for name in names
    }
    for name, full in figure_names.items():
        if full not in known:
            raise unknown("figure", name, known)
    named = {name: known[name] for name in figure_names.values()}
    return named or {name: known[name] for name in known if name not in unnamed}


def _refuse(out: Path) -> None:
    """Refuse, before the work starts, a folder that cannot be written; it is made with a result."""
    points = (out / "points").absolute()
    existing = next(path for path in (points, *points.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        raise DataError(f"{out} must be a folder that can be written, and is not")


def _written(table: "pl.DataFrame", out: Path, name: str) -> dict[str, Any]:
    """Tell of a table that is written, and write its plot where that can be drawn."""
    return {
        "table": out / f"{name}.csv",
        "plots": _plots(table, out, name),
        "rows": table.to_dicts(),
    }


def _plots(table: "pl.DataFrame", out: Path, name: str) -> list[Path]:
    try:
        from discreet.papers.drawing import drawn
    except ImportError:
        show.warn(NO_PLOTS)
        return []
    chart = drawn(table)
    if chart is None:
        return []
    pixels, lines = BytesIO(), StringIO()
    chart.save(pixels, format="png", scale_factor=2)
    chart.save(lines, format="svg")
    drawings: dict[str, BytesIO | StringIO] = {"png": pixels, "svg": lines}
    return [
        write_file(out / f"{name}.{ending}", drawing.getvalue(), "the plot")
        for ending, drawing in drawings.items()
    ]


def _tell(name: str, table: "pl.DataFrame") -> None:
    """Show the rows that the paper says something about."""
    show.heading(name)
    printed = [row for row in table.to_dicts() if row["paper"] is not None]
    refused = table.height - table["refused"].null_count()
    show.table(
        ("data", "method", "setting", "measure", "ours", "95 % interval", "releases", "paper"),
        [_cells(row) for row in printed],
    )
    unprinted = table.height - len(printed) - refused
    show.lines(f"{unprinted} more rows, and {refused} refused settings, in {name}.csv")


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    sampled = row["low"] is not None
    return (
        row["data"],
        row["method"] or "",
        setting_of(row),
        row["measure"],
        f"{row['value']:,.0f}" if row["value"] % 1 == 0 and not sampled else f"{row['value']:.3f}",
        f"{row['low']:.3f} to {row['high']:.3f}" if sampled else "",
        f"{row['releases']}" if sampled else "",
        f"{row['paper']:,g}",
    )


def _tell_end(out: Path, lab: Lab) -> None:
    drawn = f"{lab.drawn:,} releases were drawn now."
    sampled = (
        (f"{drawn} At most {lab.rounds} were requested for each point: the intervals are wide.",)
        if lab.rounds < LEAST
        else (
            f"{drawn} A point has at least {LEAST}, and more until its 95 %",
            f"interval is within {rounded_percent(PRECISION)} of its value or --rounds is reached.",
        )
    )
    sentence = f"Tables, plots and points are in {out.as_posix()}."
    show.lines("", *(sampled if lab.drawn else ()), sentence)
