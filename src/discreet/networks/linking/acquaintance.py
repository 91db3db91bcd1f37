"""Published sets and graphs as an attacker sees them who knows people by items and friends."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.graph import Network
from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork, both_ways
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError
from discreet.kernels.ragged import runs

Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquainted:
    """What the attacker knows of one person."""

    items: Annotated[
        tuple[str, ...],
        Doc("Items that the person holds; without items and friends, everyone is attacked."),
    ] = field(default=(), metadata={"option": "--knows"})
    degree: Annotated[int | None, Doc("How many friends the person has.")] = None
    sensitive: Annotated[
        tuple[str, ...] | None,
        Doc("A file of the sensitive items, one per line, if the release does not name them."),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)
        refuse_negative("degree", self.degree)


def refuse_negative(name: str, *numbers: int | None) -> None:
    """Refuse a number of friends below 0."""
    for number in numbers:
        if number is not None and number < 0:
            msg = f"`{name}` is a number of friends and must be at least 0, got {number}"
            raise ParameterError(msg, parameter=name)


class Rules(NamedTuple):
    """What knowing one item, or none, tells within each class of people who look alike."""

    kind: Whole
    """The class of each rule."""
    item: Whole
    """The item known beside it, -1 for none."""
    people: Whole
    """How many published people fit."""
    secret: Whole
    """The sensitive item that follows."""
    holders: Whole
    """How many of them hold it."""
    row: Whole
    """A row that fits and holds it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Seen:
    """One release: what each published person holds and is joined to, where it says so."""

    people: int
    """How many published people there are."""
    sets: Itemsets | None
    """What each of them holds."""
    edges: Whole | None
    """Who knows whom."""
    hierarchy: Hierarchy | None
    """What generalised items stand for."""
    sensitive: frozenset[str]
    """The items that an attacker is after."""

    @classmethod
    def of(cls, release: Release[Any], sensitive: Iterable[str] | None) -> "Seen":
        """Look at a release of sets, of a graph, or of both under the same numbers."""
        content = release.content
        sets = None if isinstance(content, Network) else content.sets
        edges = None if isinstance(content, Transactions) else content.edges
        tree = content.applied if isinstance(content, SetsWithNetwork | Transactions) else None
        named = sensitive or release.sensitive
        if named is None:
            # whatever nothing generalises is a secret, and without a hierarchy everything
            harmless = set(tree.names) if tree else set()
            named = set(sets.vocabulary if sets else ()) - harmless
        return cls(
            people=len(content),
            sets=sets,
            edges=edges,
            hierarchy=tree,
            sensitive=frozenset(named),
        )

    @cached_property
    def degrees(self) -> Whole | None:
        """How many friends each of them has."""
        if self.edges is None:
            return None
        return np.bincount(self.edges.ravel(), minlength=self.people)

    @cached_property
    def rows(self) -> Whole:
        """The row of each published item."""
        sets = self.sets
        return sets.rows if sets else np.empty(0, np.int64)

    @cached_property
    def secret(self) -> NDArray[np.bool_]:
        """Whether each item is sensitive."""
        names = self.sets.vocabulary if self.sets else ()
        return np.array([name in self.sensitive for name in names], dtype=np.bool_)

    @cached_property
    def above(self) -> Whole:
        """For each item the published one that generalises it next, -1 where there is none."""
        names = self.sets.vocabulary if self.sets else ()
        number = {name: index for index, name in enumerate(names)}
        tree = self.hierarchy
        if tree is None:
            return np.full(len(names), -1, dtype=np.int64)
        upwards = (tree.ancestors(name) if name in tree.numbers else () for name in names)
        return np.array(
            [next((number[up] for up in way if up in number), -1) for way in upwards],
            dtype=np.int64,
        )

    @cached_property
    def shares(self) -> dict[str, float]:
        """For each published name the share of people who hold it: what anybody could guess."""
        if self.sets is None:
            return {}
        holders = np.bincount(self.sets.items, minlength=len(self.sets.vocabulary))
        return dict(zip(self.sets.vocabulary, (holders / self.people).tolist(), strict=True))

    def fitting(self, items: tuple[str, ...]) -> NDArray[np.bool_]:
        """Tell who may hold all of ``items``: each itself, or something that stands above it."""
        fits = np.ones(self.people, dtype=np.bool_)
        if self.sets is None:
            return fits
        number = {name: index for index, name in enumerate(self.sets.vocabulary)}
        for item in items:
            known = self.hierarchy is not None and item in self.hierarchy.numbers
            way = (item, *(self.hierarchy.ancestors(item) if known and self.hierarchy else ()))
            wanted = [number[name] for name in way if name in number]
            fits &= (
                np.bincount(self.rows[np.isin(self.sets.items, wanted)], minlength=len(fits)) > 0
            )
        return fits

    def likely(self, fits: NDArray[np.bool_], items: tuple[str, ...]) -> Iterator[tuple[str, int]]:
        """Yield each sensitive item that is not known, with how many of those who fit hold it."""
        if self.sets is None:
            return
        secrets = self.sets.items[fits[self.rows] & self.secret[self.sets.items]]
        counts = np.bincount(secrets, minlength=len(self.sets.vocabulary))
        for index in np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]:
            if self.sets.vocabulary[index] not in items:
                yield self.sets.vocabulary[index], int(counts[index])

    def rules(self, kind: Whole, *, knows: bool) -> Rules:
        """Return what follows in each class, alone and, if the attacker ``knows``, by one item."""
        tables = [self._rules(kind, *known) for known in self._known(knows=knows)]
        return Rules(*(np.concatenate(columns) for columns in zip(*tables, strict=True)))

    def singled(self, kind: Whole, *, knows: bool) -> Whole:
        """Return for each row an item by which it is alone in its class.

        -1 where the class does without one, -2 where nothing singles the row out.
        """
        by = np.full(self.people, -2, dtype=np.int64)
        for rows, items in reversed(self._known(knows=knows)):
            _, group, people = self._counted(kind, rows, items)
            alone = people[group] == 1
            by[rows[alone]] = items[alone]
        return by

    def _known(self, *, knows: bool) -> list[tuple[Whole, Whole]]:
        """Return what may be known of whom: nothing of each, then each item that is no secret."""
        nothing = np.arange(self.people), np.full(self.people, -1, dtype=np.int64)
        if self.sets is None or not knows:
            return [nothing]
        open_to_all = ~self.secret[self.sets.items]
        return [
            nothing,
            (self.rows[open_to_all], self.sets.items[open_to_all].astype(np.int64)),
        ]

    def _counted(self, kind: Whole, rows: Whole, items: Whole) -> tuple[Whole, Whole, Whole]:
        """Return classes with an item as ascending numbers, where each fact is, and who fits."""
        groups, group = np.unique(
            kind[rows] * (len(self.above) + 1) + items + 1, return_inverse=True
        )
        shown = np.bincount(group, minlength=len(groups))
        people = shown.copy()
        for index, there in self._more_general(groups):
            people[there] += shown[index[there]]
        return groups, group, people

    def _more_general(self, groups: Whole) -> Iterator[tuple[Whole, NDArray[np.bool_]]]:
        """Yield, step by step upwards, where those are who show something more general."""
        item = groups % (len(self.above) + 1) - 1
        up = item
        while (up >= 0).any():
            up = np.where(up >= 0, self.above[up], -1)
            yield _located(groups, np.where(up >= 0, groups - item + up, -1))

    def _rules(self, kind: Whole, rows: Whole, items: Whole) -> Rules:
        """Count who fits a class and an item, and who of them holds each sensitive item."""
        groups, group, people = self._counted(kind, rows, items)
        pairs, shown, first = self._pairs(rows, group)
        base, secret = np.divmod(pairs, max(len(self.above), 1))
        holders = shown.copy()
        for index, there in self._more_general(groups):
            wanted = index[base] * max(len(self.above), 1) + secret
            at, both = _located(pairs, np.where(there[base], wanted, -1))
            holders[both] += shown[at[both]]
        which, item = np.divmod(groups[base], len(self.above) + 1)
        return Rules(which, item - 1, people[base], secret, holders, first)

    def _pairs(self, rows: Whole, group: Whole) -> tuple[Whole, Whole, Whole]:
        """Return each pair of group and sensitive item, how often it occurs, and a row of it."""
        if self.sets is None:
            none = np.empty(0, dtype=np.int64)
            return none, none, none
        hidden = self.secret[self.sets.items]
        owner, secrets = self.rows[hidden], self.sets.items[hidden].astype(np.int64)
        order = np.argsort(rows, kind="stable")
        begin, end = (np.searchsorted(rows[order], owner, side) for side in ("left", "right"))
        count = end - begin
        index = order[runs(begin, count)]
        keys = group[index] * len(self.above) + np.repeat(secrets, count)
        pairs, first, holders = np.unique(keys, return_index=True, return_counts=True)
        return pairs, holders, np.repeat(owner, count)[first]


