"""``discreet attack METHOD RELEASE ...``: what an outsider can claim from what was released."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from discreet.catalog import NOUNS, Entry, Source, entries, find
from discreet.cli import interactive, show
from discreet.cli.listing import Listing
from discreet.cli.options import command, filled
from discreet.data.findings import Claim, Findings
from discreet.data.microdata import Microdata
from discreet.data.publication import Keep
from discreet.data.release import Release
from discreet.data.tables import ProjectedTables
from discreet.data.transactions import Transactions
from discreet.errors import DataError, ParameterError

if TYPE_CHECKING:
    from discreet.measure import Breach, Rate

__all__ = ["attack"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """How much is printed."""

    show: int = 10
    """How many claims to list; --json prints all of them."""

    def __post_init__(self) -> None:
        if self.show < 0:
            msg = f"--show must be at least 0, got {self.show}"
            raise ParameterError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """An attack that needs to know nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What the claims are scored against; the attack itself never sees it."""

    truth: Source | None = None
    """The private data behind the release, to see how often the claims are right."""
    control: Source | None = None
    """Data of people of the same population who are not in the release, to see how often the
    claims are right about them as well."""
    key: Keep | None = None
    """The owner's key, as written by publish --keep; releases of counts have none."""

    def __post_init__(self) -> None:
        if self.control and not self.truth:
            msg = "--control is compared with --truth, which is missing; give both"
            raise ParameterError(msg)


def _run(entry: Entry, *, releases: tuple[str, ...], json: bool, **typed: Any) -> int:
    shown, owner = filled(Shown, typed), filled(Truth, typed)
    method = filled(entry.method, typed)
    knowledge = filled(entry.knowledge or Nothing, typed)
    with show.working(f"attacking by {entry.name}"):
        attacked = [_attackable(entry, path) for path in releases]
        findings = method.attack(attacked, knowledge)
    breach = _scored(entry, attacked, findings, typed) if owner.truth else None
    if json:
        show.as_json(findings.record() | ({"breach": breach.record()} if breach else {}))
    else:
        _tell(findings, shown.show, several=len(releases) > 1)
        if breach:
            _tell_breach(breach)
    return 0


def _scored(
    entry: Entry, attacked: Sequence[Release[Any]], findings: Findings, typed: dict[str, Any]
) -> "Breach":
    from discreet.measure import people_behind, score

    owner = filled(Truth, typed)
    reading = filled(NOUNS[_noun_of_truth(entry)], typed)
    with show.working(f"scoring against {owner.truth}"):
        # without a truth there is nothing to score, and nobody calls this
        truth = reading.read(owner.truth or "")
        control = reading.read(owner.control) if owner.control else None
        if not isinstance(truth, Microdata):
            return score(findings, truth, control)
        if control is not None or len(attacked) > 1:
            msg = "claims about tables are scored for one release at a time, without --control"
            raise ParameterError(msg)
        return score(findings, people_behind(truth, attacked[0], owner.key))


def _noun_of_truth(entry: Entry) -> type[Any]:
    """Return the kind of data behind the releases that an attack takes."""
    return Microdata if entry.content is ProjectedTables else Transactions


def _attackable(entry: Entry, path: str) -> Release[Any]:
    release = Release.load(path)
    if entry.content and not isinstance(release.content, entry.content):
        held = type(release.content).__name__
        msg = f"{entry.name} attacks {entry.content.__name__}, but {path} holds {held}"
        raise DataError(msg)
    return release


def _tell(findings: Findings, most: int, *, several: bool) -> None:
    claims = findings.claims
    if claims:
        surest = max(claim.confidence for claim in claims)
        found = f"{len(claims):,} {'inference' if len(claims) == 1 else 'inferences'}"
        show.lines(f"The attack SUCCEEDS: {found}, with confidence up to {_percent(surest)}.")
    else:
        show.lines("The attack finds nothing.")
    if claims[:most]:
        show.heading(f"the first {len(claims[:most])} of {len(claims):,}")
        headings = ("row", "known", "inferred", "confidence", "people")
        rows = [_row(claim, several=several) for claim in claims[:most]]
        show.table(("release", *headings) if several else headings, rows)
    show.heading("in numbers")
    show.facts(findings.summary)


def _percent(confidence: float) -> str:
    # only certainty is 100 %
    return "100%" if confidence == 1 else f"{int(1000 * confidence) / 10:.1f}%"


def _tell_breach(breach: "Breach") -> None:
    show.heading("against the truth, of those who fit a claim")
    rows = [
        _rate("right about people in the data", breach.success),
        _rate("the base rate would have been", breach.baseline),
    ]
    if breach.control:
        rows.append(_rate("right about people who are not in it", breach.control))
    show.table(("", "share", "95 % interval", "people"), rows)
    show.lines(
        f"{breach.tested:,} of {breach.claims:,} claims are about somebody; "
        f"mean confidence claimed: {breach.claimed:.1%}."
    )
    if breach.by_taking_part and breach.control:
        low, high = (f"{100 * end:+.1f}" for end in breach.by_taking_part)
        gap = 100 * (breach.success.share - breach.control.share)
        show.lines(f"Taking part adds {gap:+.1f} percentage points ({low} to {high}).")


def _rate(name: str, rate: "Rate") -> tuple[str, str, str, str]:
    return name, f"{rate.share:.1%}", f"{rate.low:.1%} to {rate.high:.1%}", f"{rate.people:,}"


def _row(claim: Claim, *, several: bool) -> tuple[str, ...]:
    cells = (
        str(claim.row),
        show.items(claim.known),
        show.items(claim.inferred),
        _percent(claim.confidence),
        f"{claim.people:,}",
    )
    return (str(claim.release), *cells) if several else cells


OTHERS: Final = {interactive.interactive.name: interactive.interactive}
"""Attacks of another shape: not on releases."""


def _build(name: str) -> click.Command:
    if name in OTHERS:
        return OTHERS[name]
    entry = find(name, "attack")
    return command(
        entry.name,
        partial(_run, entry),
        arguments=[click.Argument(["releases"], metavar="RELEASE...", nargs=-1, required=True)],
        sections={
            "What the attacker knows": entry.knowledge or Nothing,
            "The attack": entry.method,
            "Scoring, for the owner": Truth,
            "Reading the truth": NOUNS[_noun_of_truth(entry)],
            "Printing": Shown,
        },
        about=f"{entry.summary}\n\n{entry.source}",
        short=entry.summary,
    )


def _offered() -> dict[str, str]:
    listed = {entry.name: entry.summary for entry in entries("attack")}
    return listed | {str(name): other.short_help or "" for name, other in OTHERS.items()}


attack = Listing(
    "attack",
    offered=_offered,
    build=_build,
    help="Attack releases by METHOD, which never sees the private data; --truth scores it.",
    options_metavar=None,
    subcommand_metavar="METHOD RELEASE... [OPTIONS]",
)
