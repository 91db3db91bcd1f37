"""Dist: single occurrences deleted, wherever that costs least, until no secret is inferred."""

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from discreet.core.doc import Doc
from discreet.core.hierarchy import Hierarchy
from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.networks.hiding import Hiding, keep_rows, sensitive_of
from discreet.networks.suppression import Heuristic, Records
from discreet.rng import Rng, secure

__all__ = ["Dist"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dist(Hiding):
    """Sets from which single items are deleted until no sensitive item can be inferred.

    Jia, Pan, Xu, Zhu and Lo 2014, partial suppression, as reconstructed in docs/soundness/004.md.
    At the end every deleted item that can be put back is put back.
    """

    heuristic: Annotated[
        Heuristic,
        Doc("Spare rare items (dist), or delete as few occurrences as possible now (num)."),
    ] = "dist"
    hierarchy: Annotated[
        Hierarchy | None,
        Doc("A public hierarchy to send along for comparisons; nothing is generalised by it."),
    ] = field(default=None, metadata={"unwritten": True})

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Transactions]:
        """Publish what is left of each record, in random order."""
        rng = rng or secure()
        sensitive = sensitive_of(data)
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
        manifest = manifest_of(self, "dist", rng, sensitive=sensitive)
        return Publication(Release(content, self.guarantees, manifest), keep_rows(order))