def _located(ascending: Whole, wanted: Whole) -> tuple[Whole, NDArray[np.bool_]]:
    """Return where each wanted number stands, and whether it does."""
    index = np.minimum(np.searchsorted(ascending, wanted), max(len(ascending) - 1, 0))
    return index, (ascending[index] == wanted) if len(ascending) else wanted < 0


def friendships(edges: Whole, degrees: Whole) -> Whole:
    """Return a class for each node: equal where degree and degrees of all friends are equal.

    >>> path = np.array([[0, 1], [1, 2], [2, 3]])
    >>> kind = friendships(path, np.array([1, 2, 2, 1]))
    >>> bool(kind[0] == kind[3]), bool(kind[1] == kind[2]), bool(kind[0] == kind[1])
    (True, True, False)
    """
    one, friend = both_ways(edges)
    other = degrees[friend].astype(np.uint64)
    marks = [degrees.astype(np.uint64)]
    for odd in (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03):
        # sums of well mixed words: two different collections agree in both by no accident
        word = (other + np.uint64(1)) * np.uint64(odd)
        word ^= word >> np.uint64(29)
        word *= np.uint64(0xBF58476D1CE4E5B9)
        word ^= word >> np.uint64(32)
        total = np.zeros(len(degrees), dtype=np.uint64)
        np.add.at(total, one, word)
        marks.append(total)
    order = np.lexsort(marks)
    ordered = np.stack(marks)[:, order]
    new = (np.diff(ordered, axis=1) != 0).any(axis=0)
    number = np.empty(len(degrees), dtype=np.int64)
    number[order] = np.concatenate([[0], np.cumsum(new)])[: len(degrees)]
    return number


def degrees_of_friends(edges: Whole, degrees: Whole) -> Whole:
    """Return for one person after the other how many friends theirs have, ascending."""
    one, friend = both_ways(edges)
    theirs = degrees[friend]
    return theirs[np.lexsort((theirs, one))]


def with_friends(edges: Whole, degrees: Whole, theirs: Iterable[int]) -> NDArray[np.bool_]:
    """Tell who has friends with these numbers of friends, perhaps among others.

    >>> path = np.array([[0, 1], [1, 2], [2, 3]])
    >>> with_friends(path, np.array([1, 2, 2, 1]), [1, 2]).tolist()
    [False, True, True, False]
    """
    one, friend = both_ways(edges)
    fits = np.ones(len(degrees), dtype=np.bool_)
    for degree, count in Counter(theirs).items():
        fits &= np.bincount(one[degrees[friend] == degree], minlength=len(degrees)) >= count
    return fits
