"""One loss for every release of sets: how far the counts are off that a reader would take from it.

Measures of a family say what that family gives up. To compare families, the same counts are asked
of all: how many people hold an item, or a pair of items, that somebody does hold. Where a release
says only that a person has one of several items, each of them counts for its share.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import BAG, Clusters
from discreet.core.disassociated import Disassociated
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.network import people_of
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.kernels.ragged import offsets_of
from discreet.rng import seeded

if TYPE_CHECKING:
    from scipy.sparse import csr_array

COUNTING_LOSS: Final = "error_of_counts_of_items_and_pairs"
"""What the loss of sets is called."""
TABLE_LOSS: Final = "loss_of_cells_and_associations"
"""What the loss of tables is called."""
QUERIES: Final = 2_000
"""Counts asked: half of single items, half of pairs."""
AT_ONCE: Final = 1 << 24
"""Rows and pairs that are looked at together, at most."""
Meaning = tuple[int, str, float]
"""The number of a label, an item that it may mean, and for how much that counts."""


class Rows(NamedTuple):
    """A release as rows of labels, and what the labels mean."""

    labels: Itemsets
    """The labels of each row."""
    people: NDArray[np.int64]
    """How many people each row stands for."""
    meanings: list[Meaning]
    """What each label may mean."""


def counting_loss(original: Any, release: Release[Any]) -> float | None:
    """Return the mean relative error of the counts, each at most 1; None where sets are not held.

    >>> from discreet.core.release import Manifest
    >>> people = Transactions.of([["a", "b"]] * 6 + [["a"]] * 4)
    >>> made = Manifest(method="none", parameters={}, randomness="none")
    >>> counting_loss(people, Release(people, (), made))
    0.0
    >>> counting_loss(people, Release(Transactions.of([[]] * 10), (), made))
    1.0
    """
    people = people_of(original)
    reading = rows_of(release.content)
    if not isinstance(people, Transactions) or reading is None or not len(people.items):
        return None
    first, second = _asked(people)
    true = _answers(rows_of_sets(people.sets, None), people.universe, first, second)
    answered = _answers(reading, people.universe, first, second)
    return float(np.minimum(1.0, np.abs(answered - true) / true).mean())


def common_loss(
    original: Any, release: Release[Any], measured: Mapping[str, Any]
) -> dict[str, float]:
    """Return the loss by which releases of all methods on the same data can be compared.

    Of tables: what cells of quasi-identifiers lost on average, and the associations of sensitive
    attributes that went, together; 1 where nothing is left.
    """
    if (loss := counting_loss(original, release)) is not None:
        return {COUNTING_LOSS: loss}
    if "loss_by_column" not in measured:
        return {}
    columns = list(measured["loss_by_column"].values())
    retained = 1 - sum(columns) / max(1, len(columns))
    joined = 1 - float(measured.get("association_loss_ratio") or 0)
    return {TABLE_LOSS: 1 - retained * joined}


def _asked(people: Transactions) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw items, and pairs of items of one person, as often as people hold them.

    The second of a pair is the first again where a single item is asked for.
    """
    rng, sets = seeded(0), people.sets
    rows = sets.rows
    at = rng.integers(len(sets.items), QUERIES)
    other = sets.offsets[rows[at]] + rng.integers(1 << 30, QUERIES) % sets.sizes[rows[at]]
    single = np.arange(QUERIES) % 2 == 0
    first = sets.items[at].astype(np.int64)
    return first, np.where(single, first, sets.items[other])


