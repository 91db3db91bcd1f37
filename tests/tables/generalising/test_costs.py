"""What a generalisation costs, each measure against its definition row by row."""

from fractions import Fraction
from math import log2

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata
from discreet.core.workload import Workload
from discreet.errors import InfeasibleError, ParameterError
from discreet.rng import seeded
from discreet.tables import Incognito
from discreet.tables.folding import fold
from discreet.tables.generalising.costs import Score

TREES = {
    "age": Hierarchy.intervals([str(age) for age in range(8)], [2, 4]),
    "sex": Hierarchy.flat(["f", "m"]),
}
ROWS = st.lists(
    st.tuples(st.sampled_from("01234567"), st.sampled_from("fm")), min_size=2, max_size=25
)


def people(rows: list[tuple[str, ...]]) -> Microdata:
    table = pl.DataFrame(rows, schema=["age", "sex"], orient="row")
    return Microdata.of(table, qids=["age", "sex"], sensitive=[])


def by_definition(
    score: Score, rows: list[tuple[str, ...]], node: tuple[int, ...], weights: dict[str, int]
) -> float:
    """Return the cost of a node from the cells of each row."""
    total = 0.0
    for place, ((name, tree), level) in enumerate(zip(TREES.items(), node, strict=True)):
        lost, most = 0.0, 0.0
        for row in rows:
            cell, shown = row[place], tree.level(row[place], level)
            alike = [other[place] for other in rows]
            together = sum(tree.level(other, level) == shown for other in alike)
            if score == "precision":
                lost, most = lost + level, most + tree.height
            elif score == "loss":
                lost += len(tree.leaves(shown)) - 1
                most += len(tree.values) - 1
            else:
                lost += log2(together / alike.count(cell))
                most += log2(len(rows) / alike.count(cell))
        total += weights.get(name, 1) * (lost / most if most else 0)
    return total / sum(weights.get(name, 1) for name in TREES)


@pytest.mark.parametrize("score", ["precision", "loss", "entropy"])
@given(rows=ROWS)
@settings(max_examples=30)
def test_costs_are_those_of_the_definition(score: Score, rows: list[tuple[str, ...]]) -> None:
    method = Incognito(k=1, hierarchy=tuple(TREES.items()), score=score, weights={"age": "3"})
    found = method.search(fold(people(rows)))
    wanted = [by_definition(score, rows, node, {"age": 3}) for node in found.scores.nodes]
    assert found.costs == pytest.approx(np.array(wanted), abs=1e-9)


@given(rows=ROWS)
@settings(max_examples=30)
def test_a_workload_picks_the_lowest_error(rows: list[tuple[str, ...]]) -> None:
    workload = Workload.of(["age=0-1; sex=f", "age=4|5|6|7"])
    method = Incognito(k=2, hierarchy=tuple(TREES.items()), score="workload", workload=workload)
    found = method.search(fold(people(rows)))
    floor = len(rows) / 1000
    for node, cost in zip(found.scores.nodes, found.costs, strict=True):
        if node not in found.scores.minimal:
            assert cost == np.inf
            continue
        errors = []
        for ages, sexes in (({"0", "1"}, {"f"}), ({"4", "5", "6", "7"}, {"f", "m"})):
            true = sum(age in ages and sex in sexes for age, sex in rows)
            guess = Fraction(0)
            for age, sex in rows:
                under = TREES["age"].leaves(TREES["age"].level(age, node[0]))
                part = TREES["sex"].leaves(TREES["sex"].level(sex, node[1]))
                guess += Fraction(len(ages & set(under)), len(under)) * Fraction(
                    len(sexes & set(part)), len(part)
                )
            errors.append(abs(float(guess) - true) / max(true, floor))
        assert cost == pytest.approx(np.mean(errors))
    levels = method.publish(people(rows), seeded(1)).release.manifest.notes["levels"]
    assert found.costs[found.scores.nodes.index(tuple(levels.values()))] == found.costs.min()


@given(rows=ROWS, top=st.integers(0, 3))
def test_no_column_is_above_its_highest_level(rows: list[tuple[str, ...]], top: int) -> None:
    method = Incognito(k=2, hierarchy=tuple(TREES.items()), highest_level={"age": str(top)})
    free = Incognito(k=2, hierarchy=tuple(TREES.items())).search(fold(people(rows)))
    wanted = [node for node in free.scores.nodes if node[0] <= top]
    if wanted:
        assert list(method.search(fold(people(rows))).scores.nodes) == wanted
    else:
        with pytest.raises(InfeasibleError, match="highest levels"):
            method.search(fold(people(rows)))


def test_what_no_column_has_is_refused() -> None:
    data = people([("1", "f"), ("2", "f")])
    for method, complaint in (
        (Incognito(k=1, score="workload"), "needs the queries"),
        (Incognito(k=1, score="workload", workload=Workload.of(["pay=1"])), "'pay' is not one"),
        (Incognito(k=1, weights={"pay": "1"}), "'pay' is not one"),
        (Incognito(k=1, highest_level={"pay": "1"}), "'pay' has none"),
    ):
        with pytest.raises(ParameterError, match=complaint):
            method.publish(data, seeded(1))
