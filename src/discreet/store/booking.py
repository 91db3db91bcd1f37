"""One release and its place in the books: reserved before noise, settled once it is in place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from discreet.core.clusters import Clusters
from discreet.core.guarantee import DifferentialPrivacy, Guarantee, epsilon_of
from discreet.core.publication import LinkageKey, Publication
from discreet.core.release import Release
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.io.release_folder import seal_in
from discreet.series import Composition
from discreet.store.database import Database
from discreet.store.firewall import Flag, Profile, beside_later, examined
from discreet.store.ledger import Ledger
from discreet.store.shelf import Shelf, Shelved


@dataclass(frozen=True, slots=True)
class LedgerBudget:
    """A population's budget in the ledger, for whoever answers questions about its people.

    It is the same budget in every process, after every restart, and for every copy.
    """

    ledger: Ledger
    """Where it is booked."""
    population: str
    """Whose it is."""

    @property
    def total(self) -> Fraction:
        """The whole budget of the population."""
        return self.ledger.account(self.population).budget

    @property
    def left(self) -> Fraction:
        """What is left of it now."""
        return self.ledger.account(self.population).left

    def spend(self, epsilon: Fraction) -> None:
        """Book an epsilon for one person more or less."""
        self.ledger.spend(self.population, epsilon)


class Store:
    """The ledger and the shelf of one database.

    Parameters
    ----------
    where
        A file of SQLite or the address of a PostgreSQL; by default what the environment variable
        ``DISCREET_STORE`` names, or ``store.db`` in the user's data folder.
    """

    def __init__(self, where: str | Path | None = None) -> None:
        database = Database(where)
        self.ledger = Ledger(database)
        self.shelf = Shelf(database, self.ledger)
        self.shelf.recover()

    def budget(self, population: str) -> LedgerBudget:
        """Return the budget of a population, for a ``QueryServer`` over its people."""
        self.ledger.account(population)
        return LedgerBudget(self.ledger, population)

    def predecessors(self, population: str) -> list[Shelved]:
        """Return the releases of a population that promise something over time, oldest first."""
        return [each for each in self.out(population) if each.profile.serial]

    def out(self, population: str) -> list[Shelved]:
        """Return what is out of a population or may be any moment: all but what was abandoned."""
        return _not_abandoned(self.shelf.releases(population))

    def find(self, population: str, folder: Path) -> Shelved | None:
        """Return the release in a folder as the shelf of a population knows it, or None."""
        seal = seal_in(folder)
        mine = [each for each in self.shelf.releases(population) if each.seal == seal]
        return mine[-1] if mine else None

    def objections(self, mine: Shelved) -> list[str]:
        """Return what is to be said against a release on the shelf, also by what came later."""
        later = [each for each in self.out(mine.population) if each.number > mine.number]
        flags = (*mine.flags, *beside_later(mine.profile, [each.profile for each in later]))
        sentences = [flag.words for flag in flags]
        if mine.state != "in place":
            sentences.append(
                f"it is {mine.state} on the shelf of {mine.population}, and yet it is here"
            )
        return sentences

    def flags_beside(self, population: str, release: Release[Any]) -> tuple[Flag, ...]:
        """Return what the shelf of a population says against a release that is not on it yet.

        Parameters
        ----------
        population
            Whose data these are.
        release
            What may go out.

        Returns
        -------
        tuple of Flag
            What would be flagged, and what would be refused.
        """
        shelved = self.out(population)
        new = Profile.of("this release", release.record())
        flags = examined(new, [each.profile for each in shelved])
        return (*flags, *_compared(release, shelved))

    def put(self, population: str, folder: Path, recipient: str | None = None) -> tuple[Flag, ...]:
        """Put a release on the shelf that was tried out before and goes out now.

        Parameters
        ----------
        population
            Whose data these are.
        folder
            Where the release is, and stays.
        recipient
            Who gets it.

        Returns
        -------
        tuple of Flag
            What is said against it beside the others; what was there already stays as it is.

        Raises
        ------
        DataError
            Where its folder is not as it was written.
        ParameterError
            Where it is differentially private: that is booked before its noise is drawn.
        InfeasibleError
            Where it would break the promise of an earlier one.
        """
        release = Release.load(folder)
        if release.folder_fault:
            raise DataError(f"{release.folder_fault}; mend that before the release goes out")
        if (shelved := self.find(population, folder)) is not None:
            return shelved.flags
        if epsilon_of(release.guarantees) is not None:
            msg = (
                "a differentially private release is booked before its noise is drawn; publish it "
                "with `people`"
            )
            raise ParameterError(msg, parameter="people")
        flags = self.flags_beside(population, release)
        if refused := [each.words for each in flags if each.level == "refused"]:
            raise InfeasibleError(f"{refused[0]}; nothing was put on the shelf")
        booking = self.reserve(population, release.manifest.method, release.guarantees)
        booking.examine(Publication(release, None))
        booking.shelve(release, folder, seal_in(folder) or "", {"recipient": recipient})
        booking.settle()
        return booking.flags

    def reserve(
        self,
        population: str,
        method: str,
        guarantees: Sequence[Guarantee],
        *,
        source: Path | None = None,
        epsilon: object = None,
    ) -> "Booking":
        """Book what a release will cost, before it is made.

        Parameters
        ----------
        population
            Whose data these are.
        method
            The method's name.
        guarantees
            What it will promise.
        source
            The release it is made from, where it is made from one. On the shelf of the same
            population it was paid for already; elsewhere it is paid for here.
        epsilon
            The epsilon that was asked for, if the method has one; a variant that does not promise
            it cannot be booked.

        Raises
        ------
        InfeasibleError
            Where the budget does not reach.
        """
        claims = [claim for claim in guarantees if isinstance(claim, DifferentialPrivacy)]
        derived = False
        if source is not None:
            derived = self.find(population, source) is not None
            made_from = () if derived else Release.load(source).guarantees
            claims = [claim for claim in made_from if isinstance(claim, DifferentialPrivacy)]
        elif epsilon is not None and not claims:
            msg = (
                f"this variant of {method} does not promise its `epsilon`, so nobody knows what to "
                "book for it; choose the sound variant"
            )
            raise ParameterError(msg, parameter="epsilon")
        number = self.ledger.reserve(population, claims, {"method": method})
        return Booking(self, population, number, tuple(claims), derived=derived)


@dataclass(slots=True)
class Booking:
    """A release under way: its cost is booked, whatever becomes of it."""

    store: Store
    population: str
    number: int
    """The row of the ledger."""
    claims: tuple[DifferentialPrivacy, ...]
    """What was paid for."""
    derived: bool = False
    flags: tuple[Flag, ...] = field(default=())

    def examine(self, publication: Publication[Any]) -> tuple[Flag, ...]:
        """Lay a release beside those on the shelf, before it is written.

        Raises
        ------
        InfeasibleError
            Where it would break the promise of an earlier one, or costs more than was booked.
        """
        release = publication.release
        self._refuse_dearer(release)
        shelved = self.store.out(self.population)
        self.flags = (*self._beside(release, shelved), *_compared(release, shelved))
        return self.flags

    def _refuse_dearer(self, release: Release[Any]) -> None:
        cost, booked = epsilon_of(release.guarantees) or 0, epsilon_of(self.claims) or 0
        if not self.derived and cost > booked:
            msg = "the release costs more than was booked for it, so it is not published"
            raise InfeasibleError(msg)

    def _beside(self, release: Release[Any], shelved: Sequence[Shelved]) -> list[Flag]:
        """Return what the rules say of a release, refusing one that they refuse."""
        new = Profile.of("this release", release.record(), derived=self.derived)
        flags = examined(new, [each.profile for each in shelved])
        refused = [flag.words for flag in flags if flag.level == "refused"]
        if refused:
            raise InfeasibleError(f"{refused[0]}; nothing was written")
        return flags

    def write(
        self,
        publication: Publication[Any],
        out: Path,
        *,
        key: LinkageKey | None = None,
        passphrase: str | None = None,
        recipient: str | None = None,
        **saving: Any,
    ) -> Path:
        """Write the release as a folder, put it on the shelf, and settle its cost."""
        self._refuse_dearer(publication.release)
        extra = {
            "recipient": recipient,
            "key": key if passphrase else None,
            "passphrase": passphrase,
        }

        def sealed(seal: str) -> None:
            self.shelve(publication.release, out, seal, extra)

        publication.save(out, sealed=sealed, **saving)
        self.settle()
        return out

    def shelve(self, release: Release[Any], out: Path, seal: str, extra: Mapping[str, Any]) -> None:
        """Put a release on the shelf before it gets its place, unless others forbid it by now."""
        about = {
            "population": self.population,
            "location": str(out.absolute()),
            "derived": self.derived,
            "seal": seal,
            "key": None,
        }
        with self.store.ledger.changing() as connection:
            # somebody else may have published of these people since they were looked at
            beside = _not_abandoned(self.store.shelf.releases(self.population, connection))
            flags = self._beside(release, beside)
            self.flags = tuple(dict.fromkeys((*self.flags, *flags)))
            details = about | dict(extra) | {"flags": self.flags}
            self.store.shelf.put(connection, self.number, release, details)

    def settle(self) -> None:
        """Note that the release is in its place."""
        with self.store.ledger.changing() as connection:
            self.store.ledger.settle(connection, self.number)
            self.store.shelf.place(connection, self.number)


def _compared(release: Release[Any], shelved: Sequence[Shelved]) -> list[Flag]:
    """Attack the release together with the clusters on the shelf, as anyone could."""
    others = [each for each in shelved if each.profile.clusters]
    if not others or not isinstance(release.content, Clusters):
        return []
    together = [*(each.load() for each in others), release]
    findings = Composition().attack(together)
    sure = [claim for claim in findings.claims if claim.release == len(together)]
    if not sure:
        return []
    beside = "release" if len(others) == 1 else f"{len(others)} releases"
    words = (
        f"anyone who compares it with the {beside} of clusters on the shelf can infer a private "
        f"term of the people in {len({claim.row for claim in sure}):,} of its rows more surely "
        "than the bound allows; discreet attack composition shows how"
    )
    return [Flag(level="flagged", words=words)]


def _not_abandoned(shelved: Sequence[Shelved]) -> list[Shelved]:
    return [each for each in shelved if each.state != "abandoned"]
