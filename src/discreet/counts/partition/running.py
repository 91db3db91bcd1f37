"""Running the partitioning kernels: exact budgets, words of chance, room to grow, dry runs."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import Exact, exact, positive
from discreet.counts.kernels.layout import (
    BUDGET,
    COUNT,
    CUT,
    DONE,
    EMPTIES,
    END,
    LIMIT,
    MORE_ROOM,
    MORE_WORDS,
    PARENT,
    WIDTH,
    Records,
    Rule,
    Run,
)
from discreet.counts.levels import Level
from discreet.counts.partition.taxonomy import taxonomy
from discreet.errors import InfeasibleError, ParameterError
from discreet.kernels.ragged import offsets_of
from discreet.rng import Rng, discrete_laplace, seeded

HALF = 720_720
"""Units in half the budget: the least common multiple of 1 to 16, so that shares are mostly whole.

All budgets are whole numbers of units, so what a path spends adds up to epsilon exactly.
"""

VISITS = 1_000_000
"""A dry run on made-up data that makes more partitions than this is refused."""

MADE_UP = 8
"""Frequent itemsets in the made-up data of a dry run."""

UNBOUNDED = 1 << 62

Kernel = Callable[[Run, int], int]


@dataclass(frozen=True, slots=True)
class Partitioned:
    """What a run published and how it went; a row is laid out as in the kernels."""

    published: NDArray[np.int64]
    """Published itemsets: width, noisy count, budget in units, the visit that made it, items."""
    visited: int
    """Partitions split."""
    queued: int
    """Partitions still to be split; none unless a limit stopped the run."""
    trace: NDArray[np.int64]
    """The first visits: cut, budget, share of the split, the visit that made it."""

    def level(self, size: int) -> Level:
        """Return the published itemsets of this size."""
        rows = self.published[self.published[:, WIDTH] == size]
        return Level(rows[:, CUT : CUT + size].astype(np.int32), rows[:, COUNT])


@dataclass(frozen=True, slots=True)
class Repeated:
    """What many runs on the same records published."""

    run: NDArray[np.int64]
    """For each published itemset the run it belongs to."""
    published: NDArray[np.int64]
    """The itemsets, laid out as in ``Partitioned``."""

    def level(self, size: int) -> tuple[NDArray[np.int64], Level]:
        """Return the published itemsets of this size, and their runs."""
        of_size = self.published[:, WIDTH] == size
        rows = self.published[of_size]
        level = Level(rows[:, CUT : CUT + size].astype(np.int32), rows[:, COUNT])
        return self.run[of_size], level


@dataclass(frozen=True, slots=True)
class Partitioner:
    """A partitioning kernel with its public parameters: everything but the data and the chance."""

    kernel: Kernel
    """The compiled method."""
    items: int
    """How many items the universe has."""
    rule: Rule
    """Size, budgets, thresholds."""
    one_size: bool = False
    """Whether the records are all of the rule's size."""

    def partition(
        self, records: Records, rng: Rng, *, limit: int = UNBOUNDED, trace: int = 0
    ) -> Partitioned:
        """Run the method to its end, noting the first ``trace`` visits."""
        run, _ = self._go_on(self._run(records, rng, trace), rng, limit)
        queued, published, visited = run.state.tolist()
        return Partitioned(run.output[:published], visited, queued, run.trace[:visited])

    def repeated(self, records: Records, rng: Rng, runs: int) -> Repeated:
        """Run the method on the same records again and again: one run with many roots.

        Depth first, one root is done before the next begins, so the runs are independent.
        """
        run, status = self._run(records, rng, runs + 16, runs), LIMIT
        while status == LIMIT:
            # never more visits than the trace has room for: it tells the runs apart
            run = run._replace(trace=_grown(run.trace, len(run.trace), 1))
            run, status = self._go_on(run, rng, len(run.trace) - 1)
        _, published, visited = run.state.tolist()
        output = run.output[:published]
        root = np.cumsum(run.trace[:visited, PARENT] < 0) - 1
        return Repeated(root[output[:, PARENT]], output)

    def _go_on(self, run: Run, rng: Rng, limit: int) -> tuple[Run, int]:
        """Run the kernel until it is done or at its limit, with words and room as it asks."""
        ask, status = 4096, MORE_WORDS
        while status not in (DONE, LIMIT):
            if status == MORE_ROOM:
                run = self._with_room(run)
            run = run._replace(words=rng.peek(ask))
            run.pos[0] = 0
            status = self.kernel(run, limit)
            used = int(run.pos[0])
            rng.advance(used)
            # an operation that found too few words to finish must see more of them next time
            ask = min(2 * ask, 1 << 16) if used or status == MORE_ROOM else 2 * ask
        return run, status

    def level(self, level: Level, rng: Rng) -> Level:
        """Publish itemsets of the rule's size from the records of that size."""
        if self.items == 1:
            return lone_level(1, int(level.counts.sum()), self.rule, rng)
        return self.partition(records_of([level]), rng).level(self.rule.size)

    def _run(self, records: Records, rng: Rng, trace: int, roots: int = 1) -> Run:
        """Lay everything out, with the root of the tree as the first partition."""
        columns, number = CUT + self.rule.size, len(records.order)
        stack = np.zeros((63 + roots + (1 << self.rule.fan_out), columns), dtype=np.int64)
        for column, value in ((WIDTH, 1), (END, number), (BUDGET, HALF), (PARENT, -1)):
            stack[:roots, column] = value
        return Run(
            tree=taxonomy(self.items, self.rule.fan_out, self.rule.size),
            rule=self.rule,
            records=records,
            stack=stack,
            output=np.zeros_like(stack),
            trace=np.zeros((trace, columns), dtype=np.int64),
            state=np.array([roots, 0, 0], dtype=np.int64),
            partition=np.zeros(columns, dtype=np.int64),
            keys=np.zeros((1 << self.rule.fan_out, EMPTIES + 1), dtype=np.int64),
            scratch=np.zeros((2, number), dtype=np.int64),
            words=rng.peek(1),
            pos=np.zeros(1, dtype=np.int64),
        )

    def _with_room(self, run: Run) -> Run:
        room, (top, published, _) = 1 << self.rule.fan_out, run.state.tolist()
        return run._replace(
            stack=_grown(run.stack, top, room), output=_grown(run.output, published, room)
        )

    def refuse_explosion(self) -> None:
        """Refuse, without a look at the data, parameters under which noise grows without end."""
        if self.items > 1 and _dry_visits(self) > VISITS:
            # a tree of fan-out 2 cannot have a lower one
            narrower = f"lower `fan_out` (now {self.rule.fan_out}), " * (self.rule.fan_out > 2)
            msg = (
                f"these parameters make noise explode: on made-up data, itemsets of "
                f"{self.rule.size} items make more than {VISITS:,} partitions; raise `c1` (now "
                f"{self.rule.c1:g}), {narrower}or lower `max_size`"
            )
            raise InfeasibleError(msg, parameter="c1")


