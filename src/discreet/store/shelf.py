"""The shelf: which releases of a population are out, where they are, and their linkage keys."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from discreet.core.clusters import Clusters
from discreet.core.lineage import fingerprint
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.io.release_folder import seal_in
from discreet.lazy import sa
from discreet.store.chain import hash_of
from discreet.store.database import Database
from discreet.store.entry import Entry
from discreet.store.firewall import Flag, Profile
from discreet.store.key_box import closed, opened
from discreet.store.ledger import Ledger, now, refuse_no_reason

FIXED: Final = (
    "number", "population", "method", "promises", "seal", "fingerprint", "recipient", "location",
    "flags", "made",
)  # fmt: skip
"""What never changes of a release on the shelf."""
ABANDONED: Final = "abandoned"
"""What stands for the time at which a release got its place where it never will."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelved:
    """A release on the shelf."""

    number: int
    """The row of the ledger that its cost was reserved in."""
    population: str
    method: str
    record: Mapping[str, Any]
    """What its manifest says: method, parameters, guarantees."""
    seal: str
    """The hash of its manifest."""
    fingerprint: str | None
    """What later releases of its series know it by."""
    recipient: str | None
    location: Path
    """Where its folder was put."""
    flags: tuple[Flag, ...]
    """What was said against it beside the others."""
    made: str
    state: Literal["in place", "under way", "abandoned"]
    """Whether its folder got its name; what is under way may be the work of somebody who died."""
    derived: bool
    key: Literal["none", "shelved", "destroyed"]
    """What there is of its linkage key."""

    @property
    def profile(self) -> Profile:
        """What the rules of composition ask of it."""
        about = {"fingerprint": self.fingerprint, "derived": self.derived}
        return Profile.of(f"release {self.number}", self.record, **about)

    def check(self) -> None:
        """Refuse a release that was never put in its place, or is not there as it was put."""
        if self.state == "under way":
            msg = (
                f"release {self.number} of {self.population} was never put in its place; if its "
                "maker is gone, say so: discreet shelf NAME --abandon NUMBER --reason WHY"
            )
            raise DataError(msg)
        if seal_in(self.location) != self.seal:
            msg = (
                f"release {self.number} of {self.population} is not where it was put, or another "
                "is in its place; put it back as it was published"
            )
            raise DataError(msg)

    def load(self) -> Release[Any]:
        """Read the release where it was put, refusing another in its place."""
        self.check()
        return Release.load(self.location)


