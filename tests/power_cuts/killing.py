"""Runs a command again and again, each time in a process that is killed at some moment.

``python -m tests.power_cuts.killing SCENE FOLDER TIMES`` prints how many runs came to their end and
how many were killed, and fails where the disk holds anything but the old state or the new one. The
parent imports what a command needs and computes nothing: a fork of threads at work would hang.
"""

import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numba  # noqa: F401 (what a child would import each time)
import polars  # noqa: F401 (what a child would import each time)
import scipy.stats  # noqa: F401 (what a child would import each time)
import sqlalchemy  # noqa: F401 (what a child would import each time)

import discreet.cli.audit
import discreet.cli.compare
import discreet.cli.publish
import discreet.cli.reproduce
import discreet.cli.series
import discreet.study
from discreet.cli.root import root

BASKETS = "".join(f"{1 + n % 3} {4 + n % 2}\n" for n in range(60))
STUDY = """
title = "small"
seeds = 3
[[data]]
source = "baskets.dat"
[[publish]]
method = "km-anonymity"
k = [3, 5]
m = 1
"""
PRIVATE = "4\n5\n"


def forked(work: Callable[[], object], longest: float | None = None) -> int | None:
    """Do ``work`` in a child, killed after that long; return its exit code, None if killed."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(os.open("errors", os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
            work()
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            os._exit(code)
    if longest is not None:
        time.sleep(longest)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else None


def run(*words: str) -> None:
    """Run a command in this process."""
    root.main(list(words), prog_name="discreet")


@dataclass(frozen=True, slots=True)
class Scene:
    """What is killed, and what must hold whenever it is."""

    words: Callable[[int], tuple[str, ...]]
    """The command of the n-th run."""
    before: tuple[tuple[str, ...], ...]
    """Commands that have run before."""
    check: Callable[[int], None]
    """Fails where the disk holds neither the old state nor the new one."""
    resumes: int = 0
    """After so many kills it runs to its end and must give the same as without any; 0: never."""
    result: tuple[str, ...] = ()
    """The files that are then compared."""
    goes: tuple[str, ...] = ()
    """What is removed before it begins anew."""


def _release(path: str) -> None:
    from discreet.core.release import Release

    if Path(path).exists():
        Release.load(path)


def _books(n: int, folder: str = ".") -> None:
    """Whatever is in its place is on the shelf, and every row is sound."""
    from discreet.io.release_folder import seal_in
    from discreet.store import Store

    store = Store("store.db")
    store.ledger.check()
    store.shelf.check()
    shelved = {each.location.resolve(): each for each in store.shelf.releases("town")}
    there = [path.parent for path in Path(folder).glob(f"release{n}*/manifest.json")]
    for path in there:
        _release(str(path))
        assert shelved[path.resolve()].seal == seal_in(path)
        assert shelved[path.resolve()].state == "in place"


def _published(n: int) -> None:
    _books(n)
    if Path(f"key{n}").exists():
        from discreet.core.publication import LinkageKey

        LinkageKey.load(f"key{n}")
    _release("standing")
    assert Path("standing").is_dir()


def _series(_: int) -> None:
    _books(0, "years")
    for path in Path("years").rglob("manifest.json"):
        _release(str(path.parent))


def _page(_: int) -> None:
    for name, whole in (("audit.html", "</html>"), ("audit.json", "}")):
        if Path(name).exists():
            assert Path(name).read_text().rstrip().endswith(whole), name
    if Path("audit.json").exists():
        json.loads(Path("audit.json").read_text())


def _json_in(folder: str, _: int) -> None:
    for path in Path(folder).rglob("*.json"):
        if not path.name.startswith("."):
            json.loads(path.read_text())


def _force(n: int) -> tuple[str, ...]:
    """Every second run replaces a release that stands."""
    common = ("publish", "km-anonymity", "baskets.dat", "--k", "3", "--m", "1")
    if n % 2:
        return (*common, "--out", "standing", "--force")
    return (
        *("publish", "sparse-histogram", "baskets.dat", "--universe", "items.txt", "--epsilon"),
        *("1/100000", "--people", "town", "--out", f"release{n}", "--keep", f"key{n}"),
    )


FIRST = ("publish", "km-anonymity", "baskets.dat", "--k", "3", "--m", "1", "--out")
SCENES = {
    "publish": Scene(
        _force, (("ledger", "budget", "town", "100"), (*FIRST, "standing")), _published
    ),
    "series": Scene(
        lambda n: ("series", "publish", "years", "anony", "--r-th", "2", "--cluster-size", "5",
                   "--people", "town", "--name", f"release{n}"),
        (("ledger", "budget", "town", "100"),
         ("series", "make", "baskets.dat", "--sensitive", "private.txt", "--sample", "20",
          "--corpora", "2", "--out", "years", "--seed", "1")),
        _series,
    ),
    "audit": Scene(
        lambda _: ("audit", "standing", "--against", "baskets.dat", "--people", "town", "--out",
                   "audit.html"),
        (("ledger", "budget", "town", "100"), (*FIRST, "standing")),
        _page,
    ),
    "compare": Scene(
        lambda _: ("compare", "study.toml", "--out", "results", "--workers", "1"), (),
        partial(_json_in, "results"), 4, ("results/table.csv", "results/front.csv"), ("results",),
    ),
    "reproduce": Scene(
        lambda _: ("reproduce", "aplkiller", "figure-3", "--out", "figures", "--rounds", "2",
                   "--workers", "1"), (),
        partial(_json_in, "figures"), 4, ("figures/figure-3.csv",), ("figures",),
    ),
}  # fmt: skip


def _prepared(folder: Path) -> None:
    from discreet.papers import aplkiller
    from discreet.papers.recipes import SYNTHETIC, DataRecipe

    small = DataRecipe(name=SYNTHETIC, people=60, items=4, longest=4)
    figure = partial(aplkiller.figure_3, recipe=small, occurrences=(5, 30), fan_outs=(2,))
    discreet.cli.reproduce.PAPERS = {"aplkiller": {"figure-3": figure}}
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    for name, text in {
        "baskets.dat": BASKETS, "study.toml": STUDY, "private.txt": PRIVATE,
        "items.txt": "1\n2\n3\n4\n5\n",
    }.items():  # fmt: skip
        Path(name).write_text(text)
    os.environ |= {"DISCREET_STORE": "store.db", "XDG_STATE_HOME": str(folder / ".state")}


def _untimed(name: str) -> list[str]:
    """Return the lines of a table but those that say how long something took."""
    return [line for line in Path(name).read_text().splitlines() if ",seconds," not in line]


def _same(scene: Scene, wanted: dict[str, list[str]]) -> None:
    code = forked(partial(run, *scene.words(0)))
    assert code in (0, 1), (code, Path("errors").read_text()[-2000:])
    for name, content in wanted.items():
        assert _untimed(name) == content, f"{name} differs after {scene.resumes} kills"
    for name in scene.goes:
        shutil.rmtree(name)


def main(name: str, folder: Path, times: int, seed: int = 1) -> tuple[int, int]:
    """Kill a scene so many times; return how many runs came to their end, and how many did not."""
    scene, chance = SCENES[name], random.Random(seed)
    _prepared(folder)
    for words in scene.before:
        assert forked(partial(run, *words)) == 0, (words, Path("errors").read_text())
    # the first loads what is compiled into the cache, the second tells how long one takes
    for n in (-2, -1):
        began = time.monotonic()
        code = forked(partial(run, *scene.words(n)))
        assert code in (0, 1), (code, Path("errors").read_text()[-2000:])
        longest = 1.1 * (time.monotonic() - began)
        wanted = {file: _untimed(file) for file in scene.result}
        for each in scene.goes:
            shutil.rmtree(each)
    ended = 0
    for n in range(times):
        code = forked(partial(run, *scene.words(n)), chance.uniform(0, longest))
        assert code in (None, 0, 1), (code, Path("errors").read_text()[-2000:])
        ended += code is not None
        scene.check(n)
        if scene.resumes and (n + 1) % scene.resumes == 0:
            _same(scene, wanted)
    return ended, times - ended


if __name__ == "__main__":
    print(
        *main(sys.argv[1], Path(sys.argv[2]).resolve(), int(sys.argv[3]), *map(int, sys.argv[4:]))
    )
