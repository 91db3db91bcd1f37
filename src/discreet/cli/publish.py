"""``discreet publish METHOD DATA``: read, publish, write, and say what was promised."""

from contextlib import ExitStack
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from discreet import scale
from discreet.catalog import NOUNS, Choices, Entry, by_family, entries, find
from discreet.catalog.reading import ABSENT
from discreet.cli import show
from discreet.cli.books import Books, keeping
from discreet.cli.engine import EngineChoice
from discreet.cli.like import LikeBefore
from discreet.cli.options import command, filled
from discreet.cli.published import say, warn_of_content
from discreet.cli.sections import ReleaseRandomness
from discreet.cli.separators import warn_of_separator
from discreet.cli.target import Target
from discreet.cli.truth import choices_of
from discreet.core.clusters import Clusters
from discreet.core.constraints import Constraints
from discreet.core.guarantee import VOID_EPSILON, WEAK_EPSILON, epsilon_of
from discreet.core.microdata import Microdata
from discreet.core.network import people_of
from discreet.core.publication import LinkageKey, Publication
from discreet.core.release import Release
from discreet.core.spelling import refuse_absent, refuse_disjoint
from discreet.core.transactions import Transactions
from discreet.core.truth import with_truth
from discreet.errors import ParameterError
from discreet.scale.collect import EngineSets
from discreet.scale.collect_table import EngineTable


def _run(entry: Entry, *, data: str, json: bool, **typed: Any) -> int:
    with ExitStack() as stack:
        return _published_from(stack, entry, data, typed, json=json)


def _published_from(  # noqa: PLR0915 (one step after the other)
    stack: ExitStack, entry: Entry, data: str, typed: dict[str, Any], *, json: bool
) -> int:
    """Publish; what an engine holds of the data is let go of with ``stack``."""
    target = filled(Target, typed)
    target.refuse(goes_on=entry.goes_on)
    reading: Any = filled(NOUNS[entry.data], typed)
    chance = filled(ReleaseRandomness, typed)
    books = filled(Books, typed)
    store = books.open_for_people()
    method = books.going_on(store, entry, filled(entry.method, typed))
    method = _with_universe(entry, method, data)
    target.refuse_rules(entry, method)
    rng = chance.rng()
    engine = filled(EngineChoice, typed).for_method(entry, method, data)
    with show.working(f"reading {data}"):
        if engine is not None:
            target.refuse_engine()
            _refuse_clusters(entry, books)
            original = stack.enter_context(reading.open(data, engine))
            outside = _refuse_strangers(entry, method, original, reading)
        else:
            absent = bool(typed.get("allow_absent"))
            read = _read(entry, method, reading, data, allow_absent=absent)
            original, reading, outside = read
    _warn(method, original)
    booking = books.reserve(store, entry, method, target.out, data)
    with keeping(booking), show.working(f"publishing by {entry.name}"):
        publication = _published(entry, method, target, original, rng)
        warn_of_content(publication.release.content)
        beside = _rules(entry, method, target, publication, original)
        if target.save_choices:
            about = {"people": books.people, "format": typed["file_format"]}
            beside[target.save_choices] = Choices.of(entry, typed, about).text()
        flags = books.examine(booking, publication)
        keeps = target.keep or (booking and books.passphrase)
        linkage = _linkage(publication, method, original, reading) if keeps else None
        made = partial(books.save, booking, replace(publication, linkage_key=linkage))
        key = target.write(made, linkage, beside)
    record = {"release": target.out, "keep": key, "report": _report(publication) | outside}
    say(publication, record | {"flags": flags}, json=json)
    return 0


def _refuse_clusters(entry: Entry, books: Books) -> None:
    """Refuse clusters for the shelf, where they are laid beside others as a whole."""
    if books.people is not None and Clusters in entry.contents:
        msg = "clusters of `people` on the shelf are compared in memory; use `engine` memory"
        raise ParameterError(msg, parameter="people")


def _warn(method: Any, original: Any) -> None:
    """Say what a person may not have meant."""
    _warn_of_epsilon(method)
    warn_of_separator(original)
    if isinstance(original, Microdata | EngineTable) and original.left_out:
        show.warn(f"columns without a role are not published: {', '.join(original.left_out)}")


def _read(
    entry: Entry, method: Any, reading: Any, data: str, *, allow_absent: bool
) -> tuple[Any, Any, dict[str, int]]:
    """Return the data, how they were read, and what a universe leaves out of them."""
    earlier = _earlier_terms(entry, method)
    if earlier is not None:
        # what was secret before stays so, also where nobody holds it now
        reading = replace(reading, allow_absent=True)
    original = reading.read(data)
    if earlier and not allow_absent:
        refuse_absent("sensitive items", original.sensitive, original.held | earlier)
    return original, reading, _refuse_strangers(entry, method, original, reading)


