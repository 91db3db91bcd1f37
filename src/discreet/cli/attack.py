"""``discreet attack METHOD RELEASE ...``: what an outsider can claim from what was released."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import click

from discreet.catalog import Entry, Source, by_family, entries, find, scorer_of, truths_of
from discreet.cli import interactive, show
from discreet.cli.listing import Listing
from discreet.cli.options import Nothing, command, filled, readings
from discreet.cli.truth import control_reading, read_truth
from discreet.core.doc import Doc
from discreet.core.emptiness import refuse_without_rows
from discreet.core.exact import in_range
from discreet.core.findings import Claim, Findings, counted, in_percent
from discreet.core.guarantee import spoken
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.errors import DataError, ParameterError

if TYPE_CHECKING:
    from discreet.core.family import Scorer
    from discreet.core.score import Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """How much is printed."""

    show: Annotated[int, Doc("How many claims to list; --json prints all.")] = 10

    def __post_init__(self) -> None:
        in_range(0, None, show=self.show)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What the claims are scored against; the attack itself never sees it."""

    truth: Annotated[
        tuple[Source, ...],
        Doc(
            "The private data behind the release, to measure how often the claims are right; for "
            "several releases of different data, repeat it in the same order."
        ),
    ] = ()
    control: Annotated[
        Source | None,
        Doc(
            "Data of people from the same population who are not in the release, to measure how "
            "often the claims are right about them too."
        ),
    ] = None
    key: Annotated[
        tuple[LinkageKey, ...],
        Doc(
            "The linkage key that publish --keep wrote, one for each release; releases of counts "
            "have none."
        ),
    ] = ()

    def __post_init__(self) -> None:
        if self.control and not self.truth:
            msg = "`control` is compared with `truth`, which is missing; give both"
            raise ParameterError(msg, parameter="control")


def _run(entry: Entry, *, releases: tuple[str, ...], json: bool, **typed: Any) -> int:
    shown, owner = filled(Shown, typed), filled(Truth, typed)
    method = filled(entry.method, typed)
    knowledge = filled(entry.knowledge or Nothing, typed)
    with show.working(f"attacking by {entry.name}"):
        attacked = [_attackable(entry, path) for path in releases]
        if entry.owner is not None and owner.truth and owner.key:
            knowledge = entry.owner(_truth(owner, attacked, typed)[0], owner.key[0])
        elif entry.owner is not None:
            knowledge = None
        findings = method.attack(attacked, knowledge)
    score = _scored(owner, attacked, findings, typed) if owner.truth else None
    if json:
        show.as_json(scored_record(findings, score))
    else:
        tell(findings, score, shown.show, several=len(releases) > 1)
    return 0


def scored_record(findings: Findings, score: "Score | None") -> dict[str, Any]:
    """Return the claims, and where there is a score, whether they beat chance."""
    if score is None:
        return findings.record()
    beats = any(advantage.beats_baseline for advantage in score.advantages)
    return findings.record() | {"beats_chance": beats, "breach": score.record()}


def _scored(
    owner: Truth, attacked: Sequence[Release[Any]], findings: Findings, typed: dict[str, Any]
) -> "Score":
    scorer = _scorer(attacked, typed, findings.attack)
    key = owner.key[0] if owner.key else None
    reading = control_reading(scorer, typed, key) if owner.control else None
    with show.working("scoring against the truth"):
        truth = _truth(owner, attacked, typed)
        control = reading.read(owner.control) if reading else None
        return scorer(findings, truth, attacked, owner.key, control)


def _scorer(
    attacked: Sequence[Release[Any]], typed: Mapping[str, Any], attack: str | None = None
) -> "Scorer":
    # friendships alone have two kinds of truth: the edges, or with --edges the sets too
    options_given = [name for name, value in typed.items() if value]
    scorer = scorer_of(attacked, attack, given=options_given)
    if scorer is None:
        kinds = ", ".join(sorted({spoken(type(release.content).__name__) for release in attacked}))
        raise DataError(f"there is no way yet to score claims about {kinds} against the truth")
    return scorer


def _truth(owner: Truth, attacked: Sequence[Release[Any]], typed: dict[str, Any]) -> list[Any]:
    """Read the private data behind the releases, as their keys say."""
    scorer = _scorer(attacked, typed)
    # a scorer says itself where there are too few of something
    keys: list[LinkageKey | None] = [*owner.key, *[None] * len(owner.truth)]
    releases = [*attacked, *[attacked[-1]] * len(owner.truth)]
    return [
        read_truth(scorer.data, source, typed, key, release)
        for source, key, release in zip(owner.truth, keys, releases, strict=False)
    ]


