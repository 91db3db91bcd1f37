"""Dist: single occurrences deleted, wherever that costs least, until no secret is inferred."""

from fractions import Fraction

import pytest

from discreet import Transactions, verify
from discreet.networks import Dist
from discreet.rng import seeded


@pytest.mark.parametrize("rho", ["0.500000000000000001", "0.49999999999999999"])
def test_a_bound_of_many_digits_deletes_just_enough(rho: str) -> None:
    data = Transactions.of([["a1", "x"]] * 2000 + [["a1"]] * 1000, sensitive=["x"])
    release = Dist(rho=rho).publish(data, seeded(1)).release
    assert verify(release).by_parts is not False
    assert sum("x" in held for held in release.content) == int(Fraction(rho) * 3000)
