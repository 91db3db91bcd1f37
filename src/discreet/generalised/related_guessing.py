"""How often the member that goes best with the rest of its record, by its meaning, is right."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.itemsets import Itemsets
from discreet.generalised.reconstruction import Context, Distances
from discreet.kernels.ragged import offsets_of
from discreet.rng import seeded
from discreet.semantics import Relatedness

__all__ = ["right_by_relatedness"]

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
