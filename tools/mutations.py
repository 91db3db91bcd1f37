"""Small changes of a module: what can be changed, the changed tree, and how it takes effect."""

import ast
import importlib.abc
import importlib.machinery
import inspect
import sys
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"

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
        for statement in node.body:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        named = [target.id for target in node.targets if isinstance(target, ast.Name)]
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
    """Return the file of a module or of a package."""
    path = SOURCE / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


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


def function_of(module: str, name: str) -> Any:
    """Return the function of a module by its qualified name, without what is wrapped around it."""
    object_: Any = sys.modules[module]
    for attribute in name.split("."):
        object_ = vars(object_).get(attribute)
    object_ = getattr(object_, "__func__", getattr(object_, "fget", object_))
    object_ = getattr(object_, "func", object_)
    while hasattr(object_, "__wrapped__"):
        object_ = object_.__wrapped__
    return object_ if hasattr(object_, "__code__") else None


def changed_code(module: str, tree: ast.Module) -> CodeType | None:
    """Return the one outermost function whose code a mutant changes, where there is one."""
    path = source_of(module)
    before, after = (
        compile(module_tree, str(path), "exec")
        for module_tree in (ast.parse(path.read_text()), tree)
    )
    pairs = zip(_functions(before), _functions(after), strict=True)
    changed = [new for old, new in pairs if old != new]
    alone = len(changed) == 1 and _without(before) == _without(after)
    return changed[0] if alone else None


def _functions(code: CodeType) -> list[CodeType]:
    """Return the functions and methods of a module's code, in order."""
    codes = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            is_function = constant.co_flags & inspect.CO_OPTIMIZED
            codes.extend([constant] if is_function else _functions(constant))
    return codes


def _without(code: CodeType) -> list[object]:
    """Return what a module does when it is imported: its code, and that of its classes."""
    identity: list[object] = [code.co_code, code.co_names]
    for constant in code.co_consts:
        if not isinstance(constant, CodeType):
            identity.append((type(constant), constant))
        elif not constant.co_flags & inspect.CO_OPTIMIZED:
            identity.extend(_without(constant))
    return identity


class Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from a tree in place of its file."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.module, self.tree = module, tree
        self.path = str(source_of(module))

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        """Answer for the one module."""
        if name != self.module:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, origin=self.path)
        spec.has_location = True
        if self.path.endswith("__init__.py"):
            # without it no module of the package is found, and every mutant looks noticed
            spec.submodule_search_locations = [str(Path(self.path).parent)]
        return spec

    def create_module(self, spec: object) -> None:
        """Leave it to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the tree."""
        exec(compile(self.tree, self.path, "exec"), module.__dict__)