class Shelf:
    """The releases of all populations of a store."""

    def __init__(self, database: Database, ledger: Ledger) -> None:
        self._database = database
        self._ledger = ledger

    def releases(self, population: str, connection: "sa.Connection | None" = None) -> list[Shelved]:
        """Return what is out of a population, oldest first; an unknown one is refused."""
        if connection is None:
            self._ledger.account(population)
            with self._database.looking() as view:
                return self.releases(population, view)
        table = self._database.shelved
        query = sa.select(table).where(table.c.population == population).order_by(table.c.number)
        return [_shelved(dict(row)) for row in connection.execute(query).mappings()]

    def put(
        self,
        connection: "sa.Connection",
        reservation: int,
        release: Release[Any],
        details: Mapping[str, Any],
    ) -> None:
        """Put a release on the shelf, in a change under way, before it gets its place."""
        content = release.content
        row = {
            "number": reservation,
            "method": release.manifest.method,
            "promises": json.dumps(release.record() | {"derived": details["derived"]}),
            "fingerprint": fingerprint(content) if isinstance(content, Clusters) else None,
            "made": now(),
            "flags": json.dumps([flag.record() for flag in details["flags"]]),
        }
        rest = {name: details[name] for name in ("population", "seal", "recipient", "location")}
        box = None
        if details["key"]:
            box = closed(details["key"].packed(), details["passphrase"], about=details["seal"])
        values = row | rest
        self._ledger.seal(connection, reservation, details["seal"], shelved=hash_of(values))
        connection.execute(self._database.shelved.insert().values(values | {"linkage_key": box}))

    def check(self) -> int:
        """Return how many releases there are, refusing a shelf that was changed by hand."""
        # nothing may be put on the shelf between the two looks
        with self._database.changing() as connection:
            rows = connection.execute(sa.select(self._database.shelved)).mappings().all()
            entries = [Entry.of(row) for row in self._ledger.rows(connection=connection)]
        given_up = {each.detail["release"] for each in entries if each.kind == "abandon"}
        hashes = {row["number"]: hash_of({name: row[name] for name in FIXED}) for row in rows}
        # a seal from before shelf and chain were tied says only that there is a release
        sealed = {
            each.refers: each.detail.get("shelved") or hashes.get(each.refers, "")
            for each in entries
            if each.kind == "seal"
        }
        wrong = [
            number for number in {*sealed, *hashes} if sealed.get(number) != hashes.get(number)
        ]
        wrong += [row["number"] for row in rows
                  if row["placed"] == ABANDONED and row["number"] not in given_up]  # fmt: skip
        if wrong:
            msg = (
                f"the shelf was changed by hand: release {min(wrong)} is not as it was put there; "
                "go back to a backup, and book what is missing there"
            )
            raise DataError(msg)
        return len(hashes)

    def place(self, connection: "sa.Connection", number: int) -> None:
        """Note, in a change under way, that a release is in its place."""
        table = self._database.shelved
        connection.execute(table.update().where(table.c.number == number).values(placed=now()))

    def recover(self) -> int:
        """Settle what was put in its place by somebody who did not live to say so.

        Also what was abandoned too early: it is out, whatever was said of it.
        """
        table = self._database.shelved
        with self._database.looking() as view:
            unsure = table.c.placed.is_(None) | (table.c.placed == ABANDONED)
            open_ones = sa.select(table).where(unsure)
            waiting = [_shelved(dict(row)) for row in view.execute(open_ones).mappings()]
        placed = [each for each in waiting if seal_in(each.location) == each.seal]
        for each in placed:
            with self._ledger.changing() as connection:
                self._ledger.settle(connection, each.number)
                self.place(connection, each.number)
        return len(placed)

    def abandon(self, population: str, number: int, reason: str) -> None:
        """Say, on record, that a release under way will never come; what it cost stays spent."""
        refuse_no_reason(reason, "the release will never come")
        if self._row(population, number)["placed"] is not None:
            raise InfeasibleError(f"release {number} of {population} is not under way")
        table = self._database.shelved
        with self._ledger.changing() as connection:
            detail = {"release": number, "reason": reason}
            self._ledger.note(connection, population, "abandon", detail)
            mine = table.update().where((table.c.number == number) & table.c.placed.is_(None))
            connection.execute(mine.values(placed=ABANDONED))

    def key(self, population: str, number: int, passphrase: str) -> LinkageKey:
        """Return the linkage key of a release."""
        row = self._row(population, number)
        if row["linkage_key"] is None:
            state = "was destroyed" if row["key_destroyed"] else "was not shelved"
            raise InfeasibleError(f"the linkage key of release {number} of {population} {state}")
        content = opened(row["linkage_key"], passphrase, about=row["seal"])
        return LinkageKey.unpacked(content, "the shelved key")

    def destroy_key(self, population: str, number: int, reason: str) -> None:
        """Destroy the linkage key of a release, on record: nobody can link its rows any more."""
        refuse_no_reason(reason, "the key is destroyed")
        if self._row(population, number)["linkage_key"] is None:
            msg = f"there is no linkage key of release {number} of {population} to destroy"
            raise InfeasibleError(msg)
        table = self._database.shelved
        with self._ledger.changing() as connection:
            detail = {"release": number, "reason": reason}
            self._ledger.note(connection, population, "destroy key", detail)
            gone = {"linkage_key": None, "key_destroyed": now()}
            connection.execute(table.update().where(table.c.number == number).values(gone))
        self._database.forget_deleted()

    def _row(self, population: str, number: int) -> dict[str, Any]:
        table = self._database.shelved
        mine = (table.c.population == population) & (table.c.number == number)
        with self._database.looking() as connection:
            row = connection.execute(sa.select(table).where(mine)).mappings().first()
        if row is None:
            numbers = ", ".join(str(each.number) for each in self.releases(population)) or "none"
            msg = f"{population} has no release {number} on the shelf; there are {numbers}"
            raise ParameterError(msg)
        return dict(row)


def _shelved(row: Mapping[str, Any]) -> Shelved:
    record = json.loads(row["promises"])
    destroyed, box = row["key_destroyed"], row["linkage_key"]
    return Shelved(
        number=row["number"],
        population=row["population"],
        method=row["method"],
        record=record,
        seal=row["seal"],
        fingerprint=row["fingerprint"],
        recipient=row["recipient"],
        location=Path(row["location"]),
        flags=tuple(Flag(**each) for each in json.loads(row["flags"])),
        made=row["made"],
        state=_state(row["placed"]),
        derived=bool(record["derived"]),
        key="destroyed" if destroyed else "shelved" if box else "none",
    )


def _state(placed: str | None) -> Literal["in place", "under way", "abandoned"]:
    if placed is None:
        return "under way"
    return "abandoned" if placed == ABANDONED else "in place"
