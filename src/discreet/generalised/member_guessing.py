"""How often an attacker keeps the right member of a generalised item, beyond chance."""

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.generalised.elimination.reconstruction import Context, Distances
from discreet.generalised.kernels.guessing import Evidence, Rows, right_guesses
from discreet.generalised.semantic import WordKnowledge
from discreet.kernels.ragged import offsets_of
from discreet.rng import seeded
from discreet.semantics import Embedding, Relatedness

if TYPE_CHECKING:
    from scipy.sparse import csr_array

KINDS = ("frequency", "context", "both", "embedding", "embedding_and_frequency")
"""What members are guessed by."""
BY_WORDS = ("relatedness", "relatedness_and_frequency")
"""What they are guessed by besides, where something is known of words."""


def eliminated_members(
    data: Transactions,
    release: Release[GeneralisedSets],
    *,
    key: LinkageKey | None = None,
    knowledge: WordKnowledge | None = None,
) -> dict[str, Any]:
    """Return how far beyond chance an attacker keeps the right member of a generalised item.

    What the attacker knows was counted from one half of the people, and the generalised items of
    the others are guessed: by how common members are (``frequency``), by which goes best with the
    plain items of the record (``context``), or by both. ``embedding`` stands for the context too,
    smoothed: items are points, so that items which never met have something to say about each
    other. With ``knowledge`` of words also by ``relatedness``, for which nobody is counted. Each is
    the share of right guesses less that of guesses at random. Only the key tells which guess is
    right.

    Parameters
    ----------
    data
        The original data.
    release
        The release.
    key
        The owner's key, if there is one.
    knowledge
        What the attacker knows of how words go together.

    Returns
    -------
    dict of str to float
        For each attack the share of right guesses less that of random ones; empty without a
        key.
    """
    content = release.content
    if key is None or content.trivial.all():
        return {}
    records = data.sets.take(key.records(len(content), len(data))).over(_by_block(data, content))
    rows = seeded(1).permutation(len(content))
    known, asked = np.sort(rows[: len(rows) // 2]), np.sort(rows[len(rows) // 2 :])
    shown = content.sets.take(asked)
    plain = content.trivial[shown.items]
    cells = shown.rows[~plain], shown.items[~plain].astype(int)
    if not len(cells[0]):
        return {}
    starts = offsets_of([len(block) for block in content.blocks])
    beside = shown.only(plain)
    right = right_guesses(
        cells,
        starts,
        Rows(beside.offsets.copy(), starts[beside.items]),
        _rows(records.take(asked)),
        _evidence(records.take(known)),
    )
    chance, *rates = (right / len(cells[0])).tolist()
    shares = dict(zip(KINDS, rates, strict=True))
    beyond: dict[str, float | None] = {kind: share - chance for kind, share in shares.items()}
    if knowledge is not None:
        guessed, originals = GeneralisedSets(shown, content.blocks), records.take(asked)
        counts = _supports(records.take(known))
        words = right_by_relatedness(guessed, knowledge.measure, counts, originals)
        for kind, hits in zip(BY_WORDS, words or (None, None), strict=True):
            beyond[kind] = None if hits is None else hits / len(cells[0]) - chance
    named = {f"elimination_by_{kind}": value for kind, value in beyond.items()}
    return named | {"elimination_chance": chance}


def _by_block(data: Transactions, content: GeneralisedSets) -> tuple[str, ...]:
    """Return all items, those of a block side by side and suppressed ones last."""
    return (*chain(*content.blocks), *sorted(set(data.universe) - content.block_of.keys()))


def _supports(sets: Itemsets) -> dict[str, float]:
    """Return how many sets hold each item."""
    counts = np.bincount(sets.items, minlength=len(sets.vocabulary))
    return dict(zip(sets.vocabulary, counts.astype(np.float64).tolist(), strict=True))


def _rows(sets: Itemsets) -> Rows:
    return Rows(sets.offsets.copy(), sets.items.astype(np.int64))


def _evidence(sets: Itemsets) -> Evidence:
    """Return what is to be learnt of items from these sets."""
    # first, while nothing else takes room
    points = Embedding.of(sets).vectors
    incidence = sets.matrix()
    common = np.asarray(incidence.sum(axis=0)).ravel()
    lift = _lift(incidence, common)
    company = Rows(lift.indptr.astype(np.int64), lift.indices.astype(np.int64))
    return Evidence(np.log(common + 0.5), company, lift.data, points)


def _lift(incidence: "csr_array", common: NDArray[np.float64]) -> "csr_array":
    """Return how much oftener than by chance two items go together, as logarithms above 0."""
    pairs = (incidence.T @ incidence).tocoo()
    lift = incidence.shape[0] * pairs.data / (common[pairs.row] * common[pairs.col])
    pairs.data = np.log1p(lift) * (pairs.row != pairs.col)
    ascending = pairs.tocsr()
    ascending.sort_indices()
    return ascending


SAME = 1e-12
"""Distances that differ by no more are equal."""


def right_by_relatedness(
    content: GeneralisedSets,
    measure: Relatedness,
    counts: Mapping[str, float],
    truth: Itemsets,
) -> tuple[float, float] | None:
    """Return how many guesses at members are right: by relatedness, and by how common they are too.

    None where nothing is known of any member: to guess at random is no measure of words.

    Guessed is the member nearest to the plain items of its record on average. One of which nothing
    is known is as near as the others are on average; among equals one is drawn. The two are put
    together as in the attack with the prior ``frequency``.

    Parameters
    ----------
    content
        The records whose generalised items are guessed.
    measure
        How far items are from each other.
    counts
        How common items are.
    truth
        What the person behind each record holds, the items of a block side by side.
    """
    owned = truth.matrix(np.bool_).tocsc()
    starts = offsets_of([len(block) for block in content.blocks])
    # nothing is drawn: all plain items of a record speak
    near = Distances.of(content, measure, Context(), seeded(0))
    if not any(np.isfinite(table).any() for _, _, table in near.tables):
        return None
    right = [0.0, 0.0]
    for number, distances in enumerate((near, near.with_prior(content, counts))):
        for block, rows, table in distances.tables:
            own = owned[:, starts[block] : starts[block + 1]].tocsr()[rows].toarray()
            right[number] += float(_right(table, own).sum())
    return right[0], right[1]


def _right(table: NDArray[np.float64], own: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return for each row how likely one of the nearest is the person's own."""
    known = np.isfinite(table)
    mean = np.where(known, table, 0.0).sum(axis=1) / np.maximum(1, known.sum(axis=1))
    far = np.where(known, table, mean[:, None])
    best = far <= far.min(axis=1, keepdims=True) + SAME
    share: NDArray[np.float64] = (best & own).sum(axis=1) / best.sum(axis=1)
    return share
