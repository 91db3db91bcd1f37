"""A corpus as an index: in which documents words and phrases stand, alone and together."""

import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, ParameterError
from discreet.io.writing import new_folder
from discreet.kernels.ragged import offsets_of, runs
from discreet.lazy import pl
from discreet.semantics.words import STOP, words_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FORMAT = 1
"""The version of the files of an index."""
ARRAYS = ("keys", "starts", "positions", "units", "first", "documents")
"""The arrays of an index, each a file."""


@dataclass(frozen=True, eq=False, slots=True)
class Postings:
    """For each of some terms the documents that hold it."""

    offsets: NDArray[np.int64]
    """The documents of term ``i`` are ``documents[offsets[i]:offsets[i + 1]]``."""
    documents: NDArray[np.int32]
    """Document numbers, ascending within a term."""

    @classmethod
    def of(cls, lists: Sequence[NDArray[np.int32]]) -> "Postings":
        """Put the documents of each term one after the other."""
        offsets = offsets_of([len(documents) for documents in lists])
        return cls(offsets, np.concatenate([np.empty(0, dtype=np.int32), *lists]))

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many documents hold each term."""
        return np.diff(self.offsets)

    def __getitem__(self, term: int) -> NDArray[np.int32]:
        return self.documents[self.offsets[term] : self.offsets[term + 1]]

    def matrix(self, documents: int) -> "csr_array":
        """Return the terms as rows of ones over the documents."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.documents), dtype=np.int64)
        shape = (len(self.offsets) - 1, documents)
        return csr_array((ones, self.documents, self.offsets), shape=shape)


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Where every word of a corpus stands; a unit is a document or a window of one.

    Words are kept as 64-bit hashes, so the index can be searched and cannot be read.

    >>> corpus = Corpus.build(["a b", "a b c", "a", "b c", "c d", "d", "a c", "e"])
    >>> corpus.size, corpus.counts(["a", "d", "x"]).tolist()
    (8, [4, 2, 0])
    >>> corpus.pair_counts([("a", "b"), ("a", "d")]).tolist()
    [2, 0]
    """

    keys: NDArray[np.uint64]
    """The hash of each word, ascending: the place of a word is its number."""
    starts: NDArray[np.int64]
    """Where the positions of each word begin."""
    positions: NDArray[np.int64]
    """Every place at which each word stands, ascending within the word."""
    units: NDArray[np.int64]
    """The position at which each unit begins, and where the last one ends."""
    first: NDArray[np.int64]
    """Where the documents of each word begin."""
    documents: NDArray[np.int32]
    """The units that hold each word, ascending within the word."""

    @classmethod
    def build(cls, texts: "Sequence[str] | pl.Series", *, window: int | None = None) -> "Corpus":
        """Index texts: each is one unit, or as many as it has windows of so many words.

        Parameters
        ----------
        texts
            The texts.
        window
            How many words a unit has; None: each text is one.

        Returns
        -------
        Corpus
            The index, in memory.
        """
        if window is not None and window < 2:
            msg = f"`window` must hold at least 2 words, got {window}"
            raise ParameterError(msg, parameter="window")
        tokens = words_of(texts)
        if not (tokens["word"] != STOP).any():
            raise DataError("a corpus must hold at least one word, and these texts hold none")
        text = tokens["text"].to_numpy()
        # one free position after each text: no phrase goes from one into the next
        index = np.arange(len(text), dtype=np.int64) + text
        units = _units(text, index, len(texts), window)
        distinct = tokens["word"].unique()
        distinct = distinct.filter(distinct != STOP)
        hashes = _hashes(distinct.to_list())
        if len(np.unique(hashes)) < len(hashes):
            msg = "two words of this corpus have the same hash; leave some of its text out"
            raise DataError(msg)
        is_word = (tokens["word"] != STOP).to_numpy()
        numbered = (
            tokens["word"]
            .filter(pl.Series(is_word))
            .replace_strict(distinct, np.argsort(np.argsort(hashes)), return_dtype=pl.Int64)
        )
        return cls._of(np.sort(hashes), numbered.to_numpy(), index[is_word], units)

    @classmethod
    def _of(
        cls,
        keys: NDArray[np.uint64],
        words: NDArray[np.int64],
        positions: NDArray[np.int64],
        units: NDArray[np.int64],
    ) -> "Corpus":
        order = np.argsort(words, kind="stable")
        words, positions = words[order], positions[order]
        unit = np.searchsorted(units, positions, side="right") - 1
        fresh = np.ones(len(words), dtype=np.bool_)
        fresh[1:] = (np.diff(words) > 0) | (np.diff(unit) > 0)
        return cls(
            keys=keys,
            starts=offsets_of(np.bincount(words, minlength=len(keys))),
            positions=positions,
            units=units,
            first=offsets_of(np.bincount(words[fresh], minlength=len(keys))),
            documents=unit[fresh].astype(np.int32),
        )

    def __repr__(self) -> str:
        return f"Corpus({self.size} units over {len(self.keys)} words)"

    @property
    def size(self) -> int:
        """How many units there are: documents, or windows of them."""
        return len(self.units) - 1

    def save(self, path: str | Path) -> Path:
        """Write the index as a folder, whole or not at all.

        Parameters
        ----------
        path
            The folder to write.

        Returns
        -------
        Path
            The folder.
        """
        target = Path(path)
        if target.exists():
            raise DataError(f"{target.name} exists; choose another name for the index")
        with new_folder(target, "the index") as folder:
            for name in ARRAYS:
                np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)
            header = {"format": FORMAT, "units": self.size, "words": len(self.keys)}
            (folder / "corpus.json").write_text(json.dumps(header))
        return target

    @classmethod
    def open(cls, path: str | Path) -> "Corpus":
        """Open an index that was saved; its arrays stay on disk until they are looked into.

        Parameters
        ----------
        path
            The folder it was saved in.

        Returns
        -------
        Corpus
            The index, read from the disk as it is asked.
        """
        folder = Path(path)
        try:
            header = json.loads((folder / "corpus.json").read_text())
            arrays = {name: _array(folder / f"{name}.npy") for name in ARRAYS}
            fits = header["format"] == FORMAT and header["words"] == len(arrays["keys"])
            fits = fits and _belong_together(arrays)
        except (
            OSError, ValueError, KeyError, TypeError, OverflowError, UserWarning, TokenError,
            SyntaxError,
        ):  # fmt: skip
            fits = False
        if not fits:
            msg = f"{folder.name} must be an index written by discreet corpus, and it is not one"
            raise DataError(msg)
        return cls(**arrays)

    def counts(self, terms: Sequence[str]) -> NDArray[np.int64]:
        """Return in how many units each term stands; 0 for a term the corpus does not know.

        Parameters
        ----------
        terms
            Words or phrases.

        Returns
        -------
        array of int
            A number of units for each term.
        """
        return self.postings(terms).counts

    def postings(self, terms: Sequence[str]) -> Postings:
        """Return the units of each term: a word, or a phrase whose words follow each other.

        Parameters
        ----------
        terms
            Words or phrases.

        Returns
        -------
        Postings
            The numbers of the units, term after term.
        """
        numbers, ends = self._numbers(terms)
        lists = [
            self._units_of(numbers[start:end])
            for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ]
        return Postings.of(lists)

    def _numbers(self, terms: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of the words of all terms, -1 where unknown, and where terms end."""
        tokens = words_of(terms)
        words = tokens["word"].to_list()
        known = dict.fromkeys(words)
        hashes = _hashes(list(known))
        index = np.searchsorted(self.keys, hashes)
        index = np.minimum(index, len(self.keys) - 1)
        numbers = np.where(self._key_array[index] == hashes, index, -1)
        number = dict(zip(known, numbers.tolist(), strict=True)) | {STOP: -1}
        ends = np.searchsorted(tokens["text"].to_numpy(), np.arange(len(terms) + 1))
        flat = np.fromiter((number[word] for word in words), dtype=np.int64, count=len(words))
        return flat, ends

    @cached_property
    def _key_array(self) -> NDArray[np.uint64]:
        return np.asarray(self.keys)

    def _units_of(self, phrase: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the units that hold the words of this phrase, one after the other."""
        if not len(phrase) or phrase.min() < 0:
            return np.empty(0, dtype=np.int32)
        if len(phrase) == 1:
            word = phrase[0]
            return np.asarray(self.documents[self.first[word] : self.first[word + 1]])
        # the rarest word leads: the others are only looked up beside it
        rarest = int(np.argmin(self.starts[phrase + 1] - self.starts[phrase]))
        begins = self._positions_of(int(phrase[rarest])) - rarest
        for shift, word in enumerate(phrase.tolist()):
            if shift != rarest:
                positions = self._positions_of(word)
                spot = np.minimum(np.searchsorted(positions, begins + shift), len(positions) - 1)
                begins = begins[positions[spot] == begins + shift]
        return np.unique(np.searchsorted(self.units, begins, side="right") - 1).astype(np.int32)

    def _positions_of(self, word: int) -> NDArray[np.int64]:
        return np.asarray(self.positions[self.starts[word] : self.starts[word + 1]])

    def shared_counts(self, one: Sequence[str], other: Sequence[str]) -> "csr_array":
        """Return for each term of ``one`` and of ``other`` in how many units both stand.

        Parameters
        ----------
        one
            Words or phrases.
        other
            Words or phrases.

        Returns
        -------
        scipy.sparse.csr_array
            A row for each of ``one``, a column for each of ``other``.
        """
        left = self.postings(one).matrix(self.size)
        right = left if other is one else self.postings(other).matrix(self.size)
        return left @ right.T

    def pair_counts(self, pairs: Iterable[tuple[str, str]]) -> NDArray[np.int64]:
        """Return for each pair of terms in how many units both stand.

        Parameters
        ----------
        pairs
            Pairs of words or phrases.

        Returns
        -------
        array of int
            A number of units for each pair.
        """
        from discreet.semantics.postings import intersections

        listed = list(pairs)
        terms = list(dict.fromkeys(term for pair in listed for term in pair))
        number = {term: index for index, term in enumerate(terms)}
        postings = self.postings(terms)
        firsts = np.array([number[left] for left, _ in listed], dtype=np.int64)
        seconds = np.array([number[right] for _, right in listed], dtype=np.int64)
        return intersections(postings.offsets, postings.documents, firsts, seconds)

    def record(self) -> dict[str, Any]:
        """Return what is in the index, in numbers."""
        return {
            "units": self.size,
            "words": len(self.keys),
            "occurrences": len(self.positions),
            "postings": len(self.documents),
        }


def _array(path: Path) -> NDArray[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpy mends some headers and only warns
        array: NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    return array


def _belong_together(arrays: Mapping[str, NDArray[Any]]) -> bool:
    """Whether arrays can be those of one index: of their kinds, and none points beyond another."""
    kinds = {"keys": np.uint64, "documents": np.int32}
    words, ends = len(arrays["keys"]), (("starts", "positions"), ("first", "documents"))
    return (
        all(array.ndim == 1 for array in arrays.values())
        and all(array.dtype == kinds.get(name, np.int64) for name, array in arrays.items())
        and len(arrays["units"]) > 0
        and all(
            len(arrays[name]) == words + 1
            and arrays[name][0] == 0
            and arrays[name][-1] == len(arrays[target])
            and bool((np.diff(arrays[name]) >= 0).all())
            for name, target in ends
        )
    )


def _units(
    text: NDArray[np.int64], index: NDArray[np.int64], texts: int, window: int | None
) -> NDArray[np.int64]:
    """Return where each unit begins, and where the last one ends; an empty text is a unit too."""
    begins = np.searchsorted(text, np.arange(texts + 1)) + np.arange(texts + 1)
    if window is None:
        return begins
    sizes = np.maximum(1, -(-(np.diff(begins) - 1) // window))
    windows = np.repeat(begins[:-1], sizes) + window * runs(0, sizes)
    end = index[-1] + 2 if len(index) else 0
    return np.append(windows, max(int(begins[-1]), int(end)))


def _hashes(words: Sequence[str]) -> NDArray[np.uint64]:
    joined = b"".join(blake2b(word.encode(), digest_size=8).digest() for word in words)
    return np.frombuffer(joined, dtype="<u8").astype(np.uint64)
