"""A possible original of a disassociated release, drawn at random."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.disassociated import Disassociated
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.kernels.ragged import runs
from discreet.rng import Rng


def possible_original(content: Disassociated, rng: Rng) -> Transactions:
    """Put the parts of a release together at random: a data set that could be behind it.

    Each sub-record goes to one person of its clusters and each term to one of its cluster; whoever
    is left with nothing is given a term, or a part of somebody who has several, perhaps through
    others who have one.

    Parameters
    ----------
    content
        The parts of records.
    rng
        Where the randomness comes from.

    Returns
    -------
    Transactions
        One of the data sets that the release could be made from.
    """
    parts = _Parts.of(content)
    person = _dealt(parts, content.people, rng)
    cluster = np.repeat(np.arange(content.count), content.people)
    dealt = _Dealt(person, np.bincount(person, minlength=len(cluster)), cluster)
    filled = np.zeros(content.count, dtype=np.bool_)
    filled[parts.cluster] = True
    extra = [
        given
        for empty in np.flatnonzero((dealt.parts_of == 0) & filled[cluster]).tolist()
        for given in _provide(parts, content.terms, dealt, empty, rng)
    ]
    more = np.array(extra, dtype=np.int64).reshape(-1, 2)
    rows = np.append(np.repeat(person, parts.sets.sizes), more[:, 0])
    items = np.append(parts.sets.items, more[:, 1])
    order = np.lexsort((items, rows))
    offsets = np.searchsorted(rows[order], np.arange(len(cluster) + 1)).astype(np.int64)
    return Transactions(Itemsets(offsets, items[order].astype(np.int32), content.universe))


@dataclass(frozen=True, eq=False)
class _Parts:
    """Record chunks, shared chunks and single terms alike: bags of sets over some clusters."""

    sets: Itemsets
    """All parts."""
    bag: NDArray[np.int64]
    """The bag of each part, ascending."""
    over: NDArray[np.int64]
    """Each bag with each of its clusters: the bag ..."""
    cluster: NDArray[np.int64]
    """... and the cluster."""

    @classmethod
    def of(cls, content: Disassociated) -> "_Parts":
        both = (content.chunks, content.shared)
        order = [np.argsort(chunks.chunk, kind="stable") for chunks in both]
        sets = [chunks.sets.take(each) for chunks, each in zip(both, order, strict=True)]
        own, all_chunks = len(content.chunks), len(content.chunks) + len(content.shared)
        terms = np.arange(len(content.terms.items))
        sizes = np.concatenate([*(each.sizes for each in sets), np.ones(len(terms), np.int64)])
        offsets = np.append(0, np.cumsum(sizes))
        items = np.concatenate([*(each.items for each in sets), content.terms.items])
        bags = [chunks.chunk[each] for chunks, each in zip(both, order, strict=True)]
        return cls(
            Itemsets(offsets, items, content.universe),
            np.concatenate([bags[0], own + bags[1], all_chunks + terms]),
            np.concatenate([both[0].places[0], own + both[1].places[0], all_chunks + terms]),
            np.concatenate([both[0].places[1], both[1].places[1], content.terms.rows]),
        )


def _dealt(parts: _Parts, people: NDArray[np.int64], rng: Rng) -> NDArray[np.int64]:
    """Return a person for each part: of a bag's people as many as it has parts, at random."""
    sizes = people[parts.cluster]
    bag = np.repeat(parts.over, sizes)
    order = np.lexsort((rng.permutation(len(bag)), bag))
    person = runs((np.cumsum(people) - people)[parts.cluster], sizes)[order]
    starts = np.searchsorted(bag[order], parts.bag)
    rank = np.arange(len(parts.bag)) - np.searchsorted(parts.bag, parts.bag)
    dealt: NDArray[np.int64] = person[starts + rank]
    return dealt


class _Dealt(NamedTuple):
    """Who has which part."""

    person: NDArray[np.int64]
    """The person of each part; changed in place."""
    parts_of: NDArray[np.int64]
    """How many parts each person has; changed in place."""
    cluster: NDArray[np.int64]
    """The cluster of each person."""


def _provide(
    parts: _Parts, terms: Itemsets, dealt: _Dealt, empty: int, rng: Rng
) -> list[tuple[int, int]]:
    """Give somebody who holds nothing something; return who holds which term besides, if anybody.

    That is a term, or a part of a person who has several. Where neither is at hand, clusters that
    share a chunk are asked in turn: who gives an only part away there is provided for first.
    """
    start = int(dealt.cluster[empty])
    needy = {start: empty}
    gives: dict[int, tuple[int, int]] = {}
    waiting = [start]
    for each in waiting:
        own = terms.items[terms.offsets[each] : terms.offsets[each + 1]]
        if len(own):
            term = int(own[rng.integers(len(own), 1)[0]])
            _pass_on(dealt, needy, gives, each)
            return [(needy[each], term)]
        over = np.flatnonzero(np.isin(parts.bag, parts.over[parts.cluster == each]))
        spare = over[dealt.parts_of[dealt.person[over]] > 1]
        if len(spare):
            part = int(spare[rng.integers(len(spare), 1)[0]])
            _give(dealt, part, needy[each])
            _pass_on(dealt, needy, gives, each)
            return []
        for part in over.tolist():
            owner = int(dealt.person[part])
            home = int(dealt.cluster[owner])
            if home not in needy:
                needy[home], gives[home] = owner, (part, each)
                waiting.append(home)
    msg = f"no possible original was found: in cluster {start} somebody would hold nothing"
    raise DataError(msg)


def _pass_on(
    dealt: _Dealt, needy: dict[int, int], gives: dict[int, tuple[int, int]], last: int
) -> None:
    """Let whoever was provided for give the part that another cluster waits for, and so on."""
    while last in gives:
        part, last = gives[last]
        _give(dealt, part, needy[last])


def _give(dealt: _Dealt, part: int, to: int) -> None:
    dealt.parts_of[dealt.person[part]] -= 1
    dealt.parts_of[to] += 1
    dealt.person[part] = to
