"""An index counts what reading the texts would count, and finds it again from the disk."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import DataError, ParameterError
from discreet.semantics import Corpus

WORDS = st.sampled_from(["oil", "price", "rise", "opec", "bank"])
TEXTS = st.lists(st.lists(WORDS, max_size=9).map(" ".join), min_size=1, max_size=8).filter(
    lambda texts: any(texts)
)
TERMS = ["oil", "price", "oil price", "price oil", "bank", "opec oil price", "gold", "oil gold"]


def holds(text: str, term: str) -> bool:
    return f" {term} " in f" {text} "


@given(TEXTS)
def test_terms_are_counted_as_by_reading(texts: list[str]) -> None:
    corpus = Corpus.build(texts)
    assert corpus.size == len(texts)
    assert corpus.counts(TERMS).tolist() == [
        sum(holds(text, term) for text in texts) for term in TERMS
    ]


@given(TEXTS)
def test_pairs_are_counted_as_by_reading(texts: list[str]) -> None:
    corpus = Corpus.build(texts)
    read = [
        [sum(holds(text, one) and holds(text, other) for text in texts) for other in TERMS]
        for one in TERMS
    ]
    assert corpus.shared_counts(TERMS, TERMS).toarray().tolist() == read
    pairs = [(one, other) for one in TERMS for other in TERMS]
    assert corpus.pair_counts(pairs).tolist() == [count for row in read for count in row]


@given(TEXTS, st.integers(2, 4))
def test_windows_cut_texts(texts: list[str], window: int) -> None:
    corpus = Corpus.build(texts, window=window)
    cut = [
        words[start : start + window] or [""]
        for words in map(str.split, texts)
        for start in range(0, max(1, len(words)), window)
    ]
    assert corpus.size == len(cut)
    assert corpus.counts(["oil", "bank"]).tolist() == [
        sum(term in part for part in cut) for term in ("oil", "bank")
    ]


def test_case_plural_and_punctuation_do_not_matter() -> None:
    corpus = Corpus.build(["Crude-oil's PRICES rose.", "He paid. Prices fell"])
    assert corpus.counts(["crude oil", "Price", "prices", "oil price"]).tolist() == [1, 2, 2, 1]


def test_no_phrase_goes_across_a_sentence_or_a_text() -> None:
    corpus = Corpus.build(["low oil. price falls", "the oil", "price rises"])
    assert corpus.counts(["oil price", "price fall"]).tolist() == [0, 1]


def test_an_index_survives_the_disk(tmp_path: Path) -> None:
    made = Corpus.build(["crude oil price", "", "oil bank"])
    made.save(tmp_path / "index")
    again = Corpus.open(tmp_path / "index")
    assert again.record() == made.record()
    assert again.counts(TERMS).tolist() == made.counts(TERMS).tolist()
    assert isinstance(again.positions, np.memmap)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index"]


def test_an_index_cannot_be_read_as_text(tmp_path: Path) -> None:
    Corpus.build(["secretword here"]).save(tmp_path / "index")
    for file in (tmp_path / "index").iterdir():
        assert b"secretword" not in file.read_bytes()
    assert "secretword" not in repr(Corpus.build(["secretword here"]))


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="must be an index written by discreet corpus"):
        Corpus.open(tmp_path)
    made = Corpus.build(["oil"]).save(tmp_path / "index")
    with pytest.raises(DataError, match="exists; choose another name"):
        Corpus.build(["oil"]).save(made)
    (made / "keys.npy").unlink()
    with pytest.raises(DataError, match="must be an index"):
        Corpus.open(made)


def test_a_corpus_without_words_is_refused() -> None:
    with pytest.raises(DataError, match="at least one word"):
        Corpus.build(["...", ""])
    with pytest.raises(ParameterError, match="at least 2 words, got 1"):
        Corpus.build(["oil"], window=1)
