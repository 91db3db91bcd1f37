"""Folders written in the first version of the format are read as what they said."""

import json
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet import Transactions, rng, verify
from discreet.core.constraints import Constraints
from discreet.core.disassociated import Disassociated
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.loading import CONTENTS
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.core.synthetic_people import SyntheticPeople
from discreet.counts import AplKiller, Counts
from discreet.errors import DataError
from discreet.generalised import Coherence, Km
from discreet.io.release_folder import seal
from discreet.tables import Incognito
from tests.samples import PUBLISHERS

VERSION_1 = Path(__file__).parent / "fixtures" / "version_1"
"""Small releases of made-up data, written by the code before version 2 of the format."""
SINCE_VERSION_2 = {SyntheticPeople, Disassociated}
"""Contents that no release of the first version can hold."""
FOLDERS = sorted(folder.name for folder in VERSION_1.iterdir())


def read(name: str) -> Release[Any]:
    return Release.load(VERSION_1 / name)


def test_there_is_one_of_every_kind_of_content() -> None:
    assert {type(read(name).content) for name in FOLDERS} == set(CONTENTS) - SINCE_VERSION_2


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet"])
def test_an_old_release_says_the_same_in_the_new_format(
    name: str, file_format: str, tmp_path: Path
) -> None:
    old = read(name)
    assert "format" not in json.loads((VERSION_1 / name / "manifest.json").read_text())
    old.save(tmp_path / "new", file_format=file_format)
    assert json.loads((tmp_path / "new" / "manifest.json").read_text())["format"] == 2
    new = Release.load(tmp_path / "new")
    assert new.manifest == old.manifest
    assert new.guarantees == old.guarantees
    tables = new.to_polars()
    assert tables.keys() == old.to_polars().keys()
    assert all(tables[each].equals(table) for each, table in old.to_polars().items())


def test_what_stood_in_notes_has_become_fields() -> None:
    taken = "taken from the data: not covered by epsilon"
    seeded = read("histogram-seeded").manifest
    assert (seeded.seeded, seeded.universe, seeded.notes) == (True, taken, {})
    secure = read("histogram").manifest
    assert (secure.seeded, secure.universe, secure.notes) == (False, "public", {})
    hidden = read("transactions-sensitive")
    assert hidden.manifest.sensitive == ("wine",)
    assert hidden.sensitive == {"wine"}
    first, second = (read(f"clusters-{number}").manifest.follows for number in (1, 2))
    assert (first, len(second or ())) == ((), 1)
    assert read("transactions").manifest.follows is None
    assert read("tables").manifest.notes.keys() == {"levels"}


def test_old_promises_are_checked_as_before() -> None:
    constraints = Constraints.of([["beer", "wine"], ["tea"], ["jam"]])
    assert verify(read("generalised-sets"), privacy=constraints).holds is True
    assert verify(read("clusters-2"), after=[read("clusters-1")]).holds is True
    for name in ("histogram", "network", "sets-with-network", "tables", "transactions"):
        assert verify(read(name)).holds is True


def changed(folder: Path, **facts: Any) -> Path:
    """Return the folder with other facts in its manifest, sealed again as a forger would."""
    file = folder / "manifest.json"
    manifest = json.loads(file.read_text()) | facts
    manifest["seal"] = seal(manifest)
    file.write_text(json.dumps(manifest))
    return folder


@pytest.mark.parametrize(
    "facts",
    [
        {"seeded": "no"},
        {"seeded": None},
        {"universe": "given, public"},
        {"sensitive": "wine"},
        {"sensitive": [1]},
        {"follows": {"a": 1}},
        {"notes": None},
        {"parameters": []},
        {"method": 7},
        {"randomness": None},
    ],
)
def test_a_fact_of_another_kind_is_refused(facts: dict[str, Any], tmp_path: Path) -> None:
    read("histogram").save(tmp_path / "new")
    with pytest.raises(DataError, match="manifest is malformed"):
        Release.load(changed(tmp_path / "new", **facts))


