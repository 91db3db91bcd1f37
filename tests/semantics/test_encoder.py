"""The forward pass beside one that goes number by number."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.semantics.encoder import Encoder, Shape
from tests.semantics.tiny_model import SHAPE, WORDS, weights_of

Row = list[float]
tokens = st.lists(st.integers(0, len(WORDS) - 1), min_size=1, max_size=6)


class ByHand:
    """BERT as its paper describes it, in loops over single numbers."""

    def __init__(self, shape: Shape, weights: Mapping[str, NDArray[np.float32]]) -> None:
        self.shape = shape
        self.weights = {name: array.astype(float).tolist() for name, array in weights.items()}

    def vector(self, text: Sequence[int]) -> Row:
        words, places, kinds = (
            self.weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        rows = [
            self.normed(
                [sum(three) for three in zip(words[token], places[at], kinds[0], strict=True)],
                "embeddings",
            )
            for at, token in enumerate(text)
        ]
        for number in range(self.shape.num_hidden_layers):
            rows = self.layer(rows, f"encoder.layer.{number}")
        return [sum(column) / len(rows) for column in zip(*rows, strict=True)]

    def layer(self, rows: list[Row], name: str) -> list[Row]:
        seen = [
            self.dense(row, f"{name}.attention.output.dense") for row in self.attended(rows, name)
        ]
        rows = [
            self.normed(both(*pair), f"{name}.attention.output")
            for pair in zip(seen, rows, strict=True)
        ]
        made = []
        for row in rows:
            wide = [
                x * (1 + math.erf(x / math.sqrt(2))) / 2
                for x in self.dense(row, f"{name}.intermediate.dense")
            ]
            made.append(
                self.normed(both(self.dense(wide, f"{name}.output.dense"), row), f"{name}.output")
            )
        return made

    def attended(self, rows: list[Row], name: str) -> list[Row]:
        query, key, value = (
            [self.dense(row, f"{name}.attention.self.{part}") for row in rows]
            for part in ("query", "key", "value")
        )
        size = self.shape.hidden_size // self.shape.num_attention_heads
        made: list[Row] = [[] for _ in rows]
        for head in range(self.shape.num_attention_heads):
            own = range(head * size, (head + 1) * size)
            for at in range(len(rows)):
                fits = [
                    math.exp(sum(query[at][i] * key[to][i] for i in own) / math.sqrt(size))
                    for to in range(len(rows))
                ]
                made[at] += [
                    sum(fit * value[to][i] for to, fit in enumerate(fits)) / sum(fits) for i in own
                ]
        return made

    def dense(self, row: Row, name: str) -> Row:
        lines = zip(self.weights[f"{name}.weight"], self.weights[f"{name}.bias"], strict=True)
        return [sum(w * x for w, x in zip(line, row, strict=True)) + bias for line, bias in lines]

    def normed(self, row: Row, name: str) -> Row:
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + self.shape.layer_norm_eps)
        scale, shift = (self.weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return [(x - mean) / spread * a + b for x, a, b in zip(row, scale, shift, strict=True)]


def both(one: Row, other: Row) -> Row:
    return [x + y for x, y in zip(one, other, strict=True)]


@settings(max_examples=60)
@given(tokens, st.integers(0, 1000))
def test_a_text_becomes_what_it_does_number_by_number(text: list[int], seed: int) -> None:
    weights = weights_of(SHAPE, seed)
    found = Encoder(SHAPE, weights).vectors(np.array([text]))
    assert found.dtype == np.float32
    assert found[0].tolist() == pytest.approx(ByHand(SHAPE, weights).vector(text), abs=2e-4)


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.integers(0, len(WORDS) - 1)] * 4), min_size=2, max_size=5))
def test_texts_side_by_side_do_not_see_each_other(texts: list[tuple[int, ...]]) -> None:
    encoder = Encoder(SHAPE, weights_of(SHAPE, 3))
    alone = [encoder.vectors(np.array([text]))[0] for text in texts]
    assert np.allclose(encoder.vectors(np.array(texts)), alone, atol=1e-5)


def test_the_order_of_words_matters() -> None:
    encoder = Encoder(SHAPE, weights_of(SHAPE, 4))
    one, other = encoder.vectors(np.array([[4, 5], [5, 4]]))
    assert not np.allclose(one, other, atol=1e-3)


def test_a_large_fit_of_query_and_key_does_not_overflow() -> None:
    weights = weights_of(SHAPE, 5)
    for name in weights:
        if ".self." in name:
            weights[name] *= 100
    assert np.isfinite(Encoder(SHAPE, weights).vectors(np.array([[4, 5, 6]]))).all()
