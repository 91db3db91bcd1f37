"""Every command and method has an example in its help, and the examples run."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from discreet import rng
from discreet.catalog import ATTACKS, FAMILIES, Entry, entries
from discreet.cli.attack import QUERY_INTERFACES
from discreet.cli.examples import EXAMPLES, FILES, example_of, shown, with_example
from discreet.cli.root import root
from discreet.study.example_files import example_files
from tests.cli.running import Run


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield what is typed for every command there is."""
    ctx = click.Context(group, info_name="discreet")
    for name in group.list_commands(ctx):
        yield (*path, name)
        command = group.get_command(ctx, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


ALL = list(commands(root))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with the files of ``demo --files``."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(root, ["demo", "--files", "."]).exit_code == 0
    return tmp_path


def test_there_are_many_commands() -> None:
    assert len(ALL) > 80


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_help_ends_with_an_example(run: Run, path: tuple[str, ...]) -> None:
    done = run(*path, "--help")
    assert done.exit_code == 0
    told = done.stdout.split("Example:")
    assert len(told) == 2
    assert f"discreet {path[0]}" in told[1]
    headings = [line for line in done.stdout.splitlines() if line[:1].isupper() and line[-1] == ":"]
    assert [line for line in headings if line.count("(") != line.count(")")] == []


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_example_parses(
    run: Run, monkeypatch: pytest.MonkeyPatch, path: tuple[str, ...]
) -> None:
    called: list[str] = []

    def note(command: click.Command, _: click.Context) -> int:
        called.append(str(command.name))
        return 0

    # everything is parsed, and nothing is run
    monkeypatch.setattr(click.Command, "invoke", note)
    lines = example_of(" ".join(path))
    assert shlex.split(lines[-1])[: len(path)] == list(path)
    for line in lines:
        called.clear()
        assert run(*shlex.split(line)).exit_code == 0, line
        assert called


def test_no_example_is_of_a_command_that_is_not_there() -> None:
    assert {tuple(path.split()) for path in EXAMPLES} <= set(ALL)


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_the_example_of_a_method_runs(run: Run, files: Path, entry: Entry) -> None:
    made = set(files.iterdir())
    for line in entry.example:
        done = run(*shlex.split(line))
        assert done.exit_code == 0, done.stderr
    assert set(files.iterdir()) > made


SEQUENCE = [
    "publish", "verify", "attack", "measure", "audit", "keygen", "certify", "methods", "profile",
    "series make", "series publish", "series attack", "hierarchy show", "hierarchy check",
    "hierarchy intervals", "hierarchy prefixes", "hierarchy flat", "hierarchy quantiles",
    "hierarchy frequency", "hierarchy dates", "hierarchy convert", "hierarchy from-data",
    "audit-mechanism", "corpus build", "corpus show", "advise", "attack interactive-linkage",
    "completion",
]  # fmt: skip


@pytest.mark.usefixtures("files")
def test_the_examples_of_commands_run_one_after_the_other(run: Run) -> None:
    for path in SEQUENCE:
        done = run(*shlex.split(EXAMPLES[path]))
        assert done.exit_code == 0, f"{path}: {done.stderr}"


@pytest.mark.usefixtures("files")
def test_the_examples_of_the_ledger_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCREET_STORE", "store.db")
    for path in ("budget", "list", "entries", "export", "check", "backup"):
        done = run(*shlex.split(EXAMPLES[f"ledger {path}"]))
        assert done.exit_code == 0, f"{path}: {done.stderr}"
    assert run(*shlex.split(EXAMPLES["shelf"])).exit_code == 0


def test_a_help_says_where_its_files_are_from(run: Run) -> None:
    assert set(FILES) == set(example_files(rng.seeded(0)))
    for path in ALL:
        read = {word for line in example_of(" ".join(path)) for word in shlex.split(line)}
        told = "demo --files" in run(*path, "--help").stdout.rpartition("Example:")[2]
        assert told == any(set(word.split("=")) & set(FILES) for word in read), path


def test_every_attack_is_tried_on_what_its_family_publishes() -> None:
    for family in FAMILIES:
        there = {offered.name for offered in family.publishers}
        assert {offered.tried_on for offered in family.attacks} <= there
    assert len(ATTACKS) == sum(len(family.attacks) for family in FAMILIES)
    assert QUERY_INTERFACES


def test_files_are_the_same_for_the_same_chance_and_replace_none(run: Run, files: Path) -> None:
    assert example_files(rng.seeded(1)) == example_files(rng.seeded(1))
    before = (files / "baskets.csv").read_text()
    again = run("demo", "--files", ".")
    assert again.exit_code == 2
    assert "name another folder" in again.stderr
    assert (files / "baskets.csv").read_text() == before


def test_a_long_example_is_folded_before_its_options() -> None:
    lines = shown(("publish anony baskets.csv --sensitive private.txt --r-th 8 --out release "
                   "--keep key --format csv",))  # fmt: skip
    assert [line.endswith("\\") for line in lines] == [True, False]
    assert shlex.split(" ".join(line.rstrip("\\") for line in lines))[-2:] == ["--format", "csv"]
    assert all(len(line) <= 78 for line in lines)


def test_an_example_is_given_once() -> None:
    command = with_example(
        with_example(click.Command("verify"), "discreet verify"), "discreet verify"
    )
    assert (command.epilog or "").count("Example:") == 1
    assert with_example(click.Command("x"), "discreet nothing such").epilog is None
