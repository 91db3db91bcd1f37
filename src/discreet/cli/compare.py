"""``discreet compare STUDY.toml``: methods, parameters and seeds against every attack."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from discreet.cli import show
from discreet.cli.options import command, filled
from discreet.core.doc import Doc
from discreet.errors import DataError
from discreet.io.writing import write_file
from discreet.lazy import pl


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where the results go."""

    out: Annotated[
        Path,
        Doc(
            "The folder for tables, the report and the results of each setting; settings that "
            "are done are not run again."
        ),
    ]
    workers: Annotated[
        int | None, Doc("How many processes to use; by default one for each core.")
    ] = None


def _run(*, study: str, json: bool, **typed: Any) -> int:
    from discreet.report import study_page, write_page
    from discreet.study import Study, front, studied, summary

    target, plan = filled(Target, typed), Study.read(study)
    _refuse(target.out)
    show.warn(
        "choosing parameters by looking at private data is itself a leak, unless it is paid for "
        "from a budget; keep the results to yourself, or use public data"
    )
    with show.counting("releases") as progress:
        table = studied(plan, target.out / "cells", workers=target.workers, progress=progress)
    best = front(table, plan.exposure, plan.loss)
    for name, frame in (("table", table), ("summary", summary(table)), ("front", best)):
        write_file(target.out / f"{name}.csv", frame.write_csv(), "the table", private=True)
    page = write_page(target.out / "report.html", study_page(plan, table), private=True)
    failed = table.filter(table["part"] == "failed")
    # a study without a single release has no answer
    code = 1 if failed.height and not best.height else 0
    if json:
        record = {"report": page, "failed": failed.height, "why": _failure_counts(failed)}
        show.as_json(record | {"front": best.to_dicts()})
        return code
    show.table(
        ("data", "method", "parameters", "verdict", "exposure", "loss", ""),
        [
            (
                row["data"],
                row["method"],
                row["parameters"],
                row["verdict"] or "",
                _number(row["exposure"]),
                _number(row["loss"]),
                "best" if row["best"] else "",
            )
            for row in best.to_dicts()
        ],
    )
    why = [f"- {times:,}: {reason}" for reason, times in _failure_counts(failed).items()]
    show.lines(
        "", "Releases that could not be published:" if why else "Every release was published.", *why
    )
    show.lines(f"Report: {page}")
    return code


def _failure_counts(failed: "pl.DataFrame") -> dict[str, int]:
    """Return why releases failed, the most frequent reason first, with how often."""
    return dict(Counter(failed["note"].to_list()).most_common())


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _refuse(out: Path) -> None:
    """Refuse, before the work starts, a folder that cannot be written."""
    try:
        (out / "cells").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{out} must be a folder that can be written, and is not: {error.strerror}"
        raise DataError(msg) from None


compare = command(
    "compare",
    _run,
    arguments=[click.Argument(["study"], metavar="STUDY.toml")],
    sections={"The results": Target},
    about=(
        "Run every method in STUDY.toml with every parameter and seed, attack and measure each "
        "release, and write tables and a report. An interrupted study continues where it stopped."
    ),
)
