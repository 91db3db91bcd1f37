"""Five papers on one page: what each prints, what we measured, and how they compare."""

from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from discreet.report.page import page

if TYPE_CHECKING:
    import polars as pl

__all__ = ["reproduction_page"]

NUMERIC: Final = ("printed", "value", "low", "high", "releases")


def reproduction_page(claims: "pl.DataFrame") -> str:
    """Return the claims of papers beside ours as one self-contained page."""
    counted = claims.group_by("paper", maintain_order=True).agg(
        [(claims_of == word).sum().alias(word) for word, claims_of in _words()]
    )
    return page(
        "reproduction.html",
        tool=f"discreet {version('discreet')}",
        papers=counted.to_dicts(),
        columns=claims.columns,
        numeric=NUMERIC,
        rows=claims.to_dicts(),
    )


def _words() -> "list[tuple[str, pl.Expr]]":
    import polars as pl

    return [(word, pl.col("comparison")) for word in ("same", "differs", "contradicts")]
