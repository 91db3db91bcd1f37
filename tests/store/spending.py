"""Spends from a budget until it is refused; says how often it was served. Run by tests."""

import sys

from discreet.core.guarantee import DifferentialPrivacy
from discreet.errors import InfeasibleError
from discreet.store import Store


def spend(where: str, epsilon: str) -> int:
    """Return how often the budget was served."""
    store, served = Store(where), 0
    while True:
        try:
            store.ledger.reserve("town", [DifferentialPrivacy(epsilon=epsilon)])
        except InfeasibleError:
            return served
        served += 1


if __name__ == "__main__":
    print(spend(sys.argv[1], sys.argv[2]))
