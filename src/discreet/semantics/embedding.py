"""Items as points: learnt from which items people hold together, or read from a file of vectors."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets
from discreet.io.source import fault
from discreet.io.text import lines_of, normalised, read_text
from discreet.semantics.directions import TermDirections, direction_of, mean_direction
from discreet.semantics.words import singular

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_WORD = re.compile(r"\w+")
AXES = 32
"""Numbers by which an item is told from others."""


@dataclass(frozen=True, eq=False, repr=False)
class Embedding(TermDirections):
    """Terms as vectors: those that point the same way are related.

    >>> people = Itemsets.of([["tea", "milk"], ["tea", "sugar"], ["nail", "hammer"]] * 5)
    >>> far = Embedding.of(people).distances(["tea"], ["milk", "nail", "glue"])
    >>> bool(far[0, 0] < far[0, 1]), bool(np.isnan(far[0, 2]))
    (True, True)
    """

    terms: tuple[str, ...]
    """The terms."""
    vectors: NDArray[np.float64]
    """A row for each; zeros where nothing is known of it."""

    @classmethod
    def of(cls, sets: Itemsets, axes: int = AXES) -> "Embedding":
        """Learn vectors from the sets that people hold.

        How much oftener than by chance two items are held together (positive pointwise mutual
        information) is written as products of vectors, as well as ``axes`` numbers an item can
        (Levy and Goldberg 2014). No chance is involved.

        Parameters
        ----------
        sets
            What each person holds.
        axes
            The length of a vector, at most.

        Returns
        -------
        Embedding
            A vector for each item of the vocabulary.
        """
        return cls(sets.vocabulary, _factors(sets, axes))

    @classmethod
    def read(cls, path: str | Path) -> "Embedding":
        """Read word vectors as word2vec and GloVe write them in text: a word, then its numbers.

        The first line of word2vec, two counts, is passed over. In a word of several parts the
        spaces are often written as underscores, and are read so.

        Parameters
        ----------
        path
            A text file, plain or gzipped.

        Returns
        -------
        Embedding
            The vector of each word.

        Raises
        ------
        DataError
            Where a line is no word with as many numbers as the first has.
        """
        source = Path(path)
        words: dict[str, NDArray[np.float64]] = {}
        for number, line in enumerate(lines_of(read_text(source)), start=1):
            word, *numbers = line.rstrip().rsplit(" ")
            if number == 1 and len(numbers) == 1:
                continue
            width = len(next(iter(words.values()))) if words else len(numbers)
            vector = _vector(numbers)
            if vector is None or not width or len(vector) != width:
                msg = f"must be a word and {width or 'some'} numbers with spaces between them"
                raise fault(source, msg, line=number)
            words.setdefault(normalised(word.replace("_", " ")), vector)
        if not words:
            raise fault(source, "must hold word vectors, a word a line, and has none")
        return cls(tuple(words), np.stack(list(words.values())))

    def __repr__(self) -> str:
        return f"Embedding({len(self.terms)} terms, {self.vectors.shape[1]} numbers each)"

    @cached_property
    def _index_of(self) -> Mapping[str, int]:
        return {term: index for index, term in enumerate(self.terms)}

    def directions(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """Return each term as a direction; not a number where nothing is known of it.

        Parameters
        ----------
        terms
            Terms. One that is not among the vectors is the mean of its words that are.

        Returns
        -------
        array of float
            A row for each term.
        """
        rows = [mean_direction(np.array(list(self._known(term)))) for term in terms]
        return np.array(rows).reshape(len(terms), self.vectors.shape[1])

    def _known(self, term: str) -> Iterator[NDArray[np.float64]]:
        """Yield the vector of a term, or of each of its words, and one that is not a number."""
        for name in (term, term.lower()):
            if name in self._index_of:
                yield direction_of(self.vectors[self._index_of[name]])
                return
        yield np.full(self.vectors.shape[1], np.nan)
        for word in _WORD.findall(term.lower()):
            at = self._index_of.get(word, self._index_of.get(singular(word)))
            if at is not None:
                yield direction_of(self.vectors[at])


def _factors(sets: Itemsets, axes: int) -> NDArray[np.float64]:
    """Return vectors whose products are about the positive mutual information of items."""
    from scipy.sparse.linalg import eigsh

    table = _information(sets)
    # an item that goes with no other has no direction, and needs no room in what follows
    linked = np.flatnonzero(np.diff(table.indptr))
    table = table[linked][:, linked]
    if not table.nnz:
        return np.zeros((len(sets.vocabulary), 1))
    if len(linked) <= axes + 1:
        values, eigenvectors = np.linalg.eigh(table.toarray())
    else:
        # a fixed first vector: the same data give the same axes
        values, eigenvectors = eigsh(table, k=axes, which="LA", v0=np.ones(len(linked)))
    vectors = np.zeros((len(sets.vocabulary), len(values)))
    vectors[linked] = eigenvectors * np.sqrt(np.maximum(values, 0.0))
    return vectors


def _information(sets: Itemsets) -> "csr_array":
    """Return the logarithm of how much oftener than by chance two items go together, above 0."""
    from scipy.sparse import coo_array, csr_array

    width = len(sets.vocabulary)
    incidence = csr_array(
        (np.ones(len(sets.items)), sets.items, sets.offsets), shape=(len(sets), width)
    )
    support = np.asarray(incidence.sum(axis=0)).ravel()
    pairs = (incidence.T @ incidence).tocoo(copy=False)
    # in place: there are many more pairs than items
    lift = pairs.data
    lift *= len(sets)
    lift /= support[pairs.row]
    lift /= support[pairs.col]
    positive = (pairs.row != pairs.col) & (lift > 1)
    at = (pairs.row[positive], pairs.col[positive])
    lift = lift[positive]
    del incidence, pairs, positive
    return coo_array((np.log(lift, out=lift), at), shape=(width, width)).tocsr()


def _vector(numbers: Sequence[str]) -> NDArray[np.float64] | None:
    try:
        vector = np.array(numbers, dtype=np.float64)
    except ValueError:
        return None
    return vector if np.isfinite(vector).all() else None
