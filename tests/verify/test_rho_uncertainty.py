"""The exact check of rho-uncertainty against brute force over all antecedents."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Release, Transactions, rng, verify
from discreet.core.guarantee import GroupedDegree, GroupedRhoUncertainty, Guarantee, RhoUncertainty
from discreet.core.itemsets import Itemsets
from discreet.core.release import Manifest
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.networks import Dist, RhoM, TdControl
from discreet.verify.rho_uncertainty import rho_uncertainty

ITEMS = "abcdefgh"
SECRETS = ("a", "b", "c")
RECORDS = st.lists(st.sets(st.sampled_from(ITEMS)), max_size=12)
RHO = st.sampled_from(["0.2", "1/3", "0.5", "0.7", "1"])


def worst(records: list[set[str]], antecedents: str, known: int | None = None) -> Fraction:
    """The highest confidence of a rule, by trying every antecedent of so many items."""
    usable = ITEMS if antecedents == "mixed" else [item for item in ITEMS if item not in SECRETS]
    highest = Fraction(0)
    for size in range(len(usable) + 1 if known is None else known + 1):
        for held_items in combinations(usable, size):
            fitting = [record for record in records if record.issuperset(held_items)]
            for secret in SECRETS:
                if fitting and secret not in held_items:
                    held = sum(secret in record for record in fitting)
                    highest = max(highest, Fraction(held, len(fitting)))
    return highest


@settings(max_examples=500, deadline=None)
@given(
    RECORDS,
    RHO,
    st.sampled_from(["mixed", "nonsensitive"]),
    st.booleans(),
    st.sampled_from([None, 1, 2, 3, 4, 7]),
)
def test_the_check_agrees_with_brute_force(
    records: list[set[str]], rho: str, antecedents: Any, strict: bool, known: int | None
) -> None:
    claim = RhoUncertainty(rho=rho, antecedents=antecedents, strict=strict, known=known)
    highest = worst(records, antecedents, known)
    keeps = highest < Fraction(rho) if strict else highest <= Fraction(rho)
    verdict = rho_uncertainty(Itemsets.of(records), claim, SECRETS)
    # where no record holds a sensitive item there was nothing to check
    assert verdict.holds is (keeps if highest else None)
    assert (verdict.witness is None) is (keeps or highest == 0)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sets(st.sampled_from(ITEMS)), st.integers(0, 2)), max_size=15), RHO)
def test_each_group_is_checked_for_itself_and_theorem_1_holds(
    people: list[tuple[set[str], int]], rho: str
) -> None:
    sets = Itemsets.of([record for record, _ in people])
    group = np.array([number for _, number in people], dtype=np.int64)
    claim = GroupedRhoUncertainty(rho=rho)
    keeps = all(
        worst([record for record, number in people if number == each], "mixed") <= Fraction(rho)
        for each in range(3)
    )
    there = any(record & set(SECRETS) for record, _ in people)
    assert rho_uncertainty(sets, claim, SECRETS, group).holds is (keeps if there else None)
    together = rho_uncertainty(sets, RhoUncertainty(rho=rho), SECRETS).holds
    assert together is True or not (keeps and there)


@settings(max_examples=100, deadline=None)
@given(RECORDS, RHO)
def test_what_stops_at_its_limit_still_covers_two_items(records: list[set[str]], rho: str) -> None:
    sets, claim = Itemsets.of(records), RhoUncertainty(rho=rho)
    verdict = rho_uncertainty(sets, claim, SECRETS, cap=0)
    broken = [
        known
        for size in range(3)
        for known in combinations(ITEMS, size)
        for secret in SECRETS
        if secret not in known and _too_sure(records, set(known), secret, Fraction(rho))
    ]
    assert verdict.holds is False or not broken
    assume(verdict.holds is not None)
    assert verdict.holds is (worst(records, "mixed") <= Fraction(rho))


def _too_sure(records: list[set[str]], known: set[str], secret: str, rho: Fraction) -> bool:
    fitting = [record for record in records if known <= record]
    return sum(secret in record for record in fitting) > rho * len(fitting)


@pytest.mark.parametrize("rho", ["0.500000000000000001", f"0.5{'0' * 30}1", "0.49999999999999999"])
@pytest.mark.parametrize("strict", [False, True])
def test_a_bound_of_many_digits_is_compared_exactly(rho: str, strict: bool) -> None:
    """Numbers of people times a long denominator are more than a machine word holds."""
    claim = RhoUncertainty(rho=rho, strict=strict)
    for held in (1, 999, 1499, 1500, 1501, 2000, 2999):
        sets = Itemsets.of([["x", "s"]] * held + [["x"]] * (3000 - held))
        keeps = Fraction(held, 3000) <= Fraction(rho)
        assert rho_uncertainty(sets, claim, ["s"]).holds is keeps


def test_a_witness_is_a_rule_without_a_needless_item() -> None:
    records = [["x", "y", "s"], ["x", "s"], ["y"], ["y"], ["z"], ["z"]]
    verdict = rho_uncertainty(Itemsets.of(records), RhoUncertainty(rho="0.5"), ["s"])
    assert verdict.witness == (
        "in the release, of the 2 records that fit who is known to hold {x}, 2 hold s"
    )


def test_the_sensitive_items_come_from_the_manifest_or_from_the_data() -> None:
    data = Transactions.of([["s"], ["s"], ["t"]], sensitive=("s",))
    silent = Transactions.of([["s"], ["s"], ["t"]])
    claim = RhoUncertainty(rho="0.5")
    assert verify(_release(data, claim, sensitive=("s",))).holds is False
    assert verify(_release(silent, claim)).holds is None
    assert verify(_release(silent, claim, sensitive=("s",))).holds is False
    assert verify(_release(silent, claim, sensitive=("t",))).holds is True


def test_a_search_for_nothing_is_no_check() -> None:
    left, claim = Transactions.of([["a"], ["b"]]), RhoUncertainty(rho="0.5")
    verdicts = verify(_release(left, claim, sensitive=("HIV",)))
    assert (verdicts.holds, verdicts.needs) == (None, ("--against",))
    assert verdicts.parts[0].checked.startswith("nothing: none of the 1 sensitive items")
    hidden = verify(
        _release(left, claim, sensitive=("HIV",)), against=Transactions.of([["a", "HIV"]])
    )
    assert hidden.holds is True
    misspelt = verify(
        _release(left, claim, sensitive=("HIV",)), against=Transactions.of([["a", "hiv"]])
    )
    assert (misspelt.holds, misspelt.needs) == (None, ())


def _release(
    content: Any, *claims: Guarantee, sensitive: tuple[str, ...] | None = None
) -> Release[Any]:
    made = Manifest(method="by hand", parameters={}, randomness="none", sensitive=sensitive)
    return Release(content, claims, made)


@pytest.mark.parametrize(
    ("edges", "least", "witness"),
    [
        ([(0, 1), (2, 3)], 2, None),
        ([(0, 1), (0, 2)], 1, "group 0 has nodes with 2 and with 1 friends"),
        ([(0, 1), (2, 3)], 3, "group 0 has 2 nodes, fewer than 3"),
    ],
)
def test_degrees_must_agree_within_a_group(
    edges: list[tuple[int, int]], least: int, witness: str | None
) -> None:
    content = SetsWithNetwork.of([[], [], [], []], [0, 0, 1, 1], edges)
    verdict = verify(_release(content, GroupedDegree(least=least)))
    assert (verdict.holds, verdict.witness) == (witness is None, witness)


def _emptied(*records: list[str]) -> Release[Any]:
    claim = RhoUncertainty(rho="1/2", no_secret_left=True)
    manifest = Manifest(method="m", parameters={}, randomness="", sensitive=("s",))
    return Release(Transactions.of(records, sensitive=["s"]), (claim,), manifest)


def test_that_every_secret_was_deleted_can_be_told_from_the_release() -> None:
    held = verify(_emptied(["a"], ["b"]))
    assert held.holds is True
    assert "none of the 1 sensitive items is in the release" in held.parts[0].checked
    left = verify(_emptied(["a"], ["b", "s"]))
    assert left.holds is False
    assert left.witness == "1 occurrences of sensitive items are left, where none should be"
    misspelt = verify(_emptied(["a"], ["b"]), against=Transactions.of([["a", "S"]]))
    assert misspelt.holds is False


@pytest.mark.parametrize(
    "method", [TdControl(rho="1/9"), Dist(rho="1/9"), RhoM(rho="1/9", known=1)]
)
def test_publishers_promise_it_where_they_delete_every_secret(method: Any) -> None:
    data = Transactions.of([["a", "s"], ["a"], ["b"], ["b"]], sensitive=["s"])
    release = method.publish(data, rng.secure()).release
    assert "s" not in release.content.held
    assert release.guarantees[0].no_secret_left
    assert verify(release).holds is True
    kept = type(method)(**({"rho": 1} | ({"known": 1} if isinstance(method, RhoM) else {})))
    assert not kept.publish(data, rng.secure()).release.guarantees[0].no_secret_left
