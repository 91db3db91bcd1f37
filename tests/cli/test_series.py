"""Corpora over time on the command line: made, published one after the other, attacked."""

import json
import stat
from pathlib import Path

import pytest

from discreet import Release, Transactions
from tests.cli.running import Run, holds_by_parts


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.dat"
    lines = [f"{n % 9} {10 + n % 7} {20 + n % 3 if n % 2 else 30}" for n in range(120)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def folder(run: Run, tmp_path: Path, people: Path) -> Path:
    out = tmp_path / "series"
    done = run(
        "series", "make", people, "--out", out, "--sample", 40, "--repeat", "0.5",
        "--corpora", 3, "--private", "0.2", "--seed", 1, "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["people"] == 40
    return out


def test_a_series_is_made(folder: Path) -> None:
    corpora = [Transactions.read(folder / f"corpus_{n}.parquet") for n in (1, 2, 3)]
    assert [len(corpus) for corpus in corpora] == [40] * 3
    assert len(set(corpora[0].ids) & set(corpora[1].ids)) == 20
    private = (folder / "private.txt").read_text().split()
    assert len(private) == 4
    assert json.loads((folder / "series.json").read_text())["drawn again"] == 0


def test_new_people_with_old_sets_are_said_so(run: Run, tmp_path: Path, people: Path) -> None:
    done = run("series", "make", people, "--out", tmp_path / "s", "--sample", 1, "--seed", 1)
    assert done.exit_code == 0, done.stderr
    assert "a set that somebody has or had already" in done.stderr


def test_a_series_is_published_and_attacked(run: Run, folder: Path) -> None:
    done = run("series", "publish", folder, "anony", "--r-th", 3, "--cluster-size", 4, "--seed", 1)
    assert done.exit_code == 0, done.stderr
    assert "published by anony" in done.stdout
    releases = [Release.load(folder / "anony" / f"release_{n}") for n in (1, 2, 3)]
    assert [len(release.content) for release in releases] == [40] * 3
    found = run("series", "attack", folder, "anony", "--depth", 1, "--json")
    assert found.exit_code == 0, found.stderr
    told = json.loads(found.stdout)
    assert told["summary"]["releases"] == 3
    assert told["breach"]["people"] == 120
    shown = run("series", "attack", folder, "anony", "--show", 2)
    assert "at risk exact" in shown.stdout


def test_each_release_sees_those_before_it(run: Run, folder: Path) -> None:
    done = run(
        "series",
        "publish",
        folder,
        "sanony",
        "--r-th",
        3,
        "--cluster-size",
        4,
        "--seed",
        1,
        "--json",
    )
    assert done.exit_code == 0, done.stderr
    assert [row["people"] for row in json.loads(done.stdout)["releases"]] == [40] * 3
    places = [folder / "sanony" / f"release_{n}" for n in (1, 2, 3)]
    assert holds_by_parts(run, places[2], "--after", places[0], "--after", places[1])
    found = run("series", "attack", folder, "sanony", "--json")
    assert json.loads(found.stdout)["summary"]["at_risk_exact"] == 0


def test_the_only_releases_of_a_series_need_no_name(run: Run, folder: Path) -> None:
    publish = ["series", "publish", folder, "anony", "--r-th", 3, "--cluster-size", 4, "--seed", 1]
    assert run(*publish).exit_code == 0
    for words in (("--json",), ("--json", "--depth", 0)):
        named, bare = (
            run("series", "attack", folder, "anony", *words),
            run("series", "attack", folder, *words),
        )
        assert bare.exit_code == 0, bare.stderr
        assert bare.stdout == named.stdout
    assert "The attack" in run("series", "attack", folder).stdout
    assert run(*publish, "--name", "again").exit_code == 0
    torn = run("series", "attack", folder, "--json")
    assert torn.exit_code == 2
    assert "name one of again, anony" in torn.stderr


def test_a_series_goes_on_after_releases_that_are_out(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    choices = ["--r-th", 3, "--cluster-size", 4, "--seed", 1]
    first = tmp_path / "first"
    corpus, private = folder / "corpus_1.parquet", folder / "private.txt"
    run("publish", "sanony", corpus, "--sensitive", private, *choices, "--out", first)
    done = run("series", "publish", folder, "sanony", *choices, "--after", first)
    assert done.exit_code == 0, done.stderr
    follows = [Release.load(folder / "sanony" / f"release_{n}").manifest.follows for n in (1, 2, 3)]
    assert [len(each) for each in follows] == [1, 2, 3]
    second = folder / "sanony" / "release_1"
    assert holds_by_parts(run, second, "--after", first)


def test_a_series_goes_on_from_the_owners_state_and_writes_it(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    state, words = tmp_path / "state", ["m-invariance", "--m", 2, "--seed", 1]
    done = run("series", "publish", folder, *words, "--keep", state)
    assert done.exit_code == 0, done.stderr
    assert state.read_bytes() == (folder / "keys" / "m-invariance" / "key_3").read_bytes()
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    again = run("series", "publish", folder, *words, "--name", "more", "--keep", state)
    assert again.exit_code == 0, again.stderr
    last = folder / "more" / "release_3"
    assert not holds_by_parts(run, last, "--key", state)
    before = [folder / "m-invariance" / f"release_{number}" for number in (1, 2, 3)]
    before += [folder / "more" / f"release_{number}" for number in (1, 2)]
    after = [word for release in before for word in ("--after", release)]
    assert holds_by_parts(run, last, *after, "--key", state)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("attack", "FOLDER"), "publish the series first"),
        (("attack", "FOLDER", "--depth", "1"), "publish the series first"),
        (("publish", "FOLDER", "apl-killer", "--epsilon", "1"), "a series is published by"),
        (("publish", "FOLDER", "nony"), "did you mean anony"),
        (("publish", "nowhere", "anony", "--r-th", "2"), "corpus_1.parquet"),
        (("attack", "FOLDER", "sanony"), "publish the series first"),
        (("make", "nowhere.dat", "--out", "FOLDER/s"), "nowhere.dat"),
        (("mak",), "did you mean make"),
    ],
)
def test_mistakes_are_told_in_one_sentence(
    run: Run, folder: Path, words: tuple[str, ...], said: str
) -> None:
    done = run("series", *(str(word).replace("FOLDER", str(folder)) for word in words))
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_help_of_a_method_inside_a_series(run: Run, folder: Path) -> None:
    done = run("series", "publish", folder, "sanony", "--help")
    assert done.exit_code == 0
    assert "--r-th" in done.stdout
    again = run("series", "publish", folder, "anony", "--r-th", 2, "--seed", 1, "--name", "x")
    assert again.exit_code == 0, again.stderr
    assert run("series", "publish", folder, "anony", "--r-th", 2, "--name", "x").exit_code == 2


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("folder", "--help")])
@pytest.mark.parametrize("tool", ["publish", "attack"])
def test_help_needs_no_method(run: Run, tool: str, words: tuple[str, ...]) -> None:
    shown = run("series", tool, *words)
    assert shown.exit_code == 0, shown.stderr
    assert f"series {tool} FOLDER METHOD [OPTIONS]" in shown.stdout


