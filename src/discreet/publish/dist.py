"""Dist: single occurrences deleted, wherever that costs least, until no secret is inferred."""

from dataclasses import dataclass, field

import numpy as np

from discreet.chance import Rng
from discreet.data.hierarchy import Hierarchy
from discreet.data.publication import Publication
from discreet.data.release import Release
from discreet.data.transactions import Transactions
from discreet.engine.suppression import Heuristic, Records
from discreet.publish.contract import manifest_of
from discreet.publish.sets.hiding import Hiding, keep_rows, notes_of

__all__ = ["Dist"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dist(Hiding):
    """Sets from which single items are deleted until no sensitive item can be inferred.

    Jia, Pan, Xu, Zhu and Lo 2014, partial suppression, as reconstructed in docs/soundness/004.md.
    At the end every deleted item that can be put back is put back.
    """

    heuristic: Heuristic = "dist"
    """Spare rare items (dist), or delete as few occurrences as possible now (num)."""
    hierarchy: Hierarchy | None = field(default=None, metadata={"unwritten": True})
    """A public hierarchy to send along for comparisons; nothing is generalised by it."""

    def publish(self, data: Transactions, rng: Rng) -> Publication[Transactions]:
        """Publish what is left of each record, in random order."""
        notes = notes_of(data)
        secret = np.array([item in data.sensitive for item in data.universe], dtype=np.bool_)
        records = Records(data.sets, secret, self.bound)
        records.suppress(self.heuristic)
        records.put_back()
        order = rng.permutation(len(data))
        left = records.left().take(order)
        # items of which nothing is left are not named
        used = np.unique(left.items)
        sets = left.over([left.vocabulary[item] for item in used])
        content = Transactions(sets, sensitive=data.sensitive, applied=self.hierarchy)
        manifest = manifest_of(self, "dist", rng, notes)
        return Publication(Release(content, self.guarantees, manifest), keep_rows(order))
