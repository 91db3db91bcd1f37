"""The ledger of budgets and the shelf of releases, in a real database.

A population is a group of people whose data are published, once or many times. Its budget says how
much differential privacy may be spent on it in all; the shelf says what is out already.

>>> import tempfile
>>> from pathlib import Path
>>> store = Store(Path(tempfile.mkdtemp()) / "store.db")
>>> store.ledger.set_budget("town", 2)
>>> store.budget("town").left
Fraction(2, 1)
"""

from discreet.store.backup import write_backup
from discreet.store.booking import Booking, Store
from discreet.store.database import Database
from discreet.store.entry import Account, Entry
from discreet.store.firewall import Flag, Profile, beside_later, examined, next_release, together
from discreet.store.ledger import Ledger
from discreet.store.ledger_budget import LedgerBudget
from discreet.store.shelf import Shelf, Shelved

__all__ = [
    "Account",
    "Booking",
    "Database",
    "Entry",
    "Flag",
    "Ledger",
    "LedgerBudget",
    "Profile",
    "Shelf",
    "Shelved",
    "Store",
    "beside_later",
    "examined",
    "next_release",
    "together",
    "write_backup",
]
