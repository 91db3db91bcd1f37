import json
import stat
from collections.abc import Callable
from functools import wraps
from pathlib import Path

import click
import pytest

from discreet.catalog import FAMILIES, entries
from discreet.cli.publish import publish
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.errors import InfeasibleError
from tests.cli.planted import AGAIN, PLAIN_TEXT, PlainText
from tests.cli.running import Run


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.catalog.entry.PUBLISHERS", (PLAIN_TEXT, AGAIN))


def failing(error: BaseException) -> Callable[..., None]:
    @wraps(PlainText.publish)
    def publish(*_: object, **__: object) -> None:
        raise error

    return publish


def test_a_release_is_written_and_told(run: Run, baskets: Path, tmp_path: Path) -> None:
    out, items = tmp_path / "release", tmp_path / "items"
    items.write_text("1\n2\n3\n")
    done = run(
        "publish", "apl-killer", baskets, "--out", out, "--epsilon", "1", "--universe", items
    )
    assert done.exit_code == 0
    assert "promised" in done.stdout
    assert done.stderr == ""
    assert Release.load(out).manifest.method == "apl-killer"


def test_json_alone_is_on_standard_output(run: Run, baskets: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    done = run("publish", "diff-part", baskets, "--out", out, "--epsilon", ".5", "--json")
    assert done.exit_code == 0
    record = json.loads(done.stdout)
    assert record["method"] == "diff-part"
    assert record["parameters"]["epsilon"] in {".5", "1/2"}
    assert record["release"] == str(out)
    assert list(record["rows"]) == ["itemsets"]
    assert "epsilon does not cover that" in done.stderr


def test_parameters_reach_the_method(run: Run, baskets: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    words = ["--epsilon", "0.1", "--c1", "1,1,.5", "--fan-out", "2,3", "--boundary-noise", "paper"]
    done = run("publish", "apl-killer", baskets, "--out", out, *words, "--json")
    assert done.exit_code == 0, done.stderr
    chosen = json.loads(done.stdout)["parameters"]
    assert chosen["c1"] in (["1", "1", ".5"], ["1", "1", "1/2"])
    assert chosen["fan_out"] == [2, 3]
    assert chosen["boundary_noise"] == "paper"


def test_a_seed_is_loud_and_marked(run: Run, baskets: Path, tmp_path: Path) -> None:
    contents = []
    for name in ("one", "other"):
        done = run(
            *("publish", "diff-part", baskets, "--epsilon", 1),
            *("--out", tmp_path / name, "--seed", 7, "--format", "jsonl"),
        )
        assert done.exit_code == 0
        assert "NOT FOR PUBLICATION" in done.stderr
        manifest = json.loads((tmp_path / name / "manifest.json").read_text())
        assert manifest["randomness"] == "seeded: not for publication"
        contents.append((tmp_path / name / "itemsets.jsonl").read_bytes())
    assert contents[0] == contents[1]


def test_without_a_seed_chance_is_secure(run: Run, baskets: Path, tmp_path: Path) -> None:
    done = run("publish", "diff-part", baskets, "--epsilon", 1, "--out", tmp_path / "r", "--json")
    assert json.loads(done.stdout)["randomness"].startswith("operating system")
    assert "NOT FOR PUBLICATION" not in done.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "Missing option '--epsilon'"),
        (["--epsilon", "much"], "--epsilon must be a number"),
        (["--epsilon", "-1"], "--epsilon must be above 0"),
        (["--epsilon", "1", "--max-size", "few"], "--max-size must be a whole number"),
        (["--epsilon", "1", "--max-size", "0"], "discreet: --max-size must be at least 1"),
        (["--epsilon", "1", "--fan-out", "1"], "discreet: --fan-out must be from 2 to 16"),
        (
            ["--epsilon", "1", "--auto", "--c1", "2"],
            "--auto must be left out where --fan-out, --c1 or --c2 is given",
        ),
        (["--epsilon", "1", "--longer", "keep"], "'keep' is not one of 'cut', 'drop'"),
        (["--epsilon", "1", "--columns", "id"], "--columns must look like"),
        (["--epsilon", "1", "--columns", "id=a,id=b"], "--columns must give each name once"),
        (["--epsilon", "1", "--universe", "nowhere"], "nowhere"),
        (["--epsilon", "1", "--fan", "2"], "No such option '--fan'"),
        (["--epsilon", "1", "--seed", "dice"], "--seed must be a whole number"),
        (["--epsilon", "1", "--format", "xls"], "'xls' is not one of"),
    ],
)
def test_wrong_usage_is_one_sentence(
    run: Run, baskets: Path, tmp_path: Path, words: list[str], complaint: str
) -> None:
    done = run("publish", "apl-killer", baskets, "--out", tmp_path / "release", *words)
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == [baskets]


