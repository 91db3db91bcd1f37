"""Random words: not used until they are, the same for the same seed, never the same otherwise."""

import os
import subprocess
import sys
from pathlib import Path


def test_importing_chance_is_light():
    source = str(Path(sys.modules["discreet.rng.stream"].__file__).parents[2])
    heavy = "{'numba', 'cryptography', 'scipy', 'polars'}"
    code = f"import discreet.rng, sys; print(sorted({heavy} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": source}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
