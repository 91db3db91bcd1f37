"""Made-up people: baskets of a pharmacy, and sets over any public list of items."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.rng import Rng

PRODUCTS = (
    "toothpaste",
    "soap",
    "shampoo",
    "sunscreen",
    "plasters",
    "aspirin",
    "cough syrup",
    "vitamins",
    "folic acid",
    "pregnancy test",
    "nappies",
    "insulin",
)


class _Shopper(NamedTuple):
    """A kind of shopper: how many of a hundred they are, and what of a hundred buy."""

    share: int
    buys: dict[str, int]


_SHOPPERS = (
    _Shopper(55, {"toothpaste": 40, "soap": 45, "shampoo": 35, "plasters": 8, "sunscreen": 10}),
    _Shopper(25, {"aspirin": 70, "cough syrup": 60, "vitamins": 30, "plasters": 15, "soap": 10}),
    _Shopper(9, {"folic acid": 96, "pregnancy test": 90, "vitamins": 93, "sunscreen": 4}),
    _Shopper(8, {"nappies": 95, "vitamins": 25, "soap": 40, "cough syrup": 20}),
    _Shopper(3, {"insulin": 97, "plasters": 75, "vitamins": 12}),
)


def pharmacy(people: int, rng: Rng) -> Transactions:
    """Draw the baskets of so many people, each of one kind of shopper, item by item."""
    kind = np.searchsorted(np.cumsum([shopper.share for shopper in _SHOPPERS]),
                           rng.integers(100, people), side="right")  # fmt: skip
    chances = np.array([[shopper.buys.get(item, 1) for item in PRODUCTS] for shopper in _SHOPPERS])
    holders = [np.flatnonzero(rng.integers(100, people) < chances[kind, at])
            for at in range(len(PRODUCTS))]  # fmt: skip
    return _transactions(holders, PRODUCTS, people)


def made_up(items: Sequence[str], people: int, rng: Rng) -> Transactions:
    """Draw sets over public items, the first item for half of the people, the next for a third.

    Nothing of anybody's data is in them, so that whoever looks at them spends nothing.

    >>> from discreet.rng import seeded
    >>> drawn = made_up(["a", "b", "c"], 1000, seeded(1))
    >>> [round(support / 100) for support in drawn.supports.tolist()]
    [5, 3, 2]
    """
    holders = [np.flatnonzero(rng.integers(1 << 20, people) < (1 << 20) // (rank + 2))
            for rank in range(len(items))]  # fmt: skip
    return _transactions(holders, tuple(items), people)


def _transactions(
    holders: list[NDArray[np.int64]], items: tuple[str, ...], people: int
) -> Transactions:
    """Return sets from who holds each item."""
    people_of = np.concatenate(holders)
    numbers = np.repeat(np.arange(len(items)), [len(who) for who in holders])
    return Transactions(Itemsets.of_pairs(people_of, numbers, people, items))