@lru_cache(maxsize=4096)
def _dry_visits(partitioner: Partitioner) -> int:
    """Return the partitions that made-up data make the method make, counted up to the limit.

    A few random itemsets, so frequent that their paths surely pass, and a fixed seed: a public
    number, and a lower figure of the real one. On no data at all the run would mostly end at the
    root, while real paths go on and have noise beside them all the way down.
    """
    rng, size = seeded(0), partitioner.rule.size
    smallest = size if partitioner.one_size else 1
    levels = [_made_up(partitioner, size - at, rng) for at in range(size - smallest + 1)]
    run = partitioner.partition(records_of(levels), rng, limit=VISITS)
    return run.visited + run.queued + len(run.published)


def _made_up(partitioner: Partitioner, size: int, rng: Rng) -> Level:
    """Return a few random itemsets of this size, each very frequent."""
    share = MADE_UP if partitioner.one_size else -(-MADE_UP // partitioner.rule.size)
    rows = [np.sort(rng.permutation(partitioner.items)[:size]) for _ in range(share)]
    return Level(np.array(rows, dtype=np.int32), np.full(share, 10**9, dtype=np.int64))


def lone_level(size: int, count: int, rule: Rule, rng: Rng) -> Level:
    """Publish the one set there is, the empty one or the only item's, with the whole budget.

    Such a set needs no partitioning. It is published when its noisy count passes the threshold.
    """
    _, counts = lone_counts(count, rule, rng, 1)
    return Level(np.zeros((len(counts), size), dtype=np.int32), counts)


def lone_counts(
    count: int, rule: Rule, rng: Rng, runs: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the runs in which the noisy count of a lone set passes, and what it is in these."""
    budget = Fraction(2 * HALF * rule.s, rule.t)
    noisy = count + discrete_laplace(runs, budget, rng)
    least = max(1, math.ceil(math.sqrt(2) * rule.c2 / float(budget) - 1e-9))
    passed = np.flatnonzero(noisy >= least)
    return passed, noisy[passed]


def surely_published(rule: Rule, splits: int) -> int:
    """Return a count that passes so many splits and the leaf but once in a million times.

    Not more than a hundred thousand, for data that are really made.
    """
    share = HALF * rule.s / rule.t / splits
    constant = math.sqrt(2) * max(rule.c1, rule.c2)
    return min(100_000, max(50, math.ceil((constant + 14) / share)))


def records_of(levels: list[Level]) -> Records:
    """Return the sets of several sizes as the kernels take them."""
    count, sizes = zip(*(level.rows.shape for level in levels), strict=True)
    offsets = offsets_of(np.repeat(sizes, count))
    items = np.concatenate([level.rows.ravel() for level in levels]).astype(np.int32, copy=False)
    counts = np.concatenate([level.counts for level in levels])
    return Records(offsets, items, counts, np.arange(len(counts), dtype=np.int64))


def _grown(rows: NDArray[np.int64], used: int, room: int) -> NDArray[np.int64]:
    if used + room <= len(rows):
        return rows
    return np.concatenate([rows, np.zeros((3 * len(rows), rows.shape[1]), dtype=np.int64)])


# typed: a float is the decimal it shows, and equals a fraction that is not
@lru_cache(maxsize=1024, typed=True)
def rate_of(epsilon: Exact) -> tuple[int, int]:
    """Return ``s`` and ``t`` such that one unit of budget is ``s / t``, exactly."""
    budget = positive("epsilon", epsilon)
    # budgets, times a threshold of up to 1000 standard deviations, must fit a machine word
    if budget.denominator > 10**6 or budget.numerator > 10**11:
        msg = f"`epsilon` must be below 100,000 and have at most six decimals, got {epsilon}"
        raise ParameterError(msg, parameter="epsilon")
    return budget.numerator, 2 * HALF * budget.denominator


def rule_of(
    epsilon: Exact, size: int, fan_out: int, c1: Exact, c2: Exact | None, **printed: bool
) -> Rule:
    """Return the public parameters of a run; ``c2`` is as ``c1`` where it is not given."""
    s, t = rate_of(epsilon)
    return Rule(
        size=size,
        fan_out=fan_out,
        s=s,
        t=t,
        half=HALF,
        c1=float(check_threshold("c1", c1)),
        c2=float(check_threshold("c2", c1 if c2 is None else c2)),
        printed_par=printed.get("par", False),
        printed_empties=printed.get("empty_tests", False),
    )


def check_fan_out(fan_out: int) -> None:
    """Refuse a fan-out that makes no tree, or whose sub-partitions cannot be counted."""
    if not 2 <= fan_out <= 16:
        msg = f"`fan_out` must be from 2 to 16, for every set of children is a part, got {fan_out}"
        raise ParameterError(msg, parameter="fan_out")


@lru_cache(maxsize=1024, typed=True)
def check_threshold(name: str, value: Exact) -> Fraction:
    """Return a threshold constant as a fraction, refusing what is below zero or absurd."""
    constant = exact(name, value)
    if not 0 <= constant <= 1000:
        msg = f"`{name}` must be from 0 to 1000 standard deviations, got {value}"
        raise ParameterError(msg, parameter=name)
    return constant
