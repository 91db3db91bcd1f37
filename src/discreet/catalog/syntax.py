"""What a person types for a field: one table from the field's type to its syntax."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, NewType, TypeAlias, Union, get_args, get_origin

from discreet.core.constraints import Constraints
from discreet.core.exact import Exact, exact, plain
from discreet.core.hierarchy import Hierarchy
from discreet.core.publication import LinkageKey, State
from discreet.core.release import Release
from discreet.core.workload import Workload
from discreet.errors import ParameterError
from discreet.generalised import ItemFrequencies
from discreet.io.text import listed, normalised
from discreet.semantics import Corpus, Relatedness

ItemList: TypeAlias = tuple[str, ...] | None
"""A public list of items that comes from a file, such as an item universe."""
Source = NewType("Source", str)
"""Where data are: a file, or a named data set such as dataset:msnbc."""


Words = NewType("Words", str)
"""A command as a person would type it, such as semantic --corpus texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """How values of one type are typed, read, and written into a manifest."""

    metavar: str
    """What stands after the option in a help text."""
    read: Callable[[str, str], Any]
    """Makes the value from the field's name and the text that was typed for it."""
    written: Callable[[Any], Any] = plain
    """Says what a manifest says about a value."""
    repeated: bool = False
    """Whether the option is given once for each element."""
    flag: bool = False
    """Whether the option stands alone."""
    listed_in_file: bool = False
    """Whether it names a file whose content is what was chosen: a list, a tree, constraints."""
    once: bool = False
    """Whether it is of one publication only: data, a key, the releases before."""

    @property
    def opens_file(self) -> bool:
        """Whether reading it opens a file."""
        return self.listed_in_file or self.once or "FILE" in self.metavar


def _number(field: str, text: str) -> str:
    # the text itself goes on: 0.1 is one tenth, and no float is
    exact(field, text.strip())
    return text.strip()


