"""The runner of mutants judges every module it is given, in a process that can still work."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOOLS = ROOT / "tools"


def printed(script: str) -> str:
    """Run a script beside the tools, in a process of its own."""
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = [{str(TOOLS)!r}]\n{script}"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_changed_package_still_finds_its_modules() -> None:
    script = """
import ast
from mutations import SOURCE, Instead, source_of
sys.path[:0] = [str(SOURCE)]
tree = ast.parse(source_of("discreet.verify").read_text() + "\\nCHANGED = True\\n")
sys.meta_path.insert(0, Instead("discreet.verify", tree))
import discreet
from discreet.verify.emptied import NO_ITEMS
print(sys.modules["discreet.verify"].CHANGED, bool(NO_ITEMS))
"""
    assert printed(script) == "True True"


def test_threads_of_polars_are_seen_before_a_fork_waits_for_them() -> None:
    script = """
import polars as pl
from mutants import can_fork
before = can_fork()
pl.DataFrame({"item": range(100)}).lazy().select(pl.all().sort(), n=pl.len()).collect()
print(before, can_fork())
"""
    assert printed(script) == "True False"


def test_every_verifier_and_all_that_makes_chance_is_judged() -> None:
    script = """
from mutants import TESTS
from mutations import ROOT, SOURCE, mutants
files = [each for part in ("verify", "rng") for each in (SOURCE / "discreet" / part).glob("*.py")]
names = {".".join(each.relative_to(SOURCE).with_suffix("").parts) for each in files}
names = {name.removesuffix(".__init__") for name in names}
print(sorted(name for name in names - TESTS.keys() if mutants(name)))
print(sorted(test for tests in TESTS.values() for test in tests if not (ROOT / test).exists()))
"""
    assert printed(script) == "[]\n[]"
