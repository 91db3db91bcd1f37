"""A series of corpora: who stays, who is new, which terms are private."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng
from discreet.errors import ParameterError
from discreet.series.folder import SeriesFolder
from discreet.series.segen import SeGen

DATA = Transactions.of([[f"i{n}", f"i{n % 7}"] for n in range(60)])


@given(
    size=st.integers(1, 70),
    repeat=st.integers(0, 10),
    corpora=st.integers(1, 4),
    seed=st.integers(),
)
@settings(max_examples=60)
def test_the_share_that_stays_is_exact(size: int, repeat: int, corpora: int, seed: int) -> None:
    method = SeGen(sample=max(size, 2), repeat=f"0.{repeat}" if repeat < 10 else 1, corpora=corpora)
    made = method.make(DATA, rng.seeded(abs(seed)))
    assert [len(corpus) for corpus in made.corpora] == [max(size, 2)] * corpora
    sets: dict[str, tuple[str, ...]] = {}
    for one, two in zip(made.corpora, made.corpora[1:], strict=False):
        stayed = set(one.ids) & set(two.ids)
        assert len(stayed) == round(max(size, 2) * min(repeat, 10) / 10)
    for corpus in made.corpora:
        for person, row in zip(corpus.ids, corpus, strict=True):
            assert sets.setdefault(str(person), row) == row
    assert made.again == max(0, len(sets) - len(DATA)) or len(sets) <= len(DATA)


def test_no_set_is_used_again_while_there_are_others() -> None:
    distinct = Transactions.of([[f"i{n}"] for n in range(60)])
    made = SeGen(sample=20, repeat="0.5", corpora=5).make(distinct, rng.seeded(3))
    everyone = {
        str(person): row
        for corpus in made.corpora
        for person, row in zip(corpus.ids, corpus, strict=True)
    }
    assert len(everyone) == 60
    assert len(set(everyone.values())) == 60
    assert made.again == 0


def test_private_terms_are_a_share_of_the_items() -> None:
    made = SeGen(sample=10, choice="frequent").make(DATA, rng.seeded(1))
    assert made.private == tuple(sorted(f"i{n}" for n in range(6)))
    assert all(corpus.sensitive == set(made.private) for corpus in made.corpora)
    drawn = {SeGen(sample=30).make(DATA, rng.seeded(n)).private for n in range(3)}
    assert len(drawn) == 3


def test_what_a_small_sample_leaves_out_is_no_private_term(tmp_path: Path) -> None:
    distinct = Transactions.of([[f"i{n}"] for n in range(60)])
    made = SeGen(sample=5, repeat="0.2", corpora=2, private="0.5").make(distinct, rng.seeded(1))
    assert 0 < len(made.private) < 30
    SeriesFolder(tmp_path / "series").save(made, {})
    read = SeriesFolder(tmp_path / "series").corpora()
    assert [corpus.sensitive for corpus in read] == [set(made.private)] * 2


@pytest.mark.parametrize("wrong", [{"repeat": 2}, {"private": -1}, {"sample": 0}, {"corpora": 0}])
def test_a_series_needs_sensible_numbers(wrong: dict[str, int]) -> None:
    with pytest.raises(ParameterError):
        SeGen(**wrong)


def test_a_misspelt_choice_does_not_pass_for_a_random_one() -> None:
    with pytest.raises(ParameterError, match="choice must be one of random, frequent"):
        SeGen(choice="frequnt")  # type: ignore[arg-type]


def test_nobody_makes_no_series() -> None:
    with pytest.raises(ParameterError, match="none"):
        SeGen(sample=2).make(Transactions.of([]), rng.seeded(1))
