"""COAT: the rarest block of a failing constraint is merged with its cheapest partner."""

from dataclasses import dataclass
from typing import ClassVar

from discreet.generalised.merging.choices import Merging


@dataclass(frozen=True, slots=True, kw_only=True)
class Coat(Merging):
    """Sets in which protected itemsets match at least k people: rare items are merged.

    Loukides, Gkoulalas-Divanis and Malin 2011, with the fixes of soundness note 001. Of the blocks
    of a constraint that is not met yet, the one that fewest people hold is merged with the block of
    its utility set that costs least; items are suppressed only if no block of the constraint has a
    partner.
    """

    called: ClassVar[str] = "coat"
    every: ClassVar[bool] = False
