"""Documents as transactions, each selection with a corpus that holds none of them.

Reuters-21578 is attacked in its TEST split only and scored by all other documents, apart from those
that print a text of that split again; of Brown's texts every second one is attacked and the others
score. Items that fewer than ``EVIDENCE`` units of the scoring corpus hold are left out, as the
paper leaves out what its search engine cannot know.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.io.datasets import FOLDER, PREFIX
from discreet.io.source import sha256_of_file
from discreet.io.text import lines_of, read_text
from discreet.rng import seeded
from discreet.semantics import Corpus, Ngd, items_of_text
from discreet.semantics.phrases import Tagged

EVIDENCE = 10
"""Units of the scoring corpus that must hold an item."""
LEAST_TEXT = 300
"""Characters of a document, at least."""
SEED = 101
"""Chooses the documents."""
WINDOW = 100
"""Words of a unit of Brown, whose texts are long."""
SHARED = 2
"""Documents of the dense selection that must hold an item."""
FILES = {
    "reuters21578.jsonl.gz": "7ecca6ae96c86929ea247281a1a957bb34b2951417bc3223e1ca6deebcc5a120",
    "brown_tagged.txt.gz": "9426e65b63a2c4624eaa2c1bcfcf6483f0f7fefd7bf6bf917f192f4168b60277",
}
"""The files with their checksums, so that a number is a number about these very texts."""
SELECTIONS = ("reuters-mixed", "reuters-acq", "reuters-dense", "brown")
"""Selections of documents: of all topics, of one topic, with many shared words, of all genres."""


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """Transactions to attack, and what the attacker knows of the words in them."""

    name: str
    """What tables call it."""
    data: Transactions
    """The private transactions."""
    measure: Ngd
    """The attacker's measure over a corpus disjoint from them."""


@cache
def selection(name: str) -> Selection:
    """Return a selection of documents, or of baskets: bms2 or checkin, one half to score by."""
    if name in ("bms2", "checkin"):
        return _baskets(name)
    if name == "brown":
        texts = _brown()
        units = [
            " . ".join(" ".join(word for word, _ in sentence) for sentence in t)
            for t in texts[1::2]
        ]
        return _prepared(name, map(_brown_items, texts[::2]), Corpus.build(units, window=WINDOW))
    test = [doc for doc in _reuters() if doc["split"] == "TEST"]
    return _prepared(name, _chosen(name, test), _corpus_outside())


@cache
def _corpus_outside() -> Corpus:
    """Return the corpus of Reuters documents outside the split that is attacked, no reprints.

    An agency sends some texts twice, and one of the two may be in the attacked split.
    """
    attacked = {_body(doc) for doc in _long(doc for doc in _reuters() if doc["split"] == "TEST")}
    return Corpus.build(
        [_text(doc) for doc in _reuters() if doc["split"] != "TEST" and _body(doc) not in attacked]
    )


