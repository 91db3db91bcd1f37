"""Tables on the command line: roles, hierarchies, plans."""

import json
from pathlib import Path

import polars as pl
import pytest

from discreet import Hierarchy, Release
from tests.cli.running import Run

ROLES = ("--qid", "age,sex", "--sensitive-attributes", "job,ill,pay", "--multi-valued", "ill")


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    path = tmp_path / "patients.csv"
    lines = [
        f"{30 + row % 4},{'fm'[row % 2]},{('spy', 'nurse')[row // 3 % 2]},"
        f"{('flu', 'flu/cough', '')[row % 3]},{row % 5 * 10}"
        for row in range(60)
    ]
    path.write_text("\n".join(["age,sex,job,ill,pay", *lines, "?,f,spy,flu,10"]) + "\n")
    return path


def test_a_table_is_published_verified_and_measured(
    run: Run, tmp_path: Path, patients: Path
) -> None:
    Hierarchy.intervals([str(age) for age in range(30, 40)], [2]).save(tmp_path / "age.csv")
    reading = (
        *ROLES, "--separator", "/", "--missing", "drop", "--discretise", "pay=15,25",
        "--non-sensitive", "job=nurse",
    )  # fmt: skip
    done = run(
        "publish", "codip-star", patients, "--out", tmp_path / "r", "--keep", tmp_path / "key",
        "--k", 2, "--t", "0.3", "--beta", "0.6", "--on-fail", "next",
        "--hierarchy", f"age={tmp_path / 'age.csv'}", "--distance", "pay=ordered", *reading,
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    content = Release.load(tmp_path / "r").content
    assert content.qids == ("age", "sex")
    assert {name for part in content.sensitive for name in part} == {
        "job", "ill=cough", "ill=flu", "pay",
    }  # fmt: skip
    assert all(table.height == 60 for table in content.parts)
    paid = next(table for table in content.parts if "pay" in table.columns)
    assert set(paid["pay"]) == {"<15", "15..<25", ">=25"}
    assert run("verify", tmp_path / "r").exit_code == 0
    measured = run("measure", tmp_path / "r", "--against", patients, *reading, "--json")
    assert measured.exit_code == 0, measured.stderr
    numbers = json.loads(measured.stdout)
    assert numbers["rows"] == 60
    assert 0 < numbers["closeness"] <= 0.3
    assert numbers["information_exposure_ratio"] <= 0.6


def test_a_release_is_verified_against_the_table_it_was_made_from(
    run: Run, tmp_path: Path, patients: Path
) -> None:
    reading = ("--qid", "sex", "--sensitive-attributes", "pay", "--missing", "drop")
    out = tmp_path / "r"
    done = run(
        "publish", "incognito", patients, "--out", out, "--k", 2, "--m-confidentiality", 3, *reading
    )
    assert done.exit_code == 0, done.stderr
    alone = json.loads(run("verify", out, "--json").stdout)
    assert [part["holds"] for part in alone["guarantees"]] == [True, None]
    told = run("verify", out, "--against", patients, *reading, "--json")
    assert told.exit_code == 0, told.stderr
    assert [part["holds"] for part in json.loads(told.stdout)["guarantees"]] == [True, True]
    wrong = run(
        "verify", out, "--against", patients, "--qid", "age", "--sensitive-attributes", "pay"
    )
    assert wrong.exit_code == 2
    assert "quasi-identifiers of the release" in wrong.stderr


def test_a_plan_is_typed_as_it_is_written(run: Run, tmp_path: Path, patients: Path) -> None:
    done = run(
        "publish", "codip", patients, "--out", tmp_path / "r", "--k", 2, "--t", 1,
        "--plan", "job,pay;ill=flu,ill=cough", *ROLES, "--separator", "/",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    release = Release.load(tmp_path / "r")
    assert release.content.sensitive == (("job", "pay"), ("ill=flu", "ill=cough"))
    assert release.manifest.parameters["plan"] == [["job", "pay"], ["ill=flu", "ill=cough"]]


def test_what_cannot_be_published_leaves_nothing(run: Run, tmp_path: Path, patients: Path) -> None:
    out = tmp_path / "r"
    words = ("publish", "naive-t-closeness", patients, "--out", out, *ROLES, "--k", 2)
    infeasible = run(*words, "--t", "0.01", "--discernibility-limit", 700)
    assert infeasible.exit_code == 1
    assert "nearest" in infeasible.stderr
    wrong = run(*words, "--t", 1, "--hierarchy", "age.csv")
    assert wrong.exit_code == 2
    assert "--hierarchy must look like age=age.csv" in wrong.stderr
    missing = run(*words, "--t", 1, "--missing", "error")
    assert missing.exit_code == 2
    assert "row 61 has a missing cell" in missing.stderr
    assert not out.exists()


def test_the_table_of_a_release_survives_every_format(
    run: Run, tmp_path: Path, patients: Path
) -> None:
    tables = []
    for form in ("parquet", "csv", "jsonl"):
        out = tmp_path / form
        done = run(
            "publish", "incognito", patients, "--out", out, "--format", form, "--seed", 3,
            "--k", 2, *ROLES, "--separator", "/", "--suppression-limit", "0.1",
        )  # fmt: skip
        assert done.exit_code == 0, done.stderr
        tables.append(Release.load(out).to_polars()["table_1"])
    assert tables[0].equals(tables[1])
    assert tables[0].equals(tables[2])
    assert tables[0].schema["ill=flu"] == pl.Int64


def test_hierarchies_are_built_shown_and_checked(run: Run, tmp_path: Path, patients: Path) -> None:
    ages = tmp_path / "ages.txt"
    ages.write_text("".join(f"{age}\n" for age in range(30, 34)))
    out = tmp_path / "age.csv"
    built = run("hierarchy", "intervals", ages, "--widths", "2,4", "--origin", 30, "--out", out)
    assert built.exit_code == 0, built.stderr
    assert out.read_text().splitlines()[0] == "30;30..<32;30..<34;*"
    shown = run("hierarchy", "show", out, "--json")
    assert json.loads(shown.stdout) == {"values": 4, "height": 3, "names_by_level": [4, 2, 1, 1]}
    assert "30..<32" in run("hierarchy", "show", out).stdout
    assert run("hierarchy", "check", out).exit_code == 0
    lacking = run("hierarchy", "check", out, "--against", patients, "--column", "age")
    assert lacking.exit_code == 1
    assert "lacks one value" in lacking.stdout
    again = run("hierarchy", "flat", ages, "--out", out)
    assert again.exit_code == 2
    assert "exists" in again.stderr


def test_groups_of_a_column_are_built_previewed_and_converted(
    run: Run, tmp_path: Path, patients: Path
) -> None:
    for name, column in (("quantiles", "age"), ("frequency", "job")):
        out = tmp_path / f"{name}.csv"
        built = run("hierarchy", name, patients, "--column", column, "--groups", 2, "--out", out)
        assert built.exit_code == 0, built.stderr
        assert "no promise" in built.stderr
        against = ("--against", patients, "--column", column)
        shown = json.loads(run("hierarchy", "show", out, *against, "--json").stdout)
        fewest = shown["smallest_group_by_level"]
        assert fewest == sorted(fewest)
        assert len(fewest) == shown["height"] + 1
        text = tmp_path / f"{name}.txt"
        converted = run("hierarchy", "convert", out, "--to", "pairs", "--out", text)
        assert converted.exit_code == 0, converted.stderr
        assert run("hierarchy", "check", text, *against).exit_code == 0
    alone = run("hierarchy", "show", out, "--against", patients)
    assert alone.exit_code == 2
    assert "--column" in alone.stderr


def test_a_missing_cell_is_named_where_the_hierarchy_lacks_it(run: Run, tmp_path: Path) -> None:
    table, tree = tmp_path / "t.csv", tmp_path / "age.csv"
    table.write_text("age,job\n30,a\n,b\n31,a\n")
    tree.write_text("30;*\n31;*\n")
    lacking = run("hierarchy", "check", tree, "--against", table, "--column", "age")
    assert "? (a missing cell)" in lacking.stdout
    words = ("publish", "incognito", table, "--k", 2, "--qid", "age", "--hierarchy", f"age={tree}")
    refused = run(*words, "--out", tmp_path / "release")
    assert refused.exit_code == 2
    assert "row 2 (?, a missing cell)" in refused.stderr
    assert "--missing drop" in refused.stderr


def test_a_hierarchy_from_the_data_is_warned_of(run: Run, tmp_path: Path, patients: Path) -> None:
    flat = run("hierarchy", "flat", patients, "--column", "sex", "--out", tmp_path / "sex.csv")
    assert flat.exit_code == 0, flat.stderr
    assert "come from the data" in flat.stderr
    assert (tmp_path / "sex.csv").read_text() == "f;*\nm;*\n"
    codes = tmp_path / "zip.txt"
    codes.write_text("4712\n4725\n")
    masked = run("hierarchy", "prefixes", codes, "--letters", "2", "--out", tmp_path / "zip.csv")
    assert masked.exit_code == 0, masked.stderr
    assert (tmp_path / "zip.csv").read_text() == "4712;47**;*\n4725;47**;*\n"


def test_a_table_is_profiled_by_its_roles(run: Run, patients: Path) -> None:
    done = run("profile", patients, *ROLES, "--separator", "/", "--missing", "drop", "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["rows"], told["classes"]) == (60, 4)
    assert set(told["attributes"]) == {"job", "ill", "pay"}
    assert "flu" not in done.stdout
    assert "nurse" not in done.stdout


def test_closeness_to_a_larger_class_is_published_and_verified(
    run: Run, tmp_path: Path, patients: Path
) -> None:
    out = tmp_path / "r"
    reading = (*ROLES, "--separator", "/", "--missing", "drop")
    done = run(
        "publish", "naive-t-closeness", patients, "--out", out, "--k", 2, "--t", "0.1", "--n", 15,
        *reading,
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    # a class of fifteen is large enough to be as it is, however far it is from the table
    assert Release.load(out).manifest.notes["levels"] == {"age": 0, "sex": 0}
    done = run("verify", out, "--json")
    assert done.exit_code == 0, done.stderr
    assert "NTCloseness" in done.stdout


def test_a_profile_counts_risk_in_a_population(run: Run, patients: Path) -> None:
    reading = (*ROLES, "--separator", "/", "--missing", "drop")
    done = run("profile", patients, *reading, "--population", patients, "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["journalist"] == told["prosecutor"] | {"population_given": True}
    assert told["k_map"] == told["smallest_class"]
    few = run("profile", patients, *reading, "--sampling-fraction", "0.05", "--json")
    assert json.loads(few.stdout)["population_uniqueness"]["model"] == "Zayatz"
    for wrong in (("--sampling-fraction", "2"), ("--population", patients.parent / "nobody.csv")):
        refused = run("profile", patients, *reading, *wrong)
        assert refused.exit_code == 2
        assert len(refused.stderr.splitlines()) == 1


def test_a_set_column_goes_from_file_to_audit(run: Run, tmp_path: Path) -> None:
    rows = [
        f"{30 + row % 6},{'fm'[row % 2]},{'flu|gout' if row % 3 else 'flu'}" for row in range(60)
    ]
    patients = tmp_path / "patients.csv"
    patients.write_text("\n".join(["age,sex,ill", *rows]) + "\n")
    roles = ("--qid", "age,sex", "--set-column", "ill")
    told = ("publish", "rt-anonymity", patients, *roles, "--k", "5", "--m", "2")
    out, key = tmp_path / "release", tmp_path / "key"
    assert run(*told, "--out", out, "--keep", key).exit_code == 0
    assert "RtAnonymity: holds" in run("verify", out).stdout
    measured = run("measure", out, "--against", patients, "--key", key).stdout
    assert "transaction loss" in measured
    attacked = run("attack", "qids-and-items", out, "--truth", patients, "--key", key)
    assert "The attack finds nothing." in attacked.stdout
    assert "knowing 2 items too: share alone" in run("profile", patients, *roles).stdout
    audited = run("audit", out, "--against", patients, "--key", key, "--out", tmp_path / "a.html")
    assert (audited.exit_code, "qids-and-items" in audited.stdout) == (0, True)


def test_items_of_a_set_column_are_lifted_and_the_next_file_goes_by_its_rules(
    run: Run, tmp_path: Path
) -> None:
    rows = [
        f"{30 + row % 6},{'fm'[row % 2]},{'J06|M54|I10|I25'[4 * (row % 4) :][:3]}|K29"
        for row in range(60)
    ]
    files = [tmp_path / "january.csv", tmp_path / "february.csv"]
    for file, held in zip(files, (rows, rows[:40]), strict=True):
        file.write_text("\n".join(["age,sex,ill", *held]) + "\n")
    tree = tmp_path / "codes.csv"
    tree.write_text("J06;J;*\nM54;M;*\nI10;I;*\nI25;I;*\nK29;K;*\n")
    roles = ("--qid", "age,sex", "--set-column", "ill", "--k", "12", "--m", "2")
    told = ("publish", "rt-anonymity", files[0], *roles, "--hierarchy", f"ill={tree}")
    out, rules = tmp_path / "release", tmp_path / "rules.json"
    refused = run(*told, "--out", out, "--save-rules", rules)
    assert (refused.exit_code, "choose --suppression items" in refused.stderr) == (2, True)
    assert not out.exists()
    whole = ("--suppression", "items")
    made = run(*told, *whole, "--out", out, "--save-rules", rules, "--keep", tmp_path / "key")
    assert (made.exit_code, "rows of hierarchy_ill" in made.stdout) == (0, True)
    assert "RtAnonymity: holds" in run("verify", out).stdout
    audited = run(
        "audit", out, "--against", files[0], "--key", tmp_path / "key", "--out", tmp_path / "a.html"
    )
    assert audited.exit_code == 0
    again = tmp_path / "again"
    by_rules = run("publish", "rt-anonymity", files[1], *roles, "--rules", rules, "--out", again)
    assert (by_rules.exit_code, "left out beyond the rules" in by_rules.stdout) == (0, True)
    assert "RtAnonymity: holds" in run("verify", again).stdout
    tree.write_text("J06;J;*\nM54;M;*\n")
    strange = run(*told, *whole, "--out", tmp_path / "none")
    assert (strange.exit_code, "one in row 1 is not" in strange.stderr) == (2, True)


def test_a_set_column_that_is_missing_or_misplaced_is_told(
    run: Run, tmp_path: Path, patients: Path
) -> None:
    out = tmp_path / "release"
    asked = ("publish", "rt-anonymity", patients, "--qid", "age,sex", "--k", "2", "--m", "1")
    without = run(*asked, "--out", out)
    assert (without.exit_code, "name it with --set-column" in without.stderr) == (2, True)
    strange = run(*asked, "--set-column", "nothing", "--out", out)
    assert (strange.exit_code, "'nothing' is not" in strange.stderr) == (2, True)
    other = run(
        "publish", "mondrian", patients, "--qid", "age", "--set-column", "sex", "--k", "2",
        "--out", out,
    )  # fmt: skip
    assert (other.exit_code, "published by rt-anonymity" in other.stderr) == (2, True)
    assert not out.exists()
