import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet.study import Study, studied
from discreet.study import run as running
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
