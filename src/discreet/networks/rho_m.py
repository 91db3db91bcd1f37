"""RhoM: names or secrets deleted until few known items let no secret be inferred."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, share
from discreet.core.guarantees.rho import Antecedents, RhoUncertainty, rho_of
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
    keep_rows,
    promised,
    sensitive_of,
    what_is_left,
    worth_of_a_secret,
)
from discreet.networks.hiding.suppression import Bound, Records
from discreet.networks.record_order import random_order
from discreet.rng import Rng, secure

SEARCHED = "names or secrets deleted"
"""What a manifest says of what the search did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RhoM(Hiding):
    """Sets in which a few known items of a person do not let a sensitive item be inferred.

    The second half of (h,k,p)-coherence (Xu, Wang, Fu and Yu 2008), by deleting single occurrences.
    In each record, a small set of items that reveal its secret is deleted, or the secret itself if
    they would be too many. At the end every deleted item that can be put back is put back. If
    deleting only secrets, or only rare items, would lose less, then only these are deleted.
    """

    in_memory: ClassVar[str] = "it suppresses single occurrences, record by record"

    known: Annotated[int, Doc("How many items of a person somebody may know, at most.")]
    names_first: Annotated[
        Exact | None,
        Doc(
            "Share of a person's other items that may be deleted to keep one secret; beyond that "
            "the secret is deleted. By default a fifth for each known item."
        ),
    ] = None
    antecedents: Annotated[
        Antecedents,
        Doc(
            "What an attacker may know: any items (mixed), or only non-sensitive ones "
            "(nonsensitive)."
        ),
    ] = "nonsensitive"
    hierarchy: Annotated[
        Hierarchy | None,
        Doc("A public hierarchy to include for comparisons; it generalises nothing."),
    ] = field(default=None, metadata={"unwritten": True})

    def __post_init__(self) -> None:
        at_least_one(known=self.known)
        if self.names_first is not None:
            share("names_first", self.names_first)
        Hiding.__post_init__(self)

    @property
    def uncertainty(self) -> RhoUncertainty:
        """The uncertainty that is promised."""
        return RhoUncertainty(
            rho=self.rho, antecedents=self.antecedents, strict=self.strict, known=self.known
        )

    @property
    def bound(self) -> Bound:
        """The bound on confidences, with how many items are known and what may go for it."""
        chosen = self.names_first
        return Bound(
            rho=rho_of(self.rho),
            mixed=self.antecedents == "mixed",
            strict=self.strict,
            known=self.known,
            names_first=min(Fraction(self.known, 5), Fraction(1))
            if chosen is None
            else share("names_first", chosen),
        )

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Transactions]:
        """Publish what is left of each record, in random order."""
        refuse_misfits(data, Transactions, rng)
        rng = rng or secure()
        sensitive = sensitive_of(data)
        order = random_order(data, rng)
        secret = np.array([item in data.sensitive for item in data.universe], dtype=np.bool_)
        worth = worth_of_a_secret(self.bound.names_first, data)
        records, plan = self._suppressed(data.sets.take(order), secret, worth)
        content = what_is_left(records, self.hierarchy)
        manifest = manifest_of(self, "rho-m", rng, {"plan": plan}, sensitive=sensitive)
        claims = promised(self.guarantees, data, content.held)
        return Publication(Release(content, claims, manifest), keep_rows(order))

    def _suppressed(
        self, sets: Itemsets, secret: NDArray[np.bool_], worth: Fraction
    ) -> tuple[Records, str]:
        """Return the records made safe, and by which plan.

        A secret that is deleted counts as the names that it is worth, unless it was asked for that
        names go before any secret does.
        """
        records = Records(sets, secret, self.bound)
        records.suppress("num")
        records.put_back()
        if self.names_first is not None and share("names_first", self.names_first) == 1:
            return records, SEARCHED
        plain = Records(sets, secret, self.bound)
        plain.only_names()

        def loss(made: Records) -> Fraction:
            return len(made.gone[0]) + (worth - 1) * made.secrets_lost()

        trivial = loss(plain) < loss(records)
        best, plan = (plain, DELETED) if trivial else (records, SEARCHED)
        if self.names_first is not None:
            # a person whose names are all rare would lose more of them than was said
            return best, plan
        rare = Records(sets, secret, self.bound)
        return (rare, DROPPED) if rare.only_frequent_names(loss(best)) else (best, plan)
