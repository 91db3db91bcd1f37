"""Frames of several makers, and columns that are no text."""

from typing import Any

import polars as pl
import pytest

from discreet import (
    DataError,
    Microdata,
    Transactions,
)

pd = pytest.importorskip("pandas")
ROLES: dict[str, Any] = {"qids": ["age"], "sensitive": ["item"]}


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ({"age": [1], " age": [2], "ill": ["x"]}, "two columns have the same name, 'age'"),
        ({"age": [[1]], "ill": ["x"]}, r"'age' must hold text or numbers, not List"),
        ({"age": [{"a": 1}], "ill": ["x"]}, r"'age' must hold text or numbers, not Struct"),
        ({"age": [object()], "ill": ["x"]}, r"'age' must hold text or numbers, not Object"),
        ({"age": [1, 2], "ill": ["x"]}, "equally long"),
        ({"age": [1, "secret"], "ill": ["x", "y"]}, "values of one kind, such as texts$"),
    ],
)
def test_columns_that_are_no_text_are_refused(columns: dict[str, Any], complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        Microdata.of(columns, qids=["age"], sensitive=["ill"])


def test_a_frame_of_mixed_values_is_refused_without_showing_one() -> None:
    mixed = pd.DataFrame({"id": [1, 2], "item": ["secret", 3], "age": [1, "secret"]})
    for made in (Transactions.from_frame, lambda frame: Microdata.of(frame, **ROLES)):
        with pytest.raises(DataError, match=r"astype\('string'\)$"):
            made(mixed)


@pytest.mark.parametrize(
    "columns",
    [
        {"id": ["a", " "], "item": ["x", "y"]},
        {"id": [1.0, float("nan")], "item": ["x", "y"]},
    ],
)
def test_a_blank_or_no_number_is_no_id(columns: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="row 2 does not"):
        Transactions.from_frame(pl.DataFrame(columns))


def test_no_number_is_a_gap() -> None:
    table = {"age": [1.5, float("nan")], "ill": ["x", "y"]}
    assert Microdata.of(table, qids=["age"], sensitive=["ill"])[1] == {"age": "?", "ill": "y"}