def _long(docs: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [doc for doc in docs if len(doc["body"]) >= LEAST_TEXT]


def _body(doc: dict[str, Any]) -> str:
    return " ".join(doc["body"].split())


def _chosen(name: str, test: Sequence[dict[str, Any]]) -> list[list[str]]:
    long = [doc for doc in _long(test) if doc["topics"]]
    if name == "reuters-acq":
        return _drawn([doc for doc in long if "acq" in doc["topics"]], 643)
    # earnings reports are tables of numbers: they have no nouns to speak of
    mixed = [doc for doc in long if "earn" not in doc["topics"]]
    if name == "reuters-mixed":
        return _drawn(mixed, 758)
    return _dense(_drawn(mixed, len(mixed)), 263)


def _drawn(docs: Sequence[dict[str, Any]], count: int) -> list[list[str]]:
    """Return the items of so many documents, drawn without replacement."""
    order = seeded(SEED).permutation(len(docs))[:count]
    return [items_of_text(_text(docs[index])) for index in order.tolist()]


def _dense(sets: Sequence[list[str]], count: int) -> list[list[str]]:
    """Return the sets whose items most others share, with the items that several of them hold."""
    common = Counter(item for row in sets for item in row)
    ranked = sorted(sets, key=lambda row: -sum(common[item] for item in row) / max(1, len(row)))[
        :count
    ]
    held_by = Counter(item for row in ranked for item in row)
    return [[item for item in row if held_by[item] >= SHARED] for row in ranked]


def _prepared(name: str, sets: Iterable[Iterable[str]], corpus: Corpus) -> Selection:
    listed = [list(row) for row in sets]
    items = sorted({item for row in listed for item in row})
    known = {
        item for item, count in zip(items, corpus.counts(items), strict=True) if count >= EVIDENCE
    }
    data = Transactions.of([[item for item in row if item in known] for row in listed])
    return Selection(name, data, Ngd(corpus))


def _baskets(name: str) -> Selection:
    """Return one half of a data set to attack, and an index of the other half's baskets."""
    data = Transactions.read(f"{PREFIX}{name}")
    order = seeded(SEED).permutation(len(data))
    half = len(data) // 2
    aside = data.sets.take(order[half:])
    # an item becomes one word, whatever its name
    corpus = Corpus.build(
        [" ".join(f"i{item}" for item in _items_of(aside, r)) for r in range(len(aside))]
    )
    words = tuple(f"i{index}" for index in range(len(data.universe)))
    taken = data.sets.take(order[:half])
    renamed = Itemsets(taken.offsets, taken.items, words)
    common = [
        word for word, count in zip(words, corpus.counts(words), strict=True) if count >= EVIDENCE
    ]
    return Selection(name, Transactions(renamed.over(common)), Ngd(corpus))


def _items_of(sets: Itemsets, row: int) -> list[int]:
    items: list[int] = sets.items[sets.offsets[row] : sets.offsets[row + 1]].tolist()
    return items


def _text(doc: dict[str, Any]) -> str:
    # titles are in capitals, which a tagger takes for names
    return f"{doc['title'].capitalize()}. {doc['body']}"


@cache
def _reuters() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in lines_of(read_text(_file("reuters21578.jsonl.gz"))))


@cache
def _brown() -> tuple[tuple[Tagged, ...], ...]:
    """Return the sentences of each text, its words with Penn tags as far as phrases need them."""
    texts: list[list[Tagged]] = []
    for line in lines_of(read_text(_file("brown_tagged.txt.gz"))):
        if line.startswith("# "):
            texts.append([])
        elif line.strip():
            pairs = (token.rpartition("/") for token in line.split())
            texts[-1].append([(word, _penn(tag)) for word, _, tag in pairs])
    return tuple(map(tuple, texts))


def _penn(tag: str) -> str:
    """Return the Penn tag for a noun or an adjective by Brown's tag, and for all else a dash.

    >>> [_penn(tag) for tag in ("nns-tl", "np", "jj", "vbd", "nn$")]
    ['NNS', 'NN', 'JJ', '-', '-']
    """
    plain = tag.split("-")[0]
    if plain in ("nn", "np", "nr"):
        return "NN"
    if plain in ("nns", "nps", "nrs"):
        return "NNS"
    return "JJ" if plain.startswith("jj") else "-"


def _brown_items(text: Sequence[Tagged]) -> list[str]:
    # the tags are Brown's own, so nothing is tagged again
    return items_of_text("", tagger=lambda _: list(text))


@cache
def _file(name: str) -> Path:
    folder = os.environ.get(FOLDER)
    if not folder:
        raise DataError(f"set {FOLDER} to the folder that holds {name}")
    path = Path(folder) / name
    if not path.is_file():
        raise DataError(f"the folder of {FOLDER} must hold {name}, and it does not")
    if sha256_of_file(path) != FILES[name]:
        raise DataError(f"{name} must be the file that was published, and its checksum differs")
    return path
