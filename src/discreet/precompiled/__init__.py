"""Machine code of the kernels, made ahead of time and shipped beside this file.

Compiling what a command needs takes tens of seconds the first time. An archive holds what was
compiled elsewhere, for one Python, one numba and the processors that share a set of instructions;
where none fits, everything is compiled here as if there were none.
"""

import io
import pickle
import platform
import sys
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

__all__ = ["archive_here", "pack", "taken", "target"]

FOLDER: Final = Path(__file__).parent
TARGETS: Final = {
    "x86_64": ("x86-64-v3", "avx avx2 bmi bmi2 f16c fma lzcnt movbe popcnt sse4.2 xsave"),
    "aarch64": ("generic", "neon"),
}
"""For each machine: the kind of processor that archives are made for, and what it can do."""


def target() -> tuple[str, str] | None:
    """Return for which processor an archive is made here: its name and features as LLVM has them.

    Returns
    -------
    tuple of str and str, or None
        None where this processor cannot run such code.
    """
    from llvmlite.binding import get_host_cpu_features

    name, needed = TARGETS.get(platform.machine(), ("", ""))
    can = get_host_cpu_features()
    if not name or not all(can.get(feature) for feature in needed.split()):
        return None
    return name, ",".join(f"+{feature}" for feature in needed.split())


def archive_here() -> Path | None:
    """Return where the archive for this Python, numba and processor is, or would be."""
    import llvmlite
    import numba

    made_for = target()
    if made_for is None:
        return None
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    parts = (python, f"numba-{numba.__version__}", f"llvmlite-{llvmlite.__version__}")
    return FOLDER / "_".join([*parts, sys.platform, platform.machine(), made_for[0], "v1.zip"])


@lru_cache
def _opened() -> ZipFile | None:
    config: Any = import_module("numba.core.config")
    # who asks numba for another processor or for checks wants no code made for all
    asked = config.CPU_NAME or config.CPU_FEATURES or config.OPT != 3 or config.BOUNDSCHECK
    path = None if asked else archive_here()
    # read at once: processes that are forked would share the place in an open file
    return ZipFile(io.BytesIO(path.read_bytes())) if path and path.is_file() else None


def taken(index: str, stamp: str, key: tuple[Any, ...]) -> Any | None:
    """Return what numba keeps of a compiled function, out of the archive.

    Parameters
    ----------
    index
        The name of numba's index for the function.
    stamp
        A hash of all that the function was made of.
    key
        numba's key: the types of the arguments, the processor and hashes of the bytecode.

    Returns
    -------
    object or None
        None where it is not in the archive.
    """
    archive = _opened()
    name = _entry(index, stamp, key)
    if archive is None or name not in archive.NameToInfo:
        return None
    content = io.BytesIO(archive.read(name))
    # types of one spelling that differ would be a wrong call of machine code
    return pickle.load(content) if pickle.load(content) == key[0] else None


def pack(cache: Path, archive: Path) -> int:
    """Put all that lies in a cache of numba into a new archive; return of how many functions.

    Parameters
    ----------
    cache
        The folder that ``NUMBA_CACHE_DIR`` named while the functions were compiled.
    archive
        The archive, which is replaced.

    Returns
    -------
    int
        How many compiled functions it holds.
    """
    from numba.core.serialize import dumps

    beside = archive.with_suffix(".new")
    functions = 0
    with ZipFile(beside, "w", ZIP_DEFLATED, compresslevel=9) as written:
        for index in sorted(cache.rglob("*.nbi")):
            with index.open("rb") as file:
                pickle.load(file)  # the version of numba
                stamp, overloads = pickle.load(file)
            for key, name in overloads.items():
                code = (index.parent / name).read_bytes()
                written.writestr(_entry(index.name, stamp, key), dumps(key[0]) + code)  # type: ignore[no-untyped-call]
                functions += 1
    beside.replace(archive)
    return functions


def _entry(index: str, stamp: str, key: tuple[Any, ...]) -> str:
    types, _, bytecode = key
    return sha256(repr((index, stamp, str(types), bytecode)).encode()).hexdigest()