BASKETS = Transactions.of([["beer", "bread"]] * 9 + [["bread"]] * 9, sensitive=["beer"])
ITEMS = ("beer", "bread")


@pytest.mark.parametrize(
    ("method", "name", "value"),
    [
        (Km(k=5, m=2), "k", 2),
        (Km(k=5, m=2), "m", 1),
        (Coherence(h=0.5, k=5, p=2), "h", "1"),
        (Counts(epsilon=30, universe=ITEMS), "epsilon", "1"),
        (Counts(epsilon=1, universe=ITEMS, tau=0.9), "known", 1),
    ],
)
def test_a_promise_of_another_number_than_was_asked_for_is_refused(
    method: Any, name: str, value: object, tmp_path: Path
) -> None:
    release = method.publish(BASKETS, rng.seeded(1)).release
    release.save(tmp_path / "new")
    assert Release.load(tmp_path / "new").guarantees == release.guarantees
    promises = [
        record | {name: value} if name in record else record
        for record in release.record()["guarantees"]
    ]
    with pytest.raises(DataError, match=f"contradicts itself: {name} is"):
        Release.load(changed(tmp_path / "new", guarantees=promises))


def test_printed_noise_may_promise_more_than_it_was_given(tmp_path: Path) -> None:
    method = AplKiller(epsilon=1, universe=ITEMS, boundary_noise="paper")
    method.publish(BASKETS, rng.seeded(1)).release.save(tmp_path / "new")
    *_, spent = Release.load(tmp_path / "new").guarantees
    assert isinstance(spent, DifferentialPrivacy)
    assert spent.budget > 1


def test_a_release_of_a_later_format_is_not_guessed_at(tmp_path: Path) -> None:
    read("histogram").save(tmp_path / "new")
    with pytest.raises(DataError, match="version 3 of the release format"):
        Release.load(changed(tmp_path / "new", format=3))
    old = shutil.copytree(VERSION_1 / "histogram", tmp_path / "old")
    with pytest.raises(DataError, match="manifest is malformed"):
        Release.load(changed(old, notes={"universe": "somehow"}))


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ("items,count\n,3\n", "does not hold the columns|must have a value in every cell"),
        ('items,count\n"[null]",3\n', "must have a value in every cell"),
        ('items,count\n"[""a""]",\n', "must have a value in every cell"),
        ('items,count\n"[""a""]",9223372036854775807\n', "are too large"),
        ('items,count\n"[""a""]",-3\n', "must be at least 1"),
    ],
)
def test_a_forged_table_gets_one_sentence(cells: str, fault: str, tmp_path: Path) -> None:
    folder = read("histogram").save(tmp_path / "new", file_format="csv")
    (folder / "itemsets.csv").write_text(cells)
    files = json.loads((folder / "manifest.json").read_text())["files"]
    files["itemsets.csv"]["sha256"] = sha256(cells.encode()).hexdigest()
    with pytest.raises(DataError, match=fault):
        Release.load(changed(folder, files=files))


def test_what_the_manifest_does_not_list_is_told(tmp_path: Path) -> None:
    folder = read("histogram").save(tmp_path / "new")
    assert Release.load(folder).unlisted == ()
    (folder / ".hidden").write_text("x")
    (folder / "more").mkdir()
    assert Release.load(folder).unlisted == (".hidden", "more")
    assert verify(Release.load(folder)).holds is False


class Forged:
    """Tables that pass for another content."""

    def __init__(self, tables: dict[str, pl.DataFrame]) -> None:
        self._tables = tables

    def tables(self) -> dict[str, pl.DataFrame]:
        return self._tables