def _answers(
    reading: Rows, universe: tuple[str, ...], first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return how many people hold both, as the labels tell.

    Pairs are asked some at a time: all pairs of items of long sets would not fit into memory.
    """
    from scipy.sparse import csr_array

    sets, people = reading.labels, reading.people.astype(float)
    shape = len(sets), len(sets.vocabulary)
    holds = csr_array((np.ones(len(sets.items)), sets.items, sets.offsets), shape=shape)
    means = _means(reading, universe)
    answers = (means.T @ (people @ holds))[first]
    pairs = np.flatnonzero(first != second)
    step = max(1, AT_ONCE // max(1, len(sets)))
    for batch in (pairs[begin : begin + step] for begin in range(0, len(pairs), step)):
        one, other = (holds @ means[:, each[batch]] for each in (first, second))
        answers[batch] = people @ one.multiply(other)
    return np.asarray(answers)


def _means(reading: Rows, universe: tuple[str, ...]) -> "csr_array":
    from scipy.sparse import csr_array

    numbers = {item: number for number, item in enumerate(universe)}
    known = [
        (label, numbers[item], share) for label, item, share in reading.meanings if item in numbers
    ]
    labels, items, shares = zip(*known, strict=True) if known else ((), (), ())
    shape = len(reading.labels.vocabulary), len(universe)
    return csr_array(
        (np.array(shares, float), (np.array(labels, int), np.array(items, int))), shape
    )


def rows_of(content: Any) -> Rows | None:
    """Return a release as rows of labels; None where it holds no sets."""
    match content:
        case ItemsetHistogram():
            plain = rows_of_sets(content.sets, None)
            return plain._replace(people=np.asarray(content.counts))
        case GeneralisedSets():
            means = [
                (label, item, 1 / len(block))
                for label, block in enumerate(content.blocks)
                for item in block
            ]
            return Rows(content.sets, np.ones(len(content), np.int64), means)
        case Transactions() | SetsWithNetwork():
            return rows_of_sets(content.sets, content.applied)
        case Clusters():
            return _rows_of_clusters(content)
        case Disassociated():
            return rows_of_sets(_one_world(content), None)
    return None


def rows_of_sets(sets: Itemsets, applied: Hierarchy | None) -> Rows:
    """Return sets as rows of labels; a label of a hierarchy means any of its leaves."""
    # an item means itself, and so does a sensitive one, which is in no hierarchy
    groups = {*applied.names} - {*applied.values} if applied else set[str]()
    inside = {name: applied.leaves(name) for name in groups & {*sets.vocabulary}} if applied else {}
    means = [
        (label, item, 1 / len(items))
        for label, name in enumerate(sets.vocabulary)
        for items in [inside.get(name, (name,))]
        for item in items
    ]
    return Rows(sets, np.ones(len(sets), np.int64), means)


def _one_world(content: Disassociated) -> Itemsets:
    """Put sub-records together at random, as a reader would: one of the worlds that fit."""
    rng, ends = seeded(0), np.cumsum(content.people)
    rows: list[set[str]] = [set() for _ in range(len(content))]
    members = [np.arange(end - size, end) for end, size in zip(ends, content.people, strict=True)]
    for chunks in (content.chunks, content.shared):
        subrecords = list(chunks.sets)
        order = np.argsort(chunks.chunk, kind="stable")
        bounds = np.searchsorted(chunks.chunk[order], np.arange(len(chunks) + 1))
        for number in range(len(chunks)):
            own = order[bounds[number] : bounds[number + 1]]
            people = np.concatenate([members[cluster] for cluster in chunks.over(number)])
            for index, row in zip(own, people[rng.permutation(len(people))], strict=False):
                rows[row].update(subrecords[index])
    for cluster, terms in enumerate(content.terms):
        for item in terms:
            rows[members[cluster][rng.integers(len(members[cluster]), 1)[0]]].add(item)
    return Itemsets.of([sorted(row) for row in rows], content.universe)


def _rows_of_clusters(content: Clusters) -> Rows:
    """Give every row its cluster as a further label, and one that all have for the bag."""
    words = content.sets.vocabulary
    first, everybody = len(words), len(words) + content.count
    vocabulary = (*words, *(f"cluster {number}" for number in range(content.count + 1)))
    rows = [
        [*content.sets.items[start:end].tolist(), first + cluster, everybody]
        for start, end, cluster in zip(
            content.sets.offsets[:-1], content.sets.offsets[1:], content.cluster, strict=True
        )
    ]
    offsets = offsets_of([len(row) for row in rows])
    flat = np.array([label for row in rows for label in row], dtype=np.int32)
    plain = [(label, word, 1.0) for label, word in enumerate(words)]
    labels = Itemsets(offsets, flat, vocabulary)
    return Rows(labels, np.ones(len(rows), np.int64), [*plain, *_private(content, first)])


def _private(content: Clusters, first: int) -> Iterable[Meaning]:
    entries = zip(
        content.private_cluster, content.private_term, content.private_copies, strict=True
    )
    for cluster, term, copies in entries:
        in_bag = cluster == BAG
        size = len(content) if in_bag else content.size[cluster]
        label = first + (content.count if in_bag else int(cluster))
        yield label, content.terms[term], float(copies) / max(1, int(size))
