"""What is lost when records are cut into parts: pairs of items, and terms without a number."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.disassociated import Disassociated
from discreet.core.itemsets import Itemsets
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TOP = 1000
"""The most frequent pairs that are looked for."""


def pairs_kept(data: Transactions, release: Release[Disassociated]) -> dict[str, Any]:
    """Return how much of pairs of items and of single ones the parts of records still tell.

    A pair that a person holds is kept where both items are in the same sub-record. Beside it, how
    far the number of people with a pair is off as expected over random reconstructions, relative to
    the mean of both numbers, over the pairs that somebody holds (Terrovitis and others 2012); how
    many of the 1,000 most frequent pairs are no longer among them; and how many occurrences are in
    term chunks, where only is said that somebody holds the item.
    """
    content = release.content
    if len(content) != len(data):
        msg = (
            f"the original must be the data that were published: the release has {len(content):,} "
            f"people and the original {len(data):,}"
        )
        raise DataError(msg)
    universe = tuple(sorted({*data.universe, *content.universe}))
    incidence = data.sets.over(universe).matrix()
    true = _upper(incidence.T @ incidence)
    expected = _upper(expected_pairs(content, universe))
    together = sum(_pairs(chunks.sets) for chunks in (content.chunks, content.shared))
    chunked = len(content.chunks.sets.items) + len(content.shared.sets.items)
    pairs, occurrences = _pairs(data.sets), len(data.items)
    return {
        # where there is nothing to lose nothing is lost
        "pairs_kept": together / pairs if pairs else 1.0,
        "pair_error": _relative_error(true, expected),
        "top_pairs_lost": _lost(true, expected),
        "occurrences_in_term_chunks": (occurrences - chunked) / max(1, occurrences),
    }


def expected_pairs(content: Disassociated, universe: tuple[str, ...]) -> "csr_array":
    """Return how many people hold each pair of items, as expected over random reconstructions.

    Each sub-record is given to one of the people of its clusters at random, and each term to one
    person of its cluster. So items of different places meet by chance alone.
    """
    from scipy.sparse import csr_array, diags_array, vstack

    width, both = len(universe), (content.chunks, content.shared)
    shares = csr_array((content.count, width))
    exact, chance = [], []
    for chunks in both:
        sub_records = chunks.sets.over(universe).matrix()
        owner = csr_array(
            (np.ones(len(chunks.chunk)), (chunks.chunk, np.arange(len(chunks.chunk)))),
            shape=(len(chunks), len(chunks.chunk)),
        )
        supports = owner @ sub_records
        over, cluster = chunks.places
        room = np.maximum(1, np.bincount(over, content.people[cluster], minlength=len(chunks)))
        weights = csr_array((1 / room[over], (cluster, over)), shape=(content.count, len(chunks)))
        shares = shares + weights @ supports
        exact.append(sub_records)
        chance.append(diags_array(1 / np.sqrt(room)) @ supports)
    terms = diags_array(1 / content.people) @ content.terms.over(universe).matrix()
    people = diags_array(np.sqrt(content.people)) @ (shares + terms)
    sub_records, apart = vstack(exact).tocsr(), vstack(chance).tocsr()
    return people.T @ people - apart.T @ apart + sub_records.T @ sub_records


def _upper(pairs: "csr_array") -> "csr_array":
    from scipy.sparse import triu

    return triu(pairs, 1).tocsr()


def _pairs(sets: Itemsets) -> int:
    return int((sets.sizes * (sets.sizes - 1) // 2).sum())


def _relative_error(true: "csr_array", expected: "csr_array") -> float:
    """Return the mean of ``|s - t| / ((s + t) / 2)`` over the pairs that somebody holds."""
    if not true.nnz:
        return 0.0
    at = true.nonzero()
    before, after = (np.asarray(pairs[at], dtype=np.float64).ravel() for pairs in (true, expected))
    return float((2 * np.abs(before - after) / (before + after)).mean())


def _lost(true: "csr_array", expected: "csr_array") -> float:
    before, after = _top(true), _top(expected)
    return len(before - after) / max(1, len(before))


def _top(pairs: "csr_array") -> set[int]:
    """Return the most frequent pairs as numbers, those of the lower items where many are equal."""
    each = pairs.tocoo()
    codes: NDArray[np.int64] = each.row.astype(np.int64) * pairs.shape[1] + each.col
    order = np.lexsort((codes, -np.round(each.data, 9)))
    return set(codes[order[:TOP]].tolist())
