"""Anatomy: clusters in which every private term is rare, and nothing is kept back."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.guarantee import Guarantee, TermDiversity
from discreet.errors import InfeasibleError
from discreet.rng import Rng
from discreet.series.clusters.plan import ClusterPlan
from discreet.series.clusters.snapshot import Snapshot
from discreet.series.corpus import Corpus, Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Anatomy(Snapshot):
    """Clusters in which at most one in l people holds any one private term.

    Xiao and Tao 2006, for transactions with any number of private terms: people are taken in a
    public order, and a group grows until every term is rare enough in it. This protects one release
    only. Two of them, a year apart, can be compared, and this method is here to show that.
    """

    called: ClassVar[str] = "anatomy"

    l: Annotated[  # noqa: E741
        Exact,
        Doc("How rare a private term must be: at most one in l people of a cluster holds it."),
    ]

    def __post_init__(self) -> None:
        Snapshot.__post_init__(self)
        object.__setattr__(self, "l", TermDiversity(l=self.l).factor)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Every term is rare in every cluster."""
        return (TermDiversity(l=self.l),)

    def decide(self, statistics: Corpus, rng: Rng) -> ClusterPlan:
        """Plan diverse clusters from folded people; they show all their private terms."""
        fine = statistics.clustered(self.cluster_size)
        cluster = dissected(statistics, fine, TermDiversity(l=self.l).factor)
        by_cluster = statistics.copies_in(cluster[statistics.kinds[0]])
        copies = {term: by_cluster.of(term) for term in range(len(statistics.terms))}
        bag = np.zeros(len(statistics.terms), dtype=np.int64)
        nothing = np.zeros(int(cluster.max()) + 1, dtype=np.int64)
        return ClusterPlan.of(
            statistics, cluster, Shown(copies, bag, statistics.people, nothing), rng
        )


def dissected(corpus: Corpus, fine: NDArray[np.int64], factor: Fraction) -> NDArray[np.int64]:
    """Join clusters that follow each other until every term is rare enough in each.

    ``fine`` is the cluster of each distinct set, and so is what is returned.
    """
    most = int(corpus.supports.max(initial=0))
    if most * factor > corpus.people:
        msg = (
            f"a private term is held by more than one in {factor} people, so no cluster can be "
            f"diverse; the largest `l` that would do is {max(corpus.people // most, 1)}"
        )
        raise InfeasibleError(msg, parameter="l")
    singles = _singletons(corpus, fine)
    groups: list[_Group] = []
    left: _Group | None = None
    for single in singles:
        left = left.joined(single) if left else single
        if left.diverse(factor):
            groups.append(left)
            left = None
    while left:
        # what is left at the end joins the groups before it until it is diverse
        left = groups.pop().joined(left)
        if left.diverse(factor):
            groups += _parted(left, singles, factor)
            left = None
    joined = np.empty(int(fine.max()) + 1, dtype=np.int64)
    for number, group in enumerate(groups):
        joined[group.begin : group.end] = number
    return joined[fine]


def _parted(group: "_Group", singles: "list[_Group]", factor: Fraction) -> "list[_Group]":
    """Cut a diverse group into diverse ones that cannot be cut again.

    From the end on, each cut is the first that leaves both sides diverse. What it cuts off cannot
    be cut itself: groups that are diverse are so together, so that cut would have come first.
    """
    parts: list[_Group] = []
    tail: _Group | None = None
    for number in range(group.end - 1, group.begin, -1):
        tail = singles[number].joined(tail) if tail else singles[number]
        if tail.diverse(factor) and (head := group.without(tail)).diverse(factor):
            parts.append(tail)
            group, tail = head, None
    return [group, *reversed(parts)]


@dataclass(frozen=True, slots=True)
class _Group:
    """Clusters that follow each other, joined so far."""

    begin: int
    """The first of them."""
    end: int
    """The one after the last."""
    people: int
    terms: Counter[int]

    def joined(self, after: "_Group") -> "_Group":
        """Return this one with the group after it."""
        people, terms = self.people + after.people, self.terms + after.terms
        return _Group(self.begin, after.end, people, terms)

    def without(self, tail: "_Group") -> "_Group":
        """Return what is left when the last clusters are cut off."""
        people, terms = self.people - tail.people, self.terms - tail.terms
        return _Group(self.begin, tail.begin, people, terms)

    def diverse(self, factor: Fraction) -> bool:
        return max(self.terms.values(), default=0) * factor <= self.people


def _singletons(corpus: Corpus, fine: NDArray[np.int64]) -> list[_Group]:
    """Return each cluster as a group of its own."""
    owner = fine[corpus.kinds[0]]
    table = corpus.copies_in(owner)
    terms: list[Counter[int]] = [Counter() for _ in range(table.clusters)]
    entries = zip(table.term.tolist(), table.cluster.tolist(), table.copies.tolist(), strict=True)
    for term, cluster, copies in entries:
        terms[cluster][term] = copies
    sizes = enumerate(corpus.sizes(owner).tolist())
    return [_Group(number, number + 1, size, terms[number]) for number, size in sizes]