@pytest.mark.parametrize("content", [None, b"", b"1 2\n3 x\n", b"\x00\xff\x00"])
def test_bad_data_are_one_sentence(run: Run, tmp_path: Path, content: bytes | None) -> None:
    source, items = tmp_path / "bad.dat", tmp_path / "items"
    items.write_text("1\n")
    if content is not None:
        source.write_bytes(content)
    done = run(
        *("publish", "apl-killer", source, "--epsilon", 1),
        *("--out", tmp_path / "release", "--universe", items),
    )
    assert done.exit_code == 2
    assert "bad.dat" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "release").exists()


def test_an_unknown_method_gets_the_nearest(run: Run, tmp_path: Path) -> None:
    done = run("publish", "apl-kiler", "x", "--out", tmp_path / "release")
    assert done.exit_code == 2
    assert "did you mean apl-killer?" in done.stderr


def test_a_named_data_set_brings_its_universe(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.core.transactions import Transactions
    from discreet.io import datasets

    def read(source: str, **_: object) -> Transactions:
        assert source == "dataset:planted"
        return Transactions.of([["1", "2"], ["2"]] * 50)

    monkeypatch.setattr(datasets, "universe_of", lambda _: ("1", "2", "3"))
    monkeypatch.setattr(Transactions, "read", staticmethod(read))
    done = run(
        *("publish", "apl-killer", "dataset:planted", "--epsilon", 1),
        *("--out", tmp_path / "release", "--json"),
    )
    assert done.exit_code == 0, done.stderr
    assert "not covered" not in done.stderr
    assert "taken from the data" not in done.stdout


@pytest.mark.parametrize("kind", ["publisher", "attack"])
def test_the_help_lists_methods_by_family(run: Run, kind: str) -> None:
    verb = "publish" if kind == "publisher" else "attack"
    listed = run(verb, "--help").stdout
    starts = [listed.index(f"\n{family.heading}:\n") for family in FAMILIES]
    assert starts == sorted(starts)
    for family, start, end in zip(FAMILIES, starts, [*starts[1:], len(listed)], strict=True):
        offered = family.publishers if kind == "publisher" else family.attacks
        assert offered
        for each in offered:
            assert f"\n  {each.name} " in listed[start:end]


def test_what_must_be_chosen_comes_first_in_the_help(run: Run) -> None:
    for entry in entries("publisher"):
        told = run("publish", entry.name, "--help").stdout.split("Reading")[0]
        places = [told.find(f"\n  {each.option} ") for each in entry.parameters if each.required]
        others = [told.find(f"\n  {each.option}") for each in entry.parameters if not each.required]
        assert all(place > 0 for place in (*places, *others)), entry.name
        assert max(places, default=0) < min(others, default=len(told)), entry.name


@pytest.mark.parametrize("width", [60, 80])
def test_no_line_of_help_is_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    above = click.Context(publish, info_name="discreet publish", terminal_width=width)
    for entry in entries("publisher"):
        command = publish.get_command(above, entry.name)
        told = command.get_help(click.Context(command, above, info_name=entry.name))
        # an option is not cut from its choices or its value
        wide = [line for line in told.splitlines() if len(line) > width and len(line.split()) > 3]
        assert wide == [], entry.name


@pytest.mark.usefixtures("planted")
def test_a_planted_method_has_its_options(run: Run) -> None:
    listed = run("publish", "--help")
    assert listed.exit_code == 0
    assert "Publish everything as it is." in listed.stdout
    told = run("publish", "plain-text", "--help")
    assert told.exit_code == 0
    words = " ".join(told.stdout.split())
    assert "--k INTEGER How many times to think it over. [required]" in words
    assert "--mood good|bad How it feels, after --how-long hours. [default: good]" in words
    assert "Journal of Bad Ideas" in words


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("words", [[], ["--force"]])
def test_an_existing_target_is_refused_before_the_work(
    run: Run, tmp_path: Path, words: list[str]
) -> None:
    out = tmp_path / "release"
    out.mkdir()
    (out / "thesis.txt").write_text("years of work")
    # had the work begun, the complaint were about the data
    done = run("publish", "plain-text", "nowhere", "--k", 1, "--out", out, *words)
    assert done.exit_code == 2
    assert "release exists" in done.stderr
    assert (out / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize("option", ["--keep", "--save-rules", "--save-choices"])
def test_force_replaces_what_was_written_so_and_no_data(
    run: Run, baskets: Path, tmp_path: Path, option: str
) -> None:
    out, beside = tmp_path / "out", tmp_path / "beside"
    words = ("publish", "km-anonymity", baskets, "--k", 2, "--m", 1, "--suppression", "items")
    data = baskets.read_bytes()
    lost = run(*words, "--out", out, option, baskets, "--force")
    assert (lost.exit_code, "baskets.dat exists; choose another" in lost.stderr) == (2, True)
    assert (baskets.read_bytes(), out.exists()) == (data, False)
    beside.touch()
    assert run(*words, "--out", out, option, beside, "--force").exit_code == 0
    again = run(*words, "--out", tmp_path / "other", option, beside)
    assert (again.exit_code, "beside exists" in again.stderr, "--force" in again.stderr) == (
        2, True, True,
    )  # fmt: skip
    assert run(*words, "--out", out, option, beside, "--force").exit_code == 0


@pytest.mark.usefixtures("planted")
def test_force_replaces_a_release_and_only_then(run: Run, baskets: Path, tmp_path: Path) -> None:
    words = ["publish", "plain-text", baskets, "--k", 1, "--out", tmp_path / "release"]
    assert run(*words).exit_code == 0
    refused = run(*words, "--mood", "bad")
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert run(*words, "--mood", "bad", "--force").exit_code == 0
    assert Release.load(tmp_path / "release").manifest.parameters["mood"] == "bad"


@pytest.mark.usefixtures("planted")
def test_a_folder_that_may_not_be_written_is_refused_before_the_work(
    run: Run, baskets: Path
) -> None:
    done = run("publish", "plain-text", "nowhere", "--k", 1, "--out", baskets / "release")
    assert done.exit_code == 2
    assert "cannot be written" in done.stderr


@pytest.mark.usefixtures("planted")
def test_the_key_is_for_its_owner(run: Run, baskets: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    words = ["publish", "plain-text", baskets, "--k", 1, "--keep", key]
    done = run(*words, "--out", tmp_path / "one", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["keep"] == str(key)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert LinkageKey.load(key).tables["rows"].height == 120
    refused = run(*words, "--out", tmp_path / "two")
    assert refused.exit_code == 2
    assert "key exists" in refused.stderr
    assert not (tmp_path / "two").exists()


@pytest.mark.usefixtures("planted")
def test_data_may_be_a_release(run: Run, safe: Path, tmp_path: Path) -> None:
    done = run("publish", "again", safe, "--out", tmp_path / "again", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["rows"] == {"itemsets": 3}
    assert run("publish", "again", "nowhere", "--out", tmp_path / "more").exit_code == 2
    assert "--columns" not in run("publish", "again", "--help").stdout


@pytest.mark.usefixtures("planted")
def test_the_key_stays_outside_the_release(run: Run, baskets: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    done = run("publish", "plain-text", baskets, "--k", 1, "--out", out, "--keep", out / "key")
    assert done.exit_code == 2
    assert "outside the release" in done.stderr
    assert not out.exists()


@pytest.mark.usefixtures("planted")
def test_a_failed_release_leaves_no_key(
    run: Run, baskets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Release, "save", full)
    done = run(
        *("publish", "plain-text", baskets, "--k", 1),
        *("--out", tmp_path / "release", "--keep", tmp_path / "key"),
    )
    assert done.exit_code == 2
    assert "No space left" in done.stderr
    assert list(tmp_path.iterdir()) == [baskets]


def test_a_key_of_counts_holds_what_confirms_the_data(
    run: Run, baskets: Path, tmp_path: Path
) -> None:
    done = run(
        *("publish", "diff-part", baskets, "--epsilon", 1),
        *("--out", tmp_path / "release", "--keep", tmp_path / "key"),
    )
    assert done.exit_code == 0
    assert LinkageKey.load(tmp_path / "key").tables.keys() == {"digests"}


@pytest.mark.usefixtures("planted")
def test_earlier_releases_are_repeated(run: Run, baskets: Path, tmp_path: Path) -> None:
    words = ["publish", "plain-text", baskets, "--k", 1, "--json"]
    first, second = tmp_path / "first", tmp_path / "second"
    run(*words, "--out", first)
    run(*words, "--out", second, "--after", first)
    done = run(*words, "--out", tmp_path / "third", "--after", first, "--after", second)
    assert json.loads(done.stdout)["parameters"]["after"] == 2


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (InfeasibleError("k is too large"), 1, "k is too large"),
        (MemoryError(), 2, "more memory"),
        (RuntimeError(), 70, "fault of discreet itself"),
    ],
)
def test_a_method_that_fails_leaves_nothing(
    run: Run,
    baskets: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    sentence: str,
) -> None:
    monkeypatch.setattr(PlainText, "publish", failing(error))
    folder = baskets.parent
    done = run(
        *("publish", "plain-text", baskets, "--k", 1),
        *("--out", folder / "release", "--keep", folder / "key"),
    )
    assert done.exit_code == code
    assert sentence in done.stderr
    assert ("Traceback" in done.stderr) == (code == 70)
    assert done.stdout == ""
    assert list(folder.iterdir()) == [baskets]
