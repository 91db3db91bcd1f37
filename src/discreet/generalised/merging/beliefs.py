"""What an attacker would believe of the members of a block: how common, and in what company."""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.errors import ParameterError
from discreet.generalised.kernels.blocks import Belief

Resist: TypeAlias = Literal["nothing", "frequency", "context", "both"]
"""What merges should leave an attacker little of."""

MOST_COMPARED = 6_000
"""Items of which each is compared with each, as a table of so many rows and columns."""


def belief_of(folded: ItemsetHistogram, resist: Resist) -> Belief:
    """Return by what an attacker tells items apart, as merges should resist it."""
    common = np.zeros(0)
    alike = np.zeros((0, 0), dtype=np.float32)
    if resist in ("frequency", "both"):
        common = folded.supports.astype(np.float64)
    if resist in ("context", "both"):
        alike = _alike(folded)
    return Belief(common, alike)


def _alike(folded: ItemsetHistogram) -> NDArray[np.float32]:
    """Return the cosines of what items occur with, each companion by the root of its number."""
    from scipy.sparse import diags_array

    width = len(folded.sets.vocabulary)
    if width > MOST_COMPARED:
        msg = (
            f"`resist` context must be about up to {MOST_COMPARED:,} items, and there are "
            f"{width:,}; use frequency"
        )
        raise ParameterError(msg, parameter="resist")
    incidence = folded.sets.matrix()
    pairs = (incidence.T @ diags_array(folded.counts.astype(np.float64)) @ incidence).tocsr()
    pairs.setdiag(0)
    pairs.data = np.sqrt(pairs.data)
    length = np.sqrt(pairs.multiply(pairs).sum(axis=1))
    unit = diags_array(1 / np.where(length > 0, length, 1)) @ pairs
    alike: NDArray[np.float32] = (unit @ unit.T).toarray().astype(np.float32)
    return alike
