"""Which functions compare a release, or claims about it, with the truth: their annotations say."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from discreet.catalog.reading import NOUNS
from discreet.data.findings import Findings
from discreet.data.publication import Keep
from discreet.data.release import Release

__all__ = ["Measure", "Scorer", "contents_of", "measures_of", "scorer_of", "scorers", "truths_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A function of the original data and a release that says what was lost."""

    function: Callable[..., Any]
    """The function."""
    takes_key: bool
    """Whether it can use the owner's key."""

    def __call__(self, data: Any, release: Release[Any], key: Keep | None = None) -> Any:
        """Measure ``release`` against ``data``."""
        if self.takes_key:
            return self.function(data, release, key=key)
        return self.function(data, release)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """A function that says how often the claims of an attack are right."""

    function: Callable[..., Any]
    """The function of findings, truths, releases and keys."""
    noun: type[Any]
    """The kind of data that is the truth."""
    contents: tuple[type[Any], ...]
    """What the attacked releases may hold."""
    takes_control: bool
    """Whether people who are not in the data can be scored beside those who are."""

    def __call__(
        self,
        findings: Findings,
        truth: Sequence[Any],
        releases: Sequence[Release[Any]],
        keys: Sequence[Keep] = (),
        control: Any = None,
    ) -> Any:
        """Score ``findings``; a ``control`` group only where it is taken."""
        if self.takes_control:
            return self.function(findings, truth, releases, keys, control=control)
        return self.function(findings, truth, releases, keys)


def measures_of(content: object, data: type[Any]) -> Mapping[str, Measure]:
    """Return the measures that compare ``data`` with a release of this content, by name.

    A measure is a function of the original and the release, and of the owner's ``key`` where it
    can use it. One that asks for more than these is not among them.
    """
    return {
        name: Measure(function=function, takes_key="key" in asked)
        for name, function in _offered().items()
        if _compares(asked := _asked(function), data, content)
    }


def scorers() -> tuple[Scorer, ...]:
    """Return every function that scores the claims of attacks."""
    return tuple(
        Scorer(
            function=function,
            noun=get_args(hints[truth])[0],
            contents=contents_of(get_args(hints[releases])[0]),
            takes_control="control" in asked,
        )
        for function in _offered().values()
        if _scores(asked := _asked(function))
        for hints in [get_type_hints(function)]
        for truth, releases in [list(asked)[1:3]]
    )


def scorer_of(releases: Sequence[Release[Any]]) -> Scorer | None:
    """Return what scores claims about ``releases``, if there is anything.

    Of several the one that is made for less: it asks for no more of the truth than it needs.
    """
    held = [release.content for release in releases]
    fitting = (each for each in scorers() if all(isinstance(part, each.contents) for part in held))
    return min(fitting, key=lambda scorer: len(scorer.contents), default=None)


def truths_of(contents: Sequence[type[Any]]) -> tuple[type[Any], ...]:
    """Return the kinds of data that can be the truth behind releases of ``contents``."""
    fitting = [
        each.noun for each in scorers() if not contents or set(contents) & set(each.contents)
    ]
    return tuple(dict.fromkeys(fitting))


def contents_of(release: Any) -> tuple[type[Any], ...]:
    """Return the ``C`` of a ``Release[C]`` or ``Publication[C]``; several of ``Release[A | B]``.

    >>> from discreet.data.contents import ItemsetHistogram
    >>> contents_of(Release[ItemsetHistogram])
    (<class 'discreet.data.contents.ItemsetHistogram'>,)
    >>> contents_of(Release[Any])
    ()
    """
    if get_origin(release) in (Union, UnionType):
        return tuple(kind for part in get_args(release) for kind in contents_of(part))
    (content,) = get_args(release) or (None,)
    parts = get_args(content) if get_origin(content) in (Union, UnionType) else (content,)
    return tuple(part for part in parts if isinstance(part, type) and part is not Any)


@cache
def _offered() -> Mapping[str, Callable[..., Any]]:
    import discreet.measure as room

    offered = {name: getattr(room, name) for name in room.__all__}
    return {name: each for name, each in offered.items() if inspect.isfunction(each)}


@cache
def _asked(function: Callable[..., Any]) -> Mapping[str, tuple[Any, bool]]:
    """Return for each parameter of a function its type and whether it must be given."""
    hints = get_type_hints(function)
    return {
        name: (hints.get(name), part.default is part.empty)
        for name, part in inspect.signature(function).parameters.items()
    }


def _compares(asked: Mapping[str, tuple[Any, bool]], data: type[Any], content: object) -> bool:
    parts = list(asked.values())
    if len(parts) < 2 or any(needed for _, needed in parts[2:]):
        return False
    (original, _), (release, _) = parts[:2]
    if get_origin(release) is not Release or original is not data or data not in NOUNS:
        return False
    return isinstance(content, contents_of(release))


def _scores(asked: Mapping[str, tuple[Any, bool]]) -> bool:
    kinds = [kind for kind, _ in asked.values()]
    if len(kinds) < 4 or kinds[0] is not Findings:
        return False
    return all(get_origin(kind) is Sequence for kind in kinds[1:4])
