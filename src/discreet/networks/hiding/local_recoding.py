"""GP: each group generalised as little as its secrets allow, from the top of the hierarchy down.

Algorithm 1 of Wang, Lin, Bai, Chang, Li and Liu 2020, with the fixes of soundness note 004.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.networks.hiding.suppression import Bound, Heuristic, Records, in_numbers
from discreet.networks.kernels.at_cut import held_at, loss_of, safe_at

Sparing: TypeAlias = Literal["spare", "ncp"]
"""Whether a step down may cost further sensitive occurrences: never, or if the NCP falls."""
SLACK = 2
"""How many times the gain may be deleted before a step is given up: some comes back at the end."""
Pick: TypeAlias = Callable[[int], int]
"""Draws one of so many."""


class Ladder:
    """The hierarchy as seen from the items of some transactions."""

    def __init__(self, data: Transactions, hierarchy: Hierarchy) -> None:
        self.data = data
        self.hierarchy = hierarchy
        self.secret = np.array([item in data.sensitive for item in data.universe], dtype=np.bool_)
        inner = set(hierarchy.names[len(hierarchy.values) :])
        if inner.intersection(data.universe) or inner.intersection(data.sensitive):
            msg = (
                "a name of the hierarchy that stands for several items must not be an item itself, "
                "and one is; rename it in the hierarchy"
            )
            raise DataError(msg, parameter="hierarchy")
        number = {name: index for index, name in enumerate(hierarchy.values)}
        self.leaf = np.array(
            [-1 if secret else number.get(item, -2) for item, secret in self._items()],
            dtype=np.int64,
        )
        if (self.leaf[data.items] == -2).any():
            msg = (
                "every item that is not sensitive must be in the hierarchy, and "
                f"{(self.leaf == -2).sum():,} are not; add them to the hierarchy"
            )
            raise DataError(msg, parameter="hierarchy")

    def _items(self) -> "zip[tuple[str, bool]]":
        return zip(self.data.universe, self.secret.tolist(), strict=True)

    @cached_property
    def weight(self) -> NDArray[np.int64]:
        """For each node the number of values below it that are not sensitive; 0 for a value."""
        plain = [value not in self.data.sensitive for value in self.hierarchy.values]
        weight = np.zeros(len(self.hierarchy.names), dtype=np.int64)
        above = self.hierarchy.parents[np.flatnonzero(plain)]
        while (above >= 0).any():
            above = above[above >= 0]
            np.add.at(weight, above, 1)
            above = self.hierarchy.parents[above]
        return weight

    @cached_property
    def total(self) -> int:
        """The number of values that are not sensitive: what a deleted occurrence costs."""
        return int(self.weight.max())

    @cached_property
    def losses(self) -> NDArray[np.int64]:
        """What an occurrence loses by each symbol: the weight of a node, nothing by an item."""
        return np.concatenate([self.weight, np.zeros_like(self.leaf)])

    @cached_property
    def paths(self) -> NDArray[np.int64]:
        """For each value the nodes from the root down to it; it repeats itself at the end."""
        upward = [np.arange(len(self.hierarchy.values), dtype=np.int64)]
        while True:
            above = self.hierarchy.parents[upward[-1]].astype(np.int64)
            if (above < 0).all():
                break
            upward.append(np.where(above < 0, upward[-1], above))
        # a value that hangs higher reaches the root sooner: shift its path to begin there
        table = np.stack(upward[::-1], axis=1)
        root = table[:, :1]
        skip = (table[:, 1:] == root).sum(axis=1)[:, None]
        index = np.minimum(np.arange(table.shape[1])[None, :] + skip, table.shape[1] - 1)
        return np.take_along_axis(table, index, axis=1)

    @cached_property
    def holders(self) -> NDArray[np.int64]:
        """For each node, and beyond the nodes each item, how many records hold it."""
        sets, nodes = self.data.sets, len(self.hierarchy.names)
        rows = sets.rows
        leaves = self.leaf[sets.items]
        plain = leaves >= 0
        counts = np.concatenate([np.zeros(nodes, dtype=np.int64), self.data.supports])
        seen = [rows[plain] * nodes + self.paths[leaves[plain], depth] for depth in self._depths()]
        pairs = np.unique(np.concatenate(seen))
        counts[:nodes] = np.bincount(pairs % nodes, minlength=nodes)
        return counts

    def _depths(self) -> range:
        return range(self.paths.shape[1])

    @cached_property
    def top(self) -> NDArray[np.int64]:
        """For each value its parent just below the root; the root for a value that hangs there."""
        first = self.paths[:, min(1, self.paths.shape[1] - 1)]
        return np.where(first < len(self.hierarchy.values), self.paths[:, 0], first)


@dataclass(frozen=True, eq=False)
class State:
    """A group at one cut of the hierarchy, made safe."""

    records: Records
    symbols: NDArray[np.int64]
    """The symbol of each item number of the records: a node, or beyond the nodes an item."""
    local: NDArray[np.int64]
    """For each occurrence of the group the item number that stands for it."""
    cost: int
    """The information loss: the sum of the NCP of all items, times the values of the hierarchy."""
    cut: NDArray[np.int64]
    """For each occurrence of the group its depth in the hierarchy."""

    @cached_property
    def occurrences(self) -> NDArray[np.int64]:
        """The symbol of each occurrence of the group."""
        return self.symbols[self.local]

    @property
    def lost(self) -> int:
        """How many sensitive occurrences are deleted."""
        return self.records.secrets_lost()

    def loss(self, total: int, worth: Fraction) -> Fraction:
        """Return the cost if a secret is worth so many occurrences, each of them ``total``."""
        return self.cost + (worth - 1) * total * self.lost


class AtCut(NamedTuple):
    """A group as it stands at one cut of the hierarchy."""

    records: Records
    symbols: NDArray[np.int64]
    """The symbol of each item number of the records."""
    local: NDArray[np.int64]
    """For each occurrence of the group the item number that stands for it."""


class Limit(NamedTuple):
    """How much may be deleted before a step is given up."""

    secrets: int | None
    """Sensitive occurrences; None: any number."""
    loss: int | None
    """Information, as the cost of a state counts it; None: any amount."""


NO_LIMIT = Limit(None, None)


class Group:
    """The records of one group, ready to be seen at any cut of the hierarchy."""

    def __init__(self, ladder: Ladder, rows: NDArray[np.int64], bound: Bound) -> None:
        sets = ladder.data.sets.take(rows)
        self.ladder, self.bound = ladder, bound
        self.count = len(rows)
        self.rows = sets.rows
        self.items = sets.items.astype(np.int64)
        self.leaves = ladder.leaf[self.items]
        self.plain = self.leaves >= 0

    @property
    def size(self) -> int:
        """The number of occurrences: the denominator of the NCP."""
        return len(self.items)

    def symbols(self, cut: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what stands for each occurrence at a cut."""
        nodes = self.ladder.paths[self.leaves, cut]
        beyond = len(self.ladder.hierarchy.names)
        return np.where(self.plain, nodes, beyond + self.items)

    def start(self, heuristic: Heuristic) -> State:
        """Return the group with everything at the root, made safe."""
        cut = np.zeros(self.size, dtype=np.int64)
        state = self.at(cut, self.records(cut), heuristic)
        assert state is not None  # without a limit there is always a result
        return state

    def at(
        self,
        cut: NDArray[np.int64],
        seen: AtCut,
        heuristic: Heuristic,
        limit: Limit = NO_LIMIT,
        after: State | None = None,
    ) -> State | None:
        """Return the group, ``seen`` at a cut, made safe; None where more would go than allowed.

        With ``after`` the sensitive occurrences that are deleted there go first; else all is
        decided afresh.
        """
        records, symbols, local = seen
        if after is not None:
            rows, items = after.records.gone
            secrets = after.records.secret[items]
            there = np.searchsorted(symbols, after.symbols[items[secrets]])
            records.delete(rows[secrets], there)
        if not records.suppress(heuristic, limit.secrets, limit.loss):
            return None
        records.put_back()
        return State(records, symbols, local, self.cost(records, symbols, local), cut)

    def below(
        self, state: State, under: NDArray[np.bool_], heuristic: Heuristic, sparing: Sparing
    ) -> State | None:
        """Return the group with the occurrences under a node one step further down, if that pays.

        First the secrets that are deleted already stay deleted: where the step tells nobody
        apart this costs nothing. If that does not pay all is decided afresh.
        """
        cut = state.cut + under
        each = np.where(under, self.ladder.paths[self.leaves, cut], state.occurrences)
        # what is gained by finer names may be lost by deletions, twice, for some come back
        saving = state.cost - int(self.ladder.losses[each].sum())
        limit = Limit(state.lost if sparing == "spare" else None, SLACK * saving)
        seen = self._records(each)
        if state.lost:
            deeper = self.at(cut, seen, heuristic, limit, state)
            if deeper is not None and deeper.cost < state.cost:
                return deeper
            seen.records.undelete()
        deeper = self.at(cut, seen, heuristic, limit)
        return deeper if deeper is not None and deeper.cost < state.cost else None

    def finer(self, state: State, under: NDArray[np.bool_], heuristic: Heuristic) -> State | None:
        """Return the group with a node one step further down and nothing more deleted, if safe."""
        cut = state.cut + under
        each = np.where(under, self.ladder.paths[self.leaves, cut], state.occurrences)
        left = state.records.hold(self.rows, state.local)
        if not self._safe(self.rows[left], each[left], heuristic):
            return None
        records, symbols, local = self._records(each)
        records.delete(*np.unique(np.stack((self.rows[~left], local[~left])), axis=1))
        records.put_back()
        return State(records, symbols, local, self.cost(records, symbols, local), cut)

    def _safe(self, rows: NDArray[np.int64], each: NDArray[np.int64], heuristic: Heuristic) -> bool:
        """Whether nothing would be deleted where these symbols stand for these occurrences."""
        ladder, bound = self.ladder, self.bound
        if bound.known is None:
            shape = self.count, len(ladder.hierarchy.names), len(ladder.losses)
            return safe_at(rows, each, shape, bound.mixed, in_numbers(bound, self.count))
        records = self._records(each, rows).records
        return records.suppress(heuristic, most=0) and not len(records.gone[0])

    def records(self, cut: NDArray[np.int64]) -> AtCut:
        """Return the group at a cut as it is."""
        return self._records(self.symbols(cut))

    def _records(self, each: NDArray[np.int64], rows: NDArray[np.int64] | None = None) -> AtCut:
        """Return the group where these symbols stand for its occurrences, or those of ``rows``."""
        ladder = self.ladder
        rows = self.rows if rows is None else rows
        symbols, local, held = held_at(rows, each, self.count, len(ladder.losses))
        records = Records(
            # views, for sets are frozen, and kernels would be compiled once more for frozen arrays
            Itemsets(held.offsets[:], held.items[:], _numbers(len(symbols))),
            symbols >= len(ladder.hierarchy.names),
            self.bound,
            everywhere=ladder.holders[symbols],
            price=ladder.total - ladder.losses[symbols],
            held=held,
        )
        return AtCut(records, symbols, local)

    def inner(self, state: State, under: NDArray[np.bool_] | None = None) -> list[int]:
        """Return the symbols that stand for several values, ascending: all, or under a node."""
        among = state.symbols >= len(self.ladder.hierarchy.values)
        among &= state.symbols < len(self.ladder.hierarchy.names)
        if under is not None:
            among &= np.bincount(state.local[under], minlength=len(among)) > 0
        several: list[int] = state.symbols[among].tolist()
        return several

    def cost(self, records: Records, symbols: NDArray[np.int64], local: NDArray[np.int64]) -> int:
        """Return the information loss of what is left of the records."""
        losses = self.ladder.losses[symbols]
        return loss_of(records.held, self.rows, local, losses, self.ladder.total)


