"""Change the code in small ways and see whether its tests notice.

    python tools/mutants.py --state FOLDER [MODULE ...] [--every 1]

Each mutant exchanges one operator, comparison, constant, truth value or returned value of a module
and runs the tests that speak of it, with changed kernels interpreted. A change inside a function is
made in a fork of a process that has collected the tests; a change of what the module does when it
is imported, or whose tests start threads while they are collected, in a fork of one that has
imported the libraries and nothing of the house. What a
mutant came to is kept in the folder, so that the same command goes on where it was; ``--every 5``
takes every fifth mutant. The survivors that are known, with their reasons, are in
docs/reference/mutants.md.
"""

import argparse
import ast
import json
import os
import re
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

from mutations import ROOT, SOURCE, Instead, changed_code, function_of, mutants, source_of

WANTED = 0.9
"""The share of mutants that the tests must notice."""
SLOWER = 6
"""A test that takes so many times longer than with the code as it is does not end."""

THREADS = 77
"""The exit code of a process that cannot be forked any more once the tests are collected."""

TABLES = ("tests/verify/test_tables.py",)
SETS = ("tests/verify/test_generalised_sets.py",)
SERIES = ("tests/verify/test_series.py",)
ORIGINALS = ("tests/verify/test_possible_originals.py", "tests/verify/test_disassociated.py")
RHO = ("tests/verify/test_rho_uncertainty.py",)
TESTS = {
    "discreet.kernels.noise": ("tests/kernels/test_noise.py", "tests/rng/test_discrete_laplace.py"),
    "discreet.counts.kernels.exchangeable_trials": ("tests/kernels/test_noise.py",),
    "discreet.rng.stream": ("tests/rng/test_stream.py", "tests/rng/test_rng.py"),
    "discreet.rng.discrete_laplace": (
        "tests/rng/test_discrete_laplace.py",
        "tests/rng/test_rng.py",
    ),
    "discreet.rng.select": ("tests/rng/test_select.py", "tests/rng/test_rng.py"),
    "discreet.rng.binomial": ("tests/rng/test_binomial.py",),
    "discreet.verify": (
        "tests/core/test_emptiness.py",
        "tests/verify/test_emptied.py",
        "tests/verify/test_claims.py",
        "tests/verify/test_roles.py",
    ),
    "discreet.verify.added_rows": ("tests/verify/test_added_rows.py",),
    "discreet.verify.lifted_secrets": ("tests/verify/test_lifted_secrets.py",),
    "discreet.verify.absent_secrets": ("tests/verify/test_absent_secrets.py",),
    "discreet.verify.k_anonymity": TABLES,
    "discreet.verify.classes": TABLES,
    "discreet.verify.l_diversity": TABLES,
    "discreet.verify.t_closeness": TABLES,
    "discreet.verify.projection_plan": TABLES,
    "discreet.verify.beta_likeness": TABLES,
    "discreet.verify.delta_disclosure": TABLES,
    "discreet.verify.nt_closeness": ("tests/verify/test_nt_closeness.py",),
    "discreet.verify.rt_anonymity": ("tests/verify/test_rt_anonymity.py",),
    "discreet.verify.bounded_confidence": ("tests/verify/test_bounded_confidence.py",),
    "discreet.verify.roles": ("tests/verify/test_roles.py",),
    "discreet.verify.no_attribute_leakage": ("tests/verify/test_no_attribute_leakage.py",),
    "discreet.verify.disassociated": ("tests/verify/test_disassociated.py",),
    "discreet.verify.constraint_support": SETS,
    "discreet.verify.covering": (
        "tests/verify/test_covering.py",
        "tests/verify/test_disassociated.py",
    ),
    "discreet.verify.km_anonymity": SETS,
    "discreet.verify.known_items": (
        "tests/verify/test_coherence.py",
        "tests/verify/test_generalised_sets.py",
    ),
    "discreet.verify.nested_names": ("tests/verify/test_nested_names.py",),
    "discreet.verify.declared_counterfeits": ("tests/verify/test_declared_counterfeits.py",),
    "discreet.verify.s_preserving": ("tests/verify/test_s_preserving.py",),
    "discreet.verify.serially_preserving": SERIES,
    "discreet.verify.m_invariant": (
        "tests/verify/test_m_invariant.py",
        "tests/series/test_m_invariance.py",
    ),
    "discreet.verify.term_diversity": ("tests/verify/test_s_preserving.py",),
    "discreet.verify.terms_in_clear": ("tests/verify/test_terms_in_clear.py",),
    "discreet.verify.joint_worlds": ("tests/series/evidence/test_joint_worlds.py", *SERIES),
    "discreet.verify.rho_uncertainty": RHO,
    "discreet.verify.closed_antecedents": ("tests/verify/test_closed_antecedents.py", *RHO),
    "discreet.verify.few_antecedents": ("tests/verify/test_few_antecedents.py", *RHO),
    "discreet.verify.positives": RHO,
    "discreet.verify.grouped_degree": RHO,
    "discreet.verify.k_degree": ("tests/core/test_graph.py",),
    "discreet.verify.coherence": (
        "tests/verify/test_coherence.py",
        "tests/generalised/test_coherence.py",
    ),
    "discreet.verify.m_confidentiality": ("tests/verify/test_m_confidentiality.py",),
    "discreet.verify.owners_secrets": ("tests/verify/test_owners_secrets.py",),
    "discreet.verify.emptied": ("tests/verify/test_emptied.py", "tests/core/test_emptiness.py"),
    "discreet.verify.best_original": ORIGINALS,
    "discreet.verify.chunk_index": ("tests/verify/test_disassociated.py",),
    "discreet.verify.everybody_holds": ("tests/verify/test_disassociated.py",),
    "discreet.verify.possible_originals": ORIGINALS,
    "discreet.verify.posterior": ("tests/verify/test_posterior.py",),
}
"""Each module with the tests that speak of it."""

