"""Certificates from keygen to verify: what was changed after signing is found."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.running import Run


@dataclass(frozen=True)
class Desk:
    """All that a signatory has on the desk."""

    folder: Path
    release: Path
    audit: Path
    key: Path
    certificate: Path

    def check(self, run: Run, *more: object) -> tuple[int, str]:
        words = ("--certificate", self.certificate, "--public-key", f"{self.key}.pub")
        done = run("verify", self.release, *words, *more)
        return done.exit_code, done.stdout + done.stderr


TABLE = "age,job\n" + "".join(f"{20 + i % 2},j{i // 2 % 5}\n" for i in range(60))


@pytest.fixture
def desk(run: Run, tmp_path: Path) -> Desk:
    folder = tmp_path
    (folder / "people.csv").write_text(TABLE)
    (folder / "age.csv").write_text("20;*\n21;*\n")
    roles = ("--qid", "age", "--sensitive-attributes", "job")
    made = Desk(folder, folder / "r", folder / "a.json", folder / "key", folder / "c.pdf")
    for words in (
        ("publish", "incognito", folder / "people.csv", *roles, "--k", 5,
         "--hierarchy", f"age={folder / 'age.csv'}", "--out", made.release),
        ("audit", made.release, "--out", folder / "a.html", "--purpose", "research"),
        ("keygen", "--out", made.key),
        ("certify", made.release, "--audit", made.audit, "--signing-key", made.key,
         "--out", made.certificate, "--signatory", "Ann Bee"),
    ):  # fmt: skip
        done = run(*words)
        assert done.exit_code == 0, done.stderr
    return made


def test_a_certificate_is_checked_with_all_that_was_signed(run: Run, desk: Desk) -> None:
    code, told = desk.check(run)
    assert code == 0
    assert "signed by Ann Bee on" in told
    only = run(
        "verify", "--certificate", desk.certificate, "--public-key", f"{desk.key}.pub", "--json"
    )
    assert only.exit_code == 3
    assert json.loads(only.stdout)["certified"] is None
    desk.audit.rename(desk.folder / "elsewhere.json")
    assert desk.check(run)[0] == 3
    assert desk.check(run, "--audit", desk.folder / "elsewhere.json")[0] == 0


def test_what_was_changed_is_found(run: Run, desk: Desk) -> None:
    kept = desk.folder / "kept"
    for name in ("r/manifest.json", "r/table_1.parquet", "a.json", "c.pdf"):
        shutil.copy(desk.folder / name, kept)
        with (desk.folder / name).open("ab") as file:
            file.write(b"\n")
        code, told = desk.check(run)
        assert code == 1, name
        assert Path(name).name in told
        assert len(told.splitlines()) == 1
        shutil.copy(kept, desk.folder / name)
    assert desk.check(run)[0] == 0


def test_another_key_is_found(run: Run, desk: Desk) -> None:
    assert run("keygen", "--out", desk.folder / "other", "--json").exit_code == 0
    shutil.copy(desk.folder / "other.pub", f"{desk.key}.pub")
    code, told = desk.check(run)
    assert (code, len(told.splitlines())) == (1, 1)
    assert "not signed with this key" in told


def test_what_must_not_be_certified_is_refused(run: Run, desk: Desk) -> None:
    good = json.loads(desk.audit.read_text())

    def refusal(code: int, *more: object, **changed: object) -> str:
        desk.audit.write_text(json.dumps(good | changed))
        new = desk.folder / "new.pdf"
        done = run(
            "certify", desk.release, "--audit", desk.audit, "--signing-key", desk.key,
            *(more or ("--out", new, "--signatory", "Ann Bee")),
        )  # fmt: skip
        assert done.exit_code == code, done.stderr
        assert not new.exists()
        return done.stderr

    judged = good["judgement"] | {"verdict": "do not release"}
    assert "do not release" in refusal(1, judgement=judged)
    assert "of another" in refusal(2, files={"manifest.json": "0" * 64})
    assert "owner's copy" in refusal(2, owner=True)
    assert "must be an audit" in refusal(2, files=None)
    assert "--signatory" in refusal(2, "--out", desk.folder / "new.pdf")
    milder = good["judgement"] | {"verdict": "release"}
    assert good["judgement"]["verdict"] == "release with care"
    assert "was changed" in refusal(2, judgement=milder)
    assert "was changed" in refusal(2, promises=[good["promises"][0] | {"holds": False}])
    unheard = good["judgement"] | {"reasons": [{"level": "fine", "why": ""}]}
    assert "must be an audit" in refusal(2, judgement=unheard)
    inside = desk.release / "c.pdf"
    assert "outside the release" in refusal(2, "--out", inside, "--signatory", "Ann Bee")
    assert not inside.exists()


def test_a_file_beside_those_of_the_release_is_found(run: Run, desk: Desk) -> None:
    shutil.copy(desk.folder / "people.csv", desk.release / "people.csv")
    code, told = desk.check(run)
    assert (code, len(told.splitlines())) == (1, 1)
    assert "does not list: people.csv" in told
    new = desk.folder / "new.pdf"
    signed = run(
        "certify", desk.release, "--audit", desk.audit, "--signing-key", desk.key,
        "--out", new, "--signatory", "Ann Bee",
    )  # fmt: skip
    assert signed.exit_code == 1
    assert "does not list: people.csv" in signed.stderr
    assert not new.exists()


def test_a_release_made_with_a_seed_is_not_certified(run: Run, desk: Desk) -> None:
    roles = ("--qid", "age", "--sensitive-attributes", "job", "--k", 5)
    seeded, page = desk.folder / "seeded", desk.folder / "s.html"
    people = desk.folder / "people.csv"
    assert run("publish", "mondrian", people, *roles, "--seed", 1, "--out", seeded).exit_code == 0
    assert run("audit", seeded, "--out", page).exit_code == 1
    audit = json.loads(page.with_suffix(".json").read_text())
    audit["judgement"] |= {"verdict": "release", "reasons": []}
    page.with_suffix(".json").write_text(json.dumps(audit))
    done = run(
        "certify", seeded, "--audit", page.with_suffix(".json"), "--signing-key", desk.key,
        "--out", desk.folder / "new.pdf", "--signatory", "Ann Bee",
    )  # fmt: skip
    assert done.exit_code == 1
    assert "made with a seed" in done.stderr


def test_a_key_is_not_made_in_a_release(run: Run, desk: Desk) -> None:
    done = run("keygen", "--out", desk.release / "key")
    assert done.exit_code == 2
    assert "must not lie in a release" in done.stderr
    assert not (desk.release / "key").exists()


def test_a_certificate_needs_a_public_key_and_verify_a_release(run: Run, desk: Desk) -> None:
    assert "--public-key" in run("verify", "--certificate", desk.certificate).stderr
    assert "RELEASE" in run("verify").stderr


def test_a_release_of_many_parts_goes_through_every_command(run: Run, tmp_path: Path) -> None:
    data, release, key = (tmp_path / name for name in ("people.csv", "r", "key"))
    data.write_text(TABLE)
    (tmp_path / "age.csv").write_text("20;*\n21;*\n")
    roles = ("--qid", "age", "--sensitive-attributes", "job")
    for words in (
        ("publish", "incognito", data, *roles, "--k", 5, "--hierarchy",
         f"age={tmp_path / 'age.csv'}", "--out", release, "--part-rows", 25, "--keep", key),
        ("verify", release),
        ("attack", "skewness", release, "--truth", data, "--key", key),
        ("measure", release, "--against", data, "--key", key),
        ("audit", release, "--out", tmp_path / "a.html", "--purpose", "research"),
        ("keygen", "--out", tmp_path / "sign"),
        ("certify", release, "--audit", tmp_path / "a.json", "--signing-key", tmp_path / "sign",
         "--out", tmp_path / "c.pdf", "--signatory", "Ann Bee"),
        ("verify", release, "--certificate", tmp_path / "c.pdf",
         "--public-key", tmp_path / "sign.pub"),
    ):  # fmt: skip
        done = run(*words)
        assert done.exit_code == 0, done.stdout + done.stderr
    parts = [f"table_1-{part:05d}.parquet" for part in range(3)]
    assert sorted(path.name for path in release.glob("table_1*")) == parts
    assert set(parts) < set(json.loads((tmp_path / "a.json").read_text())["files"])
    (release / parts[1]).unlink()
    done = run("verify", release)
    assert done.exit_code == 2
    assert f"{parts[1]} is missing" in done.stderr
