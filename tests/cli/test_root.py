import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.cli.root import COMMANDS
from tests.cli.running import Run

DISCREET = [sys.executable, "-m", "discreet.cli"]


def test_the_help_lists_every_command(run: Run) -> None:
    done = run("--help")
    assert done.exit_code == 0
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("module", ["discreet", "discreet.cli"])
def test_the_command_runs_as_a_module(module: str) -> None:
    command = [sys.executable, "-m", module, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("discreet, version")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_json(run: Run, name: str) -> None:
    done = run(name, "--help")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"Usage: discreet {name}")
    # a command with methods says it with each of them
    assert "METHOD" in done.stdout.splitlines()[0] or "--json" in done.stdout


def test_a_command_without_its_words_shows_the_help(run: Run) -> None:
    done = run("publish")
    assert done.exit_code == 2
    assert "Usage: discreet" in done.stderr


def test_an_unknown_command_gets_the_nearest(run: Run) -> None:
    done = run("publsh")
    assert done.exit_code == 2
    assert "did you mean publish?" in done.stderr


def test_the_version_is_told(run: Run) -> None:
    from importlib.metadata import version

    assert run("--version").stdout.strip().endswith(version("discreet"))


def test_help_loads_nothing_heavy() -> None:
    code = """
        import sys
        from discreet.cli import main
        try:
            main()
        except SystemExit:
            print(*sorted({"polars", "numba", "scipy", "rich"} & set(sys.modules)), file=sys.stderr)
    """
    words = [sys.executable, "-c", textwrap.dedent(code), "--help"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: discreet")
    assert done.stderr.strip() == ""


def test_the_exit_code_reaches_the_shell(safe: Path, leaking: Path, untold: Path) -> None:
    for release, code in ((safe, 0), (leaking, 1), (untold, 3), (safe / "nowhere", 2)):
        done = subprocess.run(
            [*DISCREET, "verify", str(release), "--json"], capture_output=True, check=False
        )
        assert done.returncode == code
        assert b"Traceback" not in done.stderr


def test_a_reader_who_has_seen_enough_is_no_error(leaking: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    words = [*DISCREET, "attack", "attribute-linkage", str(leaking), "--json"]
    done = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert done.stderr == b""
    assert done.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_below_the_answer_is_one_sentence(leaking: Path) -> None:
    words = [*DISCREET, "attack", "attribute-linkage", str(leaking), "--json"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"discreet: No space left on device\n"


def test_names_that_the_terminal_cannot_show(released: Callable[..., Path]) -> None:
    release = released({("řeka", "more"): 5, ("more",): 2})
    words = [*DISCREET, "attack", "attribute-linkage", str(release)]
    told = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(words, capture_output=True, check=False, env=told)
    assert done.returncode == 0
    assert b"\\u0159eka" in done.stdout


def test_ctrl_c_leaves_nothing(baskets: Path, tmp_path: Path) -> None:
    code = """
        import os, signal, sys
        from discreet.core.transactions import Transactions
        Transactions.read = staticmethod(lambda *_, **__: os.kill(os.getpid(), signal.SIGINT))
        from discreet.cli import main
        main()
    """
    words = ["publish", "diff-part", str(baskets), "--epsilon", "1", "--out", str(tmp_path / "r")]
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *words],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert done.returncode == 130
    assert "discreet: interrupted" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == [baskets]


def test_whoever_types_nothing_is_shown_where_to_begin(run: Run) -> None:
    done = run()
    assert done.exit_code == 0
    assert "discreet demo" in done.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("discreet pub", "publish"),
        ("discreet publish spa", "sparse-histogram"),
        ("discreet publish diff-part --eps", "--epsilon"),
        ("discreet attack attr", "attribute-linkage"),
    ],
)
def test_a_shell_can_complete(words: str, offered: str) -> None:
    asked = {
        "_DISCREET_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "discreet.cli"],
        env=os.environ | asked,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"plain,{offered}" in done.stdout.splitlines()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_is_printed(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert done.exit_code == 0
    assert "_DISCREET_COMPLETE" in done.stdout
