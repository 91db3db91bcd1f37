"""Dist: single occurrences deleted, wherever that costs least, until no secret is inferred."""

from dataclasses import dataclass, field

import numpy as np

from discreet.chance import Rng
from discreet.data.exact import Exact
from discreet.data.guarantee import Guarantee, RhoUncertainty
from discreet.data.hierarchy import Hierarchy
from discreet.data.publication import Publication
from discreet.data.release import Release
from discreet.data.rho_guarantee import Antecedents
from discreet.data.transactions import Transactions
from discreet.engine.suppression import Heuristic, Records
from discreet.publish.contract import manifest_of
from discreet.publish.secrets import bound_of, keep_rows, notes_of

__all__ = ["Dist"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dist:
    """Sets from which single items are deleted until no sensitive item can be inferred.

    Jia, Pan, Xu, Zhu and Lo 2014, partial suppression, as reconstructed in docs/soundness/004.md.
    At the end every deleted item that can be put back is put back.
    """

    rho: Exact
    """Largest confidence with which a sensitive item may follow from known items, up to 1."""
    heuristic: Heuristic = "dist"
    """Spare rare items (dist), or delete as few occurrences as possible now (num)."""
    antecedents: Antecedents = "mixed"
    """Whether sensitive items may be known too (mixed), the stronger promise, or only others."""
    strict: bool = False
    """Whether a confidence of exactly rho is already too high."""
    hierarchy: Hierarchy | None = field(default=None, metadata={"unwritten": True})
    """A public hierarchy to send along for comparisons; nothing is generalised by it."""

    def __post_init__(self) -> None:
        _ = self.guarantees

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """No sensitive item follows too surely."""
        return (RhoUncertainty(rho=self.rho, antecedents=self.antecedents, strict=self.strict),)

    def publish(self, data: Transactions, rng: Rng) -> Publication[Transactions]:
        """Publish what is left of each record, in random order."""
        notes = notes_of(data)
        secret = np.array([item in data.sensitive for item in data.universe], dtype=np.bool_)
        records = Records(data.sets, secret, bound_of(self))
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
