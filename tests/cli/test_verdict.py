"""What a custodian signs: a wrong or missing input makes the verdict stricter, never milder."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from discreet.io.release_folder import seal
from tests.cli.running import Run

ILLS = ("flu", "cold", "hiv", "asthma")


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Forty people with illnesses, and a file of secrets spelt right and one spelt wrong."""
    rows = [
        f"p{person},{ill}"
        for person in range(40)
        for place, ill in enumerate(ILLS)
        if person % (place + 2) == 0
    ]
    file = tmp_path / "records.csv"
    file.write_text("id,item\n" + "\n".join(rows) + "\n")
    (tmp_path / "secrets.txt").write_text("hiv\n")
    (tmp_path / "misspelt.txt").write_text("HIV\n")
    return file


def said(done: object) -> str:
    return " ".join(f"{done.stdout} {done.stderr}".split())


@pytest.mark.parametrize("method", ["td-control --rho 1/2", "sanony --r-th 4 --cluster-size 5"])
def test_a_misspelt_secret_is_refused_with_the_nearest_names(
    run: Run, records: Path, tmp_path: Path, method: str
) -> None:
    out = tmp_path / "out"
    words = ("publish", *method.split(), records, "--out", out, "--sensitive")
    done = run(*words, tmp_path / "misspelt.txt")
    assert done.exit_code == 2
    assert "'HIV' (near: 'hiv')" in said(done)
    assert "--allow-absent" in said(done)
    assert not out.exists()
    (tmp_path / "more.txt").write_text("hiv\ncholera\n")
    assert run(*words, tmp_path / "more.txt").exit_code == 2
    assert run(*words, tmp_path / "more.txt", "--allow-absent").exit_code == 0