LIBRARIES = ("numba", "numpy", "polars", "pytest", "scipy.stats", "cryptography")
"""What every child would import."""


def can_fork() -> bool:
    """Tell whether a fork of this process can work: none of polars' threads would be in it."""
    names = [file.read_text() for file in Path("/proc/self/task").glob("*/comm")]
    return bool(names) and not any(re.match(r"polars-\d|tokio", name) for name in names)


class _Quickly:
    """Runs the tests once as they are, or once for each mutant in a fork, until one fails.

    A failing example stays as it was drawn: to make it small takes time and tells nothing.
    """

    def __init__(self, module: str, usual: dict[str, float]) -> None:
        self.module, self.usual = module, usual
        self.waiting: dict[str, CodeType] = {}
        self.note: Callable[[str, str], None] | None = None
        self.found = Counter[str]()
        self.answer = -1
        self.began: dict[str, float] = {}

    def pytest_collection(self) -> None:
        from hypothesis import Phase, settings

        drawn = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings.default, phases=drawn, database=None)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: Any) -> bool:
        if self.note is None:
            session.items.sort(key=lambda item: self.usual.get(item.nodeid, 0.0))
            self._run(session.items)
            return True
        if not can_fork():
            os._exit(THREADS)
        for name, code in {"": None, **self.waiting}.items():
            read, self.answer = os.pipe()
            child = os.fork()
            if child == 0:
                self._changed(code, session.items)
            os.close(self.answer)
            with os.fdopen(read) as pipe:
                killer = pipe.read()
            _, status = os.waitpid(child, 0)
            self.found[killer] += 1
            survived = os.waitstatus_to_exitcode(status) == 0
            if name:
                self.note(name, "survived" if survived else "killed")
            elif not survived:
                os._exit(1)
        return True

    def _changed(self, code: CodeType | None, items: list[Any]) -> None:
        """Run the tests with a function's code exchanged; what found something goes first."""
        if code is not None:
            function_of(self.module, code.co_qualname).__code__ = code
        known = {name: -times for name, times in self.found.items()}
        items.sort(key=lambda item: (known.get(item.nodeid, 0), self.usual.get(item.nodeid, 0.0)))
        left = 1
        try:
            self._run(items)
            left = 0
        finally:
            os._exit(left)

    def _run(self, items: list[Any]) -> None:
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    def pytest_runtest_setup(self, item: Any) -> None:
        if self.usual:
            # of this process; the signal ends it
            limit = 2 + SLOWER * self.usual.get(item.nodeid, 60.0)
            signal.setitimer(signal.ITIMER_PROF, limit)
        self.began[item.nodeid] = time.process_time()

    def pytest_runtest_teardown(self, item: Any) -> None:
        self.began[item.nodeid] = time.process_time() - self.began[item.nodeid]

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            if self.answer >= 0:
                os.write(self.answer, report.nodeid.encode())
            os._exit(1)


def _forked(module: str, work: Callable[[], int], seconds: float) -> int:
    """Do this in a process of its own, with so many seconds of the processor; 0 is success."""
    # a changed kernel would be compiled for each mutant
    interpreted = "@kernel" in source_of(module).read_text()
    child = os.fork()
    if child == 0:
        code = 3
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            if interpreted:
                os.environ["NUMBA_DISABLE_JIT"] = "1"
                import_module("numba").config.DISABLE_JIT = 1
            code = work()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _pytest(module: str, plugin: _Quickly) -> int:
    import pytest

    args = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow"]
    return int(pytest.main([*args, *TESTS[module]], plugins=[plugin]))


