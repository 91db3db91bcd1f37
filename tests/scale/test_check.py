"""An engine that counts a release comes to the verdict that is reached in memory."""

import json
import shutil
from dataclasses import replace
from itertools import combinations

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet import DataError, Release, Transactions, rng, scale, verify
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import KmAnonymity
from discreet.core.truth import with_truth
from discreet.generalised import Coherence, Km
from discreet.io.release_folder import seal
from discreet.io.release_tables import column_kinds
from discreet.io.source import sha256_of_file
from discreet.tables import CodipStar, Mondrian
from tests.releases import as_released
from tests.samples import PUBLISHERS

some = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])


def by_hand(records: list[list[str]], k: int, m: int) -> bool:
    """The definition read aloud: any up to m items fit no record or at least k."""
    known = {
        some
        for record in records
        for n in range(1, m + 1)
        for some in combinations(sorted(record), n)
    }
    return all(sum(set(some) <= set(record) for record in records) >= k for some in known)


@given(
    st.lists(st.lists(st.sampled_from("abcd"), max_size=4, unique=True), min_size=1, max_size=12),
    st.integers(1, 3),
    st.integers(1, 3),
    st.booleans(),
)
@some
def test_sets_are_counted_as_by_hand(tmp_path, records, k, m, blocks):
    content = GeneralisedSets.of([[[item] for item in record] for record in records])
    plain = Transactions.of(records)
    release = as_released(
        content if blocks else plain, KmAnonymity(k=k, m=m), method="km-anonymity"
    )
    release.save(tmp_path / "r", force=True, part_rows=5)
    found = scale.verify(tmp_path / "r", memory="1GB")
    # over rows that hold nothing nothing is checked
    assert found.holds is (by_hand(records, k, m) if any(records) else None)
    assert found.holds is verify(release).holds
    assert bool(found.parts[0].witness) is (found.holds is False)
    beside = scale.verify(tmp_path / "r", memory="1GB", against=Transactions.of(records))
    assert beside.holds is by_hand(records, k, m)


@pytest.mark.parametrize("kind", [Km, Mondrian])
def test_of_a_release_without_rows_an_engine_checks_nothing(kind, tmp_path):
    method, data = PUBLISHERS[kind]
    release = method.publish(data, rng.secure()).release
    rows = ("transactions", "table_1")
    tables = {
        name: table.clear() if name in rows else table
        for name, table in release.content.tables().items()
    }
    emptied = replace(release, content=type(release.content).of_tables(tables))
    emptied.save(tmp_path / "r")
    found = scale.verify(tmp_path / "r")
    assert found.holds is None
    assert {part.checked for part in found.parts} == {"nothing: the release holds no row"}


def test_a_witness_names_items_and_blocks(tmp_path):
    content = GeneralisedSets.of([[["beer", "wine"], ["bread"]], [["bread"]], [["bread"]]])
    as_released(content, KmAnonymity(k=2, m=2), method="km-anonymity").save(tmp_path / "r")
    [part] = scale.verify(tmp_path / "r").parts
    assert part.witness == "(beer, wine) fits 1 records, not 2"


@pytest.mark.parametrize("kind", [Km, Mondrian, CodipStar, *list(PUBLISHERS)[:3]])
def test_releases_of_all_kinds_have_the_verdict_of_memory(kind, tmp_path):
    method, data = PUBLISHERS[kind]
    release = method.publish(data, rng.seeded(5)).release
    release.save(tmp_path / "r", part_rows=9)
    assert scale.verify(tmp_path / "r").record() == verify(release).record()


@pytest.mark.parametrize("kind", [Km, Mondrian])
def test_a_key_is_told_from_that_of_another_release(kind, tmp_path):
    method, data = PUBLISHERS[kind]
    mine = method.publish(data, rng.seeded(5))
    mine.release.save(tmp_path / "r")
    key = with_truth(mine.linkage_key, data, mine.release, {})
    assert scale.verify(tmp_path / "r", key=key).by_parts is True
    other = replace(mine.release, guarantees=())
    strange = with_truth(mine.linkage_key, data, other, {})
    with pytest.raises(DataError, match="key"):
        scale.verify(tmp_path / "r", key=strange)


def test_a_broken_table_is_caught(tmp_path):
    method, data = PUBLISHERS[Mondrian]
    release = method.publish(data, rng.seeded(5)).release
    alone = release.content.parts[0].head(1).with_columns(age=pl.lit("99"))
    tables = release.to_polars() | {"table_1": pl.concat([release.content.parts[0], alone])}
    broken = Release(type(release.content).of_tables(tables), release.guarantees, release.manifest)
    broken.save(tmp_path / "r")
    found, expected = scale.verify(tmp_path / "r"), verify(broken)
    assert [part.holds for part in found.parts] == [part.holds for part in expected.parts]
    assert found.by_parts is False


def test_a_changed_part_and_a_record_that_repeats_a_block_are_refused(tmp_path):
    release = Km(k=1, m=1).publish(Transactions.of([["a"], ["b"]]), rng.seeded(1)).release
    release.save(tmp_path / "r", part_rows=1)
    shutil.copy(
        tmp_path / "r/transactions-00000.parquet", tmp_path / "r/transactions-00001.parquet"
    )
    with pytest.raises(DataError, match=r"transactions-00001\.parquet"):
        scale.verify(tmp_path / "r")
    twice = pl.DataFrame({"blocks": [[0, 0]]}, schema={"blocks": pl.List(pl.Int64)})

    class Repeating(GeneralisedSets):
        published_as = "GeneralisedSets"

        def tables(self):
            return GeneralisedSets.tables(self) | {"transactions": twice}

    content = release.content
    as_released(
        Repeating(content.sets, content.blocks), *release.guarantees, method="km-anonymity"
    ).save(tmp_path / "s")
    with pytest.raises(DataError, match="each once"):
        scale.verify(tmp_path / "s")


@pytest.mark.parametrize("kind", [Km, Coherence, Mondrian])
@pytest.mark.parametrize("part", ["guarantees", "columns", "name"])
def test_a_damaged_release_is_refused_as_in_memory(kind, part, tmp_path):
    method, data = PUBLISHERS[kind]
    folder = method.publish(data, rng.secure()).save(tmp_path / "r")
    manifest = json.loads((folder / "manifest.json").read_text())
    name = next(iter(manifest["files"]))
    facts = manifest["files"][name]
    if part == "guarantees":
        manifest["guarantees"][0]["name"] = []
    else:
        table = pl.read_parquet(folder / name)
        last = table.columns[-1]
        table = table.rename({last: ""}) if part == "name" else table.select([])
        table.write_parquet(folder / name)
        facts["columns"] = column_kinds(table)
        facts["sha256"] = sha256_of_file(folder / name)
    manifest["seal"] = seal(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    for check in (lambda: verify(Release.load(folder)), lambda: scale.verify(folder)):
        with pytest.raises(DataError):
            check()
