"""A corpus cut in two: what others may know of a transaction, and its private terms."""

from collections import Counter

from hypothesis import given

from discreet.series.corpus import Corpus
from tests.series.small import PEOPLE, PRIVATE, people


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
