import errno
import json
import os
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet import Release, Transactions
from discreet.core.guarantee import DifferentialPrivacy, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey, Publication
from discreet.core.readme import readme_of
from discreet.core.release import Manifest
from discreet.counts import AplKiller
from discreet.errors import DataError, ParameterError
from discreet.io.release_folder import seal
from discreet.io.release_tables import column_kinds
from discreet.rng import secure, seeded
from tests.samples import PUBLISHERS


@pytest.fixture
def release() -> Release[ItemsetHistogram]:
    content = ItemsetHistogram.of({("a", "b c"): 3, ("a",): 2, (): 1})
    guarantees = (NoAttributeLeakage(), DifferentialPrivacy(epsilon="0.1", public=("universe",)))
    manifest = Manifest(method="test", parameters={"epsilon": "1/10"}, randomness="none")
    return Release(content, guarantees, manifest)


@pytest.mark.parametrize("file_format", ["parquet", "csv", "jsonl"])
def test_a_release_comes_back_as_it_went(
    release: Release[ItemsetHistogram], tmp_path: Path, file_format: str
) -> None:
    release.save(tmp_path / "r", file_format=file_format)
    loaded = Release.load(tmp_path / "r")
    assert loaded.content.as_dict() == release.content.as_dict()
    assert loaded.guarantees == release.guarantees
    assert loaded.manifest == release.manifest


def test_the_folder_holds_what_the_design_says(
    release: Release[ItemsetHistogram], tmp_path: Path
) -> None:
    release.save(tmp_path / "r")
    assert sorted(path.name for path in (tmp_path / "r").iterdir()) == [
        "README.txt",
        "itemsets.parquet",
        "manifest.json",
    ]
    manifest = json.loads((tmp_path / "r" / "manifest.json").read_text())
    assert manifest["files"]["itemsets.parquet"]["columns"] == {
        "items": "list[str]",
        "count": "int64",
    }
    assert set(manifest) >= {"method", "parameters", "guarantees", "randomness", "discreet"}
    table = pl.read_parquet(tmp_path / "r" / "itemsets.parquet")
    assert table.schema == {"items": pl.List(pl.String), "count": pl.Int64}
    readme = (tmp_path / "r" / "README.txt").read_text()
    assert "What is not promised" in readme
    assert "at most a factor of 1.1 (epsilon = 0.1)" in " ".join(readme.split())


@pytest.mark.parametrize("kind", [kind.__name__ for kind in PUBLISHERS])
def test_the_readme_explains_its_tables_in_lines_that_any_editor_shows(kind: str) -> None:
    method, data = next(pair for each, pair in PUBLISHERS.items() if each.__name__ == kind)
    release = method.publish(data, seeded(3)).release
    columns = {name: column_kinds(table) for name, table in release.to_polars().items()}
    readme = readme_of(release, columns)
    assert not [line for line in readme.splitlines() if len(line) > 88]
    assert "\n\n\n" not in readme
    assert not re.search(r"[{}]|\w_to:", readme)  # no mapping, and no field, as Python writes it
    told = " ".join(readme.split())
    for claim in release.guarantees:
        assert " ".join(claim.promise.split()) in told
        assert " ".join(claim.limit.split()) in told
    # the columns of a table speak for themselves
    of_a_table = isinstance(release.content, ProjectedTables)
    assert of_a_table or any(line in told for line in release.content.explained)


def test_an_old_release_is_replaced_by_force_only(
    release: Release[ItemsetHistogram], tmp_path: Path
) -> None:
    release.save(tmp_path / "r")
    with pytest.raises(DataError, match=r"r exists.*force"):
        release.save(tmp_path / "r")
    release.save(tmp_path / "r", force=True, file_format="csv")
    assert (tmp_path / "r" / "itemsets.csv").exists()
    assert not (tmp_path / "r" / "itemsets.parquet").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_force_never_replaces_what_is_no_release(
    release: Release[ItemsetHistogram], tmp_path: Path
) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.txt").write_text("years of work")
    with pytest.raises(DataError, match="not a release"):
        release.save(tmp_path / "precious", force=True)
    assert (tmp_path / "precious" / "thesis.txt").read_text() == "years of work"


def tamper_count(folder: Path) -> None:
    table = pl.read_parquet(folder / "itemsets.parquet")
    table.with_columns(pl.col("count") + 1).write_parquet(folder / "itemsets.parquet")


def tamper_epsilon(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"epsilon": "1/10"', '"epsilon": "1/1000"'))


def cut_manifest(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text()[:40])


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (tamper_count, "itemsets.parquet in r was changed"),
        (tamper_epsilon, "manifest of r was changed"),
        (cut_manifest, "missing or broken"),
        (lambda folder: (folder / "manifest.json").unlink(), "missing or broken"),
        (lambda folder: (folder / "manifest.json").write_text("[" * 100_000), "missing or broken"),
        (lambda folder: resealed(folder, method="\ud800"), "missing or broken"),
        (lambda folder: (folder / "itemsets.parquet").unlink(), "itemsets.parquet is missing"),
        (lambda folder: (folder / "README.txt").write_text("trust me"), "README.txt in r was"),
    ],
)
def test_a_tampered_or_half_folder_is_refused(
    release: Release[ItemsetHistogram], tmp_path: Path, harm: Any, said: str
) -> None:
    release.save(tmp_path / "r")
    harm(tmp_path / "r")
    with pytest.raises(DataError, match=said):
        Release.load(tmp_path / "r")


