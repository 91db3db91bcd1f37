"""The five families laid end to end: which measure and which scorer fits a release."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from discreet import counts, generalised, networks, series, tables
from discreet.catalog.parameter import parameters_of
from discreet.catalog.reading import NOUNS
from discreet.core.family import Family, Measure, OfferedAttack, OfferedPublisher, Scorer
from discreet.core.publication import LinkageKey
from discreet.core.release import Release

FAMILIES: Final[tuple[Family, ...]] = (
    counts.FAMILY,
    generalised.FAMILY,
    tables.FAMILY,
    series.FAMILY,
    networks.FAMILY,
)
"""Every family, in the order of its papers."""
PUBLISHERS: Final[tuple[OfferedPublisher, ...]] = tuple(
    offered for family in FAMILIES for offered in family.publishers
)
"""Every way to publish."""
ATTACKS: Final[tuple[OfferedAttack, ...]] = tuple(
    offered for family in FAMILIES for offered in family.attacks
)
"""Every attack."""

# a field that says nothing, or of a type that nobody can type, is an error here and not a
# missing option later
for _offered in (*PUBLISHERS, *ATTACKS):
    parameters_of(_offered.method)
for _fields in (*NOUNS.values(), *(each.knowledge for each in ATTACKS if each.knowledge)):
    parameters_of(_fields)


def measures_of(content: object, data: type[Any]) -> Mapping[str, Measure]:
    """Return the measures that compare ``data`` with a release of this content, by name."""
    return {
        measure.name: measure
        for family in FAMILIES
        for measure in family.measures
        if measure.data is data and type(content) in measure.contents
    }


def measured(
    measures: Mapping[str, Measure],
    data: Any,
    release: Release[Any],
    key: LinkageKey | None = None,
    knowledge: Any = None,
) -> dict[str, Any]:
    """Return every number of these measures by its name; one that has several names them itself."""
    numbers: dict[str, Any] = {}
    for name, measure in measures.items():
        value = measure(data, release, key, knowledge)
        numbers |= value if isinstance(value, Mapping) else {name: value}
    return numbers


def known_by_measures() -> tuple[type[Any], ...]:
    """Return the kinds of public knowledge that measures can use."""
    kinds = (measure.knowledge for family in FAMILIES for measure in family.measures)
    return tuple(dict.fromkeys(kind for kind in kinds if kind is not None))


def scorer_of(
    releases: Sequence[Release[Any]], attack: str | None = None, *, given: Collection[str] = ()
) -> Scorer | None:
    """Return what scores claims of an attack about ``releases``, if there is anything.

    Of several the one made for this attack, then the one whose truth is read by all choices that
    are ``given``, and then the one that is made for less: it asks for no more of the truth than it
    needs.
    """
    contents = [release.content for release in releases]
    fitting = (
        scorer
        for scorer in _scorers()
        if all(type(content) in scorer.contents for content in contents)
        and (not scorer.attacks or attack in scorer.attacks)
    )

    def order(scorer: Scorer) -> tuple[bool, int, int]:
        read = {parameter.name for parameter in parameters_of(NOUNS[scorer.data])}
        return not scorer.attacks, len({*given} - read), len(scorer.contents)

    return min(fitting, key=order, default=None)


def truths_of(contents: Sequence[type[Any]]) -> tuple[type[Any], ...]:
    """Return the kinds of data that can be the truth behind releases of ``contents``."""
    fitting = [
        each.data for each in _scorers() if not contents or set(contents) & set(each.contents)
    ]
    return tuple(dict.fromkeys(fitting))


def _scorers() -> tuple[Scorer, ...]:
    return tuple(scorer for family in FAMILIES for scorer in family.scorers)
