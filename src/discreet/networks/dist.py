"""Dist: single occurrences deleted, wherever that costs least, until no secret is inferred."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.networks.hiding.choices import (
    DELETED,
    DROPPED,
    Hiding,
    Plan,
    keep_rows,
    promised,
    sensitive_of,
    what_is_left,
)
from discreet.networks.hiding.suppression import Heuristic, Records
from discreet.networks.record_order import random_order
from discreet.rng import Rng, secure

SEARCHED = "single occurrences deleted"
"""What a manifest says of what the search did."""
SLACK = 2
"""How many times all secrets may be deleted before the search is given up: some comes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dist(Hiding):
    """Sets from which single items are deleted until no sensitive item can be inferred.

    Jia, Pan, Xu, Zhu and Lo 2014, partial suppression, as reconstructed in soundness note 004.
    At the end every deleted item that can be put back is put back.
    """

    in_memory: ClassVar[str] = "it suppresses single occurrences, record by record"

    heuristic: Annotated[
        Heuristic,
        Doc(
            "Which occurrences to delete: those of common items first (dist), or at each step as "
            "few as possible (num)."
        ),
    ] = "dist"
    hierarchy: Annotated[
        Hierarchy | None,
        Doc("A public hierarchy to include for comparisons; it generalises nothing."),
    ] = field(default=None, metadata={"unwritten": True})

    plan: Annotated[
        Plan,
        Doc(
            "best: delete only secrets, or only rare items, if that deletes less than the search "
            "does; paper: always what the search deletes."
        ),
    ] = "best"

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Transactions]:
        """Publish what is left of each record, in random order."""
        refuse_misfits(data, Transactions, rng)
        rng = rng or secure()
        sensitive = sensitive_of(data)
        order = random_order(data, rng)
        secret = np.array([item in data.sensitive for item in data.universe], dtype=np.bool_)
        records, plan = self._suppressed(data.sets.take(order), secret)
        content = what_is_left(records, self.hierarchy)
        manifest = manifest_of(self, "dist", rng, {"plan": plan}, sensitive=sensitive)
        claims = promised(self.guarantees, data, content.held)
        return Publication(Release(content, claims, manifest), keep_rows(order))

    def _suppressed(self, sets: Itemsets, secret: NDArray[np.bool_]) -> tuple[Records, str]:
        """Return the records made safe, and by which plan."""
        records, secrets = Records(sets, secret, self.bound), int(secret[sets.items].sum())
        if self.plan == "paper":
            records.suppress(self.heuristic)
            records.put_back()
            return records, SEARCHED
        done = records.suppress(self.heuristic, most=SLACK * secrets)
        if done:
            records.put_back()
        plain = Records(sets, secret, self.bound)
        plain.only_names()
        trivial = not done or len(plain.gone[0]) < len(records.gone[0])
        best, plan = (plain, DELETED) if trivial else (records, SEARCHED)
        rare = Records(sets, secret, self.bound)
        return (rare, DROPPED) if rare.only_frequent_names(len(best.gone[0])) else (best, plan)
