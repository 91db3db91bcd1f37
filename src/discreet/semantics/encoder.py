"""The forward pass of BERT (Devlin and others 2019): tokens to the vector of their text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How large an encoder is; the names are those of its configuration file."""

    hidden_size: int
    """Numbers for each token."""
    intermediate_size: int
    """Numbers for each token between the two steps of a layer."""
    num_attention_heads: int
    """Parts in which the numbers of a token are compared with those of others."""
    num_hidden_layers: int
    """Layers, one after the other."""
    max_position_embeddings: int
    """Tokens in the longest text."""
    vocab_size: int
    """Tokens there are."""
    type_vocab_size: int
    """Kinds of texts there are, of which the first is used."""
    layer_norm_eps: float
    """What is added to a variance before it divides."""

    def weights(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the name and the shape of every array of weights."""
        wide, between = self.hidden_size, self.intermediate_size
        yield "embeddings.word_embeddings.weight", (self.vocab_size, wide)
        yield "embeddings.position_embeddings.weight", (self.max_position_embeddings, wide)
        yield "embeddings.token_type_embeddings.weight", (self.type_vocab_size, wide)
        yield from _pair("embeddings.LayerNorm", (wide,))
        for number in range(self.num_hidden_layers):
            layer = f"encoder.layer.{number}"
            for projection in ("self.query", "self.key", "self.value", "output.dense"):
                yield from _pair(f"{layer}.attention.{projection}", (wide, wide))
            yield from _pair(f"{layer}.attention.output.LayerNorm", (wide,))
            yield from _pair(f"{layer}.intermediate.dense", (between, wide))
            yield from _pair(f"{layer}.output.dense", (wide, between))
            yield from _pair(f"{layer}.output.LayerNorm", (wide,))


def _pair(name: str, shape: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{name}.weight", shape
    yield f"{name}.bias", shape[:1]


@dataclass(frozen=True, slots=True, eq=False)
class Encoder:
    """A trained encoder of texts."""

    shape: Shape
    """How large it is."""
    weights: Mapping[str, Floats]
    """Its arrays, by the names of ``Shape.weights``."""

    def vectors(self, tokens: NDArray[np.int64]) -> Floats:
        """Return for each row of tokens, a text, the mean of what its tokens become.

        All texts have the same number of tokens, so that none is filled up and nothing masked.
        """
        states = self._embedded(tokens)
        for number in range(self.shape.num_hidden_layers):
            states = self._through(states, f"encoder.layer.{number}")
        mean: Floats = states.mean(axis=1)
        return mean

    def _embedded(self, tokens: NDArray[np.int64]) -> Floats:
        words = self.weights["embeddings.word_embeddings.weight"][tokens]
        words += self.weights["embeddings.position_embeddings.weight"][: tokens.shape[1]]
        words += self.weights["embeddings.token_type_embeddings.weight"][0]
        return self._normed(words, "embeddings.LayerNorm")

    def _through(self, states: Floats, layer: str) -> Floats:
        """Return the states after a layer: first tokens look at each other, then each at itself."""
        looked = self._dense(self._attended(states, layer), f"{layer}.attention.output.dense")
        states = self._normed(looked + states, f"{layer}.attention.output.LayerNorm")
        between = _gelu(self._dense(states, f"{layer}.intermediate.dense"))
        return self._normed(
            self._dense(between, f"{layer}.output.dense") + states, f"{layer}.output.LayerNorm"
        )

    def _attended(self, states: Floats, layer: str) -> Floats:
        """Return for each token the mean of all values, weighted by how its query fits keys."""
        texts, length, wide = states.shape
        heads = self.shape.num_attention_heads
        query, key, value = (
            self._dense(states, f"{layer}.attention.self.{projection}")
            .reshape(texts, length, heads, -1)
            .transpose(0, 2, 1, 3)
            for projection in ("query", "key", "value")
        )
        fit = query @ key.swapaxes(2, 3) / np.float32(np.sqrt(wide // heads))
        weight = np.exp(fit - fit.max(axis=-1, keepdims=True))
        weight /= weight.sum(axis=-1, keepdims=True)
        joined: Floats = (weight @ value).transpose(0, 2, 1, 3).reshape(texts, length, wide)
        return joined

    def _dense(self, states: Floats, name: str) -> Floats:
        # as one table: a product for each text is slower by half
        texts, length, wide = states.shape
        table = states.reshape(texts * length, wide) @ self.weights[f"{name}.weight"].T
        table += self.weights[f"{name}.bias"]
        return table.reshape(texts, length, -1)

    def _normed(self, states: Floats, name: str) -> Floats:
        states = states - states.mean(axis=-1, keepdims=True)
        variance = np.square(states).mean(axis=-1, keepdims=True)
        states /= np.sqrt(variance + np.float32(self.shape.layer_norm_eps))
        states *= self.weights[f"{name}.weight"]
        states += self.weights[f"{name}.bias"]
        return states


def _gelu(states: Floats) -> Floats:
    """Return each number times the chance that a normal number is below it."""
    from scipy.special import ndtr

    smooth: Floats = states * ndtr(states)
    return smooth
