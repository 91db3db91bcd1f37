"""A name that stands for secrets alone is as sensitive as they are."""

from dataclasses import replace
from typing import Any

import pytest

from discreet import Hierarchy, Release, Transactions, verify
from discreet.core.guarantee import (
    Coherence,
    GroupedRhoUncertainty,
    Guarantee,
    Lkc,
    RhoUncertainty,
)
from discreet.core.release import Manifest
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.verify.lifted_secrets import with_names_above

TREE = Hierarchy.of_levels(
    [
        ("hiv", "std", "ill", "*"),
        ("hpv", "std", "ill", "*"),
        ("flu", "cold", "ill", "*"),
        ("cancer", "cancer", "cancer", "*"),
    ]
)
SECRETS = ("cancer", "hiv", "hpv")


def test_a_name_is_secret_where_all_below_it_are() -> None:
    assert with_names_above(None, TREE) is None
    assert with_names_above(frozenset({"hiv"}), None) == {"hiv"}
    assert with_names_above(frozenset({"hiv"}), TREE) == {"hiv"}
    assert with_names_above(frozenset({"hiv", "hpv"}), TREE) == {"hiv", "hpv", "std"}
    ill = {"hiv", "hpv", "std", "flu", "cold", "ill"}
    assert with_names_above(frozenset({"hiv", "hpv", "flu", "other"}), TREE) == {*ill, "other"}
    assert with_names_above(frozenset(TREE.values), TREE) == frozenset(TREE.names)


def released(sets: list[list[str]], claim: Guarantee) -> Release[Any]:
    manifest = Manifest(
        method="planted", parameters={}, randomness="none", sensitive=tuple(SECRETS)
    )
    content: Any = replace(Transactions.of(sets), applied=TREE)
    if isinstance(claim, GroupedRhoUncertainty):
        content = SetsWithNetwork.of(sets, [0] * len(sets), [], hierarchy=TREE)
    return Release(content, (claim,), manifest)


@pytest.mark.parametrize(
    "claim",
    [
        RhoUncertainty(rho="0.5"),
        RhoUncertainty(rho="0.5", known=1),
        RhoUncertainty(rho="0.5", antecedents="nonsensitive"),
        GroupedRhoUncertainty(rho="0.5"),
        Coherence(h="0.5", k=2, p=1),
        Lkc(l=1, k=2, c="0.5"),
    ],
    ids=lambda claim: type(claim).__name__,
)
def test_secrets_under_a_name_of_their_own_are_seen(claim: Guarantee) -> None:
    # some other secret is there, so that there is something to check
    others = [["b", "cancer"], ["b"], ["b"]]
    lifted = verify(released([["a", "std"]] * 3 + [["a"]] + others, claim))
    assert lifted.holds is False
    assert "a" in str(lifted.witness)
    assert verify(released([["a", "std"]] * 2 + [["a"]] * 2 + others, claim)).holds is True
    # such a name may stand for something harmless
    assert verify(released([["a", "ill"]] * 4 + others, claim)).holds is True


def test_a_secret_that_was_only_lifted_was_not_deleted() -> None:
    claim = RhoUncertainty(rho=1, no_secret_left=True)
    original = Transactions.of([["a", "hiv"], ["a"]], sensitive=SECRETS)
    assert verify(released([["a", "std"], ["a"]], claim), against=original).holds is False
    assert verify(released([["a"], ["a"]], claim), against=original).holds is True