@pytest.mark.parametrize("option", ["--privacy", "--utility"])
def test_misspelt_constraints_are_refused(
    run: Run, records: Path, tmp_path: Path, option: str
) -> None:
    (tmp_path / "right.txt").write_text("hiv flu\n")
    (tmp_path / "wrong.txt").write_text("hiv flue\n")
    files = dict.fromkeys(("--privacy", "--utility"), tmp_path / "right.txt")
    files[option] = tmp_path / "wrong.txt"
    given = [word for pair in files.items() for word in pair]
    done = run("publish", "coat", records, "--k", 2, *given, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert f"the items of {option} must occur" in said(done)
    assert "'flue' (near: 'flu')" in said(done)
    assert "tab" not in said(done)


def test_items_with_blanks_that_were_cut_are_told_how_to_be_written(
    run: Run, tmp_path: Path
) -> None:
    data, privacy = tmp_path / "data.csv", tmp_path / "privacy.txt"
    data.write_text("id,item\n" + "".join(f"{person},oat milk\n" for person in range(9)))
    words = ("publish", "pcta", data, "--k", 2, "--privacy", privacy, "--out", tmp_path / "out")
    privacy.write_text("oat milk\n")
    done = run(*words)
    assert (done.exit_code, "need a tab after each" in said(done)) == (2, True)
    privacy.write_text("oat milk\t\n")
    assert run(*words).exit_code == 0


def test_a_universe_may_list_more_but_not_only_others(
    run: Run, records: Path, tmp_path: Path
) -> None:
    words = ("publish", "diff-part", records, "--epsilon", 1, "--universe", tmp_path / "u.txt")
    (tmp_path / "u.txt").write_text("flu\nhiv\ncholera\n")
    done = run(*words, "--out", tmp_path / "some")
    assert done.exit_code == 0, done.stderr
    assert "for your eyes only items outside the universe, left out 2" in said(done)
    assert "outside" not in (tmp_path / "some" / "manifest.json").read_text()
    (tmp_path / "u.txt").write_text("Flu\nHIV\n")
    assert run(*words, "--out", tmp_path / "none").exit_code == 2


@pytest.mark.parametrize(
    "method",
    [
        "km-anonymity --k 2 --m 2",
        "td-control --rho 1/2 --sensitive",
        "dist --rho 1/2 --sensitive",
        "rho-m --rho 1/2 --known 1 --sensitive",
    ],
)
def test_a_hierarchy_may_list_more_but_not_only_others(
    run: Run, records: Path, tmp_path: Path, method: str
) -> None:
    secret = [tmp_path / "secrets.txt"] if method.endswith("--sensitive") else []
    words = ("publish", *method.split(), *secret, records, "--hierarchy", tmp_path / "h.csv")
    more = [f"{ill},illness" for ill in (*ILLS, "cholera")]
    (tmp_path / "h.csv").write_text("\n".join(["child,parent", *more]) + "\n")
    assert run(*words, "--out", tmp_path / "some").exit_code == 0
    (tmp_path / "h.csv").write_text("child,parent\napple,fruit\npear,fruit\n")
    done = run(*words, "--out", tmp_path / "none")
    assert done.exit_code == 2
    assert "hierarchy" in said(done)
    assert not (tmp_path / "none").exists()


def test_a_hierarchy_of_a_column_must_name_its_values(
    run: Run, patients: Path, tmp_path: Path
) -> None:
    (tmp_path / "h.csv").write_text("child,parent\nx,*\ny,*\n")
    for method in ("incognito", "mondrian"):
        words = ("publish", method, patients, *ROLES, "--k", 2, "--out", tmp_path / "none")
        done = run(*words, "--hierarchy", f"sex={tmp_path / 'h.csv'}")
        assert done.exit_code == 2
        assert "every value of 'sex' must be in its hierarchy" in said(done)
        assert not (tmp_path / "none").exists()


def test_secrets_that_the_release_does_not_hide_forbid_it(
    run: Run, records: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    hidden = ("--sensitive", tmp_path / "secrets.txt")
    run("publish", "td-control", "--rho", "1/2", records, *hidden, "--out", out)
    (tmp_path / "others.txt").write_text("flu\n")
    words = ("audit", out, "--against", records, "--out", tmp_path / "a.html", "--sensitive")
    assert "not hidden by the release" not in said(run(*words, tmp_path / "secrets.txt"))
    done = run(*words, tmp_path / "others.txt")
    assert done.exit_code == 1
    assert "1 items named as sensitive are not protected by the release" in said(done)


@pytest.mark.parametrize(("epsilon", "level"), [(11, "release with care"), (21, "do not release")])
def test_an_epsilon_that_protects_nobody_is_a_reason(
    run: Run, records: Path, tmp_path: Path, epsilon: int, level: str
) -> None:
    out, page = tmp_path / "out", tmp_path / "a.html"
    done = run("publish", "diff-part", records, "--epsilon", epsilon, "--out", out)
    assert done.exit_code == 0
    assert f"an epsilon of {epsilon} is above 10" in said(done)
    assert "nearly the same" not in said(done)
    audited = run("audit", out, "--out", page)
    assert f"- {level}: an epsilon of {epsilon}, above" in said(audited)
    assert "above 20: do not release" in page.read_text()


def test_a_seeded_release_is_not_for_publication(run: Run, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("publish", "km-anonymity", records, "--k", 2, "--m", 2, "--seed", 1, "--out", out)
    done = run("verify", out)
    assert done.exit_code == 3
    assert "NOT FOR PUBLICATION" in said(done)
    assert "KmAnonymity: holds" in said(done)
    told = json.loads(run("verify", out, "--json").stdout)
    assert (told["holds"], told["by_parts"], told["seeded"]) == (None, True, True)
    audited = run("audit", out, "--against", records, "--out", tmp_path / "a.html")
    assert audited.exit_code == 1
    assert "DO NOT RELEASE" in audited.stdout


def test_console_page_and_json_give_one_verdict(run: Run, records: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "out", tmp_path / "a.html"
    run("publish", "diff-part", records, "--epsilon", 1, "--out", out)
    for copy in ((), ("--owner",)):
        done = run("audit", out, "--against", records, "--out", page, *copy)
        verdict = json.loads(page.with_suffix(".json").read_text())["judgement"]["verdict"]
        assert done.stdout.startswith(verdict.upper())
        assert f"<strong>{verdict.capitalize()}</strong>" in page.read_text()


def test_attacks_that_were_not_run_are_shown_with_what_they_need(
    run: Run, records: Path, tmp_path: Path
) -> None:
    out, page = tmp_path / "out", tmp_path / "a.html"
    run("publish", "coat", records, "--k", 15, "--protect", "items", "--out", out)
    done = run("audit", out, "--out", page)
    attacks = json.loads(page.with_suffix(".json").read_text())["attacks"]
    idle = [each for each in attacks if not each["run"]]
    (semantic,) = [each for each in idle if each["name"] == "semantic"]
    assert "texts by --corpus" in semantic["reason"]
    assert "attack semantic was not run: what items mean must be known" in said(done)
    assert "attack semantic was not run: what items mean" in page.read_text()


def test_an_attack_on_nothing_was_not_run(run: Run, patients: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "out", tmp_path / "a.html"
    choices = ("--k", 2, "--t", 1)
    run("publish", "naive-t-closeness", patients, *ROLES, *choices, "--out", out)
    done = run("audit", out, "--out", page)
    attacks = json.loads(page.with_suffix(".json").read_text())["attacks"]
    idle = {each["name"]: each for each in attacks if not each["run"]}
    assert "needs a register" in idle["minimality"]["reason"]
    assert idle["minimality"]["needs"] == ["--register"]
    assert "no table has a set column" in idle["qids-and-items"]["reason"]
    assert "attack minimality was not run: needs a register" in said(done)
    assert "Nothing was attacked" in said(run("attack", "minimality", out))


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """A table with gaps, of people and their illness."""
    rows = [
        f"{30 + person % 4},{'mf'[person % 2]},{'?' if person % 9 == 0 else ILLS[person % 4]}"
        for person in range(60)
    ]
    file = tmp_path / "patients.csv"
    file.write_text("age,sex,illness\n" + "\n".join(rows) + "\n")
    return file


ROLES = ("--qid", "age,sex", "--sensitive-attributes", "illness")


MISSPELT = {
    "--qid": ("age,sax", "'sex'"),
    "--sensitive-attributes": ("ilness", "'illness'"),
    "--multi-valued": ("ilness", "'illness'"),
    "--non-sensitive": ("ilness=flu", "'illness'"),
    "--non-sensitive of a value": ("illness=Flu", "'flu'"),
    "--discretise": ("aeg=31", "'age'"),
    "--bottom-code": ("aeg=31", "'age'"),
    "--top-code": ("aeg=31", "'age'"),
    "--keep-columns": ("ward_", "'ward'"),
    "--set-column": ("wards", "'ward'"),
    "--weights": ("aeg=2", "'age'"),
    "--highest-level": ("aeg=1", "'age'"),
    "--t-by-attribute": ("ilness=0.5", "'illness'"),
    "--diversity-by-attribute": ("ilness=2", "'illness'"),
    "--distance": ("ilness=ordered", "'illness'"),
    "--hierarchy": ("aeg={ages}", "'age'"),
}


@pytest.mark.parametrize("option", MISSPELT)
def test_a_misspelt_role_is_refused_with_the_nearest_name(
    run: Run, patients: Path, tmp_path: Path, option: str
) -> None:
    ages = tmp_path / "ages.csv"
    ages.write_text("child,parent\n" + "".join(f"{age},*\n" for age in range(30, 34)))
    header, *rows = patients.read_text().splitlines()
    patients.write_text("\n".join([f"{header},ward", *(f"{row},a" for row in rows)]) + "\n")
    word, near = MISSPELT[option]
    given = {**dict(zip(ROLES[::2], ROLES[1::2], strict=True)), "--t": "0.9", "--diversity": "1"}
    given |= {"--hierarchy": f"age={ages}", option.split()[0]: word.format(ages=ages)}
    words = [part for pair in given.items() for part in pair]
    out = tmp_path / "none"
    done = run("publish", "mondrian", patients, "--k", 2, *words, "--out", out)
    assert done.exit_code == 2
    assert near in said(done)
    assert not out.exists()


def test_a_harmless_value_that_does_not_occur_can_be_meant(
    run: Run, patients: Path, tmp_path: Path
) -> None:
    words = ("publish", "mondrian", patients, *ROLES, "--k", 2, "--out", tmp_path / "out")
    harmless = ("--non-sensitive", "illness=cholera")
    assert run(*words, *harmless).exit_code == 2
    assert run(*words, *harmless, "--allow-absent").exit_code == 0


def test_the_key_knows_how_the_data_were_read(run: Run, patients: Path, tmp_path: Path) -> None:
    out, key = tmp_path / "out", tmp_path / "key"
    words = ("publish", "incognito", patients, *ROLES, "--missing", "drop", "--k", 2)
    assert run(*words, "--out", out, "--keep", key).exit_code == 0
    beside = ("--against", patients, "--key", key)
    assert run("measure", out, *beside).exit_code == 0
    done = run("audit", out, *beside, "--out", tmp_path / "a.html")
    assert done.exit_code in (0, 1), done.stderr
    assert "no linkage key confirms" not in said(done)
    for wrong in (("--missing", "error"), ("--qid", "age")):
        for command in (("audit", "--out", tmp_path / "b.html"), ("measure",), ("verify",)):
            refused = run(command[0], out, *beside, *command[1:], *wrong)
            assert refused.exit_code == 2
            assert f"{wrong[0]} must be as it was when the data were published" in said(refused)
    assert not (tmp_path / "b.html").exists()


def test_a_shuffled_file_is_not_the_truth(run: Run, patients: Path, tmp_path: Path) -> None:
    out, key = tmp_path / "out", tmp_path / "key"
    run("publish", "incognito", patients, *ROLES, "--k", 2, "--out", out, "--keep", key)
    header, *rows = patients.read_text().splitlines()
    other = tmp_path / "other.csv"
    other.write_text("\n".join([header, *reversed(rows)]) + "\n")
    done = run("audit", out, "--against", other, "--key", key, "--out", tmp_path / "a.html")
    assert done.exit_code == 2
    assert "the data must be those that were published, in the same order" in said(done)
    assert "name the file that was published, unchanged" in said(done)
    other.write_text("\n".join([header, *rows[:-1]]) + "\n")
    done = run("attack", "background-join", out, "--truth", other, "--key", key)
    assert done.exit_code == 2
    assert "with 60 records" in said(done)


def test_a_key_of_another_release_is_refused(run: Run, records: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        done = run(
            "publish", "km-anonymity", records, "--k", 2, "--m", 2,
            "--out", tmp_path / name, "--keep", tmp_path / f"{name}.key",
        )  # fmt: skip
        assert done.exit_code == 0
    words = ("audit", tmp_path / "one", "--against", records, "--out", tmp_path / "a.html")
    assert run(*words, "--key", tmp_path / "one.key").exit_code in (0, 1)
    wrong = run(*words, "--key", tmp_path / "two.key")
    assert wrong.exit_code == 2
    assert "the key must be that of this release" in said(wrong)


def test_without_a_key_the_truth_is_taken_on_trust(run: Run, records: Path, tmp_path: Path) -> None:
    out, key, page = tmp_path / "out", tmp_path / "key", tmp_path / "a.html"
    words = ("publish", "diff-part", records, "--epsilon", 1, "--out", out, "--keep", key)
    assert run(*words).exit_code == 0
    assert key.stat().st_mode & 0o777 == 0o600
    done = run("audit", out, "--against", records, "--out", page)
    assert "no linkage key confirms" in said(done)
    assert json.loads(page.with_suffix(".json").read_text())["judgement"]["verdict"] != "release"
    sure = run("audit", out, "--against", records, "--key", key, "--out", page)
    assert "no linkage key confirms" not in said(sure)


def test_a_control_group_is_of_other_people(run: Run, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("publish", "diff-part", records, "--epsilon", 5, "--out", out)
    words = ("attack", "attribute-linkage", out, "--truth", records, "--control")
    done = run(*words, records)
    assert done.exit_code == 2
    assert "ids are in both" in said(done)
    (tmp_path / "others.csv").write_text("id,item\nq1,cholera\n")
    done = run(*words, tmp_path / "others.csv", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["breach"]["by_taking_part"] is None


def test_a_file_that_the_manifest_does_not_list_breaks_a_release(
    run: Run, records: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run("publish", "km-anonymity", records, "--k", 2, "--m", 2, "--out", out)
    assert run("verify", out).exit_code == 0
    (out / "records.csv").write_text(records.read_text())
    done = run("verify", out)
    assert done.exit_code == 1
    assert "records.csv" in said(done)
    audited = run("audit", out, "--out", tmp_path / "a.html")
    assert audited.exit_code == 1
    assert "a file in its folder is not listed in its manifest" in said(audited)


def test_no_page_goes_into_a_release_and_the_owners_is_closed(
    run: Run, records: Path, tmp_path: Path
) -> None:
    out, page = tmp_path / "out", tmp_path / "a.html"
    run("publish", "km-anonymity", records, "--k", 2, "--m", 2, "--out", out)
    for inside in (out / "a.html", out / "deeper" / "a.html"):
        done = run("audit", out, "--out", inside, "--owner")
        assert done.exit_code == 2
        assert "--out must be outside a release" in said(done)
        assert not inside.exists()
    # what somebody planted under a name that could be guessed does not matter
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / ".a.html.partial").symlink_to(elsewhere)
    run("audit", out, "--out", page, "--owner")
    for file in (page, page.with_suffix(".json")):
        assert file.stat().st_mode & 0o777 == 0o600
    assert not elsewhere.exists()


def test_columns_without_a_role_are_named(run: Run, patients: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "out", tmp_path / "a.html"
    roles = ("--qid", "age", "--sensitive-attributes", "illness")
    done = run("publish", "incognito", patients, *roles, "--k", 2, "--out", out)
    assert "columns without a role are not published: sex" in done.stderr
    run("audit", out, "--against", patients, *roles, "--out", page)
    assert json.loads(page.with_suffix(".json").read_text())["left_out"] == ["sex"]
    assert "left out: sex" in page.read_text()


def test_secrets_are_compared_without_the_original_too(
    run: Run, records: Path, tmp_path: Path
) -> None:
    out, page = tmp_path / "out", tmp_path / "a.html"
    hidden = ("--sensitive", tmp_path / "secrets.txt")
    run("publish", "td-control", "--rho", "1/2", records, *hidden, "--out", out)
    (tmp_path / "others.txt").write_text("flu\n")
    assert "not hidden" not in said(run("audit", out, "--out", page, *hidden))
    done = run("audit", out, "--out", page, "--sensitive", tmp_path / "others.txt")
    assert done.exit_code == 1
    assert "1 items named as sensitive are not protected by the release" in said(done)
    assert "protects 1 items that are not among those named" in said(done)


def test_secrets_where_the_release_names_none_ask_for_care(
    run: Run, records: Path, tmp_path: Path
) -> None:
    out, page = tmp_path / "out", tmp_path / "a.html"
    run("publish", "km-anonymity", records, "--k", 2, "--m", 2, "--out", out)
    done = run("audit", out, "--out", page, "--sensitive", tmp_path / "secrets.txt")
    assert (
        "1 items are named as sensitive, and the release does not say that it protects any"
        in said(done)
    )


def test_a_key_of_another_release_is_refused_without_the_original(
    run: Run, records: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        run(
            "publish", "km-anonymity", records, "--k", 2, "--m", 2,
            "--out", tmp_path / name, "--keep", tmp_path / f"{name}.key",
        )  # fmt: skip
    for command in (("verify",), ("audit", "--out", tmp_path / "a.html")):
        words = (command[0], tmp_path / "one", *command[1:], "--key")
        assert run(*words, tmp_path / "one.key").exit_code in (0, 1)
        done = run(*words, tmp_path / "two.key")
        assert done.exit_code == 2
        assert "the key must be that of this release" in said(done)


def test_the_original_left_out_makes_nothing_milder(run: Run, tmp_path: Path) -> None:
    """Everybody differs from everybody else, which a few known items show."""
    from itertools import combinations

    sets = tmp_path / "sets.dat"
    sets.write_text("".join(f"{a} {b} {c}\n" for a, b, c in combinations(range(8), 3)))
    out, key, page = tmp_path / "out", tmp_path / "key", tmp_path / "a.html"
    run("publish", "km-anonymity", sets, "--k", 2, "--m", 1, "--out", out, "--keep", key)
    for beside in (("--against", sets, "--key", key), ("--against", sets), ("--key", key), ()):
        done = run("audit", out, "--out", page, *beside)
        assert done.exit_code == 1, beside
        assert "singling-out" in said(done)


def test_the_whole_series_is_scored_where_its_data_are_handed_in(
    run: Run, records: Path, tmp_path: Path
) -> None:
    secret = ("--sensitive", tmp_path / "secrets.txt", "--r-th", 4, "--cluster-size", 5)
    one, two = tmp_path / "one", tmp_path / "two"
    run("publish", "sanony", records, *secret, "--out", one, "--keep", tmp_path / "k1")
    words = ("publish", "sanony", records, *secret, "--after", one)
    assert run(*words, "--out", two, "--keep", tmp_path / "k2").exit_code == 0
    audit = ("audit", two, "--against", records, "--key", tmp_path / "k2", "--after", one)
    page = ("--out", tmp_path / "a.html", "--json")
    whole = run(*audit, *page, "--after-data", records, "--after-key", tmp_path / "k1")
    assert whole.exit_code in (0, 1), whole.stderr
    attacks = json.loads(whole.stdout)["attacks"]
    assert [each["whole_series"] for each in attacks if each["name"] == "composition"] == [
        False, False, True,
    ]  # fmt: skip
    few = run(*audit, *page, "--after", one, "--after-data", records)
    assert few.exit_code == 2
    assert "--after-data must be given for each of the 2 earlier releases" in said(few)


def sealed_again(folder: Path, **changes: Any) -> None:
    """Change a manifest as somebody would who knows how it is sealed."""
    manifest = json.loads((folder / "manifest.json").read_text()) | changes
    manifest["seal"] = seal(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_a_manifest_that_was_changed_is_not_audited_as_it_claims(
    run: Run, records: Path, tmp_path: Path
) -> None:
    out, key, page = tmp_path / "out", tmp_path / "key", tmp_path / "a.html"
    words = ("publish", "km-anonymity", records, "--k", 2, "--m", 2, "--seed", 1)
    assert run(*words, "--out", out, "--keep", key).exit_code == 0
    told = ("audit", out, "--against", records, "--key", key, "--out", page)
    assert run(*told).exit_code == 1
    sealed_again(out, seeded=False, randomness="operating system entropy")
    changed = run(*told)
    assert (changed.exit_code, "it was changed since" in said(changed)) == (2, True)
    alone = run("audit", out, "--against", records, "--out", page)
    assert alone.exit_code == 1
    assert "README.txt does not say what its manifest says" in alone.stdout
    checked = run("verify", out)
    assert (checked.exit_code, "README.txt does not say" in checked.stdout) == (1, True)
    readme = (out / "README.txt").read_text()
    polished = readme.replace("seeded: not for publication", "operating system entropy")
    (out / "README.txt").write_text(polished)
    files = json.loads((out / "manifest.json").read_text())["files"]
    files["README.txt"] = {"sha256": sha256(polished.encode()).hexdigest()}
    sealed_again(out, files=files)
    alone = run("audit", out, "--against", records, "--out", page)
    assert "RELEASE WITH CARE" in alone.stdout


def test_other_constraints_take_nothing_from_those_of_the_key(
    run: Run, records: Path, tmp_path: Path
) -> None:
    out, key = tmp_path / "out", tmp_path / "key"
    (tmp_path / "privacy").write_text("flu cold\n")
    words = ("publish", "coat", records, "--k", 2, "--privacy", tmp_path / "privacy")
    assert run(*words, "--out", out, "--keep", key).exit_code == 0
    (tmp_path / "weak").write_text("flu\n")
    done = run("verify", out, "--privacy", tmp_path / "weak", "--key", key)
    assert "2 constraints" in done.stdout


def test_a_series_beside_wrong_evidence_is_refused(run: Run, records: Path, tmp_path: Path) -> None:
    secret = ("--sensitive", tmp_path / "secrets.txt", "--r-th", 4, "--cluster-size", 5)
    one, two = tmp_path / "one", tmp_path / "two"
    # seeds, since by chance both may have the same clusters, and only their manifests then differ
    first = (*secret, "--seed", 1, "--out", one, "--keep", tmp_path / "k1")
    assert run("publish", "sanony", records, *first).exit_code == 0
    words = ("publish", "sanony", records, *secret, "--seed", 2, "--after", one)
    assert run(*words, "--out", two, "--keep", tmp_path / "k2").exit_code == 0
    audit, page = ("audit", two, "--key", tmp_path / "k2"), ("--out", tmp_path / "a.html")
    moved = tmp_path / "moved.csv"
    other = {f"p{person}": f"p{(person + 1) % 40}" for person in range(40)}
    header, *rows = records.read_text().splitlines()
    cells = [row.split(",") for row in rows]
    moved.write_text("\n".join([header, *(f"{other[who]},{what}" for who, what in cells)]) + "\n")
    ids = run(*audit, "--against", moved, "--after", one, *page)
    assert (ids.exit_code, "must have the ids that they had" in said(ids)) == (2, True)
    swapped = ("--after", one, "--after-data", records, "--after-key", tmp_path / "k2")
    keys = run(*audit, "--against", records, *swapped, *page)
    assert (keys.exit_code, "it is that of another" in said(keys)) == (2, True)
    sealed_again(two, follows=[])
    alone = run(*audit, "--against", records, *page)
    assert (alone.exit_code, "it was changed since" in said(alone)) == (2, True)
    checked = run("verify", two, "--key", tmp_path / "k2")
    assert checked.exit_code == 2
