"""Text as sets of items: the nouns and noun phrases of a document, or the queries of a user."""

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias

from discreet.errors import ParameterError
from discreet.semantics.words import singular

Tagged: TypeAlias = Sequence[tuple[str, str]]
"""The words of a sentence, each with its part of speech by a Penn tag such as NN or JJ."""
Tagger: TypeAlias = Callable[[str], list[Tagged]]
"""Splits a text into sentences of tagged words."""

_LISTED = """
    a about above after again against all also am an and another any are as at be because been
    before being below between both but by can could did do does doing don down during each either
    else ever every few for from further get had has have having he her here hers herself him
    himself his how however i if in into is it its itself just least less like lot many may me might
    more most much must my myself neither no nor not nothing now of off on once one only or other
    others our ours ourselves out over own per same several shall she should so some something such
    than that the their theirs them themselves then there these they thing this those through
    thus to too under until up upon us very was way we were what when where whether which while who
    whom whose why will with within without would yes yet you your yours yourself
"""
STOP_WORDS = frozenset(_LISTED.split())
"""Words that are no item by themselves."""

_WHOLE = 2
"""Words up to which a query is one item: so short a text has no grammar to go by."""
_MOST = 2
"""Words of a noun phrase: noun and noun, adjective and noun, or a noun alone."""


def tagged(text: str) -> list[Tagged]:
    """Tag the words of a text by the extra ``text``, which needs nothing beyond its packages."""
    parse = _parser()
    sentences = parse(text, tokenize=True, tags=True, chunks=False, lemmata=False)
    return [
        [
            (word.replace("&slash;", "/"), tag)
            for word, _, tag in (token.rpartition("/") for token in line.split(" "))
        ]
        for line in sentences.split("\n")
        if line
    ]


@lru_cache(maxsize=1)
def _parser() -> Callable[..., str]:
    try:
        from textblob.en import parse
    except ImportError:
        msg = "text becomes sets by the extra text; get it with: pip install 'discreet[text]'"
        raise ParameterError(msg) from None
    with warnings.catch_warnings():
        # its lexicon, read at the first call, is left open for the system to close
        warnings.simplefilter("ignore", ResourceWarning)
        parse("word", chunks=False, lemmata=False)
    return parse  # type: ignore[no-any-return]


def noun_phrases(sentence: Tagged) -> list[str]:
    """Return the nouns of a sentence, each with the noun or the adjective right before it.

    Shao and Ong 2017, 6.1.1: noun and noun, adjective and noun, or noun, from left to right; in
    lower case, the last word without plural.

    Parameters
    ----------
    sentence
        Words with their parts of speech.

    Returns
    -------
    list of str
        The phrases in their order.

    Examples
    --------
    >>> noun_phrases([("sudden", "JJ"), ("weight", "NN"), ("losses", "NNS")])
    ['sudden weight', 'loss']
    >>> noun_phrases([("A", "DT"), ("long", "JJ"), ("painful", "JJ"), ("history", "NN")])
    ['painful history']
    """
    phrases = []
    for inside, run in groupby(sentence, key=lambda pair: pair[1][:2] in ("NN", "JJ")):
        words = list(run) if inside else []
        at = 0
        while at < len(words):
            both = at + 1 < len(words) and words[at + 1][1].startswith("NN")
            take = _MOST if both else 1
            if both or words[at][1].startswith("NN"):
                phrases.append(_joined(words[at : at + take]))
                at += take
            else:
                at += 1
    return phrases


def _joined(words: Tagged) -> str:
    plain = [word.lower().strip("'\"`()[]<>,;:") for word, _ in words]
    # only what is tagged as plural loses it: diabetes is one disease
    if words[-1][1].endswith("S"):
        plain[-1] = singular(plain[-1])
    return " ".join(filter(None, plain))


def items_of_text(
    text: str,
    *,
    tagger: Tagger = tagged,
    stop_words: Iterable[str] = STOP_WORDS,
    ignore: str | None = None,
) -> list[str]:
    """Return the items of a document: noun phrases, without stop words and what others contain.

    ``ignore`` is a pattern; lines it is found in, such as headers and footers, are left out.

    Parameters
    ----------
    text
        The document.
    tagger
        Gives the words of each sentence with their parts of speech.
    stop_words
        Words that are no items.
    ignore
        A pattern; lines it is found in are left out.

    Returns
    -------
    list of str
        The items, none of which another contains.

    Raises
    ------
    ParameterError
        Where ``ignore`` is no regular expression.
    """
    if ignore is not None:
        ignored = _pattern(ignore)
        text = "\n".join(line for line in text.splitlines() if not ignored.search(line))
    phrases = [phrase for sentence in tagger(text) for phrase in noun_phrases(sentence)]
    return _reduced(phrases, frozenset(stop_words))


def _pattern(ignore: str) -> re.Pattern[str]:
    try:
        return re.compile(ignore)
    except (re.error, OverflowError, RecursionError) as fault:
        msg = f"`ignore` must be a regular expression, and {ignore!r} is none: {fault}"
        raise ParameterError(msg, parameter="ignore") from None


def items_of_queries(
    queries: Iterable[str], *, tagger: Tagger = tagged, stop_words: Iterable[str] = STOP_WORDS
) -> list[str]:
    """Return the items of all queries of one user: a short query is one item, others are tagged.

    Parameters
    ----------
    queries
        What the user typed.
    tagger
        Gives the words of each sentence with their parts of speech.
    stop_words
        Words that are no items.

    Returns
    -------
    list of str
        The items, none of which another contains.

    Examples
    --------
    >>> items_of_queries(["good wines", "accent marks", "accent marks"])
    ['good wine', 'accent mark']
    """
    phrases = []
    for query in dict.fromkeys(" ".join(typed.split()) for typed in queries):
        words = query.split()
        if words and len(words) <= _WHOLE:
            phrases.append(_joined([(word, "NNS") for word in words]))
        else:
            phrases += [phrase for sentence in tagger(query) for phrase in noun_phrases(sentence)]
    return _reduced(phrases, frozenset(stop_words))


def _reduced(phrases: Iterable[str], stop_words: frozenset[str]) -> list[str]:
    """Return the items once each, without stop words and without parts of other items.

    Singular and plural are one item, written as it came first.
    """
    once: dict[str, str] = {}
    for item in phrases:
        *modifiers, last = item.split(" ")
        once.setdefault(" ".join([*modifiers, singular(last)]), item)
    items = [
        item
        for item in once.values()
        if any(letter.isalpha() for letter in item)
        and len(item) > 1
        and not all(word in stop_words for word in item.split())
    ]
    fragments = {
        " ".join(words[start:end])
        for words in map(str.split, items)
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
        if end - start < len(words)
    }
    return [item for item in items if item not in fragments]
