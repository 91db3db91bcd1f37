"""TDControl: items generalised for all records alike, and whole items suppressed."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.chance import Rng
from discreet.data.publication import Publication
from discreet.data.release import Release
from discreet.data.transactions import Transactions
from discreet.engine.local_recoding import Group, Ladder
from discreet.engine.suppression import Bound, Records
from discreet.publish.contract import manifest_of
from discreet.publish.sets.hiding import Hiding, flat_over, keep_rows, named_sets, notes_of

__all__ = ["TdControl"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TdControl(Hiding):
    """Sets generalised by one cut of a hierarchy, without items that let secrets be inferred.

    Cao, Karras, Raissi and Tan 2010, as reconstructed in docs/soundness/004.md: from the top of
    the hierarchy the step down that loses least is taken as long as the loss falls; at each cut
    whole items are suppressed until no sensitive item follows too surely.
    """

    def publish(self, data: Transactions, rng: Rng) -> Publication[Transactions]:
        """Publish each record at the cut that was found, in random order."""
        notes = notes_of(data)
        hierarchy = flat_over(data, self.hierarchy)
        ladder = Ladder(data, hierarchy)
        best = _search(ladder, self.bound)
        order = rng.permutation(len(data))
        left = best.records.left().take(order)
        names = [*hierarchy.names, *data.universe]
        rows = np.repeat(np.arange(len(left)), left.sizes)
        sets = named_sets(rows, names, best.symbols[left.items], len(left))
        content = Transactions(sets, sensitive=data.sensitive, applied=hierarchy)
        manifest = manifest_of(self, "td-control", rng, notes)
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
        steps = [
            _suppressed(people, best.depth + (people.symbols(best.depth) == node), best.loss)
            for node in _open_nodes(people, best.depth)
        ]
        found = [step for step in steps if step is not None]
        if not found:
            return best
        best = min(found, key=lambda step: step.loss)


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
        if not records.safe():
            records.clear(item)
    loss = people.cost(records, symbols, local)
    return None if limit is not None and loss >= limit else _Cut(depth, records, symbols, loss)


def _culprits(records: Records) -> list[int]:
    """Delete whole items until none of the rules that are too sure is left, and return them.

    Each time the item goes that hits most rules for its number of occurrences; and items with too
    many antecedents to try them all.
    """
    found, gone = records.rules(records.present())
    for item in gone:
        records.clear(item)
    while found:
        hit = Counter(item for known, secret in found for item in {*known, secret})
        worst = max(hit, key=lambda item: (hit[item] / records.held(item), -item))
        records.clear(worst)
        gone.append(worst)
        found = {rule for rule in found if worst != rule[1] and worst not in rule[0]}
    return gone
