"""K-anonymity with l-diversity by its own name, and plans of several tables cut class by class."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from discreet import verify
from discreet.core.guarantee import KAnonymity, LDiversity, ProjectionPlan, TCloseness
from discreet.errors import InfeasibleError, ParameterError
from discreet.rng import seeded
from discreet.tables import Codip, CodipStar, LDiverse, NaiveTCloseness, table_measures
from tests.tables.jobs_and_illnesses import ROWS, TREES, people

METHODS: list[Any] = [
    LDiverse(k=2, l=2, l_by_attribute={"ill": "1"}, hierarchy=TREES),
    LDiverse(k=2, l=2, l_by_attribute={"ill": "1"}, recoding="mondrian"),
    LDiverse(k=2, l="1.5", kind="entropy", l_by_attribute={"ill": "1"}, recoding="mondrian"),
    Codip(k=2, t="0.4", recoding="mondrian"),
    CodipStar(k=2, t="0.5", recoding="mondrian", hierarchy=TREES),
]


@pytest.mark.parametrize("method", METHODS, ids=repr)
@given(rows=ROWS)
@settings(max_examples=30, suppress_health_check=[HealthCheck.filter_too_much])
def test_every_promise_is_kept(method: Any, rows: list[tuple[str, ...]]) -> None:
    data = people(rows)
    try:
        release = method.publish(data, seeded(1)).release
    except InfeasibleError:
        release = None
    assume(release is not None)
    assert release.guarantees == method.guarantees
    assert all(part.holds for part in verify(release).parts)


@given(rows=ROWS)
@settings(max_examples=30)
def test_diversity_by_name_is_that_beside_closeness(rows: list[tuple[str, ...]]) -> None:
    """With t = 1 closeness forbids nothing, so both find the same table or both refuse."""

    def told(method: Any) -> Any:
        try:
            return method.publish(people(rows), seeded(1)).release.content.parts[0].to_dicts()
        except InfeasibleError:
            return None

    own = {"ill": "1"}
    named = LDiverse(k=2, l=2, l_by_attribute=own, hierarchy=TREES)
    beside = NaiveTCloseness(k=2, t=1, diversity=2, diversity_by_attribute=own, hierarchy=TREES)
    assert told(named) == told(beside)


def test_cut_tables_keep_more() -> None:
    rows = [(str(age), "fm"[age % 2], "xyz"[age % 3], "p") for age in range(8)] * 6
    data = people(rows)
    whole = CodipStar(k=2, t="0.7", hierarchy=TREES).publish(data, seeded(1)).release
    cut = CodipStar(k=2, t="0.7", recoding="mondrian").publish(data, seeded(1)).release
    costs = [int(str(table_measures(data, each)["discernibility"])) for each in (whole, cut)]
    assert costs[1] <= costs[0]
    kinds = [type(claim) for claim in cut.guarantees]
    assert kinds == [KAnonymity, TCloseness, ProjectionPlan]


def test_what_cuts_cannot_promise_is_refused() -> None:
    with pytest.raises(ParameterError, match="cannot be combined"):
        Codip(k=2, t=1, n=5, recoding="mondrian")
    with pytest.raises(InfeasibleError, match="diversity of 9"):
        LDiverse(k=2, l=9).publish(people([("1", "f", "x", "p")] * 3), seeded(1))
    with pytest.raises(InfeasibleError, match="the table as a whole"):
        LDiverse(k=2, l=9, recoding="mondrian").publish(
            people([("1", "f", "x", "p")] * 3), seeded(1)
        )
    assert LDiverse(k=2, l=3).guarantees == (KAnonymity(k=2), LDiversity(l=3))
