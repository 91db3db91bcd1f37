"""Similarities of a small net by hand, pairs by brute force, and both kinds of files."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import DataError, ParameterError
from discreet.semantics import Relatedness, WordNet

HYPERNYMS = {
    "entity": [], "animal": ["entity"], "pet": ["animal"], "carnivore": ["animal"],
    "dog": ["carnivore", "pet"], "cat": ["carnivore"], "tool": ["entity"], "cat tool": ["tool"],
    "disease": ["entity"],
}  # fmt: skip
SENSES = {
    "dog": ["dog"], "cat": ["cat", "cat tool"], "tool": ["tool"], "carnivore": ["carnivore"],
    "disease": ["disease"], "pet": ["pet"], "entity": ["entity"],
}  # fmt: skip
NET = WordNet.of(HYPERNYMS, SENSES)
LEMMAS = [*SENSES, "unicorn"]


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [
        ("dog", "cat", 6 / 8),
        ("cat", "tool", 4 / 5),
        ("dog", "tool", 2 / 6),
        ("dog", "pet", 6 / 7),
        ("dog", "dog", 1),
        ("entity", "dog", 2 / 5),
    ],
)
def test_similarities_by_hand(one: str, other: str, similarity: float) -> None:
    assert NET.wu_palmer(one, other) == pytest.approx(similarity)
    assert NET.wu_palmer(other, one) == pytest.approx(similarity)


def test_a_term_is_found_by_its_singular_and_its_last_words() -> None:
    assert NET.lemma_of("Dogs") == "dog"
    assert NET.lemma_of("rare diseases") == "disease"
    assert NET.lemma_of("dog breath") is None
    assert np.isnan(NET.wu_palmer("dog", "unicorn"))


@given(st.lists(st.sampled_from(LEMMAS), unique=True), st.sampled_from([0.3, 0.5, 0.7, 0.8]))
def test_related_pairs_are_all_pairs_above(terms: list[str], above: float) -> None:
    one, other, near = NET.related(terms, above=above)
    found = dict(zip(zip(one.tolist(), other.tolist(), strict=True), near.tolist(), strict=True))
    want = {
        (i, j): NET.wu_palmer(terms[i], terms[j])
        for i in range(len(terms))
        for j in range(i + 1, len(terms))
        if NET.wu_palmer(terms[i], terms[j]) > above
    }
    assert found == want


def test_distances_are_one_less_the_similarity() -> None:
    assert isinstance(NET, Relatedness)
    found = NET.distances(LEMMAS, LEMMAS)
    want = [[1 - NET.wu_palmer(one, other) for other in LEMMAS] for one in LEMMAS]
    assert found == pytest.approx(np.array(want), nan_ok=True)


def test_a_threshold_outside_0_and_1_is_refused() -> None:
    with pytest.raises(ParameterError, match="between 0 and 1, got 1"):
        NET.related(["dog"], above=1)


def written(folder: Path, *, packed: bool) -> Path:
    rows = ["synset\tpos\tlexfile\tili\tmembers\thypernyms\tdefinition"]
    rows += [
        f'{name}\tn\tx\ti\t{name}\t{"|".join(above)}\ta "quoted'
        for name, above in HYPERNYMS.items()
    ]
    rows.append("run\tv\tx\ti\trun\t\tto move")
    senses = ["lemma\tpos\trank\tsynset\tsense_key"]
    senses += [f"{lemma}\tn\t1\t{name}\tkey" for lemma, names in SENSES.items() for name in names]
    for name, lines in (("wordnet_synsets.tsv", rows), ("wordnet_senses.tsv", senses)):
        text = ("\n".join(lines) + "\n").encode()
        if packed:
            (folder / f"{name}.gz").write_bytes(gzip.compress(text))
        else:
            (folder / name).write_bytes(text)
    return folder


@pytest.mark.parametrize("packed", [True, False])
def test_tables_are_read(tmp_path: Path, packed: bool) -> None:
    net = WordNet.read(written(tmp_path, packed=packed))
    assert net.wu_palmer("dog", "cat") == NET.wu_palmer("dog", "cat")
    assert len(net.senses) == len(SENSES)


def test_princetons_files_are_read(tmp_path: Path) -> None:
    licence = "  1 This software\n"
    data = (
        "00000001 03 n 01 entity 0 000 | that which is\n"
        "00000002 05 n 02 dog 0 domestic_dog 0 002 @ 00000003 n 0000 ~ 00000009 n 0000 | a | b\n"
        "00000003 05 n 01 animal 0 001 @ 00000001 n 0000 | a living thing\n"
        "00000004 05 n 01 Rex 0 001 @i 00000002 n 0000 | a dog\n"
    )
    index = (
        "entity n 1 0 1 1 00000001  \n"
        "dog n 1 2 @ ~ 1 1 00000002  \n"
        "domestic_dog n 1 2 @ ~ 1 0 00000002  \n"
        "animal n 1 1 @ 1 1 00000003  \n"
        "rex n 1 1 @i 1 0 00000004  \n"
    )
    (tmp_path / "data.noun").write_text(licence + data)
    (tmp_path / "index.noun").write_text(licence + index)
    net = WordNet.read(tmp_path)
    assert net.wu_palmer("domestic dog", "animals") == pytest.approx(4 / 5)
    assert net.wu_palmer("Rex", "dog") == pytest.approx(6 / 7)
    (tmp_path / "data.noun").write_text("00000001 03 n zz entity\n")
    with pytest.raises(DataError, match=r"data\.noun, line 1: must be a synset"):
        WordNet.read(tmp_path)


def test_a_folder_without_a_net_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match=r"or Princeton's data\.noun and index\.noun"):
        WordNet.read(tmp_path)
    monkeypatch.delenv("DISCREET_DATA", raising=False)
    with pytest.raises(DataError, match="DISCREET_DATA says, which is not set"):
        WordNet.read()
