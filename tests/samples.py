"""One small instance of every method, and data it can publish; the contract tests need each."""

from typing import Any

from discreet import Transactions
from discreet.attack import AttributeLinkage
from discreet.attack.attribute_linkage import Known
from discreet.publish import AplKiller, DiffPart

UNIVERSE = ("beer", "bread", "milk", "wine")

BASKETS = Transactions.of(
    [["beer", "bread"]] * 30 + [["bread", "milk"]] * 25 + [["beer", "bread", "milk"]] * 15
    + [["bread"]] * 20 + [["wine"]] * 8 + [[]] * 4,
    universe=UNIVERSE,
)  # fmt: skip

PUBLISHERS: dict[type, tuple[Any, Any]] = {
    AplKiller: (AplKiller(epsilon=1, universe=UNIVERSE), BASKETS),
    DiffPart: (DiffPart(epsilon=1, c1="0.5", universe=UNIVERSE), BASKETS),
}
"""Publisher -> (an instance, data for it)."""

ATTACKS: dict[type, tuple[Any, Any]] = {
    AttributeLinkage: (AttributeLinkage(), Known()),
}
"""Attack -> (an instance, knowledge for it)."""