def _published(
    entry: Entry, method: Any, target: Target, original: Any, rng: Any
) -> Publication[Any]:
    """Publish as the method decides, or by the rules of an earlier release."""
    if isinstance(original, EngineSets | EngineTable):
        return scale.decided(method, original, rng)
    if target.rules is None:
        made: Publication[Any] = method.publish(original, rng)
        return made
    from discreet.core.rules import read_rules
    from discreet.study.ruling import published_by_rules

    return published_by_rules(entry, method, read_rules(target.rules), original, rng)


def _rules(
    entry: Entry, method: Any, target: Target, made: Publication[Any], original: Any
) -> dict[Path, str]:
    """Return the rules that the release shows as a text, where they are to be saved."""
    if target.save_rules is None:
        return {}
    from discreet.core.rules import rules_text
    from discreet.study.ruling import rules_shown_by

    return {target.save_rules: rules_text(rules_shown_by(entry, method, made, original))}


def _report(publication: Publication[Any]) -> dict[str, Any]:
    key = publication.linkage_key
    return dict(key.facts.get("report", {})) if key else {}


def _linkage(
    publication: "Publication[Any]", method: Any, original: Any, reading: Any
) -> "LinkageKey":
    """Return the key with what confirms the data later; it takes the place of the one before."""
    values = [getattr(method, field.name) for field in fields(method)]
    before = next((value for value in values if isinstance(value, LinkageKey)), None)
    return with_truth(
        publication.linkage_key, original, publication.release, choices_of(reading), before
    )


def _with_universe(entry: Entry, method: Any, data: str) -> Any:
    """Give the method the public items a named data set carries, or warn that there are none."""
    from discreet.io.datasets import is_dataset, universe_of

    if not entry.takes_universe or method.universe is not None:
        return method
    if is_dataset(data):
        return replace(method, universe=universe_of(data))
    show.warn(
        "without --universe, the items that occur in the data are used; the release then reveals "
        "which items occur, and epsilon does not cover that"
    )
    return method


def _earlier_terms(entry: Entry, method: Any) -> frozenset[str] | None:
    """Return the private terms of the releases that a method goes on from; None at a beginning."""
    values = [getattr(method, parameter.name) for parameter in entry.parameters]
    states = [value for value in values if isinstance(value, LinkageKey)]
    before = [release for value in values if isinstance(value, tuple) for release in value]
    contents = [release.content for release in before if isinstance(release, Release)]
    if not states and not contents:
        return None
    return frozenset(
        term for content in contents if isinstance(content, Clusters) for term in content.terms
    )


def _refuse_strangers(entry: Entry, method: Any, original: Any, reading: Any) -> dict[str, int]:
    """Refuse public lists that name what does not occur; return what a universe leaves out.

    A universe may list more than occurs, and data may hold more than it lists, but not all.
    """
    people = people_of(original)
    if not isinstance(people, Transactions | EngineSets):
        return {}
    for parameter in entry.parameters:
        value = getattr(method, parameter.name)
        if isinstance(value, Constraints) and not reading.allow_absent:
            subject = f"the items of {parameter.option}"
            spaced = any(" " in item for item in people.held - {*value.items})
            cut = spaced and not any(" " in item for item in value.items)
            cure = f"{ABSENT}; items with blanks in them need a tab after each" if cut else ABSENT
            refuse_absent(subject, value.items, people.held, cure=cure)
    universe = method.universe if entry.takes_universe else None
    if not universe or not people.held:
        return {}
    outside = people.held.difference(universe)
    refuse_disjoint("the universe", universe, people.held)
    return {"items outside the universe, left out": len(outside)} if outside else {}


def _warn_of_epsilon(method: Any) -> None:
    spent = epsilon_of(method.guarantees) or 0
    if spent > WEAK_EPSILON:
        show.warn(
            f"an epsilon of {float(spent):g} is above {WEAK_EPSILON} and protects next to "
            f'nothing; an audit then says "release with care", and above {VOID_EPSILON} "do '
            'not release"'
        )


def _build(name: str) -> click.Command:
    entry = find(name, "publisher")
    return command(
        entry.name,
        partial(_run, entry),
        arguments=[click.Argument(["data"], metavar="DATA")],
        sections={
            "Parameters": entry.method,
            "Reading DATA": NOUNS[entry.data],
            "Randomness": ReleaseRandomness,
            "The release": Target,
            "Population, budget and shelf": Books,
            "Processing": EngineChoice,
        },
        about=f"{entry.summary}\n\nDATA: {NOUNS[entry.data].__doc__}\n\n{entry.source}",
        short=entry.summary,
    )


publish = LikeBefore(
    "publish",
    offered=lambda: {entry.name: entry.summary for entry in entries("publisher")},
    groups=lambda: by_family("publisher"),
    build=_build,
    help=(
        "Publish DATA with METHOD. Each method has options of its own: see discreet publish "
        "METHOD --help. To choose a method, see discreet methods."
    ),
    subcommand_metavar="METHOD DATA --out RELEASE [OPTIONS]",
    epilog=(
        "discreet publish --like FILE DATA --out RELEASE publishes other data with the choices "
        "of an earlier publication (its --save-choices FILE); options given as well take "
        "precedence."
    ),
)
