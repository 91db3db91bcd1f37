"""What a paper says of a whole curve: how much lower one method is than another, on average."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import sqrt
from typing import Any, Final, TypeAlias

from discreet.papers.figure import Row
from discreet.papers.trials import ERROR, RATIO

Curve: TypeAlias = dict[float, Row]

AS_PRINTED: Final = "apl-killer as printed"
"""The method as it stands in the paper."""
REDUCTION = f"{ERROR} reduced by"
"""The measure of a row that compares two curves: one less the ratio, averaged over epsilon."""


def with_reductions(rows: list[Row], printed: Mapping[tuple[str, str], float]) -> list[Row]:
    """Add a row for each pair of curves of APLKiller and another method on the same data.

    Curves go together when they share c1 and fan-out; a method that has none goes with each.
    ``printed`` holds the paper's number by data and method.
    """
    curves: defaultdict[tuple[Any, ...], Curve] = defaultdict(dict)
    for row in rows:
        if row.get("measure") == ERROR:
            names = ("data", "method", "c1", "fan_out", "theta")
            curves[tuple(row[name] for name in names)][row["epsilon"]] = row
    return rows + [
        _reduction(own, rival, printed)
        for key, own in curves.items()
        if key[1] == "apl-killer"
        for name, rival in curves.items()
        if name[:2] != key[:2] and name[0] == key[0] and name[2] in (key[2], None)
        if name[3] in (key[3], None) and _shared(own, rival)
    ]


def _reduction(own: Curve, rival: Curve, printed: Mapping[tuple[str, str], float]) -> Row:
    """Average the reduction over the budgets that both curves have; errors are independent."""
    shared = _shared(own, rival)
    drops = [1 - own[epsilon]["value"] / rival[epsilon]["value"] for epsilon in shared]
    errors = [_ratio_error(own[epsilon], rival[epsilon]) for epsilon in shared]
    first, second = own[shared[0]], rival[shared[0]]
    value, reach = (
        sum(drops) / len(drops),
        sqrt(sum(error**2 for error in errors)) / len(drops),
    )
    return first | {
        "method": f"{first['method']} against {second['method']}",
        "publisher": first["method"],
        "against": second["method"],
        "theta": second["theta"],
        "epsilon": None,
        "measure": REDUCTION,
        "value": value,
        "low": value - reach,
        "high": value + reach,
        "releases": sum(row["releases"] for row in (*own.values(), *rival.values())),
        "paper": printed.get((first["data"], second["method"])),
        "note": f"mean over {len(drops)} budgets; below 0 is an increase",
    }


def _shared(own: Curve, rival: Curve) -> list[float]:
    return [epsilon for epsilon in own if epsilon in rival and rival[epsilon]["value"] > 0]


def _ratio_error(own: Row, rival: Row) -> float:
    """Return the reach of the interval of a ratio, by the usual linear approximation."""
    ratio: float = own["value"] / rival["value"]
    shares = [(row["high"] - row["low"]) / 2 / row["value"] for row in (own, rival) if row["value"]]
    return ratio * sqrt(sum(share**2 for share in shares))


def times_reduced(rows: Iterable[Row]) -> Iterator[Row]:
    """Put the paper's word about the time beside each ratio to DiffPart."""
    for row in rows:
        if row.get("measure") != RATIO:
            yield row
        elif row["against"] == "diff-part":
            large = row["data"] not in ("msnbc", "nltcs")
            note = "paper: nearly half on its check-ins" if large else "paper: mean over its data"
            yield row | {"paper": 0.5 if large else 0.7296, "note": note}
        elif row["data"] == "msnbc":
            yield row | {"note": "paper: PrivBayes took more than 24 hours"}
        else:
            yield row
