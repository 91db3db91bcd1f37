"""PCTA: of all blocks of a failing constraint the cheapest pair is merged."""

from dataclasses import dataclass

from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.publication import Publication
from discreet.core.transactions import Transactions
from discreet.generalised.merging import Merging
from discreet.generalised.publishing import generalised
from discreet.rng import Rng, secure

__all__ = ["Pcta"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pcta(Merging):
    """Protected itemsets hidden among others: always by the cheapest merge there is.

    Loukides, Gkoulalas-Divanis and Shao 2013, with the fixes of docs/soundness/001.md. Every
    block of a failing constraint seeks a partner, and the pair that costs least is merged. With
    utility sets this is UPCTA: partners come from the same set, and suppression is the last way.
    """

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[GeneralisedSets]:
        """Publish the records of ``data`` with items hidden in blocks; constraints stay behind."""
        rng = rng or secure()
        return generalised(self, "pcta", data, rng, every=True)
