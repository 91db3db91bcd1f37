"""Items as points: learnt from people's sets, or read from a file of word vectors."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets
from discreet.errors import DataError
from discreet.semantics import Embedding, JointRelatedness

rows = st.lists(st.sets(st.sampled_from("abcdef"), max_size=4), min_size=1, max_size=12)


def information(records: list[set[str]], one: str, other: str) -> float:
    """Positive pointwise mutual information, counted person by person."""
    both = sum({one, other} <= record for record in records)
    apart = sum(one in record for record in records) * sum(other in record for record in records)
    return max(0.0, float(np.log(len(records) * both / apart))) if both and one != other else 0.0


@settings(max_examples=40)
@given(rows)
def test_products_of_vectors_are_the_best_there_are_for_the_information(
    records: list[set[str]],
) -> None:
    made = Embedding.of(Itemsets.of([sorted(record) for record in records], "abcdef"))
    wanted = np.array(
        [[information(records, one, other) for other in "abcdef"] for one in "abcdef"]
    )
    off = np.abs(made.vectors @ made.vectors.T - wanted)
    # what no vectors can show is the part of the table that is below nothing
    values = np.linalg.eigvalsh(wanted)
    assert np.linalg.norm(off) == pytest.approx(np.linalg.norm(np.minimum(values, 0)), abs=1e-8)


def test_items_that_never_met_are_near_where_they_keep_the_same_company() -> None:
    kinds = [["tea", "milk"], ["coffee", "milk"], ["tea", "sugar"], ["coffee", "sugar"]]
    people = Itemsets.of([*kinds, ["nail", "hammer"], ["screw", "hammer"]] * 10)
    far = Embedding.of(people, axes=2).distances(["tea"], ["coffee", "nail"])
    assert far[0, 0] < 0.5 < far[0, 1]


def test_the_same_sets_give_the_same_vectors_also_with_many_items() -> None:
    coin = np.array(
        [[(7 * row + 3 * place * row) % 60 for place in range(4)] for row in range(200)]
    )
    people = Itemsets.of([sorted({str(item) for item in row}) for row in coin.tolist()])
    once, again = Embedding.of(people), Embedding.of(people)
    assert once.vectors.shape == (len(people.vocabulary), 32)
    assert np.array_equal(once.vectors, again.vectors)


def test_without_pairs_nothing_is_known() -> None:
    alone = Embedding.of(Itemsets.of([[str(item)] for item in range(50)]))
    assert np.isnan(alone.distances(["1"], ["2"])).all()


def test_vectors_are_read_as_word2vec_and_glove_write_them(tmp_path: Path) -> None:
    lines = "tea 1 0\ncoffee 0.9 0.1\ncoffee_shop 0 1\nnail -1 0\n"
    glove, other = tmp_path / "glove.txt", tmp_path / "word2vec.vec.gz"
    glove.write_text(lines)
    other.write_bytes(gzip.compress(f"4 2\n{lines}".encode()))
    for path in (glove, other):
        found = Embedding.read(path)
        assert found.terms == ("tea", "coffee", "coffee shop", "nail")
        far = found.distances(["tea"], ["Tea", "nail", "coffee shop", "glue"])
        assert far[0, :3].tolist() == pytest.approx([0.0, 2.0, 1.0])
        assert np.isnan(far[0, 3])
        # a term of several words is the mean of those that are known
        assert found.distances(["green teas"], ["tea"])[0, 0] == pytest.approx(0.0)


def test_a_context_is_the_mean_of_what_is_known_of_it(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("a 1 0\nb 0 1\nc 1 1\n")
    found = Embedding.read(path)
    assert isinstance(found, JointRelatedness)
    far = found.joint_distances([["a", "b"], ["a", "unknown"], []], ["c", "a"])
    assert far[0, 0] == pytest.approx(0.0)
    assert far[1, 1] == pytest.approx(0.0)
    assert np.isnan(far[2]).all()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tea 1 0\nnail 1\n", "line 2: must be a word and 2 numbers"),
        ("tea one two\n", "line 1: must be a word"),
        ("tea nan 1\n", "line 1: must be a word"),
        ("4 2\n", "must hold word vectors"),
        ("\n", "must hold data"),
    ],
)
def test_what_is_no_file_of_vectors_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(text)
    with pytest.raises(DataError, match=said):
        Embedding.read(path)
