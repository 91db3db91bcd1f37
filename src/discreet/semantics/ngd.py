"""Normalised Google Distance over a corpus of one's own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from discreet.semantics.corpus import Corpus, Postings

UNSEEN = 0.5
"""What stands for the number of units that hold both terms where there are none."""


def ngd(
    one: NDArray[np.int64], other: NDArray[np.int64], both: NDArray[np.int64], units: int
) -> NDArray[np.float64]:
    """Return the distance for numbers of units: with one term, the other, both, and in all.

    Cilibrasi and Vitanyi 2007. Terms never seen together count as seen half a time, which keeps
    them beyond every pair seen together; a term never seen at all has no distance.

    Parameters
    ----------
    one
        Units with the one term.
    other
        Units with the other.
    both
        Units with both.
    units
        All units.

    Returns
    -------
    array of float
        0 for terms that stand together only, infinite where they never do.

    Examples
    --------
    >>> ngd(np.array([4, 4, 4]), np.array([3, 2, 0]), np.array([2, 0, 0]), 8).round(4).tolist()
    [0.7067, 1.5, nan]
    """
    known = (one > 0) & (other > 0)
    less, more = (np.log(np.maximum(1, pick(one, other))) for pick in (np.minimum, np.maximum))
    together = np.log(np.maximum(UNSEEN, both))
    room = np.log(units) - less
    # both terms in every unit: nothing is between them
    distance = np.divide(more - together, room, out=np.zeros(known.shape), where=room > 0)
    return np.where(known, np.maximum(distance, 0.0), np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Ngd:
    """How seldom terms stand in the same units of a corpus, given how often each does.

    >>> corpus = Corpus.build(["a b", "a b c", "a", "b c", "c d", "d", "a c", "e"])
    >>> Ngd(corpus).distances(["a"], ["b", "c", "d", "x"]).round(4).tolist()
    [[0.7067, 1.0, 1.5, nan]]
    """

    corpus: Corpus
    """The corpus; it must not be the attacked data, where standing together is the answer."""
    _seen: dict[str, NDArray[np.int32]] = field(default_factory=dict, init=False, repr=False)

    def _postings(self, terms: Sequence[str]) -> Postings:
        """Return the units of each term; what was looked up before is not looked up again."""
        fresh = [term for term in dict.fromkeys(terms) if term not in self._seen]
        if fresh:
            postings = self.corpus.postings(fresh)
            self._seen.update((term, postings[index]) for index, term in enumerate(fresh))
        return Postings.of([self._seen[term] for term in terms])

    def distances(self, one: Sequence[str], other: Sequence[str]) -> NDArray[np.float64]:
        """Return the distance of each term of ``one`` from each of ``other``."""
        left, right = self._postings(one), self._postings(other)
        size = self.corpus.size
        both = (left.matrix(size) @ right.matrix(size).T).toarray()
        return ngd(left.counts[:, None], right.counts[None, :], both, size)

    def joint_distances(
        self, contexts: Sequence[Sequence[str]], terms: Sequence[str]
    ) -> NDArray[np.float64]:
        """Return the distance of each term from each context taken as one term.

        A context stands where all its known items stand; where they never do, nothing is known.
        """
        items = list(dict.fromkeys(item for context in contexts for item in context))
        number = {item: index for index, item in enumerate(items)}
        postings, size = self._postings(items), self.corpus.size
        right = self._postings(terms)
        matrix = right.matrix(size).T.tocsr()
        rows = []
        for context in contexts:
            known = [postings[number[item]] for item in context if len(postings[number[item]])]
            units = reduce(np.intersect1d, known) if known else np.empty(0, dtype=np.int32)
            both = np.asarray(matrix[units].sum(axis=0)).ravel() if len(units) else 0
            alone = np.full(len(terms), len(units), dtype=np.int64)
            rows.append(ngd(alone, right.counts, np.asarray(both), size))
        return np.array(rows).reshape(len(contexts), len(terms))
