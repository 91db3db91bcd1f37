"""How related words are: by a corpus, by WordNet, by vectors, or by a sentence model."""

from discreet.semantics.corpus import Corpus
from discreet.semantics.embedding import Embedding
from discreet.semantics.ngd import Ngd, ngd
from discreet.semantics.phrases import STOP_WORDS, items_of_queries, items_of_text, noun_phrases
from discreet.semantics.relatedness import JointRelatedness, Relatedness
from discreet.semantics.sentence_model import SentenceModel
from discreet.semantics.sources import read_corpus, read_texts
from discreet.semantics.table import DistanceTable
from discreet.semantics.wordnet import WordNet
from discreet.semantics.words import singular, words_of

__all__ = [
    "STOP_WORDS",
    "Corpus",
    "DistanceTable",
    "Embedding",
    "JointRelatedness",
    "Ngd",
    "Relatedness",
    "SentenceModel",
    "WordNet",
    "items_of_queries",
    "items_of_text",
    "ngd",
    "noun_phrases",
    "read_corpus",
    "read_texts",
    "singular",
    "words_of",
]