@pytest.mark.parametrize("kind", PUBLISHERS, ids=lambda kind: kind.__name__)
def test_a_table_without_a_column_gets_one_sentence(kind: type[Any], tmp_path: Path) -> None:
    method, data = PUBLISHERS[kind]
    release = method.publish(data, rng.seeded(1)).release
    tables = release.content.tables()
    name = next(iter(tables))
    column = tables[name].columns[0]
    passing = type(type(release.content).__name__, (Forged,), {})
    content = passing(tables | {name: tables[name].drop(column)})
    folder = Release(content, release.guarantees, release.manifest).save(tmp_path / "forged")
    with pytest.raises(DataError):
        Release.load(folder)


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("facts", [{}, {"columns": {"id": "int64", "item": "str"}}])
def test_a_listed_file_that_is_no_part_of_the_content_is_refused(
    name: str, facts: dict[str, Any], tmp_path: Path
) -> None:
    folder = read(name).save(tmp_path / "new", file_format="csv")
    (folder / "raw.csv").write_text("id,item\n7,wine\n")
    raw = {"sha256": sha256((folder / "raw.csv").read_bytes()).hexdigest(), **facts}
    files = json.loads((folder / "manifest.json").read_text())["files"]
    with pytest.raises(DataError, match=r"raw.csv in new is no part of such a release"):
        Release.load(changed(folder, files=files | {"raw.csv": raw}))


@pytest.mark.parametrize(
    ("planted", "text"),
    [
        ("ground_secret.csv", "child,parent\nAnn,flu\n"),
        ("kept_columns.csv", "column\nAnn has flu\n"),
        ("README.csv", "child,parent\nAnn,flu\n"),
    ],
)
def test_what_is_said_of_no_column_of_a_table_is_refused(
    planted: str, text: str, tmp_path: Path
) -> None:
    method, data = PUBLISHERS[Incognito]
    folder = method.publish(data).release.save(tmp_path / "new", file_format="csv")
    (folder / planted).write_text(text)
    columns = dict.fromkeys(text.splitlines()[0].split(","), "str")
    facts = {"sha256": sha256(text.encode()).hexdigest(), "columns": columns}
    files = json.loads((folder / "manifest.json").read_text())["files"]
    with pytest.raises(DataError, match=f"{planted} in new is no part of such a release"):
        Release.load(changed(folder, files=files | {planted: facts}))


def test_a_readme_is_no_table(tmp_path: Path) -> None:
    folder = read("histogram-seeded").save(tmp_path / "new", file_format="csv")
    (folder / "README.txt").write_text("name\nAnn\n")
    digest = sha256((folder / "README.txt").read_bytes()).hexdigest()
    files = json.loads((folder / "manifest.json").read_text())["files"]
    files["README.txt"] = {"sha256": digest, "columns": {"name": "str"}}
    with pytest.raises(DataError, match=r"README\.txt"):
        Release.load(changed(folder, files=files))


@pytest.mark.parametrize("name", FOLDERS)
def test_a_listed_column_that_is_no_part_of_the_content_is_refused(
    name: str, tmp_path: Path
) -> None:
    folder = read(name).save(tmp_path / "new", file_format="csv")
    files = json.loads((folder / "manifest.json").read_text())["files"]
    # the last table: the first of a release of tables may have any column
    table = [each for each in files if each.endswith(".csv")][-1]
    head, *rows = (folder / table).read_text().splitlines()
    named = [f"{head},name", *(f"{row},p{number}" for number, row in enumerate(rows))]
    (folder / table).write_text("\n".join(named) + "\n")
    files[table]["sha256"] = sha256((folder / table).read_bytes()).hexdigest()
    files[table]["columns"]["name"] = "str"
    with pytest.raises(DataError, match=f"{table} in new has a column that is no part of"):
        Release.load(changed(folder, files=files))


def test_a_release_whose_randomness_was_seeded_stays_seeded(tmp_path: Path) -> None:
    folder = read("histogram-seeded").save(tmp_path / "new")
    assert Release.load(changed(folder, seeded=False)).manifest.seeded is True


@pytest.mark.parametrize("name", FOLDERS)
def test_a_manifest_that_says_more_than_manifests_do_is_refused(name: str, tmp_path: Path) -> None:
    for folder in (shutil.copytree(VERSION_1 / name, tmp_path / "old"), tmp_path / "new"):
        if folder.name == "new":
            read(name).save(folder)
        files = json.loads((folder / "manifest.json").read_text())["files"]
        more = {each: facts | {"about": "Ann has flu"} for each, facts in files.items()}
        for planted in ({"about": "Ann has flu"}, {"files": more}):
            copy = shutil.copytree(folder, tmp_path / f"{folder.name}-{next(iter(planted))}")
            with pytest.raises(DataError, match="says what is no part of a release"):
                Release.load(changed(copy, **planted))