def _integer(field: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        msg = f"`{field}` must be a whole number such as 4, got {text!r}"
        raise ParameterError(msg, parameter=field) from None


def _integer_or_any(option: str, text: str) -> int | str:
    return "any" if text.strip().lower() == "any" else _integer(option, text)


def _one_or_more(read: Callable[[str, str], Any], field: str, text: str) -> Any:
    values = tuple(read(field, token) for token in text.split(","))
    return values[0] if len(values) == 1 else values


def _items(field: str, text: str) -> tuple[str, ...]:
    items = listed(text)
    if not items or not all(items):
        msg = (
            f"`{field}` must name items with a comma between them such as beer,bread, got {text!r}"
        )
        raise ParameterError(msg, parameter=field)
    return tuple(items)


def _renaming(field: str, text: str) -> dict[str, str]:
    pairs = [[normalised(name) for name in pair.split("=", 1)] for pair in text.split(",")]
    if not all(len(pair) == 2 and all(pair) for pair in pairs):
        msg = f"`{field}` must look like id=userID,item=artistID, got {text!r}"
        raise ParameterError(msg, parameter=field)
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ParameterError(f"`{field}` must give each name once, got {text!r}", parameter=field)
    return names


def _named(field: str, text: str, example: str) -> tuple[str, str]:
    name, separator, value = map(normalised, text.partition("="))
    if not (name and separator and value):
        raise ParameterError(f"`{field}` must look like {example}, got {text!r}", parameter=field)
    return name, value


def _named_hierarchy(field: str, text: str) -> tuple[str, Hierarchy]:
    name, path = _named(field, text, "age=age.csv")
    return name, Hierarchy.read(path)


def _named_items(field: str, text: str) -> tuple[str, tuple[str, ...]]:
    name, values = _named(field, text, "job=none,unknown")
    return name, _items(field, values)


def _plan(field: str, text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(_items(field, table) for table in text.split(";"))


def _item_file(_: str, text: str) -> tuple[str, ...]:
    from discreet.io.datasets import is_dataset, universe_of
    from discreet.io.public import read_items

    return universe_of(text) if is_dataset(text) else read_items(text)


def _corpus(_: str, text: str) -> Corpus:
    """Open an index, or make one in memory from a file or a folder of texts."""
    from discreet.semantics import read_corpus

    path = Path(text)
    if (path / "corpus.json").is_file():
        return Corpus.open(path)
    return Corpus.build(read_corpus([path], split="paragraph"))


def _relatedness(field: str, text: str) -> Relatedness | None:
    """Return the measure named; ngd goes by the corpus, which is given apart."""
    from discreet.core.transactions import Transactions
    from discreet.semantics import DistanceTable, Embedding, SentenceModel, WordNet

    name, _, path = text.partition(":")
    if name == "wordnet":
        return WordNet.read(path or None)
    if name == "sentence-model":
        return SentenceModel.read(path or None)
    if name in ("vectors", "embedding") and not path:
        wanted = "FILE, word vectors" if name == "vectors" else "DATA, the sets of other people"
        msg = f"`{field}` {name} must name what to read: {name}:{wanted}"
        raise ParameterError(msg, parameter=field)
    if name == "vectors":
        return Embedding.read(path)
    if name == "embedding":
        return Embedding.of(Transactions.read(path).sets)
    if text != "ngd" and not Path(text).exists():
        msg = (
            f"`{field}` must be ngd, wordnet, sentence-model, vectors:FILE, embedding:DATA or a "
            f"file of distances, and there is no file {text!r}"
        )
        raise ParameterError(msg, parameter=field)
    return None if text == "ngd" else DistanceTable.read(text)


def _state(_: str, text: str) -> State | None:
    # the first time there is none yet
    return State(LinkageKey.load(text)) if Path(text).exists() else None


_NUMBERS = partial(_one_or_more, _number)
_INTEGERS = partial(_one_or_more, _integer)

SYNTAXES: Final[Mapping[Any, Syntax]] = {
    Exact: Syntax(metavar="NUMBER", read=_number),
    Exact | tuple[Exact, ...]: Syntax(metavar="NUMBER[,...]", read=_NUMBERS),
    int: Syntax(metavar="INTEGER", read=_integer),
    int | tuple[int, ...]: Syntax(metavar="INTEGER[,...]", read=_INTEGERS),
    int | Literal["any"]: Syntax(metavar="INTEGER|any", read=_integer_or_any),
    bool: Syntax(metavar="", read=lambda _, given: bool(given), flag=True),
    str: Syntax(metavar="TEXT", read=lambda _, text: text),
    Source: Syntax(metavar="DATA", read=lambda _, text: Source(text), once=True),
    Path: Syntax(metavar="PATH", read=lambda _, text: Path(text), written=str),
    Literal: Syntax(metavar="CHOICE", read=lambda _, text: text),
    ItemList: Syntax(metavar="FILE", read=_item_file, listed_in_file=True),
    tuple[str, ...]: Syntax(metavar="NAME[,...]", read=_items),
    Mapping[str, str]: Syntax(metavar="NAME=VALUE[,...]", read=_renaming, written=dict),
    Hierarchy: Syntax(
        metavar="FILE", read=lambda _, text: Hierarchy.read(text), listed_in_file=True
    ),
    tuple[tuple[str, Hierarchy], ...]: Syntax(
        metavar="NAME=FILE",
        read=_named_hierarchy,
        written=lambda named: [name for name, _ in named],
        repeated=True,
        listed_in_file=True,
    ),
    tuple[tuple[str, tuple[str, ...]], ...]: Syntax(
        metavar="NAME=VALUE[,...]", read=_named_items, repeated=True
    ),
    tuple[tuple[str, ...], ...]: Syntax(metavar="A,B;C", read=_plan),
    Constraints: Syntax(
        metavar="FILE", read=lambda _, text: Constraints.read(text), listed_in_file=True
    ),
    Workload: Syntax(
        metavar="FILE",
        read=lambda _, text: Workload.read(text),
        written=lambda workload: len(workload.queries),
        listed_in_file=True,
    ),
    Corpus: Syntax(metavar="INDEX|FILE", read=_corpus),
    Relatedness: Syntax(
        metavar="ngd|wordnet|sentence-model|vectors:FILE|embedding:DATA|FILE", read=_relatedness
    ),
    ItemFrequencies: Syntax(metavar="FILE", read=lambda _, text: ItemFrequencies.read(text)),
    LinkageKey: Syntax(metavar="FILE", read=lambda _, text: LinkageKey.load(text), once=True),
    State: Syntax(metavar="FILE", read=_state, once=True),
    tuple[LinkageKey, ...]: Syntax(
        metavar="FILE",
        read=lambda _, text: LinkageKey.load(text),
        written=len,
        repeated=True,
        once=True,
    ),
    tuple[Source, ...]: Syntax(
        metavar="DATA", read=lambda _, text: Source(text), repeated=True, once=True
    ),
    tuple[Words, ...]: Syntax(metavar="WORDS", read=lambda _, text: Words(text), repeated=True),
    tuple[Release[Any], ...]: Syntax(
        metavar="FOLDER",
        read=lambda _, text: Release.load(text),
        written=len,
        repeated=True,
        once=True,
    ),
}
"""For each type of a field: its syntax. A type that is not here has no option yet."""


def syntax_of(kind: Any) -> Syntax:
    """Return the syntax for a field of this type.

    >>> syntax_of(int | None).metavar, syntax_of(tuple[str, ...] | None).metavar
    ('INTEGER', 'FILE')
    """
    always = bare(kind)
    for key in (kind, always, get_origin(always)):
        if key in SYNTAXES:
            return SYNTAXES[key]
    raise TypeError(f"a field of type {kind} has no option yet: add the type to SYNTAXES")


def bare(kind: Any) -> Any:
    """Return a type without ``None``, and a release of any content."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType) and NoneType in arguments:
        return bare(reduce(or_, (member for member in arguments if member is not NoneType)))
    if origin is tuple:
        return tuple.__class_getitem__(tuple(map(bare, arguments)))
    return Release[Any] if origin is Release else kind
