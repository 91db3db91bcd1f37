"""``discreet shelf NAME``: the releases of a population, and what they promise together."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from discreet.cli import show
from discreet.cli.books import Books, Where
from discreet.cli.options import command, filled
from discreet.core.doc import Doc
from discreet.errors import DataError, ParameterError


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What to do with a release on the shelf."""

    put: Annotated[
        Path | None,
        Doc(
            "Record a release that was published without --people and now goes out; not one "
            "under differential privacy, whose cost is recorded before it is made."
        ),
    ] = None
    recipient: Annotated[str | None, Doc("Who receives the release that is recorded.")] = None
    key: Annotated[int | None, Doc("Write the linkage key of this release to --out.")] = None
    out: Annotated[Path | None, Doc("The file for the key; keep it secret.")] = None
    passphrase_file: Annotated[
        Path | None,
        Doc(
            "A file with the passphrase, in place of the environment variable DISCREET_PASSPHRASE."
        ),
    ] = None
    destroy_key: Annotated[
        int | None,
        Doc(
            "Destroy the linkage key of this release, on record; nobody can link its rows to "
            "people again."
        ),
    ] = None
    abandon: Annotated[
        int | None,
        Doc(
            "Declare, on record, that this unfinished release will never be completed; its cost "
            "stays spent."
        ),
    ] = None
    reason: Annotated[
        str | None,
        Doc("Why a key is destroyed or a release abandoned; the reason stays in the ledger."),
    ] = None

    def __post_init__(self) -> None:
        if self.recipient is not None and self.put is None:
            msg = "`recipient` is of the release that is `put` on the shelf: give both"
            raise ParameterError(msg, parameter="put")
        if (self.key is None) != (self.out is None):
            msg = "`key` names a release, and `out` the file its key goes to: give both"
            raise ParameterError(msg, parameter="out")
        if (self.destroy_key is None and self.abandon is None) != (self.reason is None):
            msg = "`destroy_key` and `abandon` need a `reason`, which stays on record"
            raise ParameterError(msg, parameter="reason")


def _run(*, population: str, json: bool, **typed: Any) -> int:
    store, work = filled(Where, typed).open(), filled(Work, typed)
    store.ledger.account(population)
    if work.put is not None:
        for flag in store.put(population, work.put, work.recipient):
            show.loud(flag.words)
    if work.destroy_key is not None:
        store.shelf.destroy_key(population, work.destroy_key, work.reason or "")
    if work.abandon is not None:
        store.shelf.abandon(population, work.abandon, work.reason or "")
    if work.key is not None and work.out is not None:
        _take_key(population, store, work, work.key, work.out)
    (show.as_json if json else _tell)(_record(population, store))
    return 0


def _take_key(population: str, store: Any, work: Work, number: int, out: Path) -> None:
    passphrase = Books(people=population, passphrase_file=work.passphrase_file).passphrase
    if passphrase is None:
        msg = "the key is closed by a passphrase: give `passphrase_file`"
        raise ParameterError(msg, parameter="passphrase_file")
    if out.exists():
        raise DataError(f"{out.name} exists; choose another name", parameter="out")
    store.shelf.key(population, number, passphrase).save(out)


def _record(population: str, store: Any) -> dict[str, Any]:
    from discreet.store import next_release, together

    releases = store.shelf.releases(population)
    profiles = [release.profile for release in store.out(population)]
    return {
        "population": population,
        "releases": [
            {
                "number": release.number,
                "made": release.made,
                "method": release.method,
                "promises": [claim["name"] for claim in release.record["guarantees"]],
                "recipient": release.recipient,
                "folder": release.location,
                "manifest": release.seal,
                "state": release.state,
                "key": release.key,
                "flags": [flag.words for flag in release.flags],
            }
            for release in releases
        ],
        "together": together(profiles),
        "next": next_release(profiles),
        "never finished": [entry.number for entry in store.ledger.open_reservations(population)],
    }


def _tell(record: dict[str, Any]) -> None:
    shown = ("number", "made", "method", "promises", "recipient", "state", "key")
    rows = [[_cell(release[name]) for name in shown] for release in record["releases"]]
    if rows:
        show.table(shown, rows)
        show.lines("")
    show.lines(f"together: {record['together']}", f"next: {record['next']}")
    for release in record["releases"]:
        show.lines(*(f"flagged, release {release['number']}: {flag}" for flag in release["flags"]))
    if record["never finished"]:
        numbers = ", ".join(map(str, record["never finished"]))
        show.lines(f"reserved and never finished, counted as spent: rows {numbers} of the ledger")


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else "" if value is None else str(value)


shelf = command(
    "shelf",
    _run,
    arguments=[click.Argument(["population"], metavar="NAME")],
    sections={"A release on the shelf": Work, "The store": Where},
    about=(
        "List the releases of a population (published with --people NAME), what they promise "
        "together, and what was flagged."
    ),
)
