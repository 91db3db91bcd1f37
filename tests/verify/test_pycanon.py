"""The verifiers of tables beside pycanon: the values at which a promise just holds are the same.

pycanon asks for an older numpy than ours (2.0 against 2.1), so it lives in the environment that
`make bench-peers` makes; without it these tests are skipped.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet import Microdata, verify
from discreet.core.guarantee import (
    BetaLikeness,
    DeltaDisclosure,
    Guarantee,
    KAnonymity,
    LDiversity,
    TCloseness,
)
from discreet.core.projected_tables import ProjectedTables
from discreet.risk import table_risk
from tests.releases import as_released

ROOT = Path(__file__).parents[2]
PEER = ROOT / ".venv-peers" / "bin" / "python"
SCRIPT = ROOT / "benchmarks" / "peers" / "canon.py"
TABLES = 40
ROUNDING = 1e-9


@pytest.fixture(scope="module")
def peer() -> Path:
    if not (PEER.parents[1] / ".installed").exists():
        pytest.skip("pycanon is not installed: `make bench-peers` makes its environment")
    return PEER


def asked(
    peer: Path, folder: Path, tables: list[pl.DataFrame], qids: list[str], secrets: list[str]
) -> list[dict[str, Any]]:
    """Return the values that pycanon finds for each table."""
    files = [str(folder / f"{place}.csv") for place in range(len(tables))]
    for table, file in zip(tables, files, strict=True):
        table.write_csv(file)
    command = [str(peer), str(SCRIPT), ",".join(qids), ",".join(secrets), *files]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line)["values"] for line in answer.stdout.splitlines()]


def holds(table: pl.DataFrame, qids: list[str], claim: Guarantee) -> bool | None:
    content = ProjectedTables((table,), {name: pl.DataFrame() for name in qids})
    return verify(as_released(content, claim)).holds


def compare(
    table: pl.DataFrame, qids: list[str], secrets: dict[str, Any], told: dict[str, Any]
) -> None:
    """Check that each promise holds at the value of pycanon and not beyond."""
    compare_risk(table, qids, secrets, told)
    k, l = told["k"], told["l"]  # noqa: E741
    assert holds(table, qids, KAnonymity(k=k)) is True
    assert holds(table, qids, KAnonymity(k=k + 1)) is False
    assert holds(table, qids, LDiversity(l=l)) is True
    assert holds(table, qids, LDiversity(l=l + 1)) is False
    entropy = told["entropy l"]
    assert holds(table, qids, LDiversity(l=entropy, kind="entropy")) is True
    # pycanon rounds down, and an entropy of log 2 may come out just below it
    beyond = str(entropy + 1 + 1e-6)
    assert holds(table, qids, LDiversity(l=beyond, kind="entropy")) is False
    for (name, kind), t in zip(secrets.items(), told["t"], strict=True):
        alone = table.select(*qids, name)
        above, below = min(1.0, t + ROUNDING), t - ROUNDING
        claims = [
            TCloseness(t=str(each), distance=((name, kind),)) for each in (above, max(0, below))
        ]
        assert holds(alone, qids, claims[0]) is True
        assert below <= 0 or holds(alone, qids, claims[1]) is False
    for name, beta, delta in zip(secrets, told["beta"], told["delta"], strict=True):
        alone = table.select(*qids, name)
        assert holds(alone, qids, BetaLikeness(beta=str(beta + ROUNDING))) is True
        assert beta < ROUNDING * 2 or (
            holds(alone, qids, BetaLikeness(beta=str(beta - ROUNDING))) is False
        )
        # pycanon skips values that a class lacks; the definition does not
        values = alone.group_by(qids).agg(pl.col(name).n_unique())[name]
        if (values == alone[name].n_unique()).all():
            assert holds(alone, qids, DeltaDisclosure(delta=str(delta + ROUNDING))) is True
        assert delta < ROUNDING * 2 or (
            holds(alone, qids, DeltaDisclosure(delta=str(delta - ROUNDING))) is False
        )


def compare_risk(
    table: pl.DataFrame, qids: list[str], secrets: dict[str, Any], told: dict[str, Any]
) -> None:
    """Check that what `discreet profile` measures is what pycanon measures."""
    risk = table_risk(table, qids, {name: [name] for name in secrets})
    assert risk["smallest_class"] == told["k"]
    assert min(each["l"] for each in risk["attributes"].values()) == told["l"]
    for place, (name, kind) in enumerate(secrets.items()):
        found = risk["attributes"][name]
        assert found["t_ordered" if kind == "ordered" else "t"] == pytest.approx(told["t"][place])
        assert found["beta"] == pytest.approx(told["beta"][place])
        # pycanon passes over values that a class does not have; by the paper they are infinite
        assert found["delta_of_values_present"] == pytest.approx(told["delta"][place])


def test_random_tables(peer: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    tables = []
    for _ in range(TABLES):
        rows, wide = int(rng.integers(12, 120)), int(rng.integers(1, 4))
        columns = {"q": wide, "r": 2, "job": int(rng.integers(2, 6)), "pay": 5}
        drawn = {name: rng.integers(0, many, rows) for name, many in columns.items()}
        drawn["pay"][:2] = [0, 1]  # pycanon divides by the number of ranks less one
        words = {name: np.array(list("abcdefgh"))[drawn[name]] for name in ("q", "r", "job")}
        tables.append(pl.DataFrame(words | {"pay": drawn["pay"].astype(str)}))
    kinds = {"job": "equal", "pay": "ordered"}
    answers = asked(peer, tmp_path, tables, ["q", "r"], list(kinds))
    assert len({answer["k"] for answer in answers}) > 3
    for table, told in zip(tables, answers, strict=True):
        compare(table, ["q", "r"], kinds, told)


@pytest.mark.usefixtures("data_folder")
def test_adult(peer: Path, tmp_path: Path) -> None:
    qids, kinds = (
        ["sex", "race", "marital-status"],
        {"salary-class": "equal", "occupation": "equal"},
    )
    table = Microdata.read("dataset:adult-arx", qids=qids, sensitive=list(kinds)).table
    table = table.select(*qids, *kinds)
    (told,) = asked(peer, tmp_path, [table], qids, list(kinds))
    compare(table, qids, kinds, told)
