"""The choices that COAT and PCTA share: what to protect, what may mix, what may be left out."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, ClassVar

from discreet.core.constraints import Constraints
from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.fields import check_fields
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import ConstraintSupport, Guarantee
from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publication import LinkageKey, Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest
from discreet.core.transactions import Transactions
from discreet.generalised.merging.beliefs import Resist
from discreet.generalised.merging.constraints import (
    Protect,
    Rounds,
    Undo,
    UtilityFrom,
    check_choices,
    privacy_of,
)
from discreet.generalised.merging.partition import Constrained
from discreet.generalised.recoding.plan import Recoding, blocks_of, carried_out
from discreet.lazy import pl
from discreet.rng import Rng


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging:
    """Items merged into blocks until every protected itemset fits enough records."""

    called: ClassVar[str]
    every: ClassVar[bool]

    k: Annotated[
        int,
        Doc("Least number of records that a protected itemset must match, unless it matches none."),
    ]
    privacy: Annotated[
        Constraints | None,
        Doc(
            "The itemsets to protect, one per line; >=10 at the end of a line asks for at least "
            "10 records if k is less."
        ),
    ] = field(default=None, metadata={"unwritten": True})
    protect: Annotated[
        Protect,
        Doc(
            "What to protect without such a file: every item, a random share of them, or every "
            "itemset up to a size that fewer than k people have."
        ),
    ] = "file"
    share: Annotated[Exact, Doc("With `protect` share: percent of the items to protect.")] = 10
    rare_size: Annotated[int, Doc("With `protect` rare: the largest itemsets to protect.")] = 2
    utility: Annotated[
        Constraints | None,
        Doc("Sets of items that may be merged, one set per line; without it, see `utility_from`."),
    ] = field(default=None, metadata={"unwritten": True})
    utility_from: Annotated[
        UtilityFrom,
        Doc(
            "Where such sets come from: a file, if one is given; one set of all items; a "
            "level of a hierarchy; or what WordNet relates to the items of a constraint."
        ),
    ] = "one"
    hierarchy: Annotated[
        Hierarchy | None, Doc("With `utility_from` hierarchy: the hierarchy of the items.")
    ] = field(default=None, metadata={"unwritten": True})
    hierarchy_level: Annotated[
        int,
        Doc("With `utility_from` hierarchy: items with the same name on this level may be merged."),
    ] = 1
    wordnet: Annotated[
        Path | None,
        Doc("With `utility_from` wordnet: the folder of its files; by default in DISCREET_DATA."),
    ] = field(default=None, metadata={"unwritten": True})
    suppress: Annotated[
        Exact, Doc("How many items of a utility set may be suppressed, in percent from 0 to 100.")
    ] = 0
    resist: Annotated[
        Resist,
        Doc(
            "Prefer to merge items that an attacker can hardly tell apart: equally frequent "
            "ones, ones that occur in the same contexts, or both; this is measured, not promised."
        ),
    ] = "nothing"
    rounds: Annotated[
        Rounds,
        Doc(
            "Go through the constraints until all are met, or only once as printed, which may "
            "leave some unmet and then promises nothing."
        ),
    ] = "all"
    undo: Annotated[
        Undo,
        Doc("What to undo at the end where possible: the last merges, or single members too."),
    ] = "merges"

    def __post_init__(self) -> None:
        check_fields(self)
        check_choices(self)
        ConstraintSupport(k=self.k)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Support of every privacy constraint; nothing where constraints are gone through once."""
        return (ConstraintSupport(k=self.k),) if self.rounds == "all" else ()

    def statistics(self, data: Transactions, rng: Rng) -> ItemsetHistogram:
        """Return the distinct sets with their counts."""
        return data.folded

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> Recoding:
        """Return a partition of the items that meets the constraints."""
        constraints = privacy_of(self, statistics, rng)
        partition = Constrained(self, statistics, constraints).partition()
        universe = statistics.sets.vocabulary
        return Recoding.everywhere(universe, *blocks_of(statistics, partition), constraints)

    def apply(self, plan: Recoding, data: Transactions) -> GeneralisedSets:
        """Return the records of ``data`` with items hidden in blocks."""
        return plan.generalised(data)

    def claims(
        self, plan: Recoding, data: Transactions, rng: Rng
    ) -> tuple[tuple[Guarantee, ...], Manifest]:
        """Return what a release by the plan promises, and how it was made."""
        return self.guarantees, manifest_of(self, self.called, rng)

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[GeneralisedSets]:
        """Publish the records of ``data`` with items hidden in blocks; constraints stay behind."""
        return self.carry_out(None, data, rng)

    def carry_out(
        self, plan: Recoding | None, data: Transactions, rng: Rng | None = None
    ) -> Publication[GeneralisedSets]:
        """Publish by a plan, which is decided on where it is None."""
        publication, done = carried_out(self, data, rng, plan)
        return replace(publication, linkage_key=self._key(publication, done, data))

    def _key(
        self, made: Publication[GeneralisedSets], plan: Recoding, data: Transactions
    ) -> LinkageKey:
        """Return who is behind each row, the constraints, and how many of their items none has."""
        needs = list((plan.constraints or Constraints(())).needs(self.k))
        columns = {"items": [list(items) for items, _ in needs], "least": [n for _, n in needs]}
        table = pl.DataFrame(columns, schema={"items": pl.List(pl.String), "least": pl.Int64})
        # a name that was split at its space, or misspelt, protects nobody: the owner must hear it
        unheld = len({item for items, _ in needs for item in items} - data.held)
        tables = {} if made.linkage_key is None else dict(made.linkage_key.tables)
        report = {"report": {"items of constraints that nobody has": unheld}} if unheld else {}
        return LinkageKey(tables | {"constraints": table}, report)
