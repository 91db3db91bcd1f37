"""Fuzz the readers of sets, guided by coverage: ``python tests/statistical/fuzz_readers.py``.

The kernels run interpreted, so that their branches count as coverage and a place outside an array
is an error and not a crash. Whatever is neither transactions nor a sentence ends the run with a
failure; the bytes that did it are left in the temporary folder that is named then.
"""

import argparse
import os
import sys
import tempfile
import warnings
from importlib import import_module
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"  # before anything imports numba


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200_000, help="inputs to try")
    parser.add_argument("--seed", type=int, default=1, help="seed of the mutations")
    options = parser.parse_args()
    warnings.simplefilter("error")
    import atheris

    root = Path(__file__).parents[2]
    sys.path.insert(0, str(root))
    with atheris.instrument_imports(include=["discreet.data"]):
        for module in ("discreet.data.read", "discreet.data.fold"):
            import_module(module)  # they are imported late, and must not be later than this
        from tests.data.test_fuzz import SOUND, check

    folder = Path(tempfile.mkdtemp(prefix="fuzz_readers_"))
    corpus = folder / "corpus"
    corpus.mkdir()
    names = sorted(SOUND)
    for number, name in enumerate(names):
        (corpus / name).write_bytes(bytes([number]) + SOUND[name])

    def try_one(content: bytes) -> None:
        name = names[content[0] % len(names)] if content else names[0]
        check(folder / name, content[1:])

    flags = [f"-runs={options.runs}", f"-seed={options.seed}", f"-artifact_prefix={folder}/"]
    atheris.Setup([sys.argv[0], *flags, "-max_len=2000", "-timeout=60", str(corpus)], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
