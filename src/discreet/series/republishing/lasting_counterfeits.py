"""Counterfeits that stay from release to release, as people do: known to the owner alone.

Every release holds some of them from the first on. They go through all phases as records do, so
whatever set one has, the overlaps with earlier releases are counted with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.histogram import list_column
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.errors import DataError
from discreet.lazy import pl
from discreet.rng import Rng
from discreet.series.clusters.plan import joined
from discreet.series.clusters.public_order import numbered
from discreet.series.corpus import Corpus


@dataclass(frozen=True, eq=False)
class LastingCounterfeits:
    """People who do not exist, with all that a record has."""

    sets: Itemsets
    """The non-private set of each."""
    private: Itemsets
    """The private terms of each: copies that a release counts and no person holds."""

    @classmethod
    def of(cls, key: LinkageKey | None, releases: Sequence[str]) -> "LastingCounterfeits":
        """Read the counterfeits of the last release, refusing the key of another series."""
        if key is None:
            return cls(Itemsets.of([]), Itemsets.of([]))
        table = key.tables.get("counterfeits")
        if table is None or list(key.facts.get("releases", ())) != list(releases):
            msg = (
                "the key must be the one that sanony wrote with the last of the releases named "
                "with `after`, and it is not; name that file, or a new one to begin anew"
            )
            raise DataError(msg, parameter="after")
        return cls(Itemsets.of(table["items"].to_list()), Itemsets.of(table["terms"].to_list()))

    def __len__(self) -> int:
        return len(self.sets)

    def staying(self, corpus: Corpus, last: Clusters, rng: Rng) -> "LastingCounterfeits":
        """Return those who stay: as many as of the people who had a set of their own.

        None stays with a set that only one person has now.
        """
        (now, before, mine), count = numbered([corpus.sets, last.sets, self.sets])
        count_now, count_before = (np.bincount(kinds, minlength=count) for kinds in (now, before))
        own = count_before == 1
        own[mine] = False
        people = own if own.any() else count_before > 0
        stay = len(self) * int((people & (count_now > 0)).sum()) / max(int(people.sum()), 1)
        order = rng.permutation(len(self))
        return self.take(np.sort(order[count_now[mine[order]] != 1][: round(stay)]))

    def more(
        self, sets: Sequence[Sequence[str]], terms: Sequence[Sequence[str]] | None = None
    ) -> "LastingCounterfeits":
        """Return these and, behind them, others; without ``terms`` they hold none."""
        terms = [()] * len(sets) if terms is None else terms
        return LastingCounterfeits(joined(self.sets, sets), joined(self.private, terms))

    def take(self, rows: NDArray[np.int64]) -> "LastingCounterfeits":
        """Return some of them."""
        return LastingCounterfeits(self.sets.take(rows), self.private.take(rows))

    def among(self, corpus: Corpus) -> Corpus:
        """Return the records of the corpus and, behind them, these."""
        weights = np.concatenate([corpus.weights, np.ones(len(self), dtype=np.int64)])
        return Corpus(
            joined(corpus.sets, list(self.sets)),
            joined(corpus.private, list(self.private)).over(corpus.terms),
            weights,
        )

    def table(self) -> "pl.DataFrame":
        """Return them as the owner's key keeps them."""
        return pl.DataFrame({"items": list_column(self.sets), "terms": list_column(self.private)})
