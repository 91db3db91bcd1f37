"""Where a method takes its chance from: a stream of random words, whoever fills it."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Rng"]


class Rng(Protocol):
    """A stream of random 64-bit words; a draw depends on the words, never on their blocks."""

    @property
    def label(self) -> str:
        """What the manifest says about the randomness."""
        ...

    @property
    def seeded(self) -> bool:
        """Whether the stream can be repeated by whoever knows a number."""
        ...

    def peek(self, n: int) -> NDArray[np.uint64]:
        """Return at least the next ``n`` words without using them; the next peek begins alike."""
        ...

    def advance(self, k: int) -> None:
        """Use up the first ``k`` of the words last peeked at."""
        ...

    def words(self, n: int) -> NDArray[np.uint64]:
        """Return the next ``n`` words and use them up."""
        ...

    def integers(self, bound: int, size: int) -> NDArray[np.int64]:
        """Draw ``size`` numbers uniformly from ``0 .. bound - 1``."""
        ...

    def permutation(self, n: int) -> NDArray[np.int64]:
        """Draw an order of ``0 .. n - 1``, each equally likely."""
        ...