def resealed(folder: Path, **changes: Any) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text()) | changes
    manifest["seal"] = seal(manifest)
    path.write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    "changes",
    [
        {"content": "Nonsense"},
        {"guarantees": [{"name": "Nonsense"}]},
        {"guarantees": [{"name": "DifferentialPrivacy", "epsilon": "-1"}]},
        {"guarantees": 7},
        {"files": {"../secret": {"sha256": "0"}}},
        {"files": {}},
        {"files": None},
    ],
)
def test_a_malformed_manifest_is_one_sentence(
    release: Release[ItemsetHistogram], tmp_path: Path, changes: dict[str, Any]
) -> None:
    release.save(tmp_path / "r")
    resealed(tmp_path / "r", **changes)
    with pytest.raises(DataError):
        Release.load(tmp_path / "r")


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="r: there is no such release folder"):
        Release.load(tmp_path / "r")


def test_a_file_in_place_of_a_release_is_called_a_file(tmp_path: Path) -> None:
    (tmp_path / "baskets.csv").write_text("id,item\n")
    with pytest.raises(DataError, match=r"baskets\.csv is a file; a release is a folder"):
        Release.load(tmp_path / "baskets.csv")


def test_an_unknown_format_is_refused(release: Release[ItemsetHistogram], tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="parquet, csv, jsonl"):
        release.save(tmp_path / "r", file_format="xls")


def test_a_full_disk_leaves_nothing(
    release: Release[ItemsetHistogram], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(DataError, match="No space left"):
        release.save(tmp_path / "r")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_nothing(
    release: Release[ItemsetHistogram], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        release.save(tmp_path / "r")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_one_sentence(
    release: Release[ItemsetHistogram], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DataError, match="could not be written"):
        release.save(tmp_path / "file" / "r")


def test_nothing_private_is_in_any_byte(tmp_path: Path) -> None:
    """Plant a secret id, order and path, and look for them in every byte that is written."""
    (tmp_path / "secretfolder").mkdir()
    source = tmp_path / "secretfolder" / "secretfile.csv"
    rows = ["id,item", "secretperson,raresecret"]
    rows += [f"p{number},{item}" for number in range(200) for item in ("tea", "milk")]
    source.write_text("\n".join(rows) + "\n")
    data = Transactions.read(source)
    universe = ("tea", "milk", "raresecret")
    method = AplKiller(epsilon=1, c1=2, universe=universe)
    publication = method.publish(data, seeded(987654321))
    assert publication.release.content.supports.max() > 100
    for file_format in ("csv", "jsonl", "parquet"):
        folder = tmp_path / file_format
        publication.save(folder, file_format=file_format)
        written = b"".join(path.read_bytes() for path in folder.iterdir())
        for secret in (b"secret", b"p199", b"987654321", str(tmp_path).encode(), b"201"):
            assert secret not in written


def test_the_manifest_says_when_chance_was_seeded(tmp_path: Path) -> None:
    data = Transactions.of([["a"]] * 50)
    for rng, said in (
        (seeded(1), "seeded: not for publication"),
        (secure(), "operating system entropy through AES-CTR"),
    ):
        release = AplKiller(epsilon=1).publish(data, rng).release
        release.save(tmp_path / "r", force=True)
        manifest = json.loads((tmp_path / "r" / "manifest.json").read_text())
        assert manifest["randomness"] == said
        assert manifest["seeded"] is rng.seeded
        assert manifest["universe"] == "taken from the data: not covered by epsilon"
        assert manifest["format"] == 2


def test_rows_are_shuffled() -> None:
    data = Transactions.of([["a"]] * 50 + [["b"]] * 50 + [["c"]] * 50 + [["d"]] * 50)
    method = AplKiller(epsilon=5, universe=("a", "b", "c", "d"))
    orders = {tuple(method.publish(data, seeded(n)).release.content.sets) for n in range(20)}
    assert len(orders) > 10


def test_saving_a_publication_never_writes_the_key(
    release: Release[ItemsetHistogram], tmp_path: Path
) -> None:
    keep = LinkageKey({"rows": pl.DataFrame({"row": [0]})}, {"secretstate": 1})
    Publication(release, keep).save(tmp_path / "r")
    written = b"".join(path.read_bytes() for path in (tmp_path / "r").iterdir())
    assert b"secretstate" not in written
    assert len(list((tmp_path / "r").iterdir())) == 3


def test_a_representation_shows_no_record() -> None:
    data = Transactions.of([["secretitem"]])
    shown = repr(data) + repr(data.sets) + repr(ItemsetHistogram.of({("secretitem",): 1}))
    assert "secret" not in shown
