"""The trivial way that no method may lose to: rare names are dropped, and all else stays."""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from discreet.core.guarantee import RhoUncertainty
from discreet.core.itemsets import Itemsets
from discreet.verify.rho_uncertainty import rho_uncertainty


def names_dropped(
    records: Sequence[AbstractSet[str]], claim: RhoUncertainty, secrets: Sequence[str]
) -> int | None:
    """Return how many occurrences go if only the rarest names do; None where that is not enough."""
    holders = Counter(name for held in records for name in held - set(secrets))
    for least in sorted({0, *(count + 1 for count in holders.values())}):
        dropped = {name for name, count in holders.items() if count < least}
        left = Itemsets.of([sorted(held - dropped) for held in records])
        if rho_uncertainty(left, claim, secrets).holds is not False:
            return sum(holders[name] for name in dropped)
    return None
