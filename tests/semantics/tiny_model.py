"""A sentence model of a few numbers in a folder, as sentence-transformers writes large ones."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.semantics.encoder import Shape

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "knee", "bone", "injury", "heart", "pulse", "blood",
         "coffee", "shop", "##s", "a", "7")  # fmt: skip
SHAPE = Shape(
    hidden_size=4,
    intermediate_size=6,
    num_attention_heads=2,
    num_hidden_layers=2,
    max_position_embeddings=9,
    vocab_size=len(WORDS),
    type_vocab_size=2,
    layer_norm_eps=1e-12,
)
KIND = {"model_type": "bert", "hidden_act": "gelu"}


def weights_of(shape: Shape, seed: int) -> dict[str, NDArray[np.float32]]:
    """Return drawn weights, about as large as trained ones."""
    chance = np.random.default_rng(seed)
    return {name: chance.normal(0.1, 0.7, size).astype("f") for name, size in shape.weights()}


def write_model(
    folder: Path,
    weights: Mapping[str, NDArray[np.float32]] | None = None,
    shape: Shape = SHAPE,
    **changed: Any,
) -> Path:
    """Write a whole model into a folder; ``changed`` goes into its configuration."""
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    folder.mkdir(exist_ok=True)
    sizes = {name: getattr(shape, name) for name in shape.__dataclass_fields__}
    (folder / "config.json").write_text(json.dumps(KIND | sizes | changed))
    numbers = {word: number for number, word in enumerate(WORDS)}
    made = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [(word, numbers[word]) for word in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, ends)
    # as the real one comes: filled up, so that reading must undo it
    made.enable_padding(length=9)
    made.save(str(folder / "tokenizer.json"))
    save_file(dict(weights or weights_of(shape, 1)), folder / "model.safetensors")
    return folder


def write_two_topics(folder: Path) -> Path:
    """Write a model without layers, for which knees and hearts are as far apart as can be."""
    shape = Shape(**{name: getattr(SHAPE, name) for name in SHAPE.__dataclass_fields__}
                  | {"num_hidden_layers": 0})  # fmt: skip
    weights = {name: np.zeros(size, dtype=np.float32) for name, size in shape.weights()}
    weights["embeddings.LayerNorm.weight"][:] = 1
    for number, word in enumerate(WORDS):
        knee = word in ("knee", "bone", "injury")
        heart = word in ("heart", "pulse", "blood")
        weights["embeddings.word_embeddings.weight"][number] = [knee, heart, 0, -knee - heart]
    return write_model(folder, weights, shape)
