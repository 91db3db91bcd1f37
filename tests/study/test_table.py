"""A study as tables: every number once, means over seeds, and what no other setting beats."""

import polars as pl
import pytest

from discreet.study import front, summary


def numbers(**rows: list[tuple[str, str, str, float]]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "data": "d", "method": method, "parameters": "", "seed": seed, "part": part,
                "by": by, "quantity": quantity, "value": value, "low": value - 1,
                "high": value + 1, "note": "",
            }
            for method, told in rows.items()
            for seed, (part, by, quantity, value) in enumerate(told)
        ]
    )  # fmt: skip


def test_a_mean_over_seeds_has_the_interval_of_the_mean() -> None:
    table = numbers(a=[("measure", "m", "error", 1.0), ("measure", "m", "error", 3.0)])
    (row,) = summary(table).to_dicts()
    assert (row["mean"], row["seeds"]) == (2.0, 2)
    assert row["high"] - 2.0 == pytest.approx(12.7, abs=0.01)
    (alone,) = summary(table.head(1)).to_dicts()
    assert (alone["low"], alone["high"]) == (0.0, 2.0)


def test_the_front_is_what_nothing_beats() -> None:
    def setting(success: float, base: float, error: float) -> list[tuple[str, str, str, float]]:
        return [
            ("score", "attack", "right about people", success),
            ("gain", "attack", "is right about more", success - base),
            ("measure", "m", "query error", error),
        ]

    table = numbers(
        safe=setting(0.5, 0.5, 0.9), useful=setting(0.9, 0.5, 0.1), beaten=setting(0.95, 0.5, 0.95)
    )
    best = front(table)
    assert dict(best.select("method", "best").rows()) == {
        "safe": True,
        "useful": True,
        "beaten": False,
    }
    assert best.filter(pl.col("method") == "useful")["exposure"].item() == pytest.approx(0.4)
    named = front(table, exposure="right about people", loss="query error")
    assert named.filter(pl.col("method") == "useful")["exposure"].item() == 0.9


def test_what_may_not_be_released_is_never_best() -> None:
    def setting(level: int, gain: float, error: float) -> list[tuple[str, str, str, float]]:
        return [
            ("verdict", "rules", "verdict", float(level)),
            ("gain", "attack", "is right about more", gain),
            ("measure", "m", "query error", error),
        ]

    table = numbers(
        refused=setting(2, 0.1, 0.1), careful=setting(1, 0.2, 0.2), plain=setting(0, 0.3, 0.1)
    )
    told = {row["method"]: (row["verdict"], row["best"]) for row in front(table).to_dicts()}
    # and what it would beat is best nevertheless
    assert told == {
        "refused": ("do not release", False),
        "careful": ("release with care", True),
        "plain": ("release", True),
    }


def test_the_gravest_of_the_seeds_is_the_verdict_on_a_setting() -> None:
    rows = [("verdict", "rules", "verdict", 0.0), ("verdict", "rules", "verdict", 2.0)]
    losses = [("measure", "m", "query error", 0.1), ("gain", "attack", "more", 0.1)]
    (row,) = front(numbers(one=[*rows, *losses])).to_dicts()
    assert (row["verdict"], row["best"]) == ("do not release", False)


def test_losses_of_different_kinds_are_not_compared() -> None:
    def setting(quantity: str, loss: float) -> list[tuple[str, str, str, float]]:
        return [("attack", "attack", "highest confidence", 0.5), ("measure", "m", quantity, loss)]

    table = numbers(
        error=setting("query error", 0.9),
        worse=setting("query error", 0.95),
        penalty=setting("ncp", 0.1),
    )
    told = dict(front(table).select("method", "best").rows())
    assert told == {"error": True, "worse": False, "penalty": True}
