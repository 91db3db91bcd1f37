"""A workload of counting queries with its true answers, which are found once per data set."""

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.score import Z
from discreet.core.transactions import Transactions
from discreet.measure.queries import (
    SANITY,
    CountingQueries,
    answers,
    paper_workload,
    relative_error,
)
from discreet.rng import Rng, seeded


class QueryError(NamedTuple):
    """The mean relative error of a group of queries, with its 95 % interval.

    The queries are independent draws, so the interval is about the law they are drawn from: what
    a larger workload against the same release would say. Other releases scatter besides; a study
    over seeds shows that.
    """

    mean: float
    """Over the queries; 0 where there are none."""
    low: float
    """Lower end of the interval."""
    high: float
    """Upper end of the interval."""

    @classmethod
    def of(cls, errors: NDArray[np.float64]) -> "QueryError":
        """Average over ``errors``.

        Parameters
        ----------
        errors
            The error of each query.

        Returns
        -------
        QueryError
            The mean with its 95 % interval.
        """
        if not len(errors):
            return cls(0.0, 0.0, 0.0)
        mean = float(errors.mean())
        deviation = float(errors.std(ddof=1)) if len(errors) > 1 else 0.0
        reach = Z * deviation / sqrt(len(errors))
        return cls(mean, max(0.0, mean - reach), mean + reach)


@dataclass(frozen=True, eq=False)
class Workload:
    """Queries beside their true answers, ready to be put to any number of releases."""

    asked: Itemsets
    """All queries, those of existing sets first."""
    existing: int
    """How many of them are existing sets."""
    true: NDArray[np.int64]
    """What the data answer."""
    sanity: float
    """The number of people below which an answer counts as if so many held the set."""

    @classmethod
    def of(cls, data: Transactions, queries: CountingQueries) -> "Workload":
        """Answer ``queries`` by ``data``.

        Parameters
        ----------
        data
            The original data.
        queries
            What is asked.

        Returns
        -------
        Workload
            The queries with their answers.
        """
        asked = Itemsets.joined([queries.existing, queries.random])
        sanity = SANITY * max(1, len(data))
        return cls(asked, len(queries.existing), answers(data.folded, asked), sanity)

    def __len__(self) -> int:
        return len(self.asked)

    def errors(self, release: ItemsetHistogram) -> dict[str, QueryError]:
        """Return the errors of a release on existing sets, on random sets, and on all.

        Parameters
        ----------
        release
            The published counts.

        Returns
        -------
        dict of str to QueryError
            The errors by the kind of query.
        """
        each = relative_error(self.true, answers(release, self.asked), self.sanity)
        return {
            "existing": QueryError.of(each[: self.existing]),
            "random": QueryError.of(each[self.existing :]),
            "all": QueryError.of(each),
        }


_USUAL: WeakKeyDictionary[Transactions, Workload] = WeakKeyDictionary()
"""The workload of data in use, forgotten with the data."""


def workload_of(data: Transactions, rng: Rng | None = None) -> Workload:
    """Return the paper's workload for ``data``; without ``rng`` the same one in every run.

    Parameters
    ----------
    data
        The original data.
    rng
        Where the queries' randomness comes from.

    Returns
    -------
    Workload
        Existing and random itemsets with their answers.

    Examples
    --------
    >>> people = Transactions.of([["a", "b"], ["b"], []])
    >>> workload_of(people) is workload_of(people)
    True
    """
    if rng is not None:
        return Workload.of(data, paper_workload(data.folded, rng))
    if data not in _USUAL:
        _USUAL[data] = Workload.of(data, paper_workload(data.folded, seeded(0)))
    return _USUAL[data]
