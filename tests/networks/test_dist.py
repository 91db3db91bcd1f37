"""Dist: single occurrences deleted, wherever that costs least, until no secret is inferred."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Transactions, verify
from discreet.core.guarantees.rho import Antecedents
from discreet.networks import Dist
from discreet.rng import seeded
from tests.networks.dropping import names_dropped


@pytest.mark.parametrize("rho", ["0.500000000000000001", "0.49999999999999999"])
def test_a_bound_of_many_digits_deletes_just_enough(rho: str) -> None:
    data = Transactions.of([["a1", "x"]] * 2000 + [["a1"]] * 1000, sensitive=["x"])
    release = Dist(rho=rho).publish(data, seeded(1)).release
    assert verify(release).by_parts is not False
    assert sum("x" in held for held in release.content) == int(Fraction(rho) * 3000)


@settings(max_examples=200)
@given(
    st.lists(st.sets(st.sampled_from("abcdexyz")), min_size=1, max_size=14),
    st.sampled_from(["0.5", "0.7", "0.9"]),
    st.sampled_from(["mixed", "nonsensitive"]),
)
def test_no_more_is_deleted_than_by_dropping_rare_names(
    records: list[set[str]], rho: str, antecedents: Antecedents
) -> None:
    data = Transactions.of(records, sensitive=list("xyz"))
    method = Dist(rho=rho, antecedents=antecedents)
    left = method.publish(data, seeded(1)).release.content
    dropped = names_dropped(records, method.uncertainty, "xyz")
    assume(dropped is not None)
    assert sum(map(len, records)) - len(left.items) <= dropped


def test_rare_names_alone_go_where_anything_else_loses_more() -> None:
    data = Transactions.of(
        [["a", "c", "x", "y"], ["a"], [], ["d", "e", "x", "y"]], sensitive=["x", "y"]
    )
    release = Dist(rho="0.5", antecedents="nonsensitive").publish(data, seeded(1)).release
    assert release.manifest.notes["plan"].startswith("nothing but rare names deleted")
    assert sorted(release.content) == [(), ("a",), ("a", "x", "y"), ("x", "y")]
    assert verify(release).by_parts is True
