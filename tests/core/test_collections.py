"""What Python's collections become, and what is refused before it becomes letters."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet import (
    DataError,
    Network,
    ParameterError,
    SocialNetwork,
    Transactions,
)

MATRIX = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0]])


@pytest.mark.parametrize(
    ("records", "complaint"),
    [
        ([[["beer"]]], "record 1 holds a collection"),
        (np.zeros((1, 1, 1)), "record 1 holds a collection"),
        ({"": ["beer"]}, "that of record 1 is not"),
        ({"Ann": ["beer"], None: ["rye"]}, "that of record 2 is not"),
        ({"Ann": ["beer"], " Ann": ["rye"]}, "record 2 has an earlier one's id"),
        ({1: ["beer"], "1": ["rye"]}, "record 2 has an earlier one's id"),
    ],
)
def test_what_names_nobody_or_two_people_is_refused(records: Any, complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        Transactions.of(records)


@pytest.mark.parametrize("role", ["universe", "sensitive"])
@pytest.mark.parametrize("items", ["ab", b"ab", 5, [None], [["a"]], [True]])
def test_no_role_of_items_becomes_letters(role: str, items: Any) -> None:
    for records in ([["a"], ["b"]], MATRIX):
        with pytest.raises(ParameterError, match=r"collection of items|names of items") as refused:
            Transactions.of(records, **{role: items})
        assert refused.value.parameter == role


@pytest.mark.parametrize(
    "pairs",
    [
        *("ab", ["ab", "cd"], [("a", "b", "c")], [{"a": "b"}], [5], None, [("a", None)]),
        pl.DataFrame({"source": ["a"], "target": ["b"]}),
    ],
)
def test_no_pair_becomes_letters(pairs: Any) -> None:
    for made in (Network.of, lambda pairs: SocialNetwork.of(None, pairs)):
        with pytest.raises(ParameterError, match="ids") as refused:
            made(pairs)
        assert refused.value.parameter == "pairs"


def test_ends_of_pairs_are_named_as_people_are() -> None:
    network = Network.of([(" a", "b"), ("a", "c\u00a0"), (1, "1 ")])
    assert network.ids.tolist() == ["a", "1", "b", "c"]
