"""PCTA: of all blocks of a failing constraint the cheapest pair is merged."""

from dataclasses import dataclass
from typing import ClassVar

from discreet.generalised.merging.choices import Merging


@dataclass(frozen=True, slots=True, kw_only=True)
class Pcta(Merging):
    """Sets in which protected itemsets match at least k people: always by the cheapest merge.

    Loukides, Gkoulalas-Divanis and Shao 2013, with the fixes of soundness note 001. For every block
    of a constraint that is not met yet a partner is sought, and the pair that costs least is
    merged. With utility sets this is UPCTA: partners come from the same set, and items are
    suppressed only as a last resort.
    """

    called: ClassVar[str] = "pcta"
    every: ClassVar[bool] = True
