"""Anatomy joins clusters only as far as every term is rare enough in each of them."""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet import Transactions
from discreet.series.anatomy import dissected
from discreet.series.corpus import Corpus

FINE = st.lists(
    st.integers(1, 4).flatmap(
        lambda size: st.tuples(st.just(size), st.integers(0, size), st.integers(0, size))
    ),
    min_size=1,
    max_size=8,
)
"""For each cluster of the public order its people, and how many of them hold s and t."""
FACTORS = st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(3)])


def joined(fine: list[tuple[int, int, int]], factor: Fraction) -> list[list[int]]:
    """Return which of the clusters are joined, in their order."""
    records = [
        [
            f"set {number:02d}",
            *(["s"] if person < s else []),
            *(["t"] if person >= size - t else []),
        ]
        for number, (size, s, t) in enumerate(fine)
        for person in range(size)
    ]
    corpus = Corpus.folded_of(Transactions.of(records, sensitive=["s", "t"]))
    # a set each, whose number is where it stands in the public order
    names = [int(items[0].removeprefix("set ")) for items in corpus.kinds[1]]
    cluster = dissected(corpus, np.array(names, dtype=np.int64), factor)
    groups: dict[int, list[int]] = {}
    for number, group in sorted(zip(names, cluster.tolist(), strict=True)):
        groups.setdefault(group, []).append(number)
    return sorted(groups.values())


def diverse(fine: Any, members: list[int], factor: Fraction) -> bool:
    people, *copies = (sum(fine[member][column] for member in members) for column in range(3))
    return max(copies) * factor <= people


@given(fine=FINE, factor=FACTORS)
def test_no_joined_clusters_can_be_parted_again(fine: Any, factor: Fraction) -> None:
    assume(diverse(fine, list(range(len(fine))), factor))
    groups = joined(fine, factor)
    assert [number for group in groups for number in group] == list(range(len(fine)))
    for group in groups:
        assert diverse(fine, group, factor)
        for cut in range(1, len(group)):
            parts = group[:cut], group[cut:]
            assert not all(diverse(fine, part, factor) for part in parts)


def test_what_is_left_at_the_end_joins_no_more_than_it_needs() -> None:
    # the last two are too crowded; once all three are joined, the last can stand by itself
    assert joined([(6, 1, 0), (6, 2, 0), (5, 1, 0)], Fraction(4)) == [[0, 1], [2]]
