"""A possible original of a disassociated release, drawn at random."""

from dataclasses import dataclass

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
    is left with nothing is given a term, or a part of somebody who has several.

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
    parts_of_each = np.bincount(person, minlength=len(cluster))
    filled = np.zeros(content.count, dtype=np.bool_)
    filled[parts.cluster] = True
    extra: list[tuple[int, int]] = []
    for empty in np.flatnonzero((parts_of_each == 0) & filled[cluster]).tolist():
        at = int(cluster[empty])
        terms = content.terms.items[content.terms.offsets[at] : content.terms.offsets[at + 1]]
        if len(terms):
            extra.append((empty, int(terms[rng.integers(len(terms), 1)[0]])))
        else:
            _hand_over(parts, person, parts_of_each, empty, at, rng)
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


def _hand_over(
    parts: _Parts,
    person: NDArray[np.int64],
    parts_of_each: NDArray[np.int64],
    empty: int,
    cluster: int,
    rng: Rng,
) -> None:
    """Give somebody who holds nothing a part of another person who has several."""
    bags = parts.over[parts.cluster == cluster]
    spare = np.flatnonzero(np.isin(parts.bag, bags) & (parts_of_each[person] > 1))
    if not len(spare):
        msg = f"no possible original was found: in cluster {cluster} somebody would hold nothing"
        raise DataError(msg)
    part = int(spare[rng.integers(len(spare), 1)[0]])
    parts_of_each[person[part]] -= 1
    parts_of_each[empty] += 1
    person[part] = empty
