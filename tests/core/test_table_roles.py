"""Names of columns that play a role."""

from typing import Any

import polars as pl
import pytest

from discreet import (
    Microdata,
    ParameterError,
    Transactions,
)

PEOPLE = {"age ": [39, 40], "ill": ["flu ", None]}


def test_roles_find_columns_however_blanks_stand() -> None:
    people = Microdata.of(
        {" age\u00a0": [39], "cafe\u0301": ["x"], "\till": ["flu"], "had ": [["b", " a", None]]},
        qids=["age "],
        sensitive=["\u00a0ill"],
        kept=["caf\u00e9"],
        set_column=" had",
    )
    assert people[0] == {"age": "39", "ill": "flu", "caf\u00e9": "x", "had": "b|a"}
    frame = pl.DataFrame({" who ": ["Ann"], "what": ["x"]})
    assert list(Transactions.from_frame(frame, id="who", item=" what")) == [("x",)]


@pytest.mark.parametrize("qids", ["age", None, 5, [1]])
def test_roles_that_are_no_list_of_names_are_refused(qids: Any) -> None:
    with pytest.raises(ParameterError, match="list of names of columns") as refused:
        Microdata.of(PEOPLE, qids=qids, sensitive=["ill"])
    assert refused.value.parameter == "qids"
