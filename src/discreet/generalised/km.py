"""k^m-anonymity: any m items that are known of a person fit at least k records, or none."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from discreet.core.doc import Doc
from discreet.core.exact import in_range
from discreet.core.fields import check_fields
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import Guarantee, KmAnonymity
from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError
from discreet.generalised.kernels.blocks import MOST_ITEMS
from discreet.generalised.recoding.choosing import Choosing, Loss, Suppression
from discreet.generalised.recoding.constraint_search import Generalising, rows_of
from discreet.generalised.recoding.km_search import Anonymising, cut_of, leaf_order, subtrees
from discreet.generalised.recoding.local import by_runs
from discreet.generalised.recoding.plan import Recoding, carried_out
from discreet.generalised.recoding.stand_ins import StandIns
from discreet.rng import Rng

Recoded: TypeAlias = Literal["global", "lra", "vpa"]
"""How items are lifted: everywhere alike, run by run, or branch by branch first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Km:
    """Sets in which any m known items match at least k people, or nobody.

    Terrovitis, Mamoulis and Kalnis 2008. With a hierarchy, items are generalised in it, everywhere
    in the same way, as by their apriori-based algorithm, and always where it costs least; without
    one, items are merged into sets as by COAT. At each step, the method also works out what would
    be lost by suppressing the occurrences that still stand out. It publishes the result that loses
    least by the chosen measure, which is never more than by suppression alone, or by merging or
    generalising alone.
    """

    called: ClassVar[str] = "km-anonymity"

    k: Annotated[
        int, Doc("Least number of records that known items must match, unless they match none.")
    ]
    m: Annotated[int, Doc("How many items of a person someone may know, at most.")]
    hierarchy: Annotated[
        Hierarchy | None,
        Doc(
            "A hierarchy of what an item may be replaced with; without it, items are merged into "
            "sets."
        ),
    ] = field(default=None, metadata={"unwritten": True})

    loss: Annotated[
        Loss,
        Doc(
            "What to keep most of: occurrences under their own name (names), certainty (ncp, the "
            "normalised certainty penalty), or correct answers to counting queries (query)."
        ),
    ] = "names"
    suppression: Annotated[
        Suppression,
        Doc("What may be suppressed: single occurrences, whole items, or nothing."),
    ] = "occurrences"

    recoding: Annotated[
        Recoded,
        Doc(
            "With a hierarchy: generalise items the same everywhere (global), separately in runs "
            "of similar sets (lra), or first within each branch of the hierarchy (vpa)."
        ),
    ] = "global"

    def __post_init__(self) -> None:
        check_fields(self)
        KmAnonymity(k=self.k, m=self.m)
        if self.recoding != "global" and self.hierarchy is None:
            msg = f"`recoding` {self.recoding} replaces items by wider names: give `hierarchy`"
            raise ParameterError(msg, parameter="recoding")
        if (self.recoding, self.loss) == ("lra", "query"):
            msg = "`recoding` lra works with `loss` names or ncp only, which add up over its runs"
            raise ParameterError(msg, parameter="loss")
        in_range(1, MOST_ITEMS, m=self.m)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K^m-anonymity."""
        return (KmAnonymity(k=self.k, m=self.m),)

    def statistics(self, data: Transactions, rng: Rng) -> ItemsetHistogram:
        """Return the distinct sets with their counts."""
        return data.folded

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> Recoding:
        """Return what every set becomes: items merged or lifted, occurrences suppressed."""
        if self.hierarchy is not None and self.recoding == "lra":
            tree = self.hierarchy

            def everywhere(run: ItemsetHistogram) -> tuple[Recoding, tuple[float, float]]:
                choice, partitions = self._choice(run)
                return choice.best(partitions, tree, rng)

            return by_runs(statistics, tree, everywhere)
        choice, partitions = self._choice(statistics)
        return choice.plan(partitions, self.hierarchy, rng)

    def _choice(self, statistics: ItemsetHistogram) -> tuple[Choosing, list[StandIns]]:
        """Return partitions in which an item has the same stand-in in all sets, to choose from."""
        tree, sets = self.hierarchy, statistics.sets
        if tree is None:
            way = self._anonymising(statistics).by_sets() if self._enough(statistics) else []
            partitions = [StandIns.merged(statistics, partition) for partition in way]
        else:
            used = [item for item, n in zip(sets.vocabulary, statistics.supports, strict=True) if n]
            statistics = ItemsetHistogram(sets.over(leaf_order(tree, used)), statistics.counts)
            partitions = self._lifted(tree, statistics) if self._enough(statistics) else []
        if not partitions:
            partitions = [StandIns.nothing(len(statistics.sets.vocabulary))]
        most = len(sets.vocabulary) if tree is None else len(tree.values)
        return Choosing(statistics, self.loss, self.suppression, self.k, self.m, most), partitions

    def _lifted(self, tree: Hierarchy, folded: ItemsetHistogram) -> list[StandIns]:
        """Return what stands for the items on the way of lifting."""
        cut = cut_of(tree, folded.sets.vocabulary)
        search = self._anonymising(folded)
        plain = cut.node.copy()
        if self.recoding == "vpa":
            for below in subtrees(cut):
                branch = ItemsetHistogram(
                    folded.sets.only(np.isin(folded.sets.items, below)), folded.counts
                )
                if self._enough(branch):
                    inside = cut._replace(node=plain.copy())
                    search.lift_as(cut, self._anonymising(branch).by_hierarchy(inside)[-1], below)
        return [StandIns.lifted(tree, nodes) for nodes in (plain, *search.by_hierarchy(cut))]

    def apply(self, plan: Recoding, data: Transactions) -> GeneralisedSets | Transactions:
        """Return the records of ``data`` as the plan says."""
        return plan.generalised(data) if plan.hierarchy is None else plan.lifted(data)

    def claims(
        self, plan: Recoding, data: Transactions, rng: Rng
    ) -> tuple[tuple[Guarantee, ...], Manifest]:
        """Return what a release by the plan promises, and how it was made."""
        return self.guarantees, manifest_of(self, self.called, rng)

    def publish(
        self, data: Transactions, rng: Rng | None = None
    ) -> Publication[GeneralisedSets | Transactions]:
        """Publish the records of ``data``: items lifted, merged into sets, or suppressed."""
        return self.carry_out(None, data, rng)

    def carry_out(
        self, plan: Recoding | None, data: Transactions, rng: Rng | None = None
    ) -> Publication[GeneralisedSets | Transactions]:
        """Publish by a plan, which is decided on where it is None."""
        return carried_out(self, data, rng, plan)[0]

    def _enough(self, folded: ItemsetHistogram) -> bool:
        """Tell whether k people have any item at all."""
        return int(folded.counts[folded.sets.sizes > 0].sum()) >= self.k

    def _anonymising(self, folded: ItemsetHistogram) -> Anonymising:
        return Anonymising(Generalising(rows_of(folded)), self.k, self.m)
