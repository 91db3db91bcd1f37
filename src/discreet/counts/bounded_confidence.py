"""BoundedConfidence: published counts changed until nothing follows too surely from them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.fields import check_fields
from discreet.core.guarantee import Guarantee, NoAttributeLeakage
from discreet.core.guarantees import counts as guarantees
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publication import Publication
from discreet.core.publisher import refuse_misfits
from discreet.core.release import Release
from discreet.core.synthetic_people import PublishedCounts
from discreet.counts.bounding.lattice_confidence import cheapest
from discreet.counts.bounding.sparse_confidence import nearest
from discreet.counts.lattice import histogram_of_table, table_of
from discreet.counts.post_processing import (
    counts_of,
    guarantees_after,
    manifest_after,
    shaped_as,
)
from discreet.kernels.supersets import LATTICE
from discreet.rng import Rng, secure


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedConfidence:
    """Itemset counts, changed so that no item follows with a confidence above tau; costs no budget.

    The open problem of Wang, Li, Lui and Sun, Computers & Security 113, 2022, section 7: an item
    that does not follow with certainty may still be nearly certain. All sets that may be known are
    visited once, the largest first. Where an item is too likely, it is taken from some of the
    counted people, or people without it are added. Only the release is used, so its differential
    privacy is not affected (see the soundness note on table-bayes).
    """

    tau: Annotated[Exact, Doc("The largest confidence with which an item may follow, below 1.")]
    known: Annotated[
        int | Literal["any"],
        Doc("How many items of a person an attacker may know: a number, or any."),
    ]

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "tau", self.promise.share)

    @property
    def promise(self) -> guarantees.BoundedConfidence:
        """What every release promises about confidence."""
        known = None if self.known == "any" else self.known
        return guarantees.BoundedConfidence(tau=self.tau, known=known)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Bounded confidence; against any knowledge that is no attribute leakage too."""
        certain = (NoAttributeLeakage(),) if self.known == "any" else ()
        return (self.promise, *certain)

    def publish(
        self, data: Release[PublishedCounts], rng: Rng | None = None
    ) -> Publication[PublishedCounts]:
        """Publish the release ``data`` with its counts changed until they keep the bound."""
        refuse_misfits(data, Release, rng)
        rng = rng or secure()
        counts, thinning = self._bounded(self.statistics(data, rng), rng)
        manifest = manifest_after(
            self, "bounded-confidence", data.manifest, rng, {"thinning": str(thinning)}
        )
        content = shaped_as(data, counts, rng)
        return Publication(Release(content, guarantees_after(self.guarantees, data), manifest))

    def statistics(self, data: Release[PublishedCounts], rng: Rng) -> ItemsetHistogram:
        """Return the published counts in an order that only their content decides."""
        return counts_of(data, "bounded-confidence")

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> ItemsetHistogram:
        """Return the counts to publish."""
        return self._bounded(statistics, rng)[0]

    def _bounded(self, counts: ItemsetHistogram, rng: Rng) -> tuple[ItemsetHistogram, Fraction]:
        universe, promise = counts.sets.vocabulary, self.promise
        if len(universe) > LATTICE:
            changed, thinning = nearest(counts, promise.share, promise.known), Fraction(0)
        else:
            table, thinning = cheapest(table_of(counts), promise.share, promise.known, rng)
            changed = histogram_of_table(table, universe)
        # added rows at the end would tell which they are
        return changed.take(rng.permutation(len(changed))), thinning
