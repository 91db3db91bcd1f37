"""Counterfeits that stay from release to release."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng, verify
from discreet.core.publication import LinkageKey, Publication, State
from discreet.errors import DataError, ParameterError
from discreet.series import Counterfeits, KnownRows, Sanony
from discreet.series.folder import publish_series
from discreet.series.segen import SeGen

NAMES = [f"i{n}" for n in range(60)]


def people(size: int, seed: int) -> Transactions:
    chance = np.random.default_rng(seed)
    rare = 1 / np.arange(1, len(NAMES) + 1)
    records = [
        [*chance.choice(NAMES, 1 + n % 6, replace=False, p=rare / rare.sum()), *["s"][: n % 9 == 0]]
        for n in range(size)
    ]
    return Transactions.of(records, sensitive=["s"])


def series(size: int, seed: int, **parameters: Any) -> tuple[Any, list[Publication[Any]]]:
    made = SeGen(sample=size, repeat="0.5", corpora=3, private=0).make(
        people(2 * size, seed), rng.seeded(seed)
    )
    corpora = [Transactions(each.sets, each.ids, frozenset({"s"})) for each in made.corpora]
    method = Sanony(r_th=3, cluster_size=5, **parameters)
    return corpora, list(publish_series(method, corpora, rng.seeded(seed)))


def key_of(publication: Publication[Any]) -> LinkageKey:
    assert publication.linkage_key is not None
    return publication.linkage_key


def fakes_of(publication: Publication[Any]) -> Counter[tuple[str, ...]]:
    rows = set(key_of(publication).tables["rows"]["row"].to_list())
    sets = enumerate(publication.release.content.sets)
    return Counter(tuple(sorted(items)) for row, items in sets if row not in rows)


@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_some_stay_none_has_a_set_of_one_person_and_the_promise_holds(seed: int) -> None:
    corpora, made = series(120, seed, reserve="0.1")
    for place, (corpus, publication) in enumerate(zip(corpora, made, strict=True)):
        fakes = fakes_of(publication)
        kept = Counter(
            tuple(sorted(items)) for items in key_of(publication).tables["counterfeits"]["items"]
        )
        assert fakes == kept
        assert fakes.total() >= 12
        held = Counter(tuple(sorted({*record} - {"s"})) for record in corpus.sets)
        assert not any(held[items] == 1 for items in fakes)
        earlier = [each.release for each in made[:place]]
        assert verify(publication.release, after=earlier).by_parts is True
    assert (fakes_of(made[0]) & fakes_of(made[1])).total() > 0


def test_copies_that_nobody_holds_are_those_of_counterfeits() -> None:
    corpora, made = series(200, 3)
    for corpus, publication in zip(corpora, made, strict=True):
        records = key_of(publication).tables["rows"]["record"].to_list()
        true = sum("s" in corpus.sets[record] for record in records)
        invented = sum(
            "s" in terms for terms in key_of(publication).tables["counterfeits"]["terms"]
        )
        assert publication.release.content.total.tolist() == [true + invented]


def test_without_a_reserve_the_first_release_has_no_counterfeit() -> None:
    _, made = series(120, 1, reserve=0)
    assert not fakes_of(made[0])


def test_the_key_of_another_release_is_refused() -> None:
    corpora, made = series(60, 1)
    method = Sanony(r_th=3, cluster_size=5, keep=State(key_of(made[0])))
    with pytest.raises(DataError, match="the last of the releases named with after"):
        method.publish(corpora[1], rng.seeded(1))


def test_a_reserve_is_a_share() -> None:
    with pytest.raises(ParameterError, match="reserve"):
        Sanony(r_th=2, reserve=2)


def test_they_are_hardly_told_from_people() -> None:
    # also in the owner's view: half of them are known
    _, made = series(1500, 5, reserve="0.04")
    releases = [each.release for each in made]
    known = KnownRows(rows=key_of(made[-1]))
    found = Counterfeits().attack(releases, known).summary
    assert found["auc"] < 0.65
    assert found["at_risk"] == 0
    assert found["guesses_right"] < 0.2