@pytest.mark.parametrize("name", FOLDERS)
def test_a_line_of_json_that_says_more_than_its_columns_is_refused(
    name: str, tmp_path: Path
) -> None:
    folder = read(name).save(tmp_path / "new", file_format="jsonl")
    table = next(each for each in sorted(folder.glob("*.jsonl")) if each.read_text())
    first, *rest = table.read_text().splitlines(keepends=True)
    column, value = next(iter(json.loads(first).items()))
    twice = f"{{{json.dumps(column)}: {json.dumps(value)}, {first[1:]}"
    for planted in (first.replace("{", '{"name": "Ann", ', 1), twice):
        table.write_text("".join([planted, *rest]))
        files = json.loads((folder / "manifest.json").read_text())["files"]
        files[table.name]["sha256"] = sha256(table.read_bytes()).hexdigest()
        with pytest.raises(DataError, match="does not hold the columns its manifest states"):
            Release.load(changed(folder, files=files))


def test_separators_of_lines_inside_an_item_end_no_line_of_json(tmp_path: Path) -> None:
    people = Transactions.of([["a\u2028b", "c\x85d"]] * 4)
    release = Km(k=2, m=2).publish(people).release
    folder = release.save(tmp_path / "new", file_format="jsonl")
    assert Release.load(folder) == release


TEXTS = pl.DataFrame({"q": ["a", "a"], "s": ["1", "2"]})
TREE = pl.DataFrame({"child": ["a"], "parent": ["*"]})
SETS = pl.Series("sets", [[["x"]], [["y"]]])


@pytest.mark.parametrize(
    "planted",
    [
        {"table_1": TEXTS.with_columns(q=pl.Series([1, 2]))},
        {"table_1": TEXTS.with_columns(q=pl.Series([["a"], ["a"]]))},
        {"table_1": TEXTS.with_columns(s=pl.Series([["a"], ["a"]]))},
        {"table_1": TEXTS.with_columns(s=pl.Series([[1], [2]]))},
        {"table_1": TEXTS.with_columns(SETS, SETS.alias("more"))},
        {"table_1": TEXTS.rename({"s": ""})},
        {"table_1": TEXTS.with_columns(SETS), "table_2": TEXTS.with_columns(sets=pl.lit("x"))},
        {"table_1": TEXTS.with_columns(s=pl.Series([1, 2])), "kept_columns": ["s"]},
        {"hierarchy_q": TREE.drop("parent")},
        {"hierarchy_q": pl.DataFrame({"child": ["a", "b"], "parent": ["b", "a"]})},
        {"hierarchy_q": pl.DataFrame({"child": ["a", "a"], "parent": ["b", "c"]})},
        {"hierarchy_q": TREE.with_columns(parent=pl.Series([["*"]]))},
        {"ground_s": TREE.with_columns(child=pl.Series([1]))},
        {"kept_columns": pl.DataFrame({"column": [1]})},
    ],
    ids=str,
)
def test_columns_of_kinds_that_no_table_of_people_has_are_refused(
    planted: dict[str, Any], tmp_path: Path
) -> None:
    tables = {"table_1": TEXTS, "hierarchy_q": TREE, "ground_s": TREE}
    given = {
        name: pl.DataFrame({"column": table}) if isinstance(table, list) else table
        for name, table in planted.items()
    }
    two = pl.DataFrame({"child": ["a", "b"], "parent": ["x", "y"]})
    fine = ProjectedTables.of_tables(tables | {"hierarchy_q": two})
    manifest = read("tables").manifest
    assert Release.load(Release(fine, (), manifest).save(tmp_path / "fine")).content.qids == ("q",)
    passing = type("ProjectedTables", (Forged,), {})(tables | given)
    folder = Release(passing, (), manifest).save(tmp_path / "forged")
    with pytest.raises(DataError):
        Release.load(folder)