def _attackable(entry: Entry, path: str) -> Release[Any]:
    release = Release.load(path)
    if entry.contents and type(release.content) not in entry.contents:
        kind = spoken(type(release.content).__name__)
        wanted = " or ".join(spoken(each.__name__) for each in entry.contents)
        msg = (
            f"{entry.name} attacks {wanted}, but {path} holds {kind}; discreet audit {path} runs "
            "every attack that applies to it"
        )
        raise DataError(msg)
    refuse_without_rows(release)
    return release


def tell(findings: Findings, score: "Score | None", most: int, *, several: bool) -> None:
    """Show how the attack ended, the first claims, the numbers about all, and the score."""
    claims = findings.claims
    if findings.not_run:
        show.lines(f"Nothing was attacked: {findings.not_run}.")
    else:
        show.lines(_outcome(claims, score))
    if claims[:most]:
        show.heading(f"the first {len(claims[:most])} of {len(claims):,}")
        headings = ["row", "known", "inferred", "confidence", "people"]
        headings += ["how"] if claims[0].how else []
        rows = [_row(claim, several=several) for claim in claims[:most]]
        show.table(["release", *headings] if several else headings, rows)
    show.heading("in numbers")
    show.facts(findings.summary)
    if score:
        _tell_score(score)


def _outcome(claims: Sequence[Claim], score: "Score | None") -> str:
    """Return one sentence; where the truth is at hand, it decides the word."""
    if not claims:
        return "The attack finds nothing."
    surest = max(claim.confidence for claim in claims)
    made = f"{counted(len(claims), 'inference')}, with confidence up to {in_percent(surest)}"
    advantages = score.advantages if score else ()
    if score is None or any(advantage.beats_baseline for advantage in advantages):
        return f"The attack SUCCEEDS: {made}."
    if any(advantage.mean > 0 for advantage in advantages):
        return f"The attack MAY BE CHANCE: {made}; it is right about too few people to tell."
    if advantages and all(advantage.below_baseline for advantage in advantages):
        return f"The attack is WORSE THAN CHANCE: {made}; guessing by base rates does better."
    if any(advantage.success.people for advantage in advantages):
        return f"The attack is NO BETTER THAN CHANCE: {made}; the truth does not confirm them."
    return f"The attack concerns NOBODY: {made}, and no one in the truth matches them."


def _tell_score(score: "Score") -> None:
    """Show how often the claims are right."""
    show.heading("compared with the truth, among people who match a claim")
    rows = [
        (sentence, f"{100 * rate.share:.1f} %", rate.interval, f"{rate.people:,}")
        for sentence, rate in score.rates
    ]
    show.table(("", "share", "95 % interval", "people"), rows)
    show.lines(*score.remarks)


def _row(claim: Claim, *, several: bool) -> tuple[str, ...]:
    cells = (
        str(claim.row),
        show.items(claim.known),
        show.items(claim.inferred) if claim.inferred else "which row it is",
        in_percent(claim.confidence),
        f"{claim.people:,}",
        *([claim.how] if claim.how else []),
    )
    return (str(claim.release), *cells) if several else cells


QUERY_INTERFACES: Final = {interactive.interactive.name: interactive.interactive}
"""Attacks of another shape: not on releases."""


def _build(name: str) -> click.Command:
    if name in QUERY_INTERFACES:
        return QUERY_INTERFACES[name]
    entry = find(name, "attack")
    return command(
        entry.name,
        partial(_run, entry),
        arguments=[click.Argument(["releases"], metavar="RELEASE...", nargs=-1, required=True)],
        sections={
            "What the attacker knows": entry.knowledge or Nothing,
            "The attack": entry.method,
            "Scoring, for the owner": Truth,
            **readings("Reading the truth", truths_of(entry.contents)),
            "Printing": Shown,
        },
        about=f"{entry.summary}\n\n{entry.source}",
        short=entry.summary,
    )


def _offered() -> dict[str, str]:
    listed = {entry.name: entry.summary for entry in entries("attack")}
    return listed | {
        str(name): command.short_help or "" for name, command in QUERY_INTERFACES.items()
    }


def _groups() -> dict[str, tuple[str, ...]]:
    return by_family("attack") | {
        "Query interfaces, not releases": tuple(map(str, QUERY_INTERFACES))
    }


attack = Listing(
    "attack",
    offered=_offered,
    groups=_groups,
    build=_build,
    help=(
        "Attack releases with METHOD, which never sees the private data; --truth measures how "
        "often it is right."
    ),
    subcommand_metavar="METHOD RELEASE... [OPTIONS]",
)
