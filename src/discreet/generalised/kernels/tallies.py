"""Room to count in, item by item, while sets that some people share grow by one item, compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["Tallies", "forget", "tallies_for"]


class Tallies(NamedTuple):
    """A number for each item; zeros between two groups of people."""

    people: NDArray[np.int64]
    """How many people of a group hold the item."""
    slots: NDArray[np.int64]
    """In how many places; then where these go, -1 for nowhere."""
    touched: NDArray[np.int64]
    """The items that some of the group hold."""


@kernel
def tallies_for(width: int) -> Tallies:
    """Return room for so many items."""
    return Tallies(np.zeros(width, np.int64), np.zeros(width, np.int64), np.empty(width, np.int64))


@kernel
def forget(tallies: Tallies, new: int) -> None:
    """Set what was counted of the items touched, so many of them, to zero."""
    people, slots, touched = tallies.people, tallies.slots, tallies.touched
    for each in range(new):
        people[touched[each]] = 0
        slots[touched[each]] = 0
