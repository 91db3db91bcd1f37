"""Texts get numbers as they first come, however they are cut into parts."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from discreet.io.codes import AT_ONCE, Codes

WORDS = st.lists(st.text(max_size=5), max_size=30)


@given(st.lists(WORDS, max_size=6))
def test_numbers_are_those_of_first_occurrence(parts: list[list[str]]) -> None:
    codes, due = Codes(), dict[str, int]()
    for part in parts:
        found = codes.add(pl.Series(part, dtype=pl.String))
        assert found.tolist() == [due.setdefault(text, len(due)) for text in part]
    assert [text for some in codes.texts() for text in some] == list(due)
    assert codes.array().tolist() == [text.rstrip("\0") for text in due]
    assert codes.letters().tolist() == [len(text) for text in due]
    assert all(codes.find(text) == code for text, code in due.items())
    assert codes.find("no text of five") is None
    plain = all(letter.isascii() and letter > " " for text in due for letter in text)
    assert codes.plain is plain


def test_more_texts_than_are_told_at_once_and_than_a_table_holds() -> None:
    many = 2 * AT_ONCE + 7
    texts = [str(number) for number in range(many)]
    codes = Codes()
    for begin in range(0, many, 1_000):
        codes.add(pl.Series(texts[begin : begin + 1_000]))
    assert len(codes) == many
    assert codes.array().tolist() == texts
    shuffled = np.random.default_rng(1).permutation(many)
    assert (codes.add(pl.Series(texts)[shuffled]) == shuffled).all()


def test_texts_of_one_hash_are_still_compared() -> None:
    # a table of 128 places and 64 texts: by far more texts than fit without meeting
    texts = [letter * size for letter in "abcdefgh" for size in range(1, 9)]
    codes = Codes()
    assert codes.add(pl.Series(texts * 2)).tolist() == [*range(64)] * 2
