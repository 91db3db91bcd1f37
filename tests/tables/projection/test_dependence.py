"""What sensitive attributes tell about each other, and what a projection plan makes of it."""

from collections import Counter
from math import log2

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.tables import (
    dependence,
)
from tests.tables.harmless_values import COLUMNS, ROWS, people


def entropy(values: list[object]) -> float:
    counts = Counter(values).values()
    return -sum(n / len(values) * log2(n / len(values)) for n in counts)


@given(ROWS, st.frozensets(st.sampled_from("xyz")))
def test_the_ratios_are_those_of_the_definitions(
    rows: list[tuple[str, ...]], harmless: frozenset[str]
) -> None:
    data = people(rows, {"s": harmless})
    told = dependence(data)
    columns = {name: [row[place] for row in rows] for place, name in enumerate(COLUMNS)}
    total, exposed, lost, shown = 0.0, 0.0, 0.0, 0.0
    for a, b in (("s", "t"), ("s", "u"), ("t", "u")):
        one, other = columns[a], columns[b]
        shared = entropy([*one]) + entropy([*other]) - entropy([*zip(one, other, strict=True)])
        pair = 0.0
        for v in one:
            sens_v = a != "s" or v not in harmless
            pair += sens_v * (entropy([*one]) - shared) + (entropy([*other]) - shared)
        pair /= len(rows)
        total += shared
        exposed += pair
        lost += shared if (a, b) != ("s", "t") else 0
        shown += pair * 2 / 3 if (a, b) == ("s", "t") else 0
    plan = (("s", "t"), ("u",))
    assume(total > 1e-9)
    assert told.association_loss(plan) == pytest.approx(lost / total)
    assume(exposed > 1e-9)
    assert told.exposure(plan) == pytest.approx(shown / exposed)
