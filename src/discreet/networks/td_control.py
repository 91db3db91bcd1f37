"""TDControl: items generalised for all records alike, and whole items suppressed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.guarantee import Guarantee
from discreet.core.hierarchy import Hierarchy
from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Manifest, Release
from discreet.core.statistics import FoldedSets
from discreet.core.transactions import Transactions
from discreet.networks.hiding.choices import (
    DELETED,
    DROPPED,
    Hiding,
    Plan,
    flat_over,
    keep_rows,
    named_sets,
    promised,
    sensitive_of,
)
from discreet.networks.hiding.local_recoding import Group, Ladder, State
from discreet.networks.hiding.suppression import Records
from discreet.networks.kernels.rule_lists import Rules, without_items
from discreet.networks.record_order import random_order
from discreet.rng import Rng, secure

SEARCHED = "generalised and suppressed"
"""What a manifest says of what the search did."""


@dataclass(frozen=True, slots=True)
class GlobalRecoding:
    """What all records alike publish of each item."""

    published: Mapping[str, str | None]
    """The name under which an item goes out: its own or a more general one; None: not at all."""
    hierarchy: Hierarchy
    """What the more general names stand for."""
    plan: str
    """Whether the search decided, or secrets or rare names alone go since anything loses more."""

    def names_left(self, items: frozenset[str]) -> frozenset[str]:
        """Return the names in a release of records that hold these items."""
        return frozenset(name for item in items if (name := self.published[item]) is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TdControl(Hiding):
    """Sets generalised by one cut of a hierarchy, without items that let secrets be inferred.

    Cao, Karras, Raissi and Tan 2010, as reconstructed in soundness note 004: starting at the top of
    the hierarchy, the step down that loses least is taken as long as the loss decreases. At each
    cut, whole items are suppressed until no sensitive item follows with too high a confidence.
    """

    plan: Annotated[
        Plan,
        Doc(
            "best: delete only secrets, or only rare items, if that loses less than what the "
            "search finds; paper: always what the search finds."
        ),
    ] = "best"
    spelled_out: ClassVar[str] = "it decides record by record"

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Transactions]:
        """Publish each record under the names that were decided on, in random order."""
        refuse_misfits(data, Transactions, rng)
        rng = rng or secure()
        statistics = self.statistics(data, rng)
        order = random_order(data, rng)
        plan = self.decide(statistics, rng)
        mixed = Transactions(data.sets.take(order), sensitive=data.sensitive)
        release = Release(self.apply(plan, mixed), *self.claims(plan, data, rng))
        return Publication(release, keep_rows(order))

    def claims(
        self, plan: GlobalRecoding, data: Transactions, rng: Rng
    ) -> tuple[tuple[Guarantee, ...], Manifest]:
        """Return what a release by the plan promises, and how it was made."""
        notes = {"plan": plan.plan}
        manifest = manifest_of(self, "td-control", rng, notes, sensitive=sensitive_of(data))
        return promised(self.guarantees, data, plan.names_left(data.held)), manifest

    def statistics(self, data: Transactions, rng: Rng) -> FoldedSets:
        """Fold the records to distinct sets with their counts."""
        sensitive_of(data)
        return FoldedSets.of(data)

    def decide(self, statistics: FoldedSets, rng: Rng) -> GlobalRecoding:
        """Return under which name each item goes out."""
        folded = statistics.histogram
        everyone = folded.sets.take(np.repeat(np.arange(len(folded)), folded.counts))
        data = Transactions(everyone, sensitive=statistics.sensitive)
        ladder = Ladder(data, flat_over(data, self.hierarchy))
        people = Group(ladder, np.arange(len(data)), self.bound)
        best, how = _search(people), SEARCHED
        if self.plan == "best":
            best, how = _least_lossy(people, best)
        symbol = np.full(len(data.universe), -1, dtype=np.int64)
        symbol[people.items] = people.symbols(best.cut)
        left = np.isin(symbol, best.symbols[best.records.counts > 0])
        names = (*ladder.hierarchy.names, *data.universe)
        published = {
            item: names[number] if stays else None
            for item, number, stays in zip(data.universe, symbol, left, strict=True)
        }
        return GlobalRecoding(published, ladder.hierarchy, how)

    def apply(self, plan: GlobalRecoding, data: Transactions) -> Transactions:
        """Return what is published of each record."""
        names = sorted({name for name in plan.published.values() if name is not None})
        number = {name: index for index, name in enumerate(names)}
        shown = [number.get(plan.published[item] or "", -1) for item in data.universe]
        numbers = np.array(shown, dtype=np.int64)[data.items]
        rows = data.sets.rows
        stays = numbers >= 0
        sets = named_sets(rows[stays], names, numbers[stays], len(data))
        return Transactions(sets, sensitive=data.sensitive, applied=plan.hierarchy)


def _search(people: Group) -> State:
    """Return the cut from which no step down lowers the loss or comes for nothing."""
    best = _suppressed(people, np.zeros(people.size, dtype=np.int64), None)
    assert best is not None  # without a limit there is always a result
    while True:
        start = best
        for node in people.inner(start):
            deeper = start.cut + (start.occurrences == node)
            # only the best is kept: a table of bits for each cut would be too much
            best = _suppressed(people, deeper, best.cost) or best
        best = _finer(people, best) if best is start else best
        if best is start:
            return best


def _finer(people: Group, state: State) -> State:
    """Return the records one step further down without more suppressed, where one is safe."""
    gone = state.symbols[state.records.counts == 0]
    for node in people.inner(state):
        deeper = state.cut + (state.occurrences == node)
        records, symbols, local = people.records(deeper)
        suppressed = np.flatnonzero(np.isin(symbols, gone)).tolist()
        for item in suppressed:
            records.clear(item)
        if records.safe():
            for item in suppressed:
                records.restore(item)
            loss = people.cost(records, symbols, local)
            return State(records, symbols, local, loss, deeper)
    return state


def _least_lossy(people: Group, searched: State) -> tuple[State, str]:
    """Return what loses least: the search, or by name all but some secrets or some rare names."""
    best, how = searched, SEARCHED
    depth = np.full(people.size, people.ladder.paths.shape[1] - 1, dtype=np.int64)
    secrets = people.records(depth).records.present().tolist()
    if (plain := _without(people, depth, secrets)).cost < best.cost:
        best, how = plain, DELETED
    rare = people.records(depth).records.rare_names(best.cost)
    return (_without(people, depth, rare), DROPPED) if rare else (best, how)


def _without(people: Group, depth: NDArray[np.int64], items: list[int]) -> State:
    """Return the records at a safe cut without whole items but for those that may stay then."""
    records, symbols, local = people.records(depth)
    for item in items:
        records.clear(item)
    for item in items:
        records.restore(item)
    return State(records, symbols, local, people.cost(records, symbols, local), depth)


def _suppressed(people: Group, depth: NDArray[np.int64], limit: int | None) -> State | None:
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
    if limit is not None and loss >= limit:
        return None
    return State(records, symbols, local, loss, depth)


def _culprits(records: Records) -> list[int]:
    """Delete whole items until none of the rules that are too sure is left, and return them.

    First items with too many antecedents to try them all; then each time the item that hits most
    rules for its number of occurrences.
    """
    rules, gone = records.rules(records.present())
    cleared = np.zeros(len(records.secret), dtype=np.bool_)
    for item in gone:
        records.clear(item)
        cleared[item] = True
    for item in _hitting(without_items(rules, cleared), records.counts):
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
