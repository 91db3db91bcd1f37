"""The Python reference: a page for each public module, written from its docstrings (numpydoc)."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any

from discreet.catalog import FAMILIES, Parameter, parameters_of
from discreet.errors import spelled

MODULES = (
    "discreet",
    "discreet.counts",
    "discreet.generalised",
    "discreet.tables",
    "discreet.series",
    "discreet.networks",
    "discreet.core.guarantee",
    "discreet.verify",
    "discreet.measure",
    "discreet.risk",
    "discreet.mechanism_audit.audit",
    "discreet.rng",
    "discreet.semantics",
    "discreet.study",
    "discreet.errors",
)
"""What a notebook may import."""
COMMON = {
    offered.function: type(offered).__call__
    for family in FAMILIES
    for offered in (*family.measures, *family.scorers)
}
"""What says of a measure or a scorer what all of them take and return."""
NUMBER = (
    "Where the type of a field is a *number*, it may be an int, a float, a `Fraction` or a text "
    "such as `'1/3'`; `0.1` is exactly one tenth."
)
"""What the index says of types."""
WIDTH = 80
"""Characters that a line of code may have before a page scrolls."""
MODULE = re.compile(r"(?:discreet|collections|pathlib|fractions|typing)(?:\.\w+)*\.(\w+)")
"""A name with the module before it, which says nothing to a reader."""
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return the pages by their names, the list of modules first."""
    listed = [f"- [`{name}`]({name}.md): {_opening(import_module(name))}" for name in MODULES]
    head = ["# Python reference", "", "Written from the docstrings of the code.", "", NUMBER, ""]
    index = "\n".join([*head, *listed, ""])
    return {"index": index} | {name: "\n".join(_module(name)) for name in MODULES}


def _opening(thing: Any) -> str:
    return _inline((inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " "))


def _module(name: str) -> Iterator[str]:
    module = import_module(name)
    yield from (f"# {name}", "", *_words(inspect.getdoc(module) or ""), "")
    for public in module.__all__:
        thing = getattr(module, public)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            yield from _thing(public, thing)


def _thing(name: str, thing: Any) -> Iterator[str]:
    yield from (f"## {name}", "", "```text", f"{name}{_signature(thing)}", "```", "")
    words = inspect.getdoc(thing) or ""
    yield from _words(words)
    if thing in COMMON and not SECTION.search(words):
        yield from _common(thing)
    if inspect.isclass(thing):
        yield from _fields(thing)
        yield from _methods(thing)


def _common(function: Any) -> Iterator[str]:
    """Yield what a measure or a scorer takes, in the words that all of them share."""
    contract = COMMON[function]
    taken, all_taken = (inspect.signature(each).parameters for each in (function, contract))
    absent = tuple(f"* `{name}`" for name in all_taken if name not in taken)
    words = [*_words(inspect.getdoc(contract) or "")][2:]
    yield from (line for line in words if not line.startswith(absent))


def _signature(thing: Any) -> str:
    """Return what is typed; what a field is and means stands in the table below it."""
    if parts := _choices(thing):
        chosen = [part.name if part.required else f"{part.name}={part.default!r}" for part in parts]
        line = f"(*, {', '.join(chosen)})"
        return line if len(line) < WIDTH else "(\n    " + ",\n    ".join(["*", *chosen]) + ",\n)"
    try:
        drawn = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    # an annotation carries its own words, which stand in the table below
    drawn = re.sub(r"Annotated\[(.*?), Doc\(text=.*?\)\]", r"\1", drawn)
    # where a default lies in memory is of one run
    drawn = re.sub(r"<function \S+ at 0x\w+>", "...", drawn)
    drawn = MODULE.sub(r"\1", drawn)
    return drawn if len(drawn) < 400 else "(...)"


def _choices(thing: Any) -> tuple[Parameter, ...]:
    """Return the fields of a class that carry their meaning; none where nobody chooses them."""
    try:
        return parameters_of(thing) if inspect.isclass(thing) and is_dataclass(thing) else ()
    except (TypeError, NameError):
        return ()


def _fields(thing: type[Any]) -> Iterator[str]:
    """Yield a table of the fields that carry their meaning."""
    if parts := _choices(thing):
        yield from ("| field | type | default | meaning |", "|---|---|---|---|")
        for part in parts:
            default = "must be given" if part.required else f"`{part.default!r}`"
            words = ", ".join(f"`{word!r}`" for word in part.choices)
            meaning = f"{spelled(part.help)} One of {words}." if words else spelled(part.help)
            yield f"| `{part.name}` | {_cell(_kind(part))} | {_cell(default)} | {_cell(meaning)} |"
        yield ""


def _kind(part: Parameter) -> str:
    """Return the type of a field in the words of the index page."""
    if part.choices:
        return "str"
    written = part.kind.__name__ if isinstance(part.kind, type) else str(part.kind)
    return MODULE.sub(r"\1", written).replace("Fraction | int | float | str", "number")


def _methods(thing: type[Any]) -> Iterator[str]:
    """Yield the public methods and properties of a class, each with its first line."""
    rows = [
        f"| `{name}{_short(member)}` | {_cell(_opening(member))} |"
        for name, member in vars(thing).items()
        if not name.startswith("_") and _is_member(member) and _opening(member)
    ]
    if rows:
        yield from ("| member | what you get |", "|---|---|", *rows, "")


def _is_member(member: Any) -> bool:
    return isinstance(member, property | classmethod | staticmethod) or inspect.isfunction(member)


def _short(member: Any) -> str:
    if isinstance(member, property):
        return ""
    function = getattr(member, "__func__", member)
    names = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]
    return f"({', '.join(names)})"


def _words(text: str) -> Iterator[str]:
    """Yield a docstring as Markdown: sections as bold words, examples as they are typed."""
    parts = SECTION.split(text)
    yield from _paragraphs(parts[0])
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        yield from (f"**{heading}**", "")
        if heading in ("Parameters", "Returns", "Raises", "Yields", "Attributes"):
            yield from _entries(body)
        else:
            yield from _paragraphs(body)


def _entries(body: str) -> Iterator[str]:
    """Yield names with what they mean, one a line."""
    for name, meaning in re.findall(
        r"^(\S[^\n]*)\n((?:[ ]+[^\n]*\n?|\n(?=[ ]))*)", body, re.MULTILINE
    ):
        yield f"* `{name}`: {_inline(' '.join(meaning.split()))}"
    yield ""


def _paragraphs(text: str) -> Iterator[str]:
    for part in re.split(r"\n{2,}", text.strip()):
        if re.match(r"\s*>>>", part) or re.search(r"^( {4}|\||[├└])", part, re.MULTILINE):
            yield from ("```text", part, "```", "")
        elif part.strip() and part.strip() != "::":
            yield from (_inline(part.removesuffix("::")), "")


def _inline(text: str) -> str:
    """Return a line of a docstring with code between single backticks."""
    parts = re.split(r"``(.+?)``", text, flags=re.DOTALL)
    plain = [part if place % 2 else re.sub(r"([*_<$\[\]{}])", r"\\\1", part)
             for place, part in enumerate(parts)]  # fmt: skip
    return "".join(f"`{part}`" if place % 2 else part for place, part in enumerate(plain))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
