"""A budget that no restart and no copy winds back."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from discreet import Transactions
from discreet.core.guarantee import DifferentialPrivacy
from discreet.counts.query import Query
from discreet.counts.query_server import QueryServer
from discreet.errors import DataError, InfeasibleError
from discreet.rng import seeded
from discreet.store import Store

Opened = Callable[[], Store]


def test_a_server_of_queries_cannot_be_wound_back_by_a_restart(opened: Opened) -> None:
    people = Transactions.of([["bread"]] * 20)
    opened().ledger.set_budget("town", "0.5")
    for _ in range(2):
        # each time as after a restart
        server = QueryServer(people, opened().budget("town"), seeded(3))
        server(Query(items=("bread",), epsilon="0.25"))
    server = QueryServer(people, opened().budget("town"), seeded(3))
    assert server.left == 0
    with pytest.raises(InfeasibleError, match="is left of the budget"):
        server(Query(items=("bread",), epsilon="0.25"))
    assert server.guarantee == DifferentialPrivacy(epsilon="0.5")


def test_an_old_copy_that_is_put_back_under_a_server_is_seen(quick: Path) -> None:
    path = quick / "store.db"
    Store(path).ledger.set_budget("town", 1)
    old = path.read_bytes()
    budget = Store(path).budget("town")
    budget.spend(Fraction(1, 2))
    path.write_bytes(old)
    for _ in range(4):
        with pytest.raises(DataError, match="older than one that was used here before"):
            budget.spend(Fraction(1, 4))
