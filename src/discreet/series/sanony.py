"""Sanony: clusters that tell nothing new to whoever holds all earlier releases."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, exact, share
from discreet.core.fields import check_fields
from discreet.core.guarantee import Guarantee, SeriallyPreserving, SPreserving
from discreet.core.itemsets import Itemsets
from discreet.core.lineage import fingerprint
from discreet.core.publication import LinkageKey, Publication, State
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import InfeasibleError
from discreet.rng import Rng, secure
from discreet.series.clusters.plan import assemble, linkage_rows
from discreet.series.clusters.public_order import numbered
from discreet.series.corpus import Corpus, Shown
from discreet.series.counterfeits import draw_counterfeits, drawn_after_people
from discreet.series.republishing.comparison import Comparison
from discreet.series.republishing.following import followed
from discreet.series.republishing.lasting_counterfeits import LastingCounterfeits
from discreet.series.republishing.past import (
    SHARE_OF_BOUND,
    SHARE_WITH_CHAINS,
    Past,
    refuse_other_series,
)
from discreet.series.republishing.perturbing import Draft, Level, drafted, perturbed
from discreet.series.republishing.securing import secured
from discreet.series.republishing.unchaining import unchained

Settle: TypeAlias = Literal["bag", "counterfeits"]
Hopeless: TypeAlias = Literal["withhold", "grandfather"]
ROUNDS = 40
"""Passes of all phases after which a corpus must be settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sanony:
    """Clusters and a bag of private terms, safe also against anyone who compares all releases.

    Bewong, Liu, Liu and Li 2019, with the fixes of soundness note 003. It uses the earlier releases
    and nothing else about the past. Its clusters follow the earlier ones, and counterfeit people
    hide the differences that remain.
    """

    in_memory: ClassVar[str] = "it goes by what earlier releases said of each person"

    r_th: Annotated[
        Exact,
        Doc(
            "How many times its population rate the probability of a private term may reach; at "
            "least 1."
        ),
    ]
    cluster_size: Annotated[
        int, Doc("Least number of people in a cluster, as long as there are new people to fill it.")
    ] = 10
    after: Annotated[
        tuple[Release[Clusters], ...],
        Doc("An earlier release of the same series; repeat it for each, oldest first."),
    ] = field(default=(), metadata={"unwritten": True})
    keep: Annotated[
        State | None,
        Doc(
            "The owner's key of the series so far; read if it exists, then written. Without it, "
            "counterfeits do not persist from one release to the next, which distinguishes them "
            "from people."
        ),
    ] = field(default=None, metadata={"unwritten": True})
    reserve: Annotated[
        Exact,
        Doc(
            "Counterfeits in every release from the first on, as a share of its people, so that "
            "those which later releases need have a past as real people do."
        ),
    ] = "0.02"
    settle: Annotated[
        Settle,
        Doc(
            "How a cluster is kept from revealing that it changed: by moving copies to and from "
            "the bag first, or by counterfeits alone, as printed."
        ),
    ] = "bag"
    chains: Annotated[
        bool,
        Doc(
            "Bound also what all releases reveal together, not only what any two do; this costs "
            "more counterfeits and leaves more people out."
        ),
    ] = False
    hopeless: Annotated[
        Hopeless,
        Doc(
            "Where no counterfeit helps: leave these people out of this release, or measure them "
            "against the rate of the earlier release that reveals them."
        ),
    ] = "withhold"

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "r_th", SPreserving(r_th=self.r_th).factor)
        object.__setattr__(self, "reserve", share("reserve", self.reserve))
        at_least_one(cluster_size=self.cluster_size)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """No private term stands out in a cluster, nor by comparing releases."""
        return SPreserving(r_th=self.r_th), self._serial

    @property
    def _serial(self) -> SeriallyPreserving:
        rate: Any = "own" if self.hopeless == "withhold" else "largest"
        return SeriallyPreserving(r_th=self.r_th, rate=rate, chains=self.chains)

    @property
    def _share_of_bound(self) -> Fraction:
        return SHARE_WITH_CHAINS if self.chains else SHARE_OF_BOUND

    @property
    def _level(self) -> Level | None:
        if self.settle == "counterfeits":
            return None
        return "rate" if self.chains else "number"

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Clusters]:
        """Publish the next release of the series, the first where nothing came before."""
        refuse_misfits(data, Transactions, rng)
        rng = rng or secure()
        follows = refuse_other_series(self.after, data, self._serial)
        earlier = {term for release in self.after for term in release.content.terms}
        people = Corpus.of(data, earlier)
        records = people.canonical(data.ids)
        people = people.take(records)
        invented = self._invented(people, follows, rng)
        draft, included = self._settled(invented.among(people), rng)
        real, still = (
            included[included < len(people)],
            invented.take(included[included >= len(people)] - len(people)),
        )
        content, rows, new = self._assembled(draft, rng)
        manifest = manifest_of(self, "sanony", rng, follows=follows)
        report = {
            "counterfeits": len(content) - len(real),
            "withheld": len(people) - len(real),
        }
        tables = {
            "rows": linkage_rows(rows, len(real), records[real]),
            "counterfeits": still.more(*new).table(),
        }
        key = LinkageKey(tables, {"releases": [*follows, fingerprint(content)], "report": report})
        return Publication(Release(content, self.guarantees, manifest), key)

    def _invented(self, people: Corpus, follows: tuple[str, ...], rng: Rng) -> LastingCounterfeits:
        """Return the counterfeits that stay, and others up to the reserve."""
        invented = LastingCounterfeits.of(self.keep, follows)
        if self.after:
            invented = invented.staying(people, self.after[-1].content, rng)
        lacking = int(exact("reserve", self.reserve) * len(people)) - len(invented)
        return invented.more(drawn_after_people(people, lacking, self._past_sets, rng))

    @property
    def _past_sets(self) -> list[Itemsets]:
        return [release.content.sets for release in self.after]

    def _assembled(
        self, draft: Draft, rng: Rng
    ) -> tuple[Clusters, NDArray[np.int64], tuple[list[tuple[str, ...]], list[list[str]]]]:
        """Return the release, what each row is, and sets and terms of its new counterfeits."""
        corpus, cluster = draft.comparison.corpus, draft.comparison.cluster
        wanted = draft.declared + draft.hidden
        fakes = draw_counterfeits(corpus, cluster, wanted, self._past_sets, rng)
        shown = Shown(draft.copies, draft.bag, draft.people, draft.declared)
        content, rows = assemble(corpus, cluster, shown, fakes, rng)
        terms: list[list[str]] = [[] for _ in fakes]
        # copies that no record holds are those of counterfeits
        for term, copies in enumerate((draft.totals - corpus.supports).tolist()):
            for number in rng.permutation(len(fakes))[:copies].tolist() if copies else ():
                terms[number].append(corpus.terms[term])
        return content, rows, ([items for _, items in fakes], terms)

    def _settled(self, everyone: Corpus, rng: Rng) -> tuple[Draft, NDArray[np.int64]]:
        """Return a draft that keeps the promise, and the records that are in it."""
        included = np.arange(len(everyone))
        comparison = self.compared(everyone)
        while len(included):
            if len(included) < len(everyone):
                comparison = self.compared(everyone.take(included))
            draft, withheld = self._secured(comparison, rng)
            if not withheld:
                return draft, included
            included = np.delete(included, withheld)
        msg = (
            "every transaction would have to be withheld, because the private terms have become "
            f"much rarer than in the earlier releases; a larger `r_th` than {self.r_th} would do"
        )
        raise InfeasibleError(msg, parameter="r_th")

    def compared(self, corpus: Corpus) -> Comparison:
        """Return the corpus in clusters, beside the releases before it."""
        kind, sets = corpus.kinds
        (number, *old), _ = numbered([sets, *(release.content.sets for release in self.after)])
        past = [Past(r.content, kinds) for r, kinds in zip(self.after, old, strict=True)]
        factor = SPreserving(r_th=self.r_th).factor
        fill = (factor, self._share_of_bound) if self.settle == "bag" else None
        cluster = followed(corpus, number, past, self.cluster_size, fill)[kind]
        return Comparison(corpus, cluster, number[kind], past, factor)

    def _secured(self, comparison: Comparison, rng: Rng) -> tuple[Draft, list[int]]:
        """Run all phases until none has anything to add; also return whom to withhold, if anyone.

        The last pass is a check of every term in every cluster that finds nothing.
        """
        share = self._share_of_bound
        draft = drafted(comparison, rng, level=self._level, share=share)
        grandfather = self.hopeless == "grandfather"
        for _ in range(ROUNDS):
            draft = perturbed(draft, rng)
            after, withheld = secured(draft, rng, grandfather=grandfather)
            if self.chains and after is draft and not withheld:
                after, withheld = unchained(draft, grandfather=grandfather)
            if withheld or (after is draft and perturbed(draft, rng) is draft):
                return draft, withheld
            draft = after
        msg = (
            "counterfeits cannot hide how this corpus differs from the earlier ones, because each "
            f"of them asks for more; a larger `r_th` than {self.r_th} would do"
        )
        raise InfeasibleError(msg, parameter="r_th")
