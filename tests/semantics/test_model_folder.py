"""Folders that hold no sentence model are refused, with what is wrong about them."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from discreet.errors import DataError
from discreet.semantics import SentenceModel
from tests.semantics.tiny_model import SHAPE, weights_of, write_model

pytest.importorskip("tokenizers", reason="the extra embed is not installed")
pytest.importorskip("safetensors", reason="the extra embed is not installed")


def config(**changed: object) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        file = folder / "config.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | changed))

    return change


def pooled_by_its_first_token(folder: Path) -> None:
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')


def without_a_weight(folder: Path) -> None:
    from safetensors.numpy import save_file

    weights = weights_of(SHAPE, 1)
    del weights["encoder.layer.1.output.dense.bias"]
    save_file(weights, folder / "model.safetensors")


def in_sixteen_bits_of_another_kind(folder: Path) -> None:
    header = json.dumps({"a": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}}).encode()
    raw = len(header).to_bytes(8, "little") + header + bytes(2)
    (folder / "model.safetensors").write_bytes(raw)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: (folder / "config.json").unlink(), "lacks config.json"),
        (lambda folder: (folder / "model.safetensors").unlink(), "lacks model.safetensors"),
        (lambda folder: (folder / "config.json").write_text("{"), "config.json: must be JSON"),
        (lambda folder: (folder / "config.json").write_text("[]"), "must be a JSON object"),
        (config(model_type="mpnet"), "must be of the kind bert, gelu, absolute, and is mpnet"),
        (config(hidden_act="relu"), "and is bert, relu"),
        (config(position_embedding_type="relative_key"), "and is bert, gelu, relative_key"),
        (config(hidden_size="many"), "must hold the sizes of a BERT encoder"),
        (config(num_attention_heads=3), "hidden_size must be a multiple"),
        (config(num_attention_heads=0), "hidden_size must be a multiple"),
        (config(vocab_size=5), "must know up to 5 tokens"),
        (config(intermediate_size=7), "intermediate.dense.weight as 7 x 4 numbers"),
        (pooled_by_its_first_token, "must be the mean of its tokens"),
        (without_a_weight, "must hold encoder.layer.1.output.dense.bias as 4 numbers"),
        (in_sixteen_bits_of_another_kind, "must hold numbers of 16 or 32 bits"),
        (lambda folder: (folder / "model.safetensors").write_text("no"), "as safetensors"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), "must hold a tokenizer"),
    ],
)
def test_what_is_no_model_is_refused(
    tmp_path: Path, damage: Callable[[Path], object], said: str
) -> None:
    folder = write_model(tmp_path / "model")
    damage(folder)
    with pytest.raises(DataError, match=said):
        SentenceModel.read(folder)


def test_numbers_of_sixteen_bits_are_read_too(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    folder = write_model(tmp_path / "model")
    full = SentenceModel.read(folder).distances(["knee"], ["bone"])
    halves = {name: array.astype(np.float16) for name, array in weights_of(SHAPE, 1).items()}
    save_file(halves, folder / "model.safetensors")
    assert SentenceModel.read(folder).distances(["knee"], ["bone"]) == pytest.approx(full, abs=0.02)
