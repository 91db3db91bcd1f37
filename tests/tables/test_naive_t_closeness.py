"""All sensitive attributes in one table, each as close as asked: the baseline of CODIP."""

import polars as pl

from discreet import Microdata
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
