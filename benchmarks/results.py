"""Rows of the table of benchmarks: what was done, what it took, beside what, and the ratio."""

import json
import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

COMMITTED = Path(__file__).with_name("measured.json")
"""The table as it was measured last, which a later run is compared with."""
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "benchmarks.md"
WORSE = 1.5
"""A ratio that has grown by this factor is told: less is the noise of machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One piece of work beside a peer or a limit, in one run; a smaller ratio is better."""

    benchmark: str
    work: str
    ours: str
    beside: str
    ratio: float


@dataclass(slots=True)
class Results:
    """What was measured, printed as it comes."""

    rows: list[Row] = field(default_factory=list)
    benchmark: str = ""

    def add(self, work: str, ours: str, beside: str, ratio: float, note: str = "") -> None:
        """Take a row; ``note`` is printed and does not stay."""
        self.rows.append(
            Row(benchmark=self.benchmark, work=work, ours=ours, beside=beside, ratio=ratio)
        )
        print(f"{work}: {ours}, {ratio:.3g} of {beside}{f' ({note})' if note else ''}", flush=True)

    def seconds(self, work: str, taken: float, limit: float, note: str = "") -> None:
        """Take a row of seconds beside a limit in seconds."""
        self.add(work, f"{taken:.2f} s", f"{limit:g} s", taken / limit, note)


def data_at_hand() -> bool:
    """Whether the papers' data sets are there; where they are not, say that this is left out."""
    there = "DISCREET_DATA" in os.environ
    if not there:
        print("skipped: DISCREET_DATA is not set, the papers' data sets are not at hand")
    return there


def machine() -> dict[str, str]:
    """Return what the numbers depend on, without a name of the machine."""
    import numba
    import numpy
    import polars

    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
        "polars": polars.__version__,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()


def save(rows: Iterable[Row], path: Path = COMMITTED, page: Path = PAGE) -> None:
    """Write the table for machines and for people; benchmarks that did not run keep their rows."""
    measured = [asdict(row) | {"ratio": float(f"{row.ratio:.3g}")} for row in rows]
    ran = {row["benchmark"] for row in measured}
    facts = machine()
    before = json.loads(path.read_text())["rows"] if path.exists() else []
    unchanged = [row for row in before if row["benchmark"] not in ran]
    table = [*unchanged, *(row | {"date": facts["date"]} for row in measured)]
    path.write_text(json.dumps({"machine": facts, "rows": table}, indent=1) + "\n")
    page.write_text(_page(facts, table))


def _page(facts: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> str:
    lines = [
        "# Benchmarks",
        "",
        "Each piece of work beside a peer or a limit in the same run; below 1 is within the limit",
        "or faster than the peer. `make bench` measures again and writes this page;",
        "`make bench-compare` measures and says which ratio has grown by half since.",
        "",
        f"Last run: {', '.join(f'{name} {value}' for name, value in facts.items())}.",
        "",
        "| benchmark | work | ours | peer or limit | ratio | date |",
        "|---|---|--:|--:|--:|---|",
    ]
    lines += [
        f"| {row['benchmark']} | {row['work']} | {row['ours']} | {row['beside']} "
        f"| {row['ratio']:.3g} | {row['date']} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def worsened(rows: Iterable[Row], path: Path = COMMITTED) -> list[str]:
    """Return a line for each row whose ratio has grown by half against the committed table."""
    before = {
        (row["benchmark"], row["work"]): row["ratio"]
        for row in json.loads(path.read_text())["rows"]
    }
    lines = []
    for row in rows:
        old = before.get((row.benchmark, row.work))
        if old and row.ratio > WORSE * old:
            lines.append(
                f"{row.benchmark}, {row.work}: {row.ratio:.3g} of {row.beside}, was {old:g}"
            )
    return lines
