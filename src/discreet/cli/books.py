"""Whose data are published: the options of the store, and a release as the books see it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final
from unicodedata import category

from discreet.catalog import Entry
from discreet.cli import show
from discreet.core.doc import Doc
from discreet.core.publication import LinkageKey, Publication, State
from discreet.core.release import Release
from discreet.errors import DataError, ParameterError

if TYPE_CHECKING:
    from discreet.store import Booking, Store

PASSPHRASE: Final = "DISCREET_PASSPHRASE"
"""The environment variable with the passphrase that linkage keys are closed by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where the ledger and the shelf are."""

    store: Annotated[
        str | None,
        Doc(
            "Where ledger and shelf are kept: a file, or the address of a PostgreSQL database; "
            "by default DISCREET_STORE, or a file in your data folder."
        ),
    ] = None

    def open(self) -> "Store":
        """Open the store."""
        from discreet.store import Store

        return Store(self.store)


@dataclass(frozen=True, slots=True, kw_only=True)
class Books(Where):
    """Whose data these are, and who gets the release."""

    people: Annotated[
        str | None,
        Doc(
            "The population whose data these are: its privacy budget pays for the release, which "
            "is recorded on its shelf. See discreet ledger --help."
        ),
    ] = None
    recipient: Annotated[
        str | None, Doc("Who receives the release, for the record on the shelf.")
    ] = None
    passphrase_file: Annotated[
        Path | None,
        Doc(
            "A file with the passphrase that encrypts the linkage key on the shelf, in place of "
            "the environment variable DISCREET_PASSPHRASE; without either, the key is not kept "
            "there."
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.people is None and (self.recipient or self.passphrase_file or self.store):
            msg = "`recipient`, `passphrase_file` and `store` are about a population: add `people`"
            raise ParameterError(msg, parameter="people")
        if self.recipient is not None and not _plain(self.recipient):
            msg = "`recipient` must be a name in UTF-8 on one line"
            raise ParameterError(msg, parameter="recipient")

    @property
    def passphrase(self) -> str | None:
        """The passphrase that linkage keys are closed by, where there is one."""
        if self.passphrase_file is None:
            return self._from_environment()
        try:
            phrase = self.passphrase_file.read_text().strip()
        except (OSError, UnicodeDecodeError):
            phrase = ""
        if not phrase:
            msg = f"{self.passphrase_file.name} must hold the passphrase, and cannot be read"
            raise DataError(msg, parameter="passphrase_file")
        return phrase

    @staticmethod
    def _from_environment() -> str | None:
        phrase = os.environ.get(PASSPHRASE, "").strip()
        if not _plain(phrase):
            raise DataError(f"the passphrase in {PASSPHRASE} must be in UTF-8 on one line")
        return phrase or None

    def open_for_people(self) -> "Store | None":
        """Open the store where a population is named, which must be known."""
        if self.people is None:
            return None
        store = self.open()
        store.ledger.account(self.people)
        # one that cannot be read is found out before anything is booked
        _ = self.passphrase
        return store

    def going_on(self, store: "Store | None", entry: Entry, method: Any) -> Any:
        """Return the method as it goes on from the releases of these people on the shelf."""
        if store is None or self.people is None:
            return method
        before = [
            shelved for shelved in store.predecessors(self.people) if shelved.method == entry.name
        ]
        if not before:
            return method
        for parameter in entry.parameters:
            value = getattr(method, parameter.name)
            if parameter.name == "after" and not value:
                return replace(
                    method, **{parameter.name: tuple(shelved.load() for shelved in before)}
                )
            if entry.goes_on and parameter.name == "keep" and value is None:
                if self.passphrase is None:
                    msg = (
                        f"{entry.name} continues from the key of the previous release; give the "
                        "passphrase of the shelf (`passphrase_file`), or the key itself (`keep`)"
                    )
                    raise ParameterError(msg, parameter="passphrase_file")
                before[-1].check()
                key = store.shelf.key(self.people, before[-1].number, self.passphrase)
                return replace(method, keep=State(key))
        return method

    def reserve(
        self,
        store: "Store | None",
        entry: Entry,
        method: Any,
        out: Path,
        source: str | None = None,
    ) -> "Booking | None":
        """Book what a release will cost, before any noise is drawn."""
        if store is None or self.people is None:
            return None
        if not _plain(str(out.absolute())):
            msg = "the shelf keeps where a release is, and can do so for names in UTF-8 only"
            raise ParameterError(msg, parameter="out")
        return store.reserve(
            self.people,
            entry.name,
            method.guarantees,
            source=Path(source) if source is not None and entry.data is Release else None,
            epsilon=getattr(method, "epsilon", None),
        )

    def examine(self, booking: "Booking | None", publication: Publication[Any]) -> list[str]:
        """Lay a release beside those on the shelf, and say aloud what is wrong with it there."""
        if booking is None:
            return []
        messages = [flag.words for flag in booking.examine(publication)]
        for message in messages:
            show.loud(message)
        return messages

    def save(
        self,
        booking: "Booking | None",
        publication: Publication[Any],
        out: Path,
        key: LinkageKey | None,
        **saving: Any,
    ) -> None:
        """Write the release, and settle it where it is booked."""
        if booking is None:
            publication.save(out, **saving)
            return
        phrase = self.passphrase
        about = {"passphrase": phrase, "recipient": self.recipient}
        booking.write(publication, out, key=key if phrase else None, **about, **saving)


def _plain(text: str) -> bool:
    """Whether a text can be written down, and shown on one line."""
    return not any(category(letter) in {"Cc", "Cs"} for letter in text)


@contextmanager
def keeping(booking: "Booking | None") -> Iterator[None]:
    """Say what becomes of the booking where the work does not come to its end."""
    try:
        yield
    except BaseException as error:
        cost = sum(claim.budget for claim in booking.claims) if booking else 0
        if booking and cost and not isinstance(error, GeneratorExit):
            show.warn(
                f"row {booking.number} of the ledger stays booked as spent (epsilon {cost}); where "
                "nobody can have seen a result, discreet ledger correct gives it back, on record"
            )
        raise
