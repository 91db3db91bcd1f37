"""A sentence model in a folder, as sentence-transformers writes it: read, and refused if unfit."""

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.io.source import fault
from discreet.io.text import read_text
from discreet.semantics.encoder import Shape

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["read_shape", "read_tokenizer", "read_weights"]

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
