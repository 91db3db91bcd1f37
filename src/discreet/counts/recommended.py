"""Counts: the method of the family that public facts speak for, and what follows kept in bounds."""

from dataclasses import dataclass
from typing import Annotated, Literal

from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, positive
from discreet.core.guarantee import Guarantee
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest, universe_of
from discreet.core.transactions import Transactions
from discreet.counts.apl_free import AplFree
from discreet.counts.bounded_confidence import BoundedConfidence
from discreet.counts.counting import CountingPeople
from discreet.counts.item_supports import ItemSupports
from discreet.counts.table_bayes import LEAST_EPSILON, MOST_ITEMS, TableBayes
from discreet.errors import ParameterError
from discreet.mechanism_audit.neighbouring import NeighbouringPair
from discreet.rng import Rng

ENOUGH_FOR_PAIRS = 50_000
"""People times epsilon from which on pairs stand out from their noise."""
FOR_PAIRS = "0.5"
"""The share of the budget that pairs get then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts(CountingPeople):
    """Itemset counts under differential privacy, by the method that public facts suggest.

    Up to 20 items, every set is counted with noise, and a model separates people from noise
    (table-bayes). For more items, the number of people with each item is published (item-supports),
    and pairs of items too if ``records`` says that there are enough people. No item follows with
    certainty; with ``tau``, none follows with a confidence above it.
    """

    tau: Annotated[
        Exact | None,
        Doc(
            "The largest confidence with which an item may follow; by default anything short of "
            "certainty."
        ),
    ] = None
    known: Annotated[
        int | Literal["any"],
        Doc("With `tau`: how many items of a person an attacker may know, a number or any."),
    ] = "any"
    records: Annotated[int | None, Doc("About how many records there are, if that is public.")] = (
        None
    )

    def __post_init__(self) -> None:
        CountingPeople.__post_init__(self)
        at_least_one(records=self.records)
        if self.tau is not None:
            BoundedConfidence(tau=self.tau, known=self.known)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Differential privacy, and a bound on what follows: below certain, or by tau."""
        private = ItemSupports(epsilon=self.epsilon, universe=self.universe).guarantees
        return (*self._bound.guarantees, *private)

    @property
    def _bound(self) -> AplFree | BoundedConfidence:
        return AplFree() if self.tau is None else BoundedConfidence(tau=self.tau, known=self.known)

    def chosen(self, items: int) -> TableBayes | ItemSupports:
        """Return the method for so many items, by public facts only.

        >>> Counts(epsilon=1).chosen(17)
        TableBayes(epsilon=1, max_size=None, universe=None, longer='cut', rows=False)
        """
        shared = {
            "epsilon": self.epsilon,
            "max_size": self.max_size,
            "universe": self.universe,
            "longer": self.longer,
        }
        if self._why_not_tables(items) and self.rows:
            msg = (
                f"`rows` must be left out where {self._why_not_tables(items)}: then items are "
                "counted one by one, so there are no synthetic people to publish"
            )
            raise ParameterError(msg, parameter="rows")
        if not self._why_not_tables(items):
            return TableBayes(**shared)  # type: ignore[arg-type]
        enough = (self.records or 0) * positive("epsilon", self.epsilon) >= ENOUGH_FOR_PAIRS
        return ItemSupports(**shared, pairs=FOR_PAIRS if enough else 0)  # type: ignore[arg-type]

    def _why_not_tables(self, items: int) -> str:
        """Return why not every set of so many items is counted; empty where each is."""
        if items > MOST_ITEMS:
            return f"the universe has more than {MOST_ITEMS} items"
        small = positive("epsilon", self.epsilon) < LEAST_EPSILON
        return f"epsilon is below {float(LEAST_EPSILON)}" if small else ""

    def reason(self, items: int) -> str:
        """Return in a sentence which method was chosen, and why."""
        method = self.chosen(items)
        if isinstance(method, TableBayes):
            return f"table-bayes, because the universe has at most {MOST_ITEMS} items"
        base = f"item-supports, because {self._why_not_tables(items)}"
        if method.pairs:
            return f"{base}; with pairs, because there are many records for this epsilon"
        return f"{base}; without pairs, because it is not known that there are many records"

    def statistics(self, data: Transactions, rng: Rng) -> ItemsetHistogram:
        """Return the distinct sets that the chosen method decides by."""
        items = len(data.universe if self.universe is None else self.universe)
        return self.chosen(items).statistics(data, rng)

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> ItemsetHistogram:
        """Return the counts to publish; all of epsilon is spent by the chosen method."""
        counts = self.chosen(len(statistics.sets.vocabulary)).decide(statistics, rng)
        return self._bound.decide(counts.sorted(), rng)

    def worst_pair(self) -> tuple[NeighbouringPair, ...]:
        """Propose the neighbouring data of the method for so few items."""
        method = ItemSupports if self._why_not_tables(items=2) else TableBayes
        return method(epsilon=self.epsilon).worst_pair()

    def manifest(self, statistics: ItemsetHistogram, rng: Rng) -> Manifest:
        """Describe a release, and why it was made so."""
        notes = {"choice": self.reason(len(statistics.sets.vocabulary))}
        return manifest_of(self, "counts", rng, notes, universe=universe_of(self.universe))