@lru_cache
def _numbers(count: int) -> tuple[str, ...]:
    """Return numbers as names."""
    return tuple(map(str, range(count)))


def by_name(group: Group) -> State:
    """Return the group with all other items by name, and of the secrets those that may stay then.

    Without any secret it is safe, so whatever a search finds should lose no more than this.
    """
    cut = np.full(group.size, group.ladder.paths.shape[1] - 1, dtype=np.int64)
    records, symbols, local = group.records(cut)
    records.only_names()
    return State(records, symbols, local, group.cost(records, symbols, local), cut)


def by_deletion(group: Group, heuristic: Heuristic) -> State:
    """Return the group made safe without generalising: what does not keep its name is deleted."""
    cut = np.full(group.size, group.ladder.paths.shape[1] - 1, dtype=np.int64)
    state = group.at(cut, group.records(cut), heuristic)
    assert state is not None  # without a limit there is always a result
    return state


def by_frequent_names(group: Group, below: Fraction) -> State | None:
    """Return the group without rare names, as few as make it safe, all else as it is.

    None where they cost ``below`` or more.
    """
    cut = np.full(group.size, group.ladder.paths.shape[1] - 1, dtype=np.int64)
    records, symbols, local = group.records(cut)
    if not records.only_frequent_names(below):
        return None
    return State(records, symbols, local, group.cost(records, symbols, local), cut)


