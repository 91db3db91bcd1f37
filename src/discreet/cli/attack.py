"""``discreet attack METHOD RELEASE ...``: what an outsider can claim from what was released."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from discreet.catalog import Entry, entries, find
from discreet.cli import show
from discreet.cli.listing import Listing
from discreet.cli.options import command, filled
from discreet.data.findings import Claim, Findings
from discreet.data.release import Release
from discreet.errors import DataError, ParameterError

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


def _run(entry: Entry, *, releases: tuple[str, ...], json: bool, **typed: Any) -> int:
    shown = filled(Shown, typed)
    method = filled(entry.method, typed)
    knowledge = filled(entry.knowledge or Nothing, typed)
    with show.working(f"attacking by {entry.name}"):
        attacked = [_attackable(entry, path) for path in releases]
        findings = method.attack(attacked, knowledge)
    if json:
        show.as_json(findings.record())
    else:
        _tell(findings, shown.show, several=len(releases) > 1)
    return 0


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
        show.lines(f"The attack SUCCEEDS: {found}, with confidence up to {surest:.0%}.")
    else:
        show.lines("The attack finds nothing.")
    if claims[:most]:
        show.heading(f"the first {len(claims[:most])} of {len(claims):,}")
        headings = ("row", "known", "inferred", "confidence", "people")
        rows = [_row(claim, several=several) for claim in claims[:most]]
        show.table(("release", *headings) if several else headings, rows)
    show.heading("in numbers")
    show.facts(findings.summary)


def _row(claim: Claim, *, several: bool) -> tuple[str, ...]:
    cells = (
        str(claim.row),
        show.items(claim.known),
        show.items(claim.inferred),
        f"{claim.confidence:.0%}",
        f"{claim.people:,}",
    )
    return (str(claim.release), *cells) if several else cells


def _build(name: str) -> click.Command:
    entry = find(name, "attack")
    return command(
        entry.name,
        partial(_run, entry),
        arguments=[click.Argument(["releases"], metavar="RELEASE...", nargs=-1, required=True)],
        sections={
            "What the attacker knows": entry.knowledge or Nothing,
            "The attack": entry.method,
            "Printing": Shown,
        },
        about=f"{entry.summary}\n\n{entry.source}",
        short=entry.summary,
    )


attack = Listing(
    "attack",
    offered=lambda: {entry.name: entry.summary for entry in entries("attack")},
    build=_build,
    help="Attack one or several releases by METHOD; the private data are never used.",
    options_metavar=None,
    subcommand_metavar="METHOD RELEASE... [OPTIONS]",
)
