"""Publish set-valued data without giving people away, and attack every release first.

The nouns: ``Transactions``, ``Microdata``, ``SocialNetwork``, ``Hierarchy``, ``Release``.
The verbs stand in rooms of their own: ``discreet.counts``, ``generalised``, ``tables``,
``series`` and ``networks``, a family each, and ``verify`` here. All chance comes from ``rng``.

>>> from discreet import Transactions, rng, verify
>>> from discreet.counts import AplKiller
>>> baskets = Transactions.of([["bread", "beer"]] * 60 + [["bread"]] * 40)
>>> method = AplKiller(epsilon=1, universe=("beer", "bread"))
>>> release = method.publish(baskets, rng.seeded(1)).release
>>> verify(release).by_parts
True
"""

from discreet import rng
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.verify import verify

__all__ = [
    "Hierarchy",
    "Microdata",
    "Release",
    "SocialNetwork",
    "Transactions",
    "rng",
    "verify",
]
