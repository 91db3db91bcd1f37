"""PrivBayes: a synthetic sample from a Bayesian network learned under differential privacy."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact, in_range, positive
from discreet.core.fields import check_fields
from discreet.core.guarantee import DifferentialPrivacy, Guarantee
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import WORD, Itemsets
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest, universe_of
from discreet.core.transactions import Transactions
from discreet.counts.batch import Outcome
from discreet.counts.bayes.network import (
    Conditional,
    Negatives,
    Pair,
    Records,
    Score,
    conditionals,
    sample,
    structure,
)
from discreet.counts.bayes.pairs import SIDE_BY_SIDE, count_pair, network_pair, shared_pair
from discreet.counts.counting import DecidedCounts
from discreet.errors import ParameterError
from discreet.mechanism_audit.neighbouring import NeighbouringPair
from discreet.rng import Rng

MOST_CHOICES = 2_000_000
"""Sets of a child and its parents that may be looked at, for the sake of memory."""
MOST_CELLS = 1 << 22
"""Cells of one table."""
MOST_STEPS = 2 * 10**11
"""Steps that the choice of the network may take at worst, some minutes."""
MOST_STEPS_OF_F = 10**13
"""The same for score F beyond that: hours at worst, but few cells of real data are that mixed."""
TRIED_BY_DEGREE, MOST_TRIED = 120, 1200
"""Records of made-up data that show which network was chosen: for a given degree, and at most."""
MOST_PARENTS = 6
"""Parents that are given without being asked for: larger tables are noise where data are sparse."""
MOST_RECORDS = 1 << 31
"""Records of which the square still fits a machine word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivBayes(DecidedCounts):
    """Synthetic records from a Bayesian network learned under differential privacy.

    Zhang, Cormode, Procopiuc, Srivastava and Xiao, TODS 42(4), 2017, for sets: an item is an
    attribute of value 0 or 1. Neighbouring data sets differ in one record that is replaced; the
    number of records is public. Selection and noise are exact, in integers. The score MI is the
    paper's first variant: its values are irrational and computed in floating point, so a release
    made with it promises nothing.
    """

    epsilon: Annotated[Exact, Doc("Privacy budget; smaller is safer and noisier.")]
    theta: Annotated[
        Exact, Doc("How far the average cell of a table must exceed its noise; chooses the degree.")
    ] = 4
    beta: Annotated[
        Exact,
        Doc(
            "Share of the budget that chooses the network, between 0 and 1; the rest is for "
            "its tables."
        ),
    ] = "0.3"
    score: Annotated[
        Score,
        Doc(
            "What makes a good parent. R: far from independent. F: near to determining, the "
            "slowest. MI: mutual information in floating point, without guarantee."
        ),
    ] = "R"
    negatives: Annotated[
        Negatives,
        Doc(
            "What becomes of noisy counts below 0. spread: the nearest table without any that "
            "sums to the number of records. paper: raised to 0, as printed, which leaves much "
            "noise in large tables."
        ),
    ] = "spread"
    degree: Annotated[
        int | None,
        Doc("Parents of an item, a public number; by default as `theta` allows, up to six."),
    ] = None
    rows: Annotated[
        int | None, Doc("Records to sample, a public number; default: as many as there are.")
    ] = None
    universe: Annotated[
        tuple[str, ...] | None, Doc("All items that can occur, public, up to 64.")
    ] = field(default=None, metadata={"unwritten": True})

    def __post_init__(self) -> None:
        check_fields(self)
        positive("theta", self.theta)
        if not 0 < exact("beta", self.beta) < 1:
            msg = f"`beta` must be between 0 and 1, such as 0.3, got {self.beta}"
            raise ParameterError(msg, parameter="beta")
        epsilon = positive("epsilon", self.epsilon)
        for budget in (epsilon, *self._shares(epsilon)):
            if budget.numerator >= 1 << 62 or budget.denominator >= 1 << 48:
                msg = (
                    f"`epsilon` and `beta` must have fewer digits, got {self.epsilon}, {self.beta}"
                )
                raise ParameterError(msg, parameter="epsilon")
        in_range(0, None, degree=self.degree, rows=self.rows)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Differential privacy under replaced records, unless the score is MI."""
        if self.score == "MI":
            return ()
        taken = "item universe (taken from the data: not covered by epsilon)"
        universe = taken if self.universe is None else "item universe"
        return (
            DifferentialPrivacy(
                epsilon=positive("epsilon", self.epsilon),
                neighbours="replace",
                public=("number of records", universe),
            ),
        )

    def statistics(self, data: Transactions, rng: Rng) -> ItemsetHistogram:
        """Return the distinct sets over the universe, counted."""
        return data.folded if self.universe is None else data.folded.over(self.universe)

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> ItemsetHistogram:
        """Return records sampled from a network learned from these, equal ones counted."""
        records = _records(statistics)
        degree = self.degree_for(records.total, records.items)
        rows = records.total if self.rows is None else self.rows
        drawn = sample(self.network(records, degree, rng), rows, rng)
        return _histogram(statistics.sets.vocabulary, drawn, rng)

    def manifest(self, statistics: ItemsetHistogram, rng: Rng) -> Manifest:
        """Describe a release, with the degree that its public numbers allow."""
        degree = self.degree_for(statistics.total, len(statistics.sets.vocabulary))
        universe = universe_of(self.universe)
        return manifest_of(self, "priv-bayes", rng, self._notes(degree), universe=universe)

    def outcomes(
        self, data: Transactions, rng: Rng, runs: int, *, smallest: int = 0
    ) -> list[Outcome]:
        """Return what each of many runs publishes of at least ``smallest`` items.

        Runs that chose the same network go on together; what they draw is their own.
        """
        statistics = self.statistics(data, rng)
        vocabulary, records = statistics.sets.vocabulary, _records(statistics)
        degree = self.degree_for(records.total, records.items)
        rows = records.total if self.rows is None else self.rows
        alike: defaultdict[tuple[Pair, ...], list[int]] = defaultdict(list)
        for run in range(runs):
            alike[tuple(self.pairs(records, degree, rng))].append(run)
        at_once = min(max(1, MOST_CELLS // max(1, rows, 2 << degree)), 1 << (WORD - records.items))
        published: list[list[tuple[tuple[str, ...], int]]] = [[] for _ in range(runs)]
        for pairs, members in alike.items():
            for start in range(0, len(members), at_once):
                batch = members[start : start + at_once]
                network = self.tables(records, pairs, rng, runs=len(batch))
                drawn = sample(network, rows, rng, runs=len(batch))
                for run, items, count in _counted(vocabulary, drawn):
                    if len(items) >= smallest:
                        published[batch[run]].append((items, count))
        return list(map(frozenset, published))

    def worst_pair(self) -> tuple[NeighbouringPair, ...]:
        """Propose neighbouring data on which an audit would see what a wrong step gives away."""
        shown = count_pair(positive("epsilon", self.epsilon), self.negatives, self.rows)
        records = self._fewest_records(len(SIDE_BY_SIDE))
        return (shown, shared_pair(), *([] if records is None else [network_pair(records)]))

    def _fewest_records(self, items: int) -> int | None:
        """Return how many records have a network to choose, or None where that takes too many."""
        # where theta chooses the degree it takes some number; fewer are quicker and show as much
        least = items if self.degree is None else TRIED_BY_DEGREE
        numbers = range(least, MOST_TRIED, items)
        return next((n for n in numbers if 0 < self.degree_for(n, items) < items - 1), None)

    def degree_for(self, records: int, items: int) -> int:
        """Return how many parents an item gets, from public numbers only.

        The largest degree, up to six, at which an average cell is ``theta`` times its noise
        (theta-usefulness) and which can be computed; 0 where there is none.

        >>> PrivBayes(epsilon="0.4").degree_for(21_574, 16)
        5
        """
        if self.degree is not None:
            return self._affordable_degree(records, items)
        budget = self._shares(positive("epsilon", self.epsilon))[1]
        worth = records * budget / positive("theta", self.theta)
        # Differs from the paper: an average says nothing of data whose cells are mostly empty
        most = min(items - 1, MOST_PARENTS)
        useful = (k for k in range(most, 0, -1) if worth >= (items - k) << (k + 2))
        return next((k for k in useful if self._affordable(records, items, k)), 0)

    def _affordable_degree(self, records: int, items: int) -> int:
        """Return the degree asked for, refusing what cannot be computed."""
        asked = max(0, min(self.degree or 0, items - 1)) if records else 0
        if self._affordable(records, items, asked):
            return asked
        most = next(k for k in range(asked, -1, -1) if self._affordable(records, items, k))
        msg = (
            f"`degree` must be at most {most} for {records} records over {items} items with "
            f"`score` {self.score}, or choosing the network takes too long, got {self.degree}"
        )
        raise ParameterError(msg, parameter="degree")

    def _affordable(self, records: int, items: int, degree: int) -> bool:
        """Whether the worst case of public numbers is within the limits."""
        if degree == 0 or 2 << degree > MOST_CELLS:
            return degree == 0
        choices = comb(items, degree + 1) if degree < items - 1 else 0
        steps = min(records, 1 << items) + (1 << degree)
        steps_of_f = (records // 2 << degree) + (1 << 2 * degree) if self.score == "F" else 0
        return (
            choices <= MOST_CHOICES
            and choices * steps <= MOST_STEPS
            and choices * steps_of_f <= MOST_STEPS_OF_F
        )

    def network(self, records: Records, degree: int, rng: Rng) -> list[Conditional]:
        """Learn the network; all of epsilon is spent here."""
        return self.tables(records, self.pairs(records, degree, rng), rng)

    def pairs(self, records: Records, degree: int, rng: Rng) -> list[Pair]:
        """Choose the network, where there is more than one."""
        if 0 < degree < records.items - 1:
            for_pairs, _ = self._shares(positive("epsilon", self.epsilon))
            return structure(records, degree, for_pairs, self.score, rng)
        order = range(records.items)
        return [Pair(item, tuple(order[:item]) if degree else ()) for item in order]

    def tables(
        self, records: Records, pairs: Sequence[Pair], rng: Rng, *, runs: int = 1
    ) -> list[Conditional]:
        """Return the noisy conditionals of a network, of many runs at once if so asked."""
        if not pairs:
            return []
        budget = self.for_tables(len(pairs), max(len(pair.parents) for pair in pairs))
        return conditionals(records, pairs, budget, self.negatives, rng, runs)

    def for_tables(self, items: int, degree: int) -> Fraction:
        """Return the budget of all tables together."""
        epsilon = positive("epsilon", self.epsilon)
        # where there is only one network there is nothing to choose, and the tables get all
        return self._shares(epsilon)[1] if 0 < degree < items - 1 else epsilon

    def _shares(self, epsilon: Fraction) -> tuple[Fraction, Fraction]:
        """Return the budget of the structure and that of the tables."""
        beta = exact("beta", self.beta)
        return beta * epsilon, (1 - beta) * epsilon

    def _notes(self, degree: int) -> dict[str, object]:
        notes: dict[str, object] = {"degree": degree}
        if self.score == "MI":
            notes["score"] = (
                "MI as in the paper: irrational scores in floating point choose the network, "
                "no differential privacy is claimed"
            )
        return notes


def _records(statistics: ItemsetHistogram) -> Records:
    """Return sets as columns, refusing data that are too large, judged by public numbers."""
    items, records = len(statistics.sets.vocabulary), statistics.total
    if items > WORD:
        msg = (
            f"`universe` must have at most {WORD} items, got {items}; give a smaller one, "
            "or publish by apl-killer"
        )
        raise ParameterError(msg, parameter="universe")
    if records >= MOST_RECORDS:
        msg = f"there must be fewer than {MOST_RECORDS} records, got {records}; publish parts"
        raise ParameterError(msg)
    return Records.of(statistics.sets, statistics.counts)


def _counted(
    vocabulary: tuple[str, ...], drawn: NDArray[np.uint64]
) -> Iterator[tuple[int, tuple[str, ...], int]]:
    """Return for each run the distinct sets that were drawn, with their counts."""
    names: dict[int, tuple[str, ...]] = {}
    words, counts = np.unique(drawn, return_counts=True)
    for word, count in zip(words.tolist(), counts.tolist(), strict=True):
        run, mask = divmod(word, 1 << len(vocabulary))
        if mask not in names:
            names[mask] = tuple(item for at, item in enumerate(vocabulary) if mask >> at & 1)
        yield run, names[mask], count


def _histogram(
    vocabulary: tuple[str, ...], drawn: NDArray[np.uint64], rng: Rng
) -> ItemsetHistogram:
    """Return sampled words as distinct sets with counts, in random order.

    Items that do not occur in the sample are left out: a universe taken from the data stays secret.
    """
    words, counts = np.unique(drawn, return_counts=True)
    bits = np.arange(len(vocabulary), dtype=np.uint64)
    rows, flat = np.nonzero((words[:, None] >> bits) & np.uint64(1))
    used, items = np.unique(flat, return_inverse=True)
    names = tuple(vocabulary[item] for item in used)
    sets = Itemsets.of_pairs(rows, items, len(words), names)
    return ItemsetHistogram(sets, counts.astype(np.int64)).take(rng.permutation(len(words)))
