"""TDControl: items generalised for all records alike, and whole items suppressed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.networks.hiding import Hiding, flat_over, keep_rows, named_sets, sensitive_of
from discreet.networks.kernels.mending import Rules
from discreet.networks.local_recoding import Group, Ladder
from discreet.networks.suppression import Bound, Records, listed
from discreet.rng import Rng, secure

__all__ = ["TdControl"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TdControl(Hiding):
    """Sets generalised by one cut of a hierarchy, without items that let secrets be inferred.

    Cao, Karras, Raissi and Tan 2010, as reconstructed in docs/soundness/004.md: from the top of
    the hierarchy the step down that loses least is taken as long as the loss falls; at each cut
    whole items are suppressed until no sensitive item follows too surely.
    """

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Transactions]:
        """Publish each record at the cut that was found, in random order."""
        rng = rng or secure()
        sensitive = sensitive_of(data)
        hierarchy = flat_over(data, self.hierarchy)
        ladder = Ladder(data, hierarchy)
        best = _search(ladder, self.bound)
        order = rng.permutation(len(data))
        left = best.records.left().take(order)
        names = [*hierarchy.names, *data.universe]
        rows = np.repeat(np.arange(len(left)), left.sizes)
        sets = named_sets(rows, names, best.symbols[left.items], len(left))
        content = Transactions(sets, sensitive=data.sensitive, applied=hierarchy)
        manifest = manifest_of(self, "td-control", rng, sensitive=sensitive)
        return Publication(Release(content, self.guarantees, manifest), keep_rows(order))


@dataclass(frozen=True, eq=False)
class _Cut:
    """All records at one cut, with whole items suppressed."""

    depth: NDArray[np.int64]
    records: Records
    symbols: NDArray[np.int64]
    loss: int


def _search(ladder: Ladder, bound: Bound) -> _Cut:
    """Return the cut from which no step down lowers the loss."""
    people = Group(ladder, np.arange(len(ladder.data)), bound)
    best = _suppressed(people, np.zeros(people.size, dtype=np.int64), None)
    assert best is not None  # without a limit there is always a result
    while True:
        start = best
        for node in _open_nodes(people, start.depth):
            deeper = start.depth + (people.symbols(start.depth) == node)
            # only the best is kept: a table of bits for each cut would be too much
            best = _suppressed(people, deeper, best.loss) or best
        if best is start:
            return best


def _open_nodes(people: Group, depth: NDArray[np.int64]) -> list[int]:
    nodes = np.unique(people.symbols(depth)[people.plain])
    inner: list[int] = nodes[nodes >= len(people.ladder.hierarchy.values)].tolist()
    return inner


def _suppressed(people: Group, depth: NDArray[np.int64], limit: int | None) -> _Cut | None:
    """Return the records at a cut, safe; None as soon as the loss is not below ``limit``.

    At the end an item that can come back everywhere does.
    """
    records, symbols, local = people.records(depth)
    gone: list[int] = []
    while more := _culprits(records):
        gone += more
        if limit is not None and people.cost(records, symbols, local) >= limit:
            return None
    for item in gone:
        records.restore(item)
    loss = people.cost(records, symbols, local)
    return None if limit is not None and loss >= limit else _Cut(depth, records, symbols, loss)


def _culprits(records: Records) -> list[int]:
    """Delete whole items until none of the rules that are too sure is left, and return them.

    First items with too many antecedents to try them all; then each time the item that hits most
    rules for its number of occurrences.
    """
    found, gone = records.rules(records.present())
    for item in gone:
        records.clear(item)
    left = [rule for rule in sorted(found) if not set(gone).intersection(rule[0])]
    for item in _hitting(listed(left), records.counts):
        records.clear(item)
        gone.append(item)
    return gone


def _hitting(rules: Rules, counts: NDArray[np.int64]) -> list[int]:
    """Return items of which every rule has one, the next best one again and again."""
    sizes = np.diff(rules.starts)
    number = np.arange(len(sizes))
    rule = np.concatenate([np.repeat(number, sizes), number])
    items = np.concatenate([rules.items, rules.ends])
    hit = np.bincount(items, minlength=len(counts))
    # the rules of each item, and the items of each rule, one after the other
    of_item, first = rule[np.argsort(items, kind="stable")], np.cumsum(hit) - hit
    of_rule, begin = items[np.argsort(rule, kind="stable")], np.cumsum(sizes + 1) - sizes - 1
    times = hit.copy()
    waiting = np.ones(len(sizes), dtype=np.bool_)
    chosen: list[int] = []
    while hit.any():
        worst = int(np.argmax(hit / np.maximum(counts, 1)))
        chosen.append(worst)
        for each in of_item[first[worst] : first[worst] + times[worst]].tolist():
            if waiting[each]:
                waiting[each] = False
                hit[of_rule[begin[each] : begin[each] + sizes[each] + 1]] -= 1
    return chosen
