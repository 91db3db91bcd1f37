"""The distance is what the formula says, and says nothing about what it does not know."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.semantics import Corpus, JointRelatedness, Ngd, Relatedness

TEXTS = st.lists(
    st.lists(st.sampled_from("abcde"), max_size=4).map(" ".join), min_size=2, max_size=9
).filter(lambda texts: any(texts))
TERMS = list("abcdex")


def by_hand(texts: list[str], one: list[str], other: str) -> float:
    """The formula, with the contexts' items taken together."""
    sets = [set(text.split()) for text in texts]
    known = [item for item in one if any(item in held for held in sets)]
    first = sum(set(known) <= held for held in sets) if known else 0
    second = sum(other in held for held in sets)
    both = sum({*known, other} <= held for held in sets)
    if not first or not second:
        return float("nan")
    if min(first, second) == len(texts):
        return 0.0
    top = max(log(first), log(second)) - log(both or 0.5)
    return top / (log(len(texts)) - min(log(first), log(second)))


@given(TEXTS)
def test_distances_are_those_of_the_formula(texts: list[str]) -> None:
    found = Ngd(Corpus.build(texts)).distances(TERMS, TERMS)
    want = [[by_hand(texts, [one], other) for other in TERMS] for one in TERMS]
    assert found == pytest.approx(np.array(want), nan_ok=True)


@given(TEXTS, st.lists(st.lists(st.sampled_from(TERMS), max_size=3, unique=True), max_size=4))
def test_a_whole_context_is_one_term(texts: list[str], contexts: list[list[str]]) -> None:
    found = Ngd(Corpus.build(texts)).joint_distances(contexts, TERMS)
    want = [[by_hand(texts, context, other) for other in TERMS] for context in contexts]
    assert found == pytest.approx(np.array(want).reshape(len(contexts), len(TERMS)), nan_ok=True)


def test_terms_never_seen_together_are_beyond_those_that_are() -> None:
    measure = Ngd(Corpus.build(["a b", "a", "b", "c", "a c", "d b", "d"]))
    found = measure.distances(["a"], ["b", "d"])[0]
    assert found[1] > found[0] > 0


def test_the_same_term_is_at_no_distance_from_itself() -> None:
    measure = Ngd(Corpus.build(["rates rise", "rate", "bank"]))
    assert measure.distances(["rate"], ["rates"]).tolist() == [[0.0]]


def test_what_was_asked_before_is_answered_alike() -> None:
    measure = Ngd(Corpus.build(["a b", "a c", "d"]))
    first = measure.distances(["a", "d"], ["b", "x"])
    again = measure.distances(["d", "a"], ["b", "x"])
    assert again == pytest.approx(first[::-1], nan_ok=True)


def test_it_is_a_measure_of_relatedness() -> None:
    measure = Ngd(Corpus.build(["a"]))
    assert isinstance(measure, Relatedness)
    assert isinstance(measure, JointRelatedness)
