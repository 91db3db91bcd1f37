"""All sensitive attributes in one table, each as close as asked: the baseline of CODIP."""

import polars as pl
import pytest

from discreet import Microdata
from discreet.errors import InfeasibleError
from discreet.rng import seeded
from discreet.tables import NaiveTCloseness


def test_an_attribute_may_have_a_t_of_its_own() -> None:
    rows = [("1", "f", "x", "p"), ("1", "f", "x", "q"), ("2", "m", "y", "p"), ("2", "m", "y", "q")]
    table = pl.DataFrame(rows, schema=["age", "sex", "job", "ill"], orient="row")
    data = Microdata.of(table, qids=["age", "sex"], sensitive=["job", "ill"])
    strict = NaiveTCloseness(k=2, t=0).publish(data, seeded(1)).release
    loose = NaiveTCloseness(k=2, t=0, t_by_attribute={"job": "0.5"}).publish(data, seeded(1))
    assert strict.content.parts[0]["age"].n_unique() == 1
    assert loose.release.content.parts[0]["age"].n_unique() == 2


def test_the_t_that_is_advised_is_one_and_does_it() -> None:
    rows = [("1", "f", "x", "p"), ("1", "f", "x", "q"), ("2", "m", "y", "p"), ("2", "m", "y", "q")]
    table = pl.DataFrame(rows, schema=["age", "sex", "job", "ill"], orient="row")
    data = Microdata.of(table, qids=["age", "sex"], sensitive=["job", "ill"])
    # in larger classes everything would be closer
    method = NaiveTCloseness(k=2, t="0.8", t_by_attribute={"job": "0.1"}, discernibility_limit=8)
    with pytest.raises(InfeasibleError, match=r"is 1, with own ones raised by 0\.4$"):
        method.publish(data, seeded(1))
    NaiveTCloseness(k=2, t=1, t_by_attribute={"job": "0.5"}, discernibility_limit=8).publish(
        data, seeded(1)
    )