def test_help_with_a_method_tells_its_options(run: Run) -> None:
    for word in ("--help", "-h"):
        assert "--r-th NUMBER" in run("series", "publish", "folder", "anony", word).stdout


def test_options_of_an_attack_on_a_series_are_those_of_composition(run: Run) -> None:
    told = " ".join(run("series", "attack", "--help").stdout.split())
    assert "The options are those of `attack composition`" in told
    of_method = " ".join(run("series", "publish", "--help").stdout.split())
    assert "The options are those of METHOD." in of_method


def test_keys_are_kept_apart_from_releases_and_closed(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    keys = folder / "keys" / "anony"
    keys.mkdir(parents=True)
    for planted in ("key_1", ".key_2.partial", ".key_2"):
        (keys / planted).symlink_to(elsewhere)
    done = run("series", "publish", folder, "anony", "--r-th", 3, "--cluster-size", 4)
    assert done.exit_code == 0, done.stderr
    assert elsewhere.read_text() == "mine"
    for number in (1, 2, 3):
        key = keys / f"key_{number}"
        assert not key.is_symlink()
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        release = folder / "anony" / f"release_{number}"
        assert not Release.load(release).unlisted
    held = {each.name for each in (folder / "anony").rglob("*")}
    assert not [name for name in held if "key" in name]
    assert {each.name for each in keys.iterdir() if not each.is_symlink()} == {
        "key_1", "key_2", "key_3",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["keys", "keys/anony", "../out", ".", "Keys"])
def test_releases_do_not_go_among_the_keys(run: Run, folder: Path, name: str) -> None:
    before = sorted(folder.parent.rglob("*"))
    words = ("--r-th", 3, "--cluster-size", 4, "--name", name)
    done = run("series", "publish", folder, "anony", *words)
    assert done.exit_code == 2
    assert "--name" in done.stderr
    assert sorted(folder.parent.rglob("*")) == before
