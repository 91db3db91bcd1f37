"""Text as words that compare equal: lower case, without plural, cut at punctuation."""

import pytest

from discreet.semantics import (
    singular,
    words_of,
)


def test_words_come_in_the_order_of_the_text() -> None:
    found = words_of(["b a", "", "a. c"])
    assert found.rows() == [(0, "b"), (0, "a"), (2, "a"), (2, "."), (2, "c")]


@pytest.mark.parametrize(
    ("plural", "one"),
    [("cells", "cell"), ("histories", "history"), ("processes", "process"), ("gas", "gas"),
     ("virus", "virus"), ("glass", "glass"), ("ties", "tie")],
)  # fmt: skip
def test_the_plural_goes(plural: str, one: str) -> None:
    assert singular(plural) == one
    assert singular(one) == singular(singular(plural))
