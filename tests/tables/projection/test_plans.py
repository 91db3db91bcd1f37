"""What a refusal advises must lead to a release."""

import re
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata, verify
from discreet.errors import InfeasibleError
from discreet.rng import seeded
from discreet.tables import Codip, CodipStar, LDiverse, NaiveTCloseness

TREE = Hierarchy.of_levels([[value, "odd" if value in "13" else "even", "*"] for value in "1234"])
ROWS = st.lists(
    st.tuples(*(st.sampled_from(values) for values in ("1234", "ab", "123", "xy", "?pq"))),
    min_size=2,
    max_size=12,
)
COLUMNS = ["age", "sex", "pay", "job", "ill"]
SHARES = st.sampled_from(["0", "0.1", "0.3", "1"])
ADVICE = re.compile(
    r"nearest (?:(alpha|beta|t|diversity) |discernibility_(limit) |(limit) )?"
    r"that would do is ([\d.,]*\d)"
)
OWN = re.compile(r"with own ones raised by ([\d.]*\d)")
ALSO = re.compile(r"(?:with|and) (alpha|beta|t|discernibility_limit) at least ([\d.,]*\d)")


def people(rows: list[tuple[str, ...]]) -> Microdata:
    table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    return Microdata.of(table, qids=COLUMNS[:2], sensitive=COLUMNS[2:])


def raised(told: str, choices: dict[str, Any]) -> dict[str, Any]:
    """Return the choices with what a refusal advises."""
    found = ADVICE.search(told)
    assert found is not None, told
    name, limit, either, value = found.groups()
    advised = {name or "discernibility_limit": value, **dict(ALSO.findall(told))}
    assert name or limit or either, told
    for own in OWN.findall(told):
        bounds = choices["t_by_attribute"].items()
        advised["t_by_attribute"] = {key: str(min(1, float(t) + float(own))) for key, t in bounds}
    if "discernibility_limit" in advised:
        advised["discernibility_limit"] = int(advised["discernibility_limit"].replace(",", ""))
    return {**choices, **advised}


@pytest.mark.parametrize("method", [NaiveTCloseness, Codip, CodipStar])
@given(
    rows=ROWS,
    t=SHARES,
    ratios=st.tuples(SHARES, SHARES),
    limit=st.sampled_from([None, 1, 30]),
    diversity=st.sampled_from([None, 2, 3]),
    kind=st.sampled_from(["distinct", "entropy"]),
    own=st.sampled_from([None, {"pay": "0.2"}]),
    whole=st.booleans(),
)
@settings(max_examples=80)
def test_what_a_refusal_advises_is_enough(method: Any, rows: list[Any], **drawn: Any) -> None:
    choices = {
        "k": 2,
        "t": drawn["t"],
        "discernibility_limit": drawn["limit"],
        "diversity": drawn["diversity"],
        "diversity_kind": drawn["kind"],
        "t_by_attribute": drawn["own"],
        "hierarchy": (("age", TREE),),
    }
    if method is not NaiveTCloseness:
        choices["alpha"], choices["beta"] = drawn["ratios"]
    if method is Codip and drawn["whole"]:
        choices["plan"] = (("pay", "ill"), ("job",))
    data = people(rows)
    try:
        release = method(**choices).publish(data, seeded(1)).release
    except InfeasibleError as error:
        if "none would" in str(error) or "number the same" in str(error):
            return
        release = method(**raised(str(error), choices)).publish(data, seeded(1)).release
    assert verify(release).by_parts is True


def test_a_plan_that_loses_too_much_and_shows_too_much_is_told_both() -> None:
    data = people([("1", "a", "1", "x", "p"), ("1", "a", "2", "y", "q"), ("1", "a", "3", "y", "p")])
    method = Codip(k=2, t=1, alpha=0, beta=0, plan=(("pay", "job"), ("ill",)))
    with pytest.raises(InfeasibleError, match=r"nearest alpha .* \(with beta at least 0\.\d+\)$"):
        method.publish(data, seeded(1))


@pytest.mark.parametrize("recoding", ["full-domain", "mondrian"])
def test_the_nearest_diversity_is_told(recoding: Any) -> None:
    data = people([("1", "a", pay, job, "p") for pay, job in ("1x", "2y", "3y")])
    with pytest.raises(InfeasibleError, match=r"none would$"):
        LDiverse(k=1, l=5, kind="recursive", c="0.1", recoding=recoding).publish(data, seeded(1))
    with pytest.raises(InfeasibleError, match=r"nearest diversity that would do is 1$"):
        LDiverse(k=1, l=9, recoding=recoding).publish(data, seeded(1))
    own = {"ill": "1"}
    with pytest.raises(InfeasibleError, match=r"nearest diversity that would do is 2$"):
        LDiverse(k=1, l=9, l_by_attribute=own, recoding=recoding).publish(data, seeded(1))
    entropy = LDiverse(k=1, l=9, kind="entropy", l_by_attribute=own, recoding=recoding)
    with pytest.raises(InfeasibleError, match=r"nearest diversity that would do is 1\.889$"):
        entropy.publish(data, seeded(1))
