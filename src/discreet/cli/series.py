"""``discreet series``: corpora over time, made, published one after the other, and attacked."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import click

from discreet.catalog import NOUNS, Entry, entries, find, scorer_of
from discreet.cli import show
from discreet.cli.attack import Shown, scored_record, tell
from discreet.cli.books import Books, keeping
from discreet.cli.listing import Listing
from discreet.cli.options import command, filled
from discreet.cli.sections import Randomness, ReleaseRandomness
from discreet.core.clusters import Clusters
from discreet.core.doc import Doc
from discreet.core.publication import Publication
from discreet.core.transactions import Transactions
from discreet.core.truth import with_truth
from discreet.errors import DataError
from discreet.series.folder import SeriesFolder, publish_series
from discreet.series.segen import SeGen

if TYPE_CHECKING:
    from discreet.core.score import Score

OFFERED: Final = {
    "make": "Make a series of corpora from DATA, in which some people stay and others are new.",
    "publish": "Publish the corpora in FOLDER with METHOD, one after the other.",
    "attack": "Attack the releases in FOLDER made with METHOD together, and score the claims.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where the series goes."""

    out: Annotated[
        Path,
        Doc("The folder to write: corpora, the list of private terms, and how they were made."),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """Where the releases go."""

    name: Annotated[
        str | None,
        Doc("The folder for the releases inside FOLDER; by default the name of the method."),
    ] = None


def _make(*, data: str, json: bool, **typed: Any) -> int:
    method, target = filled(SeGen, typed), filled(Target, typed)
    reading, rng = filled(NOUNS[Transactions], typed), filled(Randomness, typed).rng()
    with show.working(f"reading {data}"):
        people = reading.read(data)
    made = method.make(people, rng)
    facts = {name: str(value) for name, value in asdict(method).items()}
    SeriesFolder(target.out).save(made, facts | {"randomness": rng.label})
    size, again = len(made.corpora[0]), made.again
    if again:
        show.warn(
            f"{again:,} new people got a set that somebody has or had already, because the data "
            f"have no more than {len(people):,} records"
        )
    summary = {"corpora": len(made.corpora), "people": size, "private": len(made.private)}
    return show.result(
        {"series": target.out} | summary | {"drawn_again": again},
        f"{len(made.corpora)} corpora of {size:,} people each, {len(made.private):,} private "
        f"terms: {target.out.as_posix()}",
        json=json,
    )


def _publish(entry: Entry, folder: str, *, json: bool, **typed: Any) -> int:
    kept_series = SeriesFolder(Path(folder))
    naming, rng = filled(Naming, typed), filled(ReleaseRandomness, typed).rng()
    target = kept_series.new_folder(naming.name or entry.name)
    books = filled(Books, typed)
    store = books.open_for_people()
    method = books.going_on(store, entry, filled(entry.method, typed))
    corpora = kept_series.corpora()
    rows: list[dict[str, Any]] = []
    made: Publication[Clusters] | None = None
    publications = publish_series(method, corpora, rng)
    with show.counting(f"publishing by {entry.name}", "releases") as done:
        for number, people in enumerate(corpora, start=1):
            booking = books.reserve(store, entry, method, target)
            with keeping(booking):
                publication = next(publications)
                books.examine(booking, publication)
                choices = {"sensitive": sorted(people.sensitive), "allow_absent": True}
                before = made.linkage_key if made and entry.goes_on else None
                key = with_truth(
                    publication.linkage_key, people, publication.release, choices, before
                )
                made = replace(publication, linkage_key=key)
                kept_series.add(target, number, made, partial(books.save, booking, made))
            rows.append(_released(number, made.release.content, len(corpora[number - 1]), made))
            done(number, len(corpora))
    if entry.goes_on and typed["keep"] and made and made.linkage_key is not None:
        made.linkage_key.save(typed["keep"])
    if json:
        show.as_json({"method": entry.name, "folder": target, "releases": rows})
    else:
        show.lines(f"published by {entry.name}: {target.as_posix()}")
        show.table(list(rows[0]), [[_cell(value) for value in row.values()] for row in rows])
    return 0


def _released(number: int, content: Clusters, people: int, made: Any) -> dict[str, Any]:
    rows = made.linkage_key.tables.get("rows")
    real = len(content) if rows is None else rows.height
    copies = int(content.total.sum())
    return {
        "release": number,
        "people": people,
        "published": len(content),
        "counterfeits": (len(content) - real) / max(1, len(content)),
        "withheld": (people - real) / max(1, people),
        "in the bag": int(content.bag.sum()) / max(1, copies),
        "terms in clusters": len(set(content.private[1].tolist())),
    }


def _cell(value: Any) -> str:
    return f"{100 * value:.2f} %" if isinstance(value, float) else f"{value:,}"


def _attack(folder: str, name: str, *, json: bool, **typed: Any) -> int:
    entry = find("composition", "attack")
    kept_series, shown = SeriesFolder(Path(folder)), filled(Shown, typed)
    method, knowledge = filled(entry.method, typed), filled(entry.knowledge or Shown, typed)
    releases, keys = kept_series.releases(name)
    with show.working("attacking by composition"):
        findings = method.attack(releases, knowledge)
    score: Score | None = None
    if keys and (scorer := scorer_of(releases, findings.attack)) is not None:
        score = scorer(findings, kept_series.corpora(), releases, keys)
    if json:
        show.as_json(scored_record(findings, score))
    else:
        tell(findings, score, shown.show, several=True)
    return 0


def _publishing(folder: str, name: str) -> click.Command:
    entry = find(name, "publisher")
    if Clusters not in entry.contents:
        names = ", ".join(
            publisher.name for publisher in entries("publisher") if Clusters in publisher.contents
        )
        msg = f"a series is published by {names}; {name} makes no releases that follow each other"
        raise DataError(msg)
    return command(
        entry.name,
        partial(_publish, entry, folder),
        arguments=[],
        sections={
            "Parameters": entry.method,
            "Randomness": ReleaseRandomness,
            "The releases": Naming,
            "Population, budget and shelf": Books,
        },
        about=f"{entry.summary}\n\nEach release sees what it may see of those before it.",
    )


def _attacking(folder: str, name: str) -> click.Command:
    entry = find("composition", "attack")
    return command(
        name,
        partial(_attack, folder, name),
        arguments=[],
        sections={
            "What the attacker knows": entry.knowledge or Shown,
            "The attack": entry.method,
            "Printing": Shown,
        },
        about=f"{entry.summary}\n\nThe truth and the keys in FOLDER score the claims.",
    )


def _only(folder: str) -> str:
    """Return the name of the releases in the folder, where there is no choice."""
    names = SeriesFolder(Path(folder)).published()
    if len(names) != 1:
        cure = f"name one of {', '.join(names)}" if names else "publish the series first"
        msg = f"{folder} must hold the releases of one METHOD where none is named; {cure}"
        raise DataError(msg)
    return names[0]


def _by_method(
    build: Callable[[str, str], click.Command], about: str, *, name: str, named: bool
) -> click.Command:
    """Make a command FOLDER METHOD with the options of ``build``; METHOD may have to be named."""

    def run(folder: str, method: str | None, args: tuple[str, ...]) -> Any:
        ctx = click.get_current_context()
        names = ctx.help_option_names
        if method in names:
            click.echo(ctx.get_help())
            return 0
        if method is None:
            method = _only(folder)
        elif method.startswith("-") and not named:
            method, args = _only(folder), (method, *args)
        inner, path = build(folder, method), f"{ctx.command_path} {folder} {method}"
        return inner.main(
            list(args), prog_name=path, standalone_mode=False, help_option_names=names
        )

    return click.Command(
        "",
        callback=run,
        params=[
            click.Argument(["folder"], metavar="FOLDER"),
            click.Argument(["method"], metavar="METHOD", required=named),
            click.Argument(["args"], metavar="[OPTIONS]", nargs=-1, type=click.UNPROCESSED),
        ],
        help=f"{about} See discreet series {name} FOLDER METHOD --help.",
        options_metavar=None,
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    )


def _build(name: str) -> click.Command:
    about = OFFERED[name]
    if name == "publish":
        about = f"{about} The options are those of METHOD."
        return _by_method(_publishing, about, name=name, named=True)
    if name == "attack":
        about = (
            f"{about} The options are those of `attack composition`; METHOD can be left out where "
            "the series was published by one method only."
        )
        return _by_method(_attacking, about, name=name, named=False)
    return command(
        name,
        _make,
        arguments=[click.Argument(["data"], metavar="DATA")],
        sections={
            "The series": SeGen,
            "Reading DATA": NOUNS[Transactions],
            "Randomness": Randomness,
            "Result": Target,
        },
        about=about,
    )


series = Listing(
    "series",
    kind="tool",
    offered=lambda: OFFERED,
    build=_build,
    help="Make, publish and attack a series of releases over time; each TOOL takes --json.",
    subcommand_metavar="TOOL [OPTIONS]",
)
