"""Publish set-valued data without giving people away, and attack every release first.

The nouns: ``Transactions``, ``Microdata``, ``SocialNetwork``, ``Hierarchy``, ``Release``.
The verbs stand in rooms of their own: ``discreet.publish``, ``discreet.attack``,
``discreet.measure``, and ``verify`` here. All chance comes from ``chance``.

>>> from discreet import Transactions, chance, verify
>>> from discreet.publish import AplKiller
>>> baskets = Transactions.of([["bread", "beer"]] * 60 + [["bread"]] * 40)
>>> method = AplKiller(epsilon=1, universe=("beer", "bread"))
>>> release = method.publish(baskets, chance.seeded(1)).release
>>> verify(release).holds
True
"""

from discreet import chance
from discreet.data.hierarchy import Hierarchy
from discreet.data.microdata import Microdata
from discreet.data.network import SocialNetwork
from discreet.data.release import Release
from discreet.data.transactions import Transactions
from discreet.verify import verify

__all__ = [
    "Hierarchy",
    "Microdata",
    "Release",
    "SocialNetwork",
    "Transactions",
    "chance",
    "verify",
]
