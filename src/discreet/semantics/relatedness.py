"""What an attack asks about the meaning of items: how far terms are from each other."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class Relatedness(Protocol):
    """A measure of how far terms are from each other: smaller is more related.

    Anything with this one method will do: counts over a corpus, an ontology, a table, an embedding.
    """

    def distances(self, one: Sequence[str], other: Sequence[str]) -> NDArray[np.float64]:
        """Return the distance of each term of ``one`` from each of ``other``; unknown is not 0.

        Where a term is unknown, or nothing can be said about a pair, the distance is not a number.

        Parameters
        ----------
        one
            Terms.
        other
            Terms.

        Returns
        -------
        array of float
            A row for each of ``one``, a column for each of ``other``.
        """
        ...


@runtime_checkable
class JointRelatedness(Relatedness, Protocol):
    """A measure that also knows how far a term is from several others taken together."""

    def joint_distances(
        self, contexts: Sequence[Sequence[str]], terms: Sequence[str]
    ) -> NDArray[np.float64]:
        """Return the distance of each term from each context as a whole.

        Parameters
        ----------
        contexts
            Sets of terms.
        terms
            Terms.

        Returns
        -------
        array of float
            A row for each context, a column for each term.
        """
        ...
