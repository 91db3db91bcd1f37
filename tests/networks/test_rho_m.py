"""RhoM: few known items tell no secret, nothing is deleted that could stay, and who pays for it."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Transactions, verify
from discreet.core.itemsets import Itemsets
from discreet.errors import ParameterError
from discreet.networks import RhoM
from discreet.rng import seeded
from discreet.verify.rho_uncertainty import rho_uncertainty
from tests.networks.dropping import names_dropped

PLAIN, SECRETS = ("a", "b", "c", "d", "e", "f"), ("x", "y", "z")
RECORDS = st.lists(st.sets(st.sampled_from(PLAIN + SECRETS)), min_size=1, max_size=14)
METHODS = st.builds(
    RhoM,
    rho=st.sampled_from(["0.2", "1/3", "0.5", "0.7", "1"]),
    known=st.integers(1, 4),
    names_first=st.sampled_from([None, 0, "0.3", 1]),
    antecedents=st.sampled_from(["mixed", "nonsensitive"]),
    strict=st.booleans(),
)


@settings(max_examples=300)
@given(RECORDS, METHODS, st.integers(0, 9))
def test_the_promise_is_kept_and_nothing_deleted_could_stay(
    records: list[set[str]], method: RhoM, seed: int
) -> None:
    data = Transactions.of(records, sensitive=SECRETS)
    made = method.publish(data, seeded(seed))
    content, claim = made.release.content, method.guarantees[0]
    # None where no secret is left
    assert rho_uncertainty(content.sets, claim, SECRETS).holds is not False
    record = made.linkage_key.records(len(data), len(data)).tolist()
    left = [set(held) for held in content]
    for row, held in enumerate(left):
        original = records[record[row]]
        assert held <= original
        for item in sorted(original - held):
            fuller = [set(each) for each in left]
            fuller[row].add(item)
            assert rho_uncertainty(Itemsets.of(fuller), claim, SECRETS).holds is False


@settings(max_examples=200)
@given(RECORDS, METHODS, st.integers(0, 9))
def test_no_more_is_lost_than_by_deleting_every_secret(
    records: list[set[str]], method: RhoM, seed: int
) -> None:
    """A secret counts as the names that it is worth by `names_first`, as one of them at least."""
    assume(method.names_first != 1)
    data = Transactions.of(records, sensitive=SECRETS)
    left = method.publish(data, seeded(seed)).release.content

    def occurrences(sets: Iterable[Iterable[str]], kind: tuple[str, ...]) -> int:
        return sum(item in kind for held in sets for item in held)

    names, secrets = occurrences(records, PLAIN), occurrences(records, SECRETS)
    worth = max(Fraction(1), method.bound.names_first * Fraction(names, len(records)))
    names_lost = names - occurrences(left, PLAIN)
    assert names_lost + worth * (secrets - occurrences(left, SECRETS)) <= worth * secrets


@settings(max_examples=150)
@given(RECORDS, METHODS, st.integers(0, 9))
def test_no_more_is_lost_than_by_dropping_rare_names(
    records: list[set[str]], method: RhoM, seed: int
) -> None:
    """Unless it was said how many names of a person may go for a secret."""
    method = replace(method, names_first=None)
    data = Transactions.of(records, sensitive=SECRETS)
    left = list(method.publish(data, seeded(seed)).release.content)
    names, secrets = (
        sum(item in kind for held in records for item in held)
        - sum(item in kind for held in left for item in held)
        for kind in (PLAIN, SECRETS)
    )
    plain = sum(item in PLAIN for held in records for item in held)
    worth = max(Fraction(1), method.bound.names_first * Fraction(plain, len(records)))
    dropped = names_dropped(records, method.uncertainty, SECRETS)
    assume(dropped is not None)
    assert names + worth * secrets <= dropped


def test_names_that_would_go_for_few_secrets_stay() -> None:
    """The search takes names from both holders; without the secret of one all names stay."""
    records = [{"b", "c", "d", "x"}, {"a"}, {"b", "d"}, {"d", "x"}]
    data = Transactions.of(records, sensitive=SECRETS)
    made = RhoM(rho="0.5", known=2).publish(data, seeded(1)).release
    assert made.manifest.notes["plan"].startswith("nothing but secrets deleted")
    assert sorted(map(sorted, made.content)) == [["a"], ["b", "c", "d"], ["b", "d"], ["d", "x"]]


@settings(max_examples=100)
@given(RECORDS, st.integers(1, 3))
def test_names_or_secrets_go_as_chosen(records: list[set[str]], known: int) -> None:
    data = Transactions.of(records, sensitive=SECRETS)

    def left(names_first: Any) -> Transactions:
        method = RhoM(rho="0.5", known=known, names_first=names_first)
        return method.publish(data, seeded(1)).release.content

    names = [item for held in records for item in held if item in PLAIN]
    assert sorted(item for held in left(0) for item in held if item in PLAIN) == sorted(names)
    kept = [item for held in left(1) for item in held if item in SECRETS]
    # only nothing known at all can cost a secret where every name may go
    for secret in SECRETS:
        holders = sum(secret in held for held in records)
        assert kept.count(secret) == min(holders, len(records) // 2)


def test_a_secret_beside_a_common_name_stays_where_few_items_are_known() -> None:
    records = [["a", "b", "x"], ["a"], ["b"], ["a", "b", "c"]]
    data = Transactions.of(records, sensitive=["x"])
    one = RhoM(rho="0.5", known=1).publish(data, seeded(1)).release
    assert sorted(one.content) == sorted(map(tuple, records))
    strict = RhoM(rho="0.5", known=2, strict=True, names_first=1).publish(data, seeded(1)).release
    assert sorted(map(len, strict.content)) == [1, 1, 2, 3]
    assert verify(one).parts[0].checked == (
        "for all records every antecedent of up to 1 item, 4 of them"
    )


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ParameterError, match="known must be at least 1, got 0"):
        RhoM(rho="0.5", known=0)
    with pytest.raises(ParameterError, match="names_first must be a share from 0 to 1, got 2"):
        RhoM(rho="0.5", known=1, names_first=2)
