"""The methods on offer, each described by its own fields, annotations and docstring."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias

from discreet.catalog.families import ATTACKS, FAMILIES, PUBLISHERS
from discreet.catalog.parameter import Parameter, parameters_of
from discreet.catalog.syntax import ItemList, bare
from discreet.core.family import Answer, Offered, RuleBook
from discreet.core.publication import LinkageKey, State
from discreet.core.release import Release
from discreet.errors import ParameterError

Kind: TypeAlias = Literal["publisher", "attack"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Offered):
    """One method on offer; its ``contents`` are empty where it takes any."""

    kind: Kind
    """Whether it publishes or attacks."""
    example: tuple[str, ...]
    """Commands, one after the other, that try it on the files of ``discreet demo --files``."""
    data: type[Any]
    """The noun it works on; for an attack, a release."""
    knowledge: type[Any] | None = None
    """What an attacker may know of a victim."""
    owner: Callable[[Any, LinkageKey], Any] | None = None
    """What an attacker may know at worst, from the private data and the key of a release."""
    informed: Callable[[Any, Any], Any] | None = None
    """What an attacker knows who has seen statistics of the people elsewhere."""
    informed_as: str = ""
    """Who knows so much, as a clause."""
    answer: Answer | None = None
    """What helps against an attack, where something does."""
    rules: RuleBook | None = None
    """How its recoding is saved and applied again; None where it is no rule."""
    no_rules: str = ""
    """Why it has none, as a clause, where that is not plain."""
    quick: bool = False
    """Whether a method publishes real data, a hundred thousand records, in seconds."""
    variants: tuple[Mapping[str, Any], ...] = ()
    """Choices that an audit tries, one after the other."""

    @property
    def summary(self) -> str:
        """What you get, in one line."""
        return " ".join((self.method.__doc__ or "").split("\n\n")[0].split())

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The choices it offers."""
        return parameters_of(self.method)

    @property
    def facts(self) -> tuple[Parameter, ...]:
        """What an attacker may know, field by field."""
        return parameters_of(self.knowledge) if self.knowledge else ()

    @property
    def takes_universe(self) -> bool:
        """Whether it works on a public item universe."""
        return any((field.name, field.kind) == ("universe", ItemList) for field in self.parameters)

    @property
    def goes_on(self) -> bool:
        """Whether it reads the owner's key of the release before, and writes it anew."""
        return any(bare(field.kind) is State for field in self.parameters)

    def record(self) -> dict[str, Any]:
        """Return the entry as a plain mapping."""
        return {
            "name": self.name,
            "kind": self.kind,
            "summary": self.summary,
            "when": self.when,
            "example": [f"discreet {line}" for line in self.example],
            "source": self.source,
            "data": self.data.__name__,
            "contents": [content.__name__ for content in self.contents],
            "parameters": [parameter.record() for parameter in self.parameters],
            "knowledge": [fact.record() for fact in self.facts],
        }


def entries(kind: Kind | None = None) -> tuple[Entry, ...]:
    """Return what is on offer, publishers first."""
    publishers = (Entry(kind="publisher", **_described(offered)) for offered in PUBLISHERS)
    made = {each.name: each.example for family in FAMILIES for each in family.publishers}
    attacks = (
        Entry(
            kind="attack",
            data=Release,
            example=(*made[offered.tried_on], offered.example),
            **_described(offered, "tried_on", "example"),
        )
        for offered in ATTACKS
    )
    return tuple(entry for entry in (*publishers, *attacks) if kind in (None, entry.kind))


def by_family(kind: Kind) -> dict[str, tuple[str, ...]]:
    """Return the names of the methods of every family, below its title."""
    offered = "publishers" if kind == "publisher" else "attacks"
    return {
        family.heading: tuple(each.name for each in getattr(family, offered)) for family in FAMILIES
    }


def _described(offered: Offered, *but: str) -> dict[str, Any]:
    """Return what a family says of a method, by the names of the fields."""
    return {
        field.name: getattr(offered, field.name)
        for field in fields(offered)
        if field.name not in but
    }


def find(name: str, kind: Kind | None = None) -> Entry:
    """Return the entry called ``name``, or say which name comes nearest."""
    known = {entry.name: entry for entry in entries(kind)}
    if name not in known:
        raise unknown(kind or "method", name, known)
    return known[name]


def noun_behind(content: object) -> type[Any]:
    """Return the kind of private data that releases of such content are made from."""
    makers = (entry for entry in entries("publisher") if type(content) in entry.contents)
    nouns = [entry.data for entry in makers if entry.data is not Release]
    if not nouns:
        kind = type(content).__name__
        msg = f"no method on offer makes {kind} from private data, so there is nothing to read"
        raise ParameterError(msg)
    return nouns[0]


def unknown(thing: str, name: str, known: Iterable[str]) -> ParameterError:
    """Return the error for a name that nothing has, with the nearest name that something has.

    >>> str(unknown("fruit", "aple", ["apple", "pear"]))
    "there is no fruit called 'aple'; did you mean apple?"
    >>> str(unknown("method", "km", ["coat", "km-anonymity"]))
    "there is no method called 'km'; did you mean km-anonymity?"
    """
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    near = near or [each for each in names if name and name.lower() in each]
    cure = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
    return ParameterError(f"there is no {thing} called {name!r}; {cure}")
