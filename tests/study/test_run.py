import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet.study import Study, front, studied, summary
from discreet.study import run as running
from discreet.study.cell import numbers_of
from discreet.study.file import study_of
from discreet.study.result_cache import ResultCache


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    path = tmp_path / "baskets.dat"
    path.write_text("1 2\n" * 60 + "2\n" * 40 + "3\n" * 20)
    return path


@pytest.fixture
def study(baskets: Path) -> Study:
    return study_of(
        {
            "seeds": 2,
            "data": [{"source": str(baskets), "name": "baskets"}],
            "publish": [
                {"method": "sparse-histogram", "epsilon": 1},
                {"method": "sparse-histogram", "epsilon": 1, "then": "apl-free"},
            ],
        }
    )


def test_every_release_is_verified_attacked_and_measured(study: Study) -> None:
    table = studied(study, workers=1)
    assert table.select("method", "seed").n_unique() == 4
    for _, cell in table.group_by("method", "seed"):
        assert {"cost", "verdict", "verify", "attack", "score", "measure"} <= set(cell["part"])
    free = table.filter(pl.col("method").str.contains("apl-free"))
    held = free.filter(pl.col("by") == "NoAttributeLeakage")
    assert held["value"].to_list() == [1.0, 1.0]


def test_what_is_done_is_not_done_again(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = studied(study, tmp_path / "cells", workers=1)
    one, *_ = sorted((tmp_path / "cells").iterdir())
    one.unlink()
    done = []
    monkeypatch.setattr(running, "run", lambda cell: done.append(cell) or run(cell))
    from discreet.study.cell import run

    again = studied(study, tmp_path / "cells", workers=1)
    assert len(done) == 1
    times = pl.col("part") != "cost"
    assert again.filter(times).equals(first.filter(times))


def test_a_record_that_was_cut_off_is_no_record(tmp_path: Path) -> None:
    cache, key = ResultCache(tmp_path), {"a": 1, "b": ("x", "y")}
    cache.keep(key, {"rows": [1]})
    assert cache.find(key) == {"key": {"a": 1, "b": ["x", "y"]}, "rows": [1]}
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text()[:-4])
    assert cache.find(key) is None
    file.write_text(json.dumps({"key": {"a": 2}}))
    assert cache.find(key) is None


def test_a_cell_that_fails_is_a_row_that_says_why(baskets: Path) -> None:
    told: dict[str, Any] = {
        "seeds": 1,
        "data": [{"source": str(baskets)}],
        "publish": [{"method": "apl-killer", "epsilon": 1, "fan_out": 10, "c1": 0}],
    }
    garbled = baskets.with_name("garbled.dat")
    garbled.write_text("no numbers\n")
    wrong = told | {"data": [{"source": str(garbled)}]}
    (row,) = studied(study_of(wrong), workers=1).to_dicts()
    assert row["part"] == "failed"
    assert "garbled.dat, line 1" in row["note"]


def test_workers_give_the_same_numbers(study: Study) -> None:
    alone, together = (studied(study, workers=many) for many in (1, 2))
    kept = pl.col("part") != "cost"
    assert alone.filter(kept).equals(together.filter(kept))


def test_progress_is_told(study: Study) -> None:
    told: list[tuple[int, int]] = []
    studied(study, workers=1, progress=lambda done, of: told.append((done, of)))
    assert told == [(done, 4) for done in range(5)]


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


def test_numbers_have_names_and_intervals() -> None:
    record = {"error": 2, "rate": {"share": 0.5, "low": 0.1, "high": 0.9}, "word": "x", "yes": True}
    assert list(numbers_of(record)) == [("error", 2.0, (None, None)), ("rate", 0.5, (0.1, 0.9))]
