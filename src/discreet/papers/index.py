"""Every number that a paper prints beside ours: a word on how they compare, and why."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, Literal, TypeAlias

from discreet.lazy import pl
from discreet.papers.explanations import reason_for
from discreet.papers.figure import SETTINGS

Comparison: TypeAlias = Literal["same", "differs", "contradicts", "undecided"]
LETTERS: Final = {"epsilon": "eps", "fan_out": "f", "occurrences": "n"}
"""Short names of settings."""
PRINTED: Final = 0.006
"""How far a number may lie from one that is printed with up to two decimals."""
NEAR: Final = 0.02
"""How far it may lie from a larger one, as a share."""
FAR: Final = 0.5
"""From this share on a difference contradicts what is printed."""
TENTH: Final = 0.1
"""How wide an interval may be around a printed 0."""
WIDE: Final = "the interval is too wide to decide; more --rounds would narrow it"
"""Why a number is undecided."""


def compared(value: float, low: float | None, high: float | None, paper: float) -> Comparison:
    """Say how our number compares with the printed one.

    The same: the printed number lies in our interval, or as near as its digits tell. Undecided: so
    it does, but the interval is so wide that it holds numbers that would contradict it as well.
    Contradicts: ours lies on the other side of zero, or is further off than half of what is
    printed. Otherwise they differ.

    >>> (
    ...     compared(0.41, 0.38, 0.44, 0.4),
    ...     compared(0.5, 0.49, 0.51, 0.4),
    ...     compared(-0.2, None, None, 0.4),
    ...     compared(0.5, 0.1, 0.9, 0.4),
    ... )
    ('same', 'differs', 'contradicts', 'undecided')
    """
    near = max(_last_digit(paper), NEAR * abs(paper))
    # half of nothing is no measure
    far = max(near, FAR * abs(paper) or TENTH)
    lower, upper = (value if low is None else low), (value if high is None else high)
    if lower - near <= paper <= upper + near:
        return "undecided" if lower < paper - far or upper > paper + far else "same"
    opposite = value * paper < 0 and abs(value) > near
    return "contradicts" if opposite or abs(value - paper) > FAR * abs(paper) else "differs"


def _last_digit(paper: float) -> float:
    """Return how far a number may lie from a printed one: a little over half of its last digit.

    >>> _last_digit(0.19), _last_digit(0.002), _last_digit(46)
    (0.006, 0.0006, 0.006)
    """
    decimals = -int(Decimal(str(paper)).as_tuple().exponent)
    return min(PRINTED, round(0.6 * 10.0**-decimals, decimals + 1))


def compared_claims(tables: "Mapping[str, Sequence[pl.DataFrame]]") -> "pl.DataFrame":
    """Return a row for each number that a paper prints, over all papers and figures."""
    rows = [
        _claim(paper, row)
        for paper, frames in tables.items()
        for table in frames
        for row in table.to_dicts()
        if row.get("paper") is not None and row["value"] is not None
    ]
    texts = ("paper", "figure", "data", "method", "measure", "setting", "comparison", "why", "note")
    kinds = dict.fromkeys(texts, pl.String)
    numbers = dict.fromkeys(("printed", "value", "low", "high"), pl.Float64)
    return pl.DataFrame(rows, schema_overrides=kinds | numbers | {"releases": pl.Int64})


def _claim(paper: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return one number beside the printed one, with the reason where they are not the same."""
    comparison = _compared(row)
    return {
        "paper": paper,
        **{name: row.get(name) for name in ("figure", "data", "method", "measure")},
        "setting": setting_of(row),
        "printed": float(row["paper"]),
        **{name: row[name] for name in ("value", "low", "high", "releases")},
        "comparison": comparison,
        "why": _why(comparison, row),
        "note": row.get("note") or "",
    }


def _why(comparison: Comparison, row: Mapping[str, Any]) -> str:
    if comparison == "undecided":
        return WIDE
    return "" if comparison == "same" else reason_for(row)


def _compared(row: Mapping[str, Any]) -> Comparison:
    """Say how the number of a row compares; what is printed as "at least" may be exceeded."""
    if row["printed_as"] == "at least" and row["value"] >= row["paper"]:
        return "same"
    return compared(row["value"], row["low"], row["high"], row["paper"])


def setting_of(row: Mapping[str, Any]) -> str:
    """Return the settings of a row in one line.

    >>> setting_of({"figure": "3", "epsilon": 0.5, "fan_out": 2, "c1": None, "value": 1.0})
    'eps=0.5 f=2'
    """
    settings = {name: row[name] for name in SETTINGS if row.get(name) is not None}
    return " ".join(f"{LETTERS.get(name, name)}={value:g}" for name, value in settings.items())
