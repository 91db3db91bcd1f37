"""Change the code in small ways and see whether its tests notice.

    python tools/mutants.py --state FOLDER [MODULE ...] [--every 1]

Each mutant exchanges one operator, comparison, constant, truth value or returned value of a module
and runs the tests that speak of it, with changed kernels interpreted. A change inside a function is
made in a fork of a process that has collected the tests; a change of what the module does when it
is imported, in a fork of one that has imported the libraries and nothing of the house. What a
mutant came to is kept in the folder, so that the same command goes on where it was; ``--every 5``
takes every fifth mutant. The survivors that are known, with their reasons, are in
docs/reference/mutants.md.
"""

import argparse
import ast
import importlib.abc
import importlib.machinery
import inspect
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
WANTED = 0.9
"""The share of mutants that the tests must notice."""
SLOWER = 6
"""A test that takes so many times longer than with the code as it is does not end."""

TABLES = ("tests/verify/test_tables.py",)
SETS = ("tests/verify/test_generalised_sets.py",)
SERIES = ("tests/verify/test_series.py",)
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
    "discreet.verify.no_attribute_leakage": ("tests/verify/test_no_attribute_leakage.py",),
    "discreet.verify.disassociated": ("tests/verify/test_disassociated.py",),
    "discreet.verify.constraint_support": SETS,
    "discreet.verify.covering": (
        "tests/verify/test_covering.py",
        "tests/verify/test_disassociated.py",
    ),
    "discreet.verify.km_anonymity": SETS,
    "discreet.verify.s_preserving": ("tests/verify/test_s_preserving.py",),
    "discreet.verify.serially_preserving": SERIES,
    "discreet.verify.m_invariant": (
        "tests/verify/test_m_invariant.py",
        "tests/series/test_m_invariance.py",
    ),
    "discreet.verify.term_diversity": ("tests/verify/test_s_preserving.py",),
    "discreet.verify.joint_worlds": ("tests/series/test_joint_worlds.py", *SERIES),
    "discreet.verify.rho_uncertainty": RHO,
    "discreet.verify.closed_antecedents": RHO,
    "discreet.verify.few_antecedents": RHO,
    "discreet.verify.positives": RHO,
    "discreet.verify.grouped_degree": RHO,
    "discreet.verify.k_degree": ("tests/core/test_graph.py",),
    "discreet.verify.coherence": (
        "tests/verify/test_coherence.py",
        "tests/generalised/test_coherence.py",
    ),
    "discreet.verify.m_confidentiality": ("tests/verify/test_m_confidentiality.py",),
    "discreet.verify.possible_originals": ("tests/verify/test_disassociated.py",),
    "discreet.verify.posterior": ("tests/verify/test_posterior.py",),
}
"""Each module with the tests that speak of it."""

LIBRARIES = ("numba", "numpy", "polars", "pytest", "scipy.stats", "cryptography")
"""What every child would import."""

COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COMPUTED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult, ast.Mod: ast.Add, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd, ast.Pow: ast.Mult,
}  # fmt: skip


