"""The ledger: budgets of populations, and what was spent of them, in rows that never go."""

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Final, cast

from discreet.core.budget import refusal
from discreet.core.exact import Exact, exact
from discreet.core.guarantee import DifferentialPrivacy, Neighbours
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.io.text import normalised
from discreet.lazy import sa
from discreet.store.chain import BEGINNING, changed_by_hand, checked, hash_of
from discreet.store.database import Database
from discreet.store.entry import Account, Entry, EntryKind
from discreet.store.witness import Witness

FINAL: Final = ("seal", "settle", "correct")
"""What takes from a reservation the chance to be corrected."""


LONGEST: Final = 10**1000
"""The largest denominator of what was spent: sums of decimal numbers never get near it."""


class Ledger:
    """The budgets of all populations of a store, and every spend.

    >>> import tempfile
    >>> from pathlib import Path
    >>> ledger = Ledger(Database(Path(tempfile.mkdtemp()) / "store.db"))
    >>> ledger.set_budget("town", 2)
    >>> number = ledger.reserve("town", [DifferentialPrivacy(epsilon="1/2")])
    >>> ledger.account("town").left
    Fraction(3, 2)
    """

    def __init__(self, database: Database, *, confirm: bool = True) -> None:
        self._database = database
        self._witness = Witness(database.address)
        self._confirms = confirm
        with database.looking() as connection:
            self._confirm(connection, self._witness.ledger())

    @contextmanager
    def changing(self) -> Iterator["sa.Connection"]:
        """Give a change that no other runs beside, and remember its last row once it holds.

        Nothing is added to an old copy, whether it was put back under somebody who is at work or
        lies elsewhere.
        """
        with self._database.changing() as connection:
            self._confirm(connection, self._witness.ledger())
            self._confirm(connection, self._beginning(connection))
            yield connection
            first, last = self._beginning(connection), self._last(connection)
        if first is not None and last is not None:
            self._witness.remember(first, last.number, last.hash)

    def accounts(self) -> list[Account]:
        """Return how every population stands, by name."""
        table = self._database.entries
        last = sa.select(sa.func.max(table.c.number)).group_by(table.c.population)
        query = sa.select(table).where(table.c.number.in_(last)).order_by(table.c.population)
        with self._database.looking() as connection:
            rows = connection.execute(query).mappings().all()
        # what concerns the ledger itself stands under no name
        return [_unchanged(dict(row)).account for row in rows if row["population"]]

    def account(self, population: str) -> Account:
        """Return how a population stands; one that has no budget is unknown."""
        with self._database.looking() as connection:
            return self._account(connection, population)

    def set_budget(
        self, population: str, epsilon: Exact, neighbours: Neighbours = "add-remove"
    ) -> None:
        """Set the budget of a population, a new one or, on record, one that has another.

        Parameters
        ----------
        population
            Its name.
        epsilon
            What may be spent in all, 0 where only methods without an epsilon will be used.
        neighbours
            What every epsilon is about. It cannot be changed once something was spent.
        """
        amount = exact("epsilon", epsilon)
        if amount < 0:
            msg = f"`epsilon` must be at least 0, got {epsilon}"
            raise ParameterError(msg, parameter="epsilon")
        _refuse_name(population)
        with self.changing() as connection:
            last = self._last(connection, population)
            if last is not None and last.spent and last.neighbours != neighbours:
                msg = (
                    f"the budget of {population} is for neighbours {last.neighbours}, and what was "
                    "spent of it cannot be counted otherwise"
                )
                raise ParameterError(msg, parameter="neighbours")
            self._append(connection, population, "budget", budget=amount, neighbours=neighbours)

    def reserve(
        self,
        population: str,
        claims: Iterable[DifferentialPrivacy],
        detail: Mapping[str, Any] | None = None,
        *,
        connection: "sa.Connection | None" = None,
    ) -> int:
        """Book what a release will cost before any noise is drawn, and return the row's number.

        Raises
        ------
        InfeasibleError
            Where it is more than what is left; nothing is booked then.
        """
        if connection is None:
            with self.changing() as begun:
                return self.reserve(population, claims, detail, connection=begun)
        account = self._account(connection, population)
        cost = sum((account.cost(claim) for claim in claims), Fraction(0))
        return self._book(connection, account, "reserve", cost, detail or {}).number

    def spend(self, population: str, epsilon: Fraction) -> None:
        """Book the cost of one answer, which is settled by being asked for."""
        with self.changing() as connection:
            account = self._account(connection, population)
            cost = account.cost(DifferentialPrivacy(epsilon=epsilon))
            self._book(connection, account, "answer", cost, {})

    def seal(
        self, connection: "sa.Connection", reservation: int, seal: str, *, shelved: str = ""
    ) -> None:
        """Note, in a change under way, that a release is whole on the disk under another name.

        ``shelved`` is the hash of how it stands on the shelf, which thereby is in the chain.
        """
        kinds = self._about(connection, reservation)
        if "correct" in kinds:
            msg = (
                "the reservation of this release was given back while it was made, so it is not "
                "published"
            )
            raise InfeasibleError(msg)
        if "seal" in kinds:
            msg = "a reservation is for one release, and this one has its release already"
            raise InfeasibleError(msg)
        population = self._entry(connection, reservation).population
        detail = {"seal": seal, "shelved": shelved}
        self._append(connection, population, "seal", refers=reservation, detail=detail)

    def settle(self, connection: "sa.Connection", reservation: int) -> None:
        """Note that the release is in its place; to say so twice changes nothing."""
        if "settle" not in self._about(connection, reservation):
            population = self._entry(connection, reservation).population
            self._append(connection, population, "settle", refers=reservation)

    def correct(self, reservation: int, reason: str) -> Entry:
        """Give back what was reserved for a release that nobody can have seen, on record.

        Only a reservation whose release never became whole can be given back.
        """
        refuse_no_reason(reason, "a reservation is given back")
        with self.changing() as connection:
            entry = self._entry(connection, reservation)
            kinds = self._about(connection, reservation)
            if entry.kind != "reserve" or any(kind in kinds for kind in FINAL):
                msg = (
                    f"row {reservation} is no reservation that is open: what was published or "
                    "answered stays spent"
                )
                raise InfeasibleError(msg)
            change = {"epsilon": -entry.epsilon, "refers": reservation}
            detail = {"reason": reason}
            return self._append(connection, entry.population, "correct", **change, detail=detail)

    def note(
        self,
        connection: "sa.Connection",
        population: str,
        kind: EntryKind,
        detail: Mapping[str, Any],
    ) -> None:
        """Put something on record that costs nothing, in a change under way."""
        self._append(connection, population, kind, detail=detail)

    def entries(self, population: str | None = None) -> list[Entry]:
        """Return every row, of one population or of all, oldest first."""
        return [Entry.of(row) for row in self.rows(population)]

    def rows(
        self, population: str | None = None, *, connection: "sa.Connection | None" = None
    ) -> list[dict[str, Any]]:
        """Return every row as it is written."""
        if connection is None:
            with self._database.looking() as view:
                return self.rows(population, connection=view)
        table = self._database.entries
        query = sa.select(table).order_by(table.c.number)
        if population is not None:
            query = query.where(table.c.population == population)
        return [dict(row) for row in connection.execute(query).mappings()]

    def open_reservations(self, population: str) -> list[Entry]:
        """Return what was reserved and neither published nor given back."""
        table = self._database.entries
        done = sa.select(table.c.refers).where(table.c.kind.in_(FINAL), table.c.refers.is_not(None))
        mine = (table.c.population == population) & (table.c.kind == "reserve")
        query = sa.select(table).where(mine, table.c.number.not_in(done)).order_by(table.c.number)
        with self._database.looking() as connection:
            return [_unchanged(dict(row)) for row in connection.execute(query).mappings()]

    def check(self) -> int:
        """Return how many rows there are, refusing a ledger that was changed by hand."""
        return checked(self.rows())

    def accept(self, reason: str) -> None:
        """Go on from a restored copy, on record: later rows that this machine saw are lost."""
        refuse_no_reason(reason, "an older copy is put back")
        with self._database.changing() as connection:
            known = (self._witness.ledger(), self._beginning(connection))
            seen = [self._witness.newest(each) for each in known if each is not None]
            lost = max((each[0] for each in seen if each is not None), default=0)
            detail = {"reason": reason, "rows seen before": lost}
            entry = self._append(connection, "", "restored", detail=detail)
            first = self._beginning(connection) or entry.hash
        self._witness.accept(first, entry.number, entry.hash)

    def _confirm(self, connection: "sa.Connection", ledger: str | None) -> None:
        """Refuse a store that lacks the newest row this machine has seen of a ledger."""
        seen = self._witness.newest(ledger) if ledger and self._confirms else None
        if seen is None:
            return
        rows = self._rows_where(connection, "number", seen[0])
        if not rows or rows[0]["hash"] != seen[1]:
            msg = (
                f"the ledger is older than one that was used here before: row {seen[0]} of that is "
                "not in it, so spends are missing; put the newest copy back, or go on from this "
                "one, on record, by discreet ledger accept"
            )
            raise DataError(msg)

    def _beginning(self, connection: "sa.Connection") -> str | None:
        """Return the hash of the first row, which tells this ledger from every other."""
        first = self._rows_where(connection, "number", 1)
        return str(first[0]["hash"]) if first else None

    def _account(self, connection: "sa.Connection", population: str) -> Account:
        last = self._last(connection, population)
        if last is None:
            raise self._unknown(connection, population)
        return last.account

    def _unknown(self, connection: "sa.Connection", population: str) -> ParameterError:
        names = connection.execute(sa.select(self._database.entries.c.population).distinct())
        near = get_close_matches(population, [name for (name,) in names if name])
        hint = f"; did you mean {near[0]}?" if near else ""
        msg = (
            f"no population is called {population!r}{hint} (a new one is made by discreet ledger "
            "budget NAME EPSILON, with 0 where only methods without an epsilon will be used)"
        )
        return ParameterError(msg, parameter="people")

    def _book(
        self,
        connection: "sa.Connection",
        account: Account,
        kind: EntryKind,
        cost: Fraction,
        detail: Mapping[str, Any],
    ) -> Entry:
        if cost > account.left:
            raise InfeasibleError(f"{account.population}: {refusal(cost, account.left)}")
        if (account.spent + cost).denominator > LONGEST:
            msg = (
                f"`epsilon` must add up with what {account.population} has spent to a fraction in "
                "smaller terms; give it as a decimal number"
            )
            raise ParameterError(msg, parameter="epsilon")
        return self._append(connection, account.population, kind, epsilon=cost, detail=detail)

    def _last(self, connection: "sa.Connection", population: str | None = None) -> Entry | None:
        """Return the last row, of one population or of all."""
        table = self._database.entries
        query = sa.select(table).order_by(table.c.number.desc()).limit(1)
        if population is not None:
            query = query.where(table.c.population == population)
        row = connection.execute(query).mappings().first()
        return None if row is None else _unchanged(dict(row))

    def _entry(self, connection: "sa.Connection", number: int) -> Entry:
        rows = self._rows_where(connection, "number", number)
        if not rows:
            raise ParameterError(f"the ledger has no row {number}")
        return _unchanged(rows[0])

    def _about(self, connection: "sa.Connection", reservation: int) -> set[str]:
        """Return what was said of a reservation since."""
        return {row["kind"] for row in self._rows_where(connection, "refers", reservation)}

    def _rows_where(
        self, connection: "sa.Connection", column: str, value: int
    ) -> list[dict[str, Any]]:
        table = self._database.entries
        query = sa.select(table).where(table.c[column] == value)
        return [dict(row) for row in connection.execute(query).mappings()]

    def _append(
        self,
        connection: "sa.Connection",
        population: str,
        kind: EntryKind,
        *,
        detail: Mapping[str, Any] | None = None,
        **change: Any,
    ) -> Entry:
        """Write the next row; the caller holds the one change there can be."""
        newest, last = self._last(connection), self._last(connection, population)
        epsilon = cast("Fraction", change.get("epsilon", Fraction(0)))
        spent = (last.spent if last else Fraction(0)) + epsilon
        row = {
            "number": newest.number + 1 if newest else 1,
            "population": population,
            "kind": kind,
            "epsilon": str(epsilon),
            "refers": change.get("refers"),
            "budget": str(change.get("budget", last.budget if last else Fraction(0))),
            "neighbours": change.get("neighbours", last.neighbours if last else "add-remove"),
            "spent": str(spent),
            "made": now(),
            "detail": json.dumps(dict(detail or {}) | _own(newest), sort_keys=True),
            "before": newest.hash if newest else BEGINNING,
        }
        row["hash"] = hash_of(row)
        connection.execute(self._database.entries.insert().values(row))
        return Entry.of(row)


def refuse_no_reason(reason: str, done: str) -> None:
    """Refuse to put something on record that is ``done`` for no reason."""
    if not reason.strip():
        raise ParameterError(f"`reason` must say why {done}", parameter="reason")


def _refuse_name(population: str) -> None:
    # two names that look alike would be two budgets for the same people
    plain = normalised(population)
    if not plain or plain != population or not population.isprintable():
        msg = (
            "a population must have a name of printable characters that neither begins nor ends "
            "with a blank, its accents composed (NFC)"
        )
        raise ParameterError(msg, parameter="people")


def _unchanged(row: dict[str, Any]) -> Entry:
    """Read a row that something is decided by, refusing one that was changed by hand."""
    if row["hash"] != hash_of(row):
        raise changed_by_hand(row["number"])
    return Entry.of(row)


def _own(newest: Entry | None) -> dict[str, str]:
    """Return what tells a ledger from every other, for its first row."""
    return {} if newest else {"ledger": secrets.token_hex(16)}


def now() -> str:
    """Return the time as the store writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
