"""Workloads: queries read from lines."""

from pathlib import Path

import pytest

from discreet.core.workload import Workload
from discreet.errors import DataError


def test_queries_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "queries.txt"
    file.write_text("\ufeffsex=Female; age\u00a0=30-39\r\n\neducation=Masters|\u2003Doctorate\n")
    wanted = ({"sex": ("Female",), "age": ("30-39",)}, {"education": ("Masters", "Doctorate")})
    assert Workload.read(file).queries == wanted


@pytest.mark.parametrize("line", ["sex", "=Female", "sex=", "sex=f;sex=m", "sex=f;"])
def test_a_line_that_is_no_query_is_refused(line: str) -> None:
    with pytest.raises(DataError, match="query 2: must read"):
        Workload.of(["sex=f", line])


def test_no_query_is_no_workload(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="at least one query"):
        Workload.of([""])
    with pytest.raises(DataError, match=r"missing.txt"):
        Workload.read(tmp_path / "missing.txt")
