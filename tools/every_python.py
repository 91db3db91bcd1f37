"""Run the tests under every Python that is there, with the oldest and the newest libraries.

    python tools/every_python.py [--only 3.12] [--libraries lowest] [-- PYTEST ARGUMENTS]

Each environment gets the wheel, not the folder of the sources, so that what is missing in the
wheel is missing here too. Environments stay in ``build/pythons`` and are used again.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "pythons"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
LOWEST = ("numpy", "scipy", "numba", "polars")
"""The libraries that are also tried at the lowest version that pyproject.toml allows."""


def interpreter(version: str) -> str | None:
    """Return a Python of a version that really starts, on the path or beside pyenv's others."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    beside = sorted(map(str, pyenv.glob(f"{version}.*/bin/python{version}")), reverse=True)
    for path in filter(None, [shutil.which(f"python{version}"), *beside]):
        # a shim of pyenv is there for versions that are not switched on, and then fails
        if subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
            return path
    return None


def lowest() -> list[str]:
    """Return the lowest versions that the project allows, as pip wants them."""
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    pairs = (re.fullmatch(r"([a-z0-9]+)>=([0-9.]+)", dependency) for dependency in dependencies)
    return [f"{pair[1]}=={pair[2]}.*" for pair in pairs if pair and pair[1] in LOWEST]


def wheel() -> Path:
    """Build the wheel and return it."""
    target = FOLDER / "wheel"
    shutil.rmtree(target, ignore_errors=True)
    args = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", target, ROOT]
    subprocess.run([sys.executable, *args], check=True)
    return next(target.glob("*.whl"))


def environment(python: str, name: str, built: Path, pins: list[str]) -> Path:
    """Make an environment with the wheel and all that the tests need, and return its Python."""
    folder = FOLDER / name
    inside = folder / "bin" / "python"
    if not inside.exists():
        subprocess.run([python, "-m", "venv", folder], check=True)
    pip = [inside, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, f"{built}[dev]", *pins], check=True)
    subprocess.run([*pip, "--force-reinstall", "--no-deps", built], check=True)
    return inside


def main() -> int:
    """Run them one after the other; the number of environments with a failure is returned."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", choices=VERSIONS, action="append")
    parser.add_argument("--libraries", choices=("lowest", "newest"), action="append")
    parser.add_argument("tests", nargs="*", default=["tests", "-m", "not slow", "-n", "auto"])
    options = parser.parse_args()
    built, outcomes = wheel(), {}
    for version in options.only or VERSIONS:
        python = interpreter(version)
        for libraries in options.libraries or ("newest", "lowest"):
            name = f"{version}-{libraries}"
            if python is None:
                outcomes[name] = "not tried: there is no such Python here"
                continue
            pins = lowest() if libraries == "lowest" else []
            try:
                inside = environment(python, name, built, pins)
            except subprocess.CalledProcessError:
                outcomes[name] = "not tried: the libraries could not be installed"
                continue
            # -P: the package comes from the wheel, and not from beside the tests
            command = [inside, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", *options.tests]
            code = subprocess.run(command, cwd=ROOT, check=False).returncode
            outcomes[name] = "passed" if code == 0 else f"FAILED (pytest said {code})"
    for name, outcome in outcomes.items():
        print(f"{name:14} {outcome}")
    return sum(outcome.startswith("FAILED") for outcome in outcomes.values())


if __name__ == "__main__":
    sys.exit(main())
