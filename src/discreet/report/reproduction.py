"""Five papers on one page: what each prints, what we measured, and how they compare."""

from importlib.metadata import version
from typing import Any, Final

from discreet.lazy import pl
from discreet.report.page import page
from discreet.report.wording import number

COLUMNS: Final = (
    "figure", "data", "number", "printed", "ours", "95 % interval", "releases", "comparison", "why",
)  # fmt: skip
COMPARED: Final = ("same", "differs", "contradicts", "undecided")
NUMERIC: Final = ("printed", "ours", "releases")


def reproduction_page(claims: "pl.DataFrame") -> str:
    """Return the claims of papers beside ours as one self-contained page."""
    counted = claims.group_by("paper", maintain_order=True).agg(
        (pl.col("comparison") == comparison).sum().alias(comparison) for comparison in COMPARED
    )
    return page(
        "reproduction.html",
        tool=f"discreet {version('discreet')}",
        papers=counted.to_dicts(),
        columns=COLUMNS,
        numeric=NUMERIC,
        rows=[_row(claim) for claim in claims.to_dicts()],
    )


def _row(claim: dict[str, Any]) -> dict[str, Any]:
    """Return a claim as it fits on a page: what the number is in one cell, why in another."""
    named = (claim[name] for name in ("method", "measure", "setting"))
    low, high = claim["low"], claim["high"]
    return {
        "paper": claim["paper"],
        "figure": claim["figure"],
        "data": claim["data"],
        "number": ", ".join(filter(None, named)),
        "printed": claim["printed"],
        "ours": claim["value"],
        "95 % interval": "" if low is None or low == high else f"{number(low)} to {number(high)}",
        "releases": claim["releases"],
        "comparison": claim["comparison"],
        "why": claim["why"] or claim["note"],
    }
