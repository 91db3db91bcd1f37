"""Real people folded by an engine: the same bag of rows as in memory, method by method."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet import Microdata, Transactions, scale
from discreet.counts import AplKiller, Counts, DiffPart, ItemSupports, PrivBayes, SparseHistogram
from discreet.counts.table_bayes import TableBayes
from discreet.generalised import Coat, Coherence, Km, Lkc, Pcta
from discreet.io.datasets import read_dataset_table, universe_of
from discreet.networks import TdControl
from discreet.scale.spark import Spark
from discreet.series import Anatomy, Anony
from discreet.tables import Codip, CodipStar, Incognito, Mondrian, NaiveTCloseness, RtAnonymity
from tests.cluster.standalone import needs_spark
from tests.scale.beside import same_release

pytestmark = pytest.mark.skipif(
    "DISCREET_DATA" not in os.environ, reason="DISCREET_DATA is not set: no real data at hand"
)

ENGINES = ["duckdb", pytest.param("spark", marks=[needs_spark, pytest.mark.slow])]


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Any]:
    """DuckDB, and a session of Spark for all methods: it takes seconds to start."""
    if request.param == "duckdb":
        yield "duckdb"
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        spark = Spark("spark", "2GB")
    yield spark.session
    spark.close()


COUNTED: dict[str, tuple[Any, str]] = {
    "sparse-histogram": (SparseHistogram(epsilon=1, max_size=3), "bms1"),
    "diff-part": (DiffPart(epsilon=1, max_size=3, fan_out=8), "bms1"),
    "apl-killer": (AplKiller(epsilon=1, universe=universe_of("dataset:nltcs")), "nltcs"),
    "priv-bayes": (PrivBayes(epsilon=1, degree=2), "nltcs"),
    "table-bayes": (TableBayes(epsilon=1), "nltcs"),
    "item-supports": (ItemSupports(epsilon=1, pairs="0.5"), "bms1"),
    "counts": (Counts(epsilon=1, tau="0.9"), "nltcs"),
    "msnbc, cut": (SparseHistogram(epsilon=1, max_size=2), "msnbc"),
}
RECODED: dict[str, tuple[Any, str]] = {
    "km-anonymity": (Km(k=5, m=2), "bms1"),
    "coat": (Coat(k=5, protect="items", suppress=20), "checkin"),
    "pcta": (Pcta(k=5, protect="items", suppress=20), "checkin"),
}


@pytest.mark.parametrize("name", [*COUNTED, *RECODED])
def test_sets_are_published_the_same(name: str, engine: Any, tmp_path: Path) -> None:
    method, source = (COUNTED | RECODED)[name]
    same_release(method, Transactions.read(f"dataset:{source}"), tmp_path, engine=engine)


def test_ids_of_real_people_cut_as_in_memory(engine: Any, tmp_path: Path) -> None:
    people = Transactions.read("dataset:lastfm")
    assert people.ids is not None
    same_release(SparseHistogram(epsilon=1, max_size=3), people, tmp_path, engine=engine)


@pytest.mark.parametrize(
    "method",
    [
        Coherence(h="0.8", k=3, p=2),
        Lkc(l=2, k=3, c="0.8"),
        TdControl(rho="0.7"),
        Anony(r_th=4),
        Anatomy(l=2),
    ],
    ids=["coherence", "lkc", "td-control", "anony", "anatomy"],
)
def test_sets_with_secrets_are_published_the_same(method: Any, engine: Any, tmp_path: Path) -> None:
    people = Transactions.read("dataset:nltcs")
    rare = [people.universe[item] for item in people.supports.argsort()[:2]]
    same_release(method, Transactions.of(list(people), sensitive=rare), tmp_path, engine=engine)


@pytest.mark.parametrize(
    "kind",
    [
        Incognito(k=5, suppression_limit="0.1"),
        Mondrian(k=5),
        Mondrian(k=5, relaxed=True),
        NaiveTCloseness(k=5, t="0.5", suppression_limit="0.1"),
        Codip(k=5, t="0.5", plan=(("occupation",), ("workclass",)), suppression_limit="0.1"),
        CodipStar(k=5, t="0.5", suppression_limit="0.1"),
    ],
    ids=lambda method: type(method).__name__,
)
def test_tables_are_published_the_same(kind: Any, engine: Any, tmp_path: Path) -> None:
    people = Microdata.read(
        "dataset:adult",
        qids=["age", "sex", "race", "education"],
        sensitive=["occupation", "workclass"],
    )
    same_release(kind, people, tmp_path, engine=engine)


def test_tables_with_sets_are_published_the_same(engine: Any, tmp_path: Path) -> None:
    adult = read_dataset_table("dataset:adult").head(5_000)
    shown = pl.concat_list("workclass", "occupation").list.unique(maintain_order=True)
    people = Microdata.of(
        adult.select("sex", "race", "income", items=shown),
        qids=["sex", "race"],
        sensitive=["income"],
        set_column="items",
    )
    same_release(RtAnonymity(k=3, m=1), people, tmp_path, engine=engine)


def test_km_by_an_engine_is_verified_by_it(engine: Any, tmp_path: Path) -> None:
    same_release(Km(k=5, m=2), Transactions.read("dataset:bms2"), tmp_path, engine=engine)
    assert scale.verify(tmp_path / "release", engine=engine, memory="1GB").by_parts is True
