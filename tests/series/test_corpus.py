"""A corpus cut in two: what others may know of a transaction, and its private terms."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet import Transactions
from discreet.core.itemsets import Itemsets
from discreet.series.corpus import Corpus

PRIVATE = ("s", "t", "u")


RECORD = st.lists(st.sampled_from("abcstu"), max_size=4)


PEOPLE = st.lists(RECORD, min_size=4, max_size=14)


def people(records: list[list[str]], order: list[int], *, ids: bool = True) -> Transactions:
    names = np.array([f"p{number:02d}" for number in order]) if ids else None
    sets = Itemsets.of([records[number] for number in order])
    return Transactions(sets, names, frozenset(PRIVATE))


@given(records=PEOPLE)
def test_a_folded_corpus_holds_every_pair_once(records: list[list[str]]) -> None:
    folded = Corpus.of(people(records, list(range(len(records))))).folded()
    pairs = dict(
        zip(zip(folded.sets, folded.private, strict=True), folded.weights.tolist(), strict=True)
    )
    assert pairs == Counter(
        (tuple(sorted({*r} - {*PRIVATE})), tuple(sorted({*r} & {*PRIVATE}))) for r in records
    )
    assert len(pairs) == len(folded)
