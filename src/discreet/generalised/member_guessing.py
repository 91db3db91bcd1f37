"""How often an attacker keeps the right member of a generalised item, beyond chance."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.rng import seeded

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["eliminated_members"]

BATCH = 20_000
"""Generalised items of records that are scored at once, times the members of one of them."""


def eliminated_members(
    data: Transactions, release: Release[GeneralisedSets], *, key: LinkageKey | None = None
) -> dict[str, Any]:
    """Return how far beyond chance an attacker keeps the right member of a generalised item.

    What the attacker knows was counted from one half of the people, and the generalised items of
    the others are guessed: by how common members are (``frequency``), by which goes best with the
    plain items of the record (``context``), or by both. Each is the share of right guesses less
    that of guesses at random. Only the key tells which guess is right.
    """
    content = release.content
    if key is None or content.trivial.all():
        return {}
    records = data.sets.take(key.records(len(content), len(data))).over(_universe(data, content))
    rows = seeded(1).permutation(len(content))
    known, asked = np.sort(rows[: len(rows) // 2]), np.sort(rows[len(rows) // 2 :])
    cells = _Cells.of(content, records, asked)
    if not len(cells.row):
        return {}
    counted = _matrix(records.take(known))
    common = np.asarray(counted.sum(axis=0)).ravel()
    together = _lift(counted, common)
    told = np.array([cells.guessed(common, together, kind) for kind in KINDS])
    return dict(zip(NAMES, (told - cells.chance).tolist(), strict=True)) | {
        "elimination_chance": cells.chance
    }


KINDS = ("frequency", "context", "both")
NAMES = tuple(f"elimination_by_{kind}" for kind in KINDS)


def _universe(data: Transactions, content: GeneralisedSets) -> tuple[str, ...]:
    return tuple(sorted({*data.universe, *content.block_of}))


def _matrix(sets: Itemsets) -> "csr_array":
    from scipy.sparse import csr_array

    shape = (len(sets), len(sets.vocabulary))
    return csr_array((np.ones(len(sets.items)), sets.items, sets.offsets), shape=shape)


def _lift(held: "csr_array", common: NDArray[np.float64]) -> "csr_array":
    """Return how much oftener than by chance two items go together, as logarithms above 0."""
    pairs = (held.T @ held).tocoo()
    lift = held.shape[0] * pairs.data / (common[pairs.row] * common[pairs.col])
    pairs.data = np.log1p(lift) * (pairs.row != pairs.col)
    return pairs.tocsr()


@dataclass(frozen=True, eq=False)
class _Cells:
    """Generalised items of records whose members are to be guessed."""

    row: NDArray[np.int64]
    """The record of each, among those asked for."""
    block: NDArray[np.int64]
    """The generalised item."""
    members: tuple[NDArray[np.int64], ...]
    """The members of each generalised item."""
    plain: "csr_array"
    """The plain items of each record."""
    truth: "csr_array"
    """What the person behind each record holds."""

    @classmethod
    def of(cls, content: GeneralisedSets, records: Itemsets, asked: NDArray[np.int64]) -> "_Cells":
        shown = content.sets.take(asked)
        number = {item: place for place, item in enumerate(records.vocabulary)}
        members = tuple(np.array([number[item] for item in block]) for block in content.blocks)
        first = np.array([block[0] for block in members], dtype=np.int64)
        rows = np.repeat(np.arange(len(shown)), shown.sizes)
        plain = content.trivial[shown.items]
        from scipy.sparse import csr_array

        at = (rows[plain], first[shown.items[plain]])
        shape = (len(shown), len(records.vocabulary))
        known = csr_array((np.ones(int(plain.sum())), at), shape=shape)
        truth = _matrix(records.take(asked))
        return cls(rows[~plain], shown.items[~plain].astype(np.int64), members, known, truth)

    @property
    def chance(self) -> float:
        """How often a member drawn at random is the person's own."""
        right = sum(float(own.mean(axis=1).sum()) for _, _, own in self.parts())
        return right / len(self.row)

    def guessed(self, common: NDArray[np.float64], together: "csr_array", kind: str) -> float:
        """Return how often the member with the best score is the person's own; ties are halves."""
        right = 0.0
        for block, rows, own in self.parts():
            members = self.members[block]
            score = np.zeros((len(rows), len(members)))
            if kind != "context":
                score += np.log(common[members] + 0.5)
            if kind != "frequency":
                score += (self.plain[rows] @ together[:, members]).toarray()
            best = score >= score.max(axis=1, keepdims=True) - 1e-12
            right += float(((best * own).sum(axis=1) / best.sum(axis=1)).sum())
        return right / len(self.row)

    def parts(self) -> Any:
        """Return each generalised item with its records, some at a time, and what is their own."""
        order = np.argsort(self.block, kind="stable")
        for block in np.unique(self.block).tolist():
            mine = order[slice(*np.searchsorted(self.block[order], [block, block + 1]))]
            step = max(1, BATCH // len(self.members[block]))
            for first in range(0, len(mine), step):
                rows = self.row[mine[first : first + step]]
                yield block, rows, self.truth[rows][:, self.members[block]].toarray()
