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
from discreet.store.firewall import next_release, together
from discreet.store.ledger import Ledger
from discreet.store.shelf import Shelved

__all__ = [
    "Booking",
    "Database",
    "Ledger",
    "Shelved",
    "Store",
    "next_release",
    "together",
    "write_backup",
]
