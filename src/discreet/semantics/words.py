"""Text as words that compare equal: lower case, without plural, cut at punctuation."""

from collections.abc import Sequence

from discreet.lazy import pl

STOP = "."
"""The word that stands for the end of a sentence: no phrase goes across it."""

_WORD = r"[\p{L}\p{N}]+|[.!?;:](?:\s|$)"
_POSSESSIVE = r"['\u2019]s\b"


def singular(word: str) -> str:
    """Return a word without its plural: the S stemmer of Harman 1991, and losses to loss.

    Parameters
    ----------
    word
        A word in lower case.

    Returns
    -------
    str
        The word.

    Examples
    --------
    >>> [singular(word) for word in ("histories", "cells", "diseases", "glass", "virus", "gas")]
    ['history', 'cell', 'disease', 'glass', 'virus', 'gas']
    """
    if len(word) > 4 and word.endswith("ies") and word[-4] not in "ae":
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "shes", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("es") and word[-3] not in "aeo":
        return word[:-1]
    if len(word) > 3 and word.endswith("s") and word[-2] not in "us":
        return word[:-1]
    return word


def words_of(texts: "Sequence[str] | pl.Series") -> "pl.DataFrame":
    """Return the words of all texts, one a row: ``text`` is its number, ``word`` the word.

    The end of a sentence is a row of its own. Corpus and items go through the same door, so an
    item finds its words however they are written.

    Parameters
    ----------
    texts
        The texts.

    Returns
    -------
    polars.DataFrame
        A row for each word of each text.

    Examples
    --------
    >>> words_of(["Low prices. Crude-oil's price"])["word"].to_list()
    ['low', 'price', '.', 'crude', 'oil', 'price']
    """
    column = pl.Series("word", texts, dtype=pl.String)
    tokens = (
        pl.DataFrame(
            {"text": pl.int_range(len(column), dtype=pl.Int64, eager=True), "word": column}
        )
        .with_columns(
            pl.col("word")
            .str.to_lowercase()
            .str.replace_all(_POSSESSIVE, "")
            .str.extract_all(_WORD)
        )
        .explode("word")
        .drop_nulls("word")
    )
    # each distinct word is folded once, however often it stands in the texts
    distinct = tokens["word"].unique()
    folded = [singular(word) if word[0].isalnum() else STOP for word in distinct.to_list()]
    return tokens.with_columns(
        pl.col("word").replace_strict(
            distinct, pl.Series(folded, dtype=pl.String), return_dtype=pl.String
        )
    )