def specialised(group: Group, heuristic: Heuristic, sparing: Sparing, pick: Pick) -> State:
    """Return the group after all steps down that pay.

    It begins with everything at the root and made safe, so every state on the way is safe.
    """
    state = group.start(heuristic)
    waiting = [int(group.ladder.paths[0, 0])] if group.plain.any() else []
    refused: dict[int, State] = {}
    while waiting:
        node = waiting.pop(pick(len(waiting)))
        under = state.occurrences == node
        deeper = group.below(state, under, heuristic, sparing)
        if deeper is None:
            refused[node] = state
        else:
            state = deeper
            waiting += group.inner(state, under)
    return _retried(group, state, refused, heuristic, sparing)


def _retried(
    group: Group, state: State, refused: dict[int, State], heuristic: Heuristic, sparing: Sparing
) -> State:
    """Return the group after the steps down that cost nothing, or that pay by now.

    Each was refused in some state; since then others may have told the same people apart.
    """
    tried: dict[int, State] = {}
    while again := [node for node in group.inner(state) if tried.get(node) is not state]:
        for node in again:
            under = state.occurrences == node
            deeper = group.finer(state, under, heuristic)
            if deeper is None and refused.get(node) is not state:
                deeper = group.below(state, under, heuristic, sparing)
            tried[node], state = state, deeper or state
    return state
