"""Compile the kernels ahead of time, for the wheel and for this checkout.

    python tools/precompile.py

Runs the examples of all methods and commands (``discreet doctor --warm``) for the processors that
archives are made for, and packs what was compiled beside ``discreet.precompiled``. An archive fits
the Python and the numba it was made by; run this under each Python that a wheel is for.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from discreet import precompiled


def main() -> int:
    """Compile and pack; say how much."""
    archive, target = precompiled.archive_here(), precompiled.target()
    if archive is None or target is None:
        print("this processor lacks what archives are made for; everything is compiled at need")
        return 0
    name, features = target
    with TemporaryDirectory() as cache:
        # in a process of its own: numba chooses its processor when it is imported
        settings = {
            "NUMBA_CACHE_DIR": cache,
            "NUMBA_CPU_NAME": name,
            "NUMBA_CPU_FEATURES": features,
        }
        # data sets that are not where they should be are no matter of the kernels
        environment = {key: value for key, value in os.environ.items() if key != "DISCREET_DATA"}
        command = [sys.executable, "-m", "discreet.cli", "doctor", "--warm"]
        warmed = subprocess.run(command, env=environment | settings, check=False)
        functions = precompiled.pack(Path(cache), archive)
    for older in archive.parent.glob(f"{sys.implementation.cache_tag}*.zip"):
        if older != archive:
            older.unlink()
    print(f"{functions} compiled functions in {archive.name}, {archive.stat().st_size >> 20} MB")
    return warmed.returncode


if __name__ == "__main__":
    sys.exit(main())
