"""Fuzz the readers of sets, guided by coverage: ``python tests/statistical/fuzz_readers.py``.

The kernels run interpreted, so that their branches count as coverage and a place outside an array
is an error and not a crash. Whatever is neither transactions nor a sentence ends the run with a
failure, and the bytes that did it are kept.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from importlib import import_module
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200_000, help="inputs to try")
    parser.add_argument("--seed", type=int, default=1, help="seed of the mutations")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        fuzz(options.inside, options.runs, options.seed)
    # the fuzzer ends its process without a goodbye, so it gets one of its own
    folder = tempfile.mkdtemp(prefix="fuzz_readers_")
    command = [sys.executable, __file__, *sys.argv[1:], "--inside", folder]
    ended = subprocess.run(command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, check=False)
    if ended.returncode == 0:
        shutil.rmtree(folder)
    else:
        sys.stderr.write(f"what made a reader fail is in {folder}\n")
    sys.exit(ended.returncode)


def fuzz(folder: Path, runs: int, seed: int) -> None:
    """Try mutations of sound files until one fails or there were enough; does not return."""
    import atheris

    warnings.simplefilter("error")
    sys.path.insert(0, str(Path(__file__).parents[2]))
    with atheris.instrument_imports(include=["discreet.core", "discreet.io"]):
        for module in ("discreet.io.sets", "discreet.kernels.folding"):
            import_module(module)  # otherwise they are imported later, and see no instruments
        from tests.io.test_fuzz import SOUND, check

    names = sorted(SOUND)
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, name in enumerate(names):
        (corpus / name).write_bytes(bytes([number]) + SOUND[name])

    def try_one(content: bytes) -> None:
        name = names[content[0] % len(names)] if content else names[0]
        check(folder / name, content[1:])

    flags = [f"-runs={runs}", f"-seed={seed}", f"-artifact_prefix={folder}/", "-max_len=2000"]
    atheris.Setup([sys.argv[0], *flags, "-timeout=60", str(corpus)], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