class _Places(ast.NodeVisitor):
    """Collects what can be changed, leaving out annotations, names of what is public, and texts."""

    def __init__(self) -> None:
        self.found: list[tuple[ast.AST, str]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(default)
        for part in node.body:
            self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        named = [part.id for part in node.targets if isinstance(part, ast.Name)]
        if named not in (["__all__"], ["msg"]):
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Leave the words of an error as they are."""

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave texts as they are."""

    def visit_keyword(self, node: ast.keyword) -> None:
        # what is zipped is of one length: the word asks for an error that never comes
        if node.arg != "strict":
            self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        kind = _kind(node)
        if kind:
            self.found.append((node, kind))
        super().generic_visit(node)


def _kind(node: ast.AST) -> str:  # noqa: PLR0911 (a line for each)
    """Return what can be changed about a node."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
        return "comparison"
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in COMPUTED:
        return "operator"
    if isinstance(node, ast.BoolOp):
        return "and/or"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        return "sign"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        return "constant"
    if isinstance(node, ast.Return) and node.value and not _is_none(node.value):
        return "return"
    return ""


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _change(node: ast.AST, kind: str) -> None:
    match node, kind:
        case ast.Compare(), "comparison":
            node.ops[0] = COMPARED[type(node.ops[0])]()
        case ((ast.BinOp() | ast.AugAssign()), _):
            node.op = COMPUTED[type(node.op)]()
        case ast.BoolOp(), _:
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp(), _:
            # -x becomes +x, and not x becomes not not x
            if isinstance(node.op, ast.USub):
                node.op = ast.UAdd()
            else:
                node.operand = ast.UnaryOp(ast.Not(), node.operand)
        case ast.Constant(), _:
            node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]
        case ast.Return(), _:
            node.value = ast.Constant(None)


def source_of(module: str) -> Path:
    """Return the file of a module."""
    return SOURCE / f"{module.replace('.', '/')}.py"


def mutants(module: str) -> dict[str, ast.Module]:
    """Return every mutant of a module: its name, which says where and what, and its tree."""
    text = source_of(module).read_text()
    count = len(_places(ast.parse(text)))
    made = {}
    for number in range(count):
        tree = ast.parse(text)
        node, kind = _places(tree)[number]
        line = getattr(node, "lineno", 0)
        before = ast.unparse(node)[:70]
        _change(node, kind)
        ast.fix_missing_locations(tree)
        after = "" if isinstance(node, ast.Return) else f" -> {ast.unparse(node)[:70]}"
        name = f"{line}: {kind}: {before}{after}".replace("\n", " ")
        # two constants of one line may be alike
        while name in made:
            name += " again"
        made[name] = tree
    return made


def _places(tree: ast.Module) -> list[tuple[ast.AST, str]]:
    places = _Places()
    places.visit(tree)
    return places.found


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
            self._run(session.items)
            return True
        for name, code in {"": None, **self.waiting}.items():
            read, self.answer = os.pipe()
            child = os.fork()
            if child == 0:
                self._changed(code, session.items)
            os.close(self.answer)
            with os.fdopen(read) as told:
                killer = told.read()
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
            _function(self.module, code.co_qualname).__code__ = code
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


def _function(module: str, name: str) -> Any:
    """Return the function of a module by its qualified name, without what is wrapped around it."""
    found: Any = sys.modules[module]
    for each in name.split("."):
        found = vars(found).get(each)
    found = getattr(found, "__func__", getattr(found, "fget", found))
    found = getattr(found, "func", found)
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    return found if hasattr(found, "__code__") else None


def _changed_code(module: str, tree: ast.Module) -> CodeType | None:
    """Return the one outermost function whose code a mutant changes, where there is one."""
    path = source_of(module)
    before, after = (
        compile(each, str(path), "exec") for each in (ast.parse(path.read_text()), tree)
    )
    pairs = zip(_functions(before), _functions(after), strict=True)
    changed = [new for old, new in pairs if old != new]
    alone = len(changed) == 1 and _without(before) == _without(after)
    return changed[0] if alone else None


def _functions(code: CodeType) -> list[CodeType]:
    """Return the functions and methods of a module's code, in order."""
    found = []
    for each in code.co_consts:
        if isinstance(each, CodeType):
            is_function = each.co_flags & inspect.CO_OPTIMIZED
            found.extend([each] if is_function else _functions(each))
    return found


def _without(code: CodeType) -> list[object]:
    """Return what a module does when it is imported: its code, and that of its classes."""
    said: list[object] = [code.co_code, code.co_names]
    for each in code.co_consts:
        if not isinstance(each, CodeType):
            said.append((type(each), each))
        elif not each.co_flags & inspect.CO_OPTIMIZED:
            said.extend(_without(each))
    return said


class _Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from a tree in place of its file."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.module, self.tree = module, tree
        self.path = str(source_of(module))

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if name != self.module:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, origin=self.path)
        spec.has_location = True
        return spec

    def create_module(self, spec: object) -> None:
        """Leave it to Python."""

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.tree, self.path, "exec"), module.__dict__)


