"""Six ways to decide from a table of distances which items of a generalised item were added.

A row of the table is a transaction with its context, a column is a member of the generalised item,
and a cell says how far the member is from the context. A cell may go only while its row and its
column keep another: every transaction has at least one of the members, and every member stands in
at least one transaction.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.generalised.kernels.cell_elimination import (
    BY_GAP,
    BY_WEIGHT,
    REDISTRIBUTE,
    attacked,
    swept,
)
from discreet.rng import Rng

Method: TypeAlias = Literal["ra", "mda", "tba", "wba", "gba", "rba"]
"""At random, the maximum, a threshold, weights, groups, redistributed weights."""

_STEPS = {"wba": BY_WEIGHT, "gba": BY_GAP, "rba": REDISTRIBUTE}


@dataclass(frozen=True, slots=True, eq=False)
class Elimination:
    """The cells of one table that an attack takes for added, in the order of its choices."""

    rows: NDArray[np.int64]
    """The row of each eliminated cell."""
    columns: NDArray[np.int64]
    """Its column."""
    evidence: NDArray[np.float64]
    """What spoke for it: a distance, a weighted distance, or the vulnerability of its group."""
    threshold: float
    """What the evidence had to exceed."""
    stopped: float = 0.0
    """The evidence for the next choice, which was not made; 0 where none was left."""

    @property
    def confidence(self) -> NDArray[np.float64]:
        """For each cell ``e / (e + threshold)``: one half at the threshold, towards 1 far above.

        It ranks the choices of one attack by its own evidence; it is no calibrated probability.
        """
        total = self.evidence + self.threshold
        half = np.full(len(self.evidence), 0.5)
        np.divide(self.evidence, total, out=half, where=total > 0)
        return half

    def __len__(self) -> int:
        return len(self.rows)


def eliminate(distances: NDArray[np.float64], method: Method, rng: Rng) -> Elimination:
    """Attack one table of distances; a cell that is not a number is unknown and never goes.

    Ong and Shao 2014 describe ``ra``, ``mda``, ``tba`` and ``wba``, Shao and Ong 2017 ``gba`` and
    ``rba``. Only ``ra`` uses chance.

    >>> from discreet.rng import seeded
    >>> table = np.array([[0.1, 0.9], [0.8, 0.2]])
    >>> gone = eliminate(table, "rba", seeded(1))
    >>> list(zip(gone.rows.tolist(), gone.columns.tolist()))
    [(0, 1), (1, 0)]
    """
    known = np.isfinite(distances)
    columns = distances.shape[1]
    left = np.concatenate([known.sum(axis=1), known.sum(axis=0)]).astype(np.int64)
    if not known.any():
        none = np.empty(0, dtype=np.int64)
        return Elimination(none, none, np.empty(0), 0.0)
    if method in _STEPS:
        plain = np.where(known, distances, 0.0).T.ravel()
        cells, evidence, threshold = attacked(
            plain, _ascending(distances), left, len(distances), _STEPS[method]
        )
        stopped = float(evidence[-1])
        return Elimination(*np.divmod(cells, columns), evidence[:-1], threshold, stopped)
    order, threshold = _swept(distances, method, rng)
    cells = swept(order[: 1 if method == "mda" else len(order)], left, len(distances), columns)
    rows, cell_columns = np.divmod(cells, columns)
    # a coin has no evidence: heads is as good as tails
    evidence = np.full(len(cells), threshold) if method == "ra" else distances[rows, cell_columns]
    return Elimination(rows, cell_columns, evidence, threshold)


def _swept(
    distances: NDArray[np.float64], method: Method, rng: Rng
) -> tuple[NDArray[np.int64], float]:
    """Return the cells to go as far as they may, in order, and the threshold."""
    flat = distances.ravel()
    cells = np.flatnonzero(np.isfinite(flat))
    mean = float(flat[cells].mean())
    if method == "ra":
        shuffled = cells[rng.permutation(len(cells))]
        return shuffled[rng.integers(2, len(cells)) == 1], mean
    downwards = cells[np.argsort(-flat[cells], kind="stable")]
    if method == "mda":
        return downwards, mean
    return downwards[flat[downwards] > mean], mean


def _ascending(distances: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the columns of each row and the rows of each column by distance, unknown ones last.

    Among equals the larger number comes first, so that the last cell is the first of the largest.
    """
    rows, columns = distances.shape
    keys = np.where(np.isfinite(distances), distances, np.inf)
    along = columns - 1 - np.argsort(keys[:, ::-1], axis=1, kind="stable")
    down = rows - 1 - np.argsort(keys[::-1], axis=0, kind="stable")
    return np.concatenate([along.ravel(), down.T.ravel()]).astype(np.int32)
