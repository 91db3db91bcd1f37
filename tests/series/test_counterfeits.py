"""Counterfeit people look like real ones."""

from collections import Counter

import numpy as np

from discreet import Transactions, rng
from discreet.core.itemsets import Itemsets
from discreet.series.corpus import Corpus
from discreet.series.counterfeits import draw_counterfeits


def corpus_of(records: list[list[str]]) -> Corpus:
    return Corpus.of(Transactions.of([[*record, "s"] for record in records], sensitive=["s"]))


def drawn(
    records: list[list[str]], number: int, earlier: list[Itemsets] | None = None
) -> list[tuple[str, ...]]:
    corpus = corpus_of(records)
    cluster, wanted = np.zeros(len(records), dtype=np.int64), np.array([number])
    fakes = draw_counterfeits(corpus, cluster, wanted, earlier or [], rng.seeded(1))
    assert [place for place, _ in fakes] == [0] * number
    return [items for _, items in fakes]


def test_a_set_that_several_have_is_taken_as_it_is() -> None:
    assert drawn([["a", "b"]] * 5, 3) == [("a", "b")] * 3


def test_a_set_that_was_more_frequent_before_is_not() -> None:
    before = Itemsets.of([["a", "b"]] * 6)
    fakes = drawn([["a", "b"]] * 5 + [["a", "c", "d"], ["b", "c", "e"]], 4, [before])
    assert ("a", "b") not in fakes


def test_a_set_that_one_person_has_is_never_taken() -> None:
    records = [[f"i{n % 7}", f"i{n % 11}", f"i{n % 13}"] for n in range(60)]
    own = Counter(tuple(sorted({*record})) for record in records)
    fakes = drawn(records, 40)
    assert not {*fakes} & {items for items, times in own.items() if times == 1}


def test_sizes_are_those_of_people() -> None:
    chance = np.random.default_rng(4)
    items = [f"i{n}" for n in range(60)]
    records = [sorted(chance.choice(items, 1 + n % 9, replace=False)) for n in range(600)]
    fakes = drawn(records, 200)
    people = np.mean([len(record) for record in records])
    assert abs(np.mean([len(items) for items in fakes]) - people) < 1


def test_where_every_set_is_taken_an_item_is_made_up() -> None:
    assert drawn([["a"]], 2, [Itemsets.of([["a"]] * 2)]) == [("other 1",), ("other 2",)]