def _forked(module: str, work: Callable[[], int], seconds: float) -> str:
    """Do this in a process of its own, with so many seconds of the processor."""
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
    return "survived" if os.waitstatus_to_exitcode(status) == 0 else "killed"


def _pytest(module: str, plugin: _Quickly) -> int:
    import pytest

    words = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow"]
    return int(pytest.main([*words, *TESTS[module]], plugins=[plugin]))


def _usual(module: str, told: Path) -> dict[str, float]:
    """Return the seconds of each test with the code as it is."""

    def run() -> int:
        plugin = _Quickly(module, {})
        code = _pytest(module, plugin)
        told.write_text(json.dumps(plugin.began))
        return code

    if _forked(module, run, 900) != "survived":
        sys.exit(f"the tests of {module} fail as they are: {' '.join(TESTS[module])}")
    seconds: dict[str, float] = json.loads(told.read_text())
    return seconds


def judge(module: str, state: Path, every: int) -> dict[str, str]:
    """Try the mutants of a module that were not tried before; return what became of each."""
    record = Record(module, state / f"{module}.json")
    chosen = dict(list(mutants(module).items())[::every])
    waiting = {name: tree for name, tree in chosen.items() if name not in record.known}
    if waiting:
        usual = _usual(module, state / f"{module}.seconds")
        inside = {name: _changed_code(module, tree) for name, tree in waiting.items()}
        _try_inside(module, {name: code for name, code in inside.items() if code}, usual, record)
        for name in waiting.keys() - Record(module, record.file).known.keys():
            _try_import(module, name, waiting[name], usual, record)
    known = Record(module, record.file).known
    return {name: known[name] for name in chosen}


def _try_inside(
    module: str, codes: dict[str, CodeType], usual: dict[str, float], record: "Record"
) -> None:
    def run() -> int:
        import_module(module)
        plugin = _Quickly(module, usual)
        plugin.waiting = {
            name: code for name, code in codes.items() if _function(module, code.co_qualname)
        }
        plugin.note = record.note
        return _pytest(module, plugin)

    if _forked(module, run, 10**6) != "survived":
        sys.exit(f"the tests of {module} fail in a fork with the code as it is")


def _try_import(
    module: str, name: str, tree: ast.Module, usual: dict[str, float], record: "Record"
) -> None:
    def run() -> int:
        sys.meta_path.insert(0, _Instead(module, tree))
        return _pytest(module, _Quickly(module, usual))

    record.known = Record(module, record.file).known
    record.note(name, _forked(module, run, 10 + SLOWER * sum(usual.values())))


class Record:
    """What became of the mutants of a module, in a file."""

    def __init__(self, module: str, file: Path) -> None:
        self.file = file
        text = source_of(module).read_bytes()
        tests = (each.read_bytes() for name in TESTS[module] for each in _files(ROOT / name))
        self.source = sha256(text).hexdigest()
        self.stamp = sha256(text + b"".join(tests)).hexdigest()
        kept = json.loads(file.read_text()) if file.is_file() else {}
        # what the tests noticed they notice still; what they did not, they may by now
        same = kept.get("stamp") == self.stamp
        self.known: dict[str, str] = {
            name: told
            for name, told in kept.get("mutants", {}).items()
            if (same or told == "killed") and kept.get("source") == self.source
        }

    def note(self, name: str, told: str) -> None:
        """Keep what became of one."""
        self.known[name] = told
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
        noticed = sum(told == "killed" for told in known.values())
        killed, total = killed + noticed, total + len(known)
        print(f"{module}: {noticed} of {len(known)} noticed")
        for name, told in known.items():
            if told != "killed":
                print(f"    line {name}")
        sys.stdout.flush()
    print(f"{killed} of {total} noticed, {killed / max(total, 1):.1%}")
    sys.exit(0 if killed >= WANTED * total else 1)


if __name__ == "__main__":
    main()
