"""Publishing on a real cluster whose workers are killed: the same release, or nothing."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from discreet import DataError, Release, Transactions, rng, scale
from discreet.counts import SparseHistogram
from discreet.generalised import Km
from discreet.scale.verbs import COPIES, PLACE
from tests.cluster.standalone import (
    Cluster,
    cluster_killed_at_work,
    cluster_of_two,
    needs_spark,
    wait_for_executors,
    worker_killed_at_work,
)

pytestmark = needs_spark
METHOD = SparseHistogram(epsilon=1, max_size=3, universe=tuple(map(str, range(40))))


def baskets(folder: Path, people: int = 20_000) -> Path:
    """Write made-up rows as several files, so that several tasks read them."""
    draws = np.random.default_rng(3)
    who = np.repeat(np.arange(people), 5)
    table = pl.DataFrame({"id": who, "item": draws.integers(0, 40, len(who)).astype(str)})
    folder.mkdir()
    for part in range(8):
        table.filter(pl.col("id") % 8 == part).write_parquet(folder / f"{part}.parquet")
    return folder


def in_memory(folder: Path) -> Transactions:
    return Transactions.from_frame(pl.read_parquet(folder / "*.parquet"))


def test_a_worker_killed_in_the_fold_and_one_in_the_write_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    source = baskets(tmp_path / "people")
    METHOD.publish(in_memory(source), rng.seeded(4)).save(tmp_path / "due")
    with (
        cluster_of_two(tmp_path) as cluster,
        scale.open(source, engine=cluster.address, memory="1GB") as people,
    ):
        session = people.engine.session
        wait_for_executors(session, 2)
        with worker_killed_at_work(cluster, session):
            scale.publish(METHOD, people, tmp_path / "r", rng=rng.seeded(4))
        found, due = (Release.load(tmp_path / name).content for name in ("r", "due"))
        assert found.as_dict() == due.as_dict()
        cluster.add_worker()
        wait_for_executors(session, 2)
        _write_with_a_worker_killed(cluster, people, tmp_path)


@pytest.mark.slow
def test_a_cluster_that_dies_in_the_write_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    out = tmp_path / "releases"
    out.mkdir()
    with (
        cluster_of_two(tmp_path) as cluster,
        scale.open(baskets(tmp_path / "people"), engine=cluster.address, memory="1GB") as people,
    ):
        session = people.engine.session
        wait_for_executors(session, 2)
        decided = scale.decided(Km(k=5, m=1), people, rng.seeded(4))
        with (
            cluster_killed_at_work(cluster, session),
            pytest.raises(DataError, match="could not finish its work on the release"),
        ):
            decided.save(out / "r", part_rows=1_000)
    assert list(out.iterdir()) == []


def _write_with_a_worker_killed(cluster: Cluster, people: scale.EngineSets, folder: Path) -> None:
    rows, release = folder / "rows", folder / "written"
    release.mkdir()
    for part in range(6):
        (rows / f"part={part}").mkdir(parents=True)
        table = pl.DataFrame({"blocks": [[part], [1, 2]], PLACE: [2, 1], COPIES: [50_000, 2]})
        table.write_parquet(rows / f"part={part}" / "0.parquet")
    with worker_killed_at_work(cluster, people.engine.session):
        people.engine.write(rows, "transactions", ["blocks"], release)
    names = [f"transactions-{part:05}.parquet" for part in range(6)]
    assert sorted(path.name for path in release.iterdir()) == names
    for part, name in enumerate(names):
        written = pl.read_parquet(release / name)["blocks"].to_list()
        assert written == [[1, 2]] * 2 + [[part]] * 50_000