def _usual(module: str, log: Path) -> dict[str, float]:
    """Return the seconds of each test with the code as it is."""

    def run() -> int:
        plugin = _Quickly(module, {})
        code = _pytest(module, plugin)
        log.write_text(json.dumps(plugin.began))
        return code

    if _forked(module, run, 900):
        sys.exit(f"the tests of {module} fail as they are: {' '.join(TESTS[module])}")
    seconds: dict[str, float] = json.loads(log.read_text())
    return seconds


def judge(module: str, state: Path, every: int) -> dict[str, str]:
    """Try the mutants of a module that were not tried before; return what became of each."""
    record = Record(module, state / f"{module}.json")
    chosen = dict(list(mutants(module).items())[::every])
    waiting = {name: tree for name, tree in chosen.items() if name not in record.known}
    if waiting:
        usual = _usual(module, state / f"{module}.seconds")
        inside = {name: changed_code(module, tree) for name, tree in waiting.items()}
        _try_inside(module, {name: code for name, code in inside.items() if code}, usual, record)
        _try_import(module, waiting, usual, record)
    known = Record(module, record.file).known
    if chosen.keys() - known.keys():
        sys.exit(f"{module} or its tests were changed meanwhile; the same command goes on")
    return {name: known[name] for name in chosen}


def _try_inside(
    module: str, codes: dict[str, CodeType], usual: dict[str, float], record: "Record"
) -> None:
    def run() -> int:
        import_module(module)
        plugin = _Quickly(module, usual)
        plugin.waiting = {
            name: code for name, code in codes.items() if function_of(module, code.co_qualname)
        }
        plugin.note = record.note
        return _pytest(module, plugin)

    if _forked(module, run, 10**6) not in (0, THREADS):
        sys.exit(f"the tests of {module} fail in a fork with the code as it is")


def _try_import(
    module: str, trees: dict[str, ast.Module], usual: dict[str, float], record: "Record"
) -> None:
    """Try what is left, each in a process that imports the module and collects the tests anew."""
    limit = 10 + SLOWER * sum(usual.values())

    def code(tree: ast.Module) -> int:
        def run() -> int:
            sys.meta_path.insert(0, Instead(module, tree))
            return _pytest(module, _Quickly(module, usual))

        return _forked(module, run, limit)

    record.known = Record(module, record.file).known
    left = trees.keys() - record.known.keys()
    if left and code(ast.parse(source_of(module).read_text())):
        sys.exit(f"the tests of {module} fail when it is imported anew as it is")
    for name in sorted(left):
        record.note(name, "killed" if code(trees[name]) else "survived")


class Record:
    """What became of the mutants of a module, in a file."""

    def __init__(self, module: str, file: Path) -> None:
        self.file = file
        text = source_of(module).read_bytes()
        tests = (each.read_bytes() for name in TESTS[module] for each in _files(ROOT / name))
        self.source = sha256(text).hexdigest()
        self.stamp = sha256(text + b"".join(tests)).hexdigest()
        record = json.loads(file.read_text()) if file.is_file() else {}
        # what the tests noticed they notice still; what they did not, they may by now
        same = record.get("stamp") == self.stamp
        self.known: dict[str, str] = {
            name: outcome
            for name, outcome in record.get("mutants", {}).items()
            if (same or outcome == "killed") and record.get("source") == self.source
        }

    def note(self, name: str, outcome: str) -> None:
        """Keep what became of one."""
        self.known[name] = outcome
        beside = self.file.with_suffix(".new")
        record = {"stamp": self.stamp, "source": self.source, "mutants": self.known}
        beside.write_text(json.dumps(record, indent=1))
        beside.replace(self.file)


def _files(path: Path) -> Iterator[Path]:
    yield from sorted(path.rglob("*.py")) if path.is_dir() else (path,)


def main() -> None:
    """Judge the modules and print how many mutants of each were noticed, and which were not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("modules", nargs="*", help="by default all that are listed")
    parser.add_argument("--state", type=Path, required=True, help="where the outcomes are kept")
    parser.add_argument("--every", type=int, default=1, help="take every N-th mutant")
    options = parser.parse_args()
    options.state.mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    sys.path[:0] = [str(SOURCE), str(ROOT)]
    for name in LIBRARIES:
        import_module(name)

    killed = total = 0
    for module in options.modules or TESTS:
        known = judge(module, options.state, options.every)
        noticed = sum(outcome == "killed" for outcome in known.values())
        killed, total = killed + noticed, total + len(known)
        print(f"{module}: {noticed} of {len(known)} noticed")
        for name, outcome in known.items():
            if outcome != "killed":
                print(f"    line {name}")
        sys.stdout.flush()
    print(f"{killed} of {total} noticed, {killed / max(total, 1):.1%}")
    sys.exit(0 if killed >= WANTED * total else 1)


if __name__ == "__main__":
    main()
