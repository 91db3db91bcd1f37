"""Where a method takes its chance from: a stream of random words, whoever fills it."""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from discreet.errors import ParameterError


@runtime_checkable
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
        """Return at least the next ``n`` words without using them; the next peek begins alike.

        Parameters
        ----------
        n
            How many words are wanted.

        Returns
        -------
        array of uint64
            Random words.
        """
        ...

    def advance(self, k: int) -> None:
        """Use up the first ``k`` of the words last peeked at.

        Parameters
        ----------
        k
            How many words were used.
        """
        ...

    def words(self, n: int) -> NDArray[np.uint64]:
        """Return the next ``n`` words and use them up.

        Parameters
        ----------
        n
            How many.

        Returns
        -------
        array of uint64
            Random words.
        """
        ...

    def integers(self, bound: int, size: int) -> NDArray[np.int64]:
        """Draw ``size`` numbers uniformly from ``0 .. bound - 1``.

        Parameters
        ----------
        bound
            One more than the largest number.
        size
            How many.

        Returns
        -------
        array of int
            The numbers; no bias, whatever the bound.
        """
        ...

    def permutation(self, n: int) -> NDArray[np.int64]:
        """Draw an order of ``0 .. n - 1``, each equally likely.

        Parameters
        ----------
        n
            How many numbers.

        Returns
        -------
        array of int
            The order.
        """
        ...


def refuse_foreign(rng: object) -> None:
    """Refuse chance that is none of ours.

    A generator of numpy has some of the same verbs, and nothing would say that it can be foreseen.
    """
    kind = type(rng)
    if rng is None or kind in _STREAMS:
        return
    if not isinstance(rng, Rng):
        msg = (
            "rng must be made by rng.secure() or rng.seeded(1) of discreet, "
            f"not of type {kind.__name__}"
        )
        raise ParameterError(msg, parameter="rng")
    _STREAMS.add(kind)


_STREAMS: set[type] = set()
"""Types of chance that are ours: looking at every verb takes as long as drawing ten numbers."""
