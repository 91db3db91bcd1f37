"""Fuzz every reader and every command: ``python -m tests.fuzz --state FOLDER --inputs 1000000``.

Files are tried under atheris, guided by coverage, with the kernels interpreted, so that their
branches count and a place outside an array is an error and not a crash. Calls are drawn from a
grammar. The folder holds how many inputs each target has had, the files that found something new,
and the faults; the same command goes on where it was.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote, unquote

from tests.fuzz.files import TARGETS, Target, damaged, fault

ROUND = 10_000
"""Inputs of a target before the next has its turn."""
LIMIT = 10
"""Seconds of processor time that an input may take."""
PATIENCE = 12 * LIMIT
"""Seconds by the clock after which an input counts as one without an end; machines are busy."""
CALLS = "calls"
SHARE = 20
"""Of so many inputs one is a call, which takes longer than a file."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--state", type=Path, required=True, help="where the counts are kept")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="inputs to try in all")
    parser.add_argument("--only", action="append", help="a target; repeat it for others")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        fuzz(options.state, options.inside, options.inputs)
    sys.exit(drive(options.state, options.inputs, options.only or [*TARGETS, CALLS]))


def drive(state: Path, inputs: int, names: list[str]) -> int:
    """Give each target its turn until there were enough inputs; 1 where there is a fault."""
    files = [name for name in names if name != CALLS]
    calls = 0 if CALLS not in names else inputs // SHARE if files else inputs
    wanted = {name: calls if name == CALLS else (inputs - calls) // len(files) for name in names}
    state.mkdir(parents=True, exist_ok=True)
    while left := {
        name: times - done(state, name)
        for name, times in wanted.items()
        if times > done(state, name)
    }:
        # who has had the least of its share is next
        name = min(left, key=lambda each: done(state, each) / wanted[each])
        turn(state, name, min(left[name], ROUND))
        told = {each: done(state, each) for each in names}
        print(json.dumps({"inputs": sum(told.values()), **told, "faults": len(faults(state))}))
        sys.stdout.flush()
    return 1 if faults(state) else 0


def done(state: Path, name: str) -> int:
    """Return how many inputs a target has had."""
    file = state / "done" / name
    return int(file.read_text()) if file.is_file() else 0


def count(state: Path, name: str, times: int) -> None:
    """Note that a target has had so many inputs more."""
    file = state / "done" / name
    file.parent.mkdir(exist_ok=True)
    beside = file.with_suffix(".new")
    beside.write_text(str(done(state, name) + times))
    beside.replace(file)


def faults(state: Path) -> list[Path]:
    """Return the faults found so far: for each the folder with its input and what happened."""
    return sorted(state.glob("faults/*/*"))


def keep(state: Path, name: str, said: str, content: bytes) -> None:
    """Keep an input that failed, once for each way to fail."""
    lines = [line for line in said.strip().splitlines() if line.lstrip().startswith("File ")]
    way = "".join(lines[-3:]) if lines else re.sub(r"\d+|'[^']*'", "", said)
    folder = state / "faults" / name.replace("/", "_") / sha256(way.encode()).hexdigest()[:12]
    if not folder.is_dir():
        folder.mkdir(parents=True)
        (folder / "input").write_bytes(content)
        (folder / "said").write_text(said)


def turn(state: Path, name: str, times: int) -> None:
    """Try so many inputs of one target, in a process of its own."""
    if name == CALLS:
        from tests.fuzz.calling import try_calls

        try_calls(state, times)
        return
    seeds(state, name)  # with compiled kernels, once
    words = [sys.executable, "-m", "tests.fuzz", "--state", str(state)]
    words += ["--inputs", str(times), "--inside", name]
    before = done(state, name)
    log = state / "log" / name
    log.parent.mkdir(exist_ok=True)
    with log.open("wb") as file:
        code = subprocess.run(
            words, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, check=False,
            stdout=file, stderr=file,
        ).returncode  # fmt: skip
    # the fuzzer ends its process by itself where an input takes too long or kills Python
    for artifact in (state / "artifacts").glob(f"{name}-*"):
        content = artifact.read_bytes()
        keep(state, name, f"{artifact.name.split('-')[1]} {sha256(content).hexdigest()}", content)
        artifact.unlink()
    if code != 0 and done(state, name) == before:
        sys.exit(f"{name} could not be fuzzed (pip install discreet[fuzz]); see {log}")


def seeds(state: Path, name: str) -> Mapping[str, bytes]:
    """Return the sound files of a target, made once and kept."""
    folder = state / "seeds" / name
    if not folder.is_dir():
        beside = folder.with_name(f"{name}.new")
        beside.mkdir(parents=True, exist_ok=True)
        for each, content in TARGETS[name].seeds().items():
            (beside / quote(each, safe="")).write_bytes(content)
        beside.rename(folder)
    return {unquote(file.name): file.read_bytes() for file in sorted(folder.iterdir())}


def fault_or_slow(
    target: Target, held: Mapping[str, bytes], scratch: Path, which: str, content: bytes
) -> str | None:
    """Return what is wrong with how an input is read, also that it took too long."""
    before = time.process_time()
    said = fault(target, held, scratch, which, content)
    if said or time.process_time() - before <= LIMIT:
        return said
    return f"too slow: {which}"


def fuzz(state: Path, name: str, times: int) -> None:  # noqa: C901, PLR0915 (one process)
    """Try mutations of sound files until there were enough; does not return."""
    import warnings

    import atheris

    warnings.simplefilter("error")
    with atheris.instrument_imports(include=["discreet"]):
        import discreet.core.release
        import discreet.io.sets
        import discreet.kernels.folding
        import discreet.study.file  # noqa: F401 (what is imported later sees no instruments)

    target, held = TARGETS[name], seeds(state, name)
    names = sorted(held)
    corpus, artifacts = state / "corpus" / name, state / "artifacts"
    for folder in (corpus, artifacts):
        folder.mkdir(parents=True, exist_ok=True)
    # in memory where there is such a place: a file is written for each input
    memory = Path("/dev/shm")
    scratch = (memory if memory.is_dir() else state) / f"discreet-fuzz-{name}"
    scratch.mkdir(exist_ok=True)
    for number, each in enumerate(names):
        (corpus / f"seed-{number}").write_bytes(bytes([number % 256]) + held[each])
    tried = 0
    # libraries are loaded at the first input, which is not the reader's time
    fault(target, held, scratch, names[0], held[names[0]])

    def try_one(content: bytes) -> None:
        nonlocal tried
        which = names[content[0] % len(names)] if content else names[0]
        if said := fault_or_slow(target, held, scratch, which, content[1:]):
            keep(state, f"{name}/{quote(which, safe='')}", said, content[1:])
        tried += 1
        if tried % 500 == 0 or tried >= times:
            count(state, name, 500 if tried % 500 == 0 else tried % 500)
        if tried >= times:
            os._exit(0)

    def mutated(content: bytes, longest: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if chance.random() < 0.4:
            return bytes(atheris.Mutate(content, longest))
        which = content[:1] or b"\0"
        if chance.random() < 0.2:
            which = bytes([chance.randrange(min(256, len(names)))])
            content = which + held[names[which[0] % len(names)]]
        return (which + damaged(content[1:], chance))[:longest]

    flags = [f"-seed={done(state, name) + 1}", f"-artifact_prefix={artifacts}/{name}-"]
    flags += ["-max_len=4000", f"-timeout={PATIENCE}", "-rss_limit_mb=4000", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *flags, str(corpus)], try_one, custom_mutator=mutated)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
