"""Diverse classes, against the definitions counted class by class."""

from collections import Counter
from fractions import Fraction
from math import log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.guarantees.distributions import LDiversity
from discreet.tables.promises.diversity import diverse

ENTRIES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20)
CLAIMS = st.sampled_from(
    [
        LDiversity(l=2),
        LDiversity(l=3),
        LDiversity(l="1.7", kind="entropy"),
        LDiversity(l=2, kind="recursive", c=2),
    ]
)


def met(held: Counter[int], claim: LDiversity) -> bool:
    counts, total = sorted(held.values(), reverse=True), sum(held.values())
    if claim.kind == "distinct":
        return len(counts) >= claim.least
    if claim.kind == "entropy":
        return -sum(n / total * log(n / total) for n in counts) >= log(claim.least) - 1e-9
    return counts[0] < Fraction(claim.c or 0) * sum(counts[int(claim.least) - 1 :])


@given(ENTRIES, CLAIMS, st.integers(1, 4))
def test_every_class_of_the_size_is_asked(
    people: list[tuple[int, int]], claim: LDiversity, least: int
) -> None:
    numbers = {each: number for number, each in enumerate(sorted({group for group, _ in people}))}
    group = np.array([numbers[each] for each, _ in people], dtype=np.int64)
    values = np.array([value for _, value in people], dtype=np.int64)
    sizes = np.bincount(group)
    rows = np.arange(len(people))
    found = diverse(group, sizes, (rows, values, np.ones(len(people), np.int64)), (least, claim))
    classes = [Counter(values[group == each].tolist()) for each in range(len(sizes))]
    assert found is all(met(held, claim) for held in classes if held.total() >= least)
