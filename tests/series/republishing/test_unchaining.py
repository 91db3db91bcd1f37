"""Chains of releases: seen by the attack, and kept under the bound where that is asked for."""

from typing import Any

import numpy as np
import pytest

from discreet import Transactions, rng, verify
from discreet.core.clusters import Clusters
from discreet.core.publication import Publication, State
from discreet.errors import DataError
from discreet.series import Composition, Sanony
from discreet.series.folder import publish_series


def corpora(seed: int) -> list[Transactions]:
    """Return three corpora of people with sets of their own, half of whom stay."""
    chance = np.random.default_rng(seed)
    newest, people = 60, list(range(60))
    made = []
    for _ in range(3):
        records = [[f"a{n}", f"b{n}", *(["s"] if n % 7 == 0 else [])] for n in people]
        made.append(Transactions.of(records, sensitive=["s"]))
        stay = [n for n in people if chance.random() < 0.5]
        people = [*stay, *range(newest, newest + 60 - len(stay))]
        newest += 60 - len(stay)
    return made


def published(seed: int, **choices: Any) -> list[Publication[Any]]:
    method = Sanony(r_th=2, cluster_size=5, **choices)
    return list(publish_series(method, corpora(seed), rng.seeded(seed)))


@pytest.mark.parametrize("seed", [1, 2])
def test_the_attack_sees_chains_and_the_option_keeps_them_under_the_bound(seed: int) -> None:
    plain, kept = published(seed), published(seed, chains=True)
    found = Composition().attack([each.release for each in plain])
    assert found.summary["at_risk_exact"] == found.summary["at_risk_transitive"] == 0
    assert found.summary["at_risk_chains"] > 0
    assert {claim.how for claim in found.claims} == {"chains"}
    assert found.summary["chains_by_entropy"] == found.summary["chains_not_converged"] == 0
    releases = [each.release for each in kept]
    assert Composition().attack(releases).summary["at_risk_chains"] == 0
    verdict = verify(releases[-1], after=releases[:-1])
    assert verdict.by_parts is True
    assert "all clusters of all releases at once" in verdict.parts[-1].checked


def test_who_left_with_company_enough_is_still_no_likelier_than_the_bound() -> None:
    # one of two who left was seen beside a third who stays: the one is likelier than the other
    corpora = [
        [["a0", "b0", "s"], ["a1", "b1", "t"], ["a2", "b2", "s"], ["a3", "b0"]],
        [["a1", "b1", "t"], ["a2", "b2", "s"], ["a3", "b0"], ["a4", "b1", "s"]],
        [["a1", "b1", "t"], ["a4", "b1", "s"], ["a5", "b2"]],
    ]
    after: list[Any] = []
    for number, records in enumerate(corpora):
        data = Transactions.of(records, sensitive=["s", "t"])
        method = Sanony(r_th="1.01", cluster_size=2, after=tuple(after), chains=True, reserve=0)
        after.append(method.publish(data, rng.seeded(315 + number)).release)
    # of the last ones those with a private term are withheld, as the original shows
    assert verify(after[-1], after=after[:-1], against=data).by_parts is True
    assert verify(after[-1], after=after[:-1]).by_parts is None


def test_the_verifier_refuses_a_series_that_keeps_only_direct_comparison() -> None:
    from dataclasses import replace

    releases = [each.release for each in published(1)]
    claimed = [
        replace(
            each,
            guarantees=tuple(
                replace(g, chains=True) if hasattr(g, "chains") else g for g in each.guarantees
            ),
        )
        for each in releases
    ]
    verdict = verify(claimed[-1], after=claimed[:-1])
    assert verdict.by_parts is False
    assert "by all releases at once" in str(verdict.witness)


def test_without_the_option_the_attack_looks_no_further() -> None:
    releases = [each.release for each in published(1)]
    assert "at_risk_chains" not in Composition(chains="none").attack(releases).summary


def test_a_series_is_made_alike_throughout() -> None:
    first, second, _ = corpora(1)
    one = Sanony(r_th=2, cluster_size=5).publish(first, rng.seeded(1)).release
    with pytest.raises(DataError, match="release 1 was made without chains"):
        Sanony(r_th=2, cluster_size=5, chains=True, after=(one,)).publish(second, rng.seeded(1))


YEARS = (
    "bcd ed c be bd be bte ced b bcted cted bct ct bced cte ce bcsed bce bed d cse bcstd bc cs cs",
    "bctd ed be be bte bcted ed bct sed bced cte ce bcsed bed d ce bcstd bc b cs c ct bd bc ted be",
    "bcd ed be be bte bcted ted be sed cte bsd bcsed bct d ce bc b cs ce ct bd bc cted be bced ted",
)
"""Sets of letters of which s and t are private, year by year."""


@pytest.mark.parametrize("seed", range(3))
def test_new_clusters_without_a_copy_tell_of_those_who_left(seed: int) -> None:
    # who shared an earlier cluster with them does not hold its copy, so one of them must
    made: list[Publication[Clusters]] = []
    for number, year in enumerate(YEARS):
        last = number == 2
        method = Sanony(
            r_th="1.5",
            cluster_size=2,
            chains=True,
            hopeless="grandfather",
            settle="bag" if last else "counterfeits",
            reserve="0.3" if last else 0,
            keep=State(made[-1].linkage_key) if last and made[-1].linkage_key else None,
            after=tuple(each.release for each in made),
        )
        people = Transactions.of(map(list, year.split()), sensitive=["s", "t"])
        made.append(method.publish(people, rng.seeded(seed + number)))
    *before, last_one = (each.release for each in made)
    assert verify(last_one, after=before).by_parts is True


def test_withholding_does_not_go_on_from_grandfathering() -> None:
    first, second, third = corpora(1)
    one = Sanony(r_th=2, cluster_size=5, hopeless="grandfather").publish(first, rng.seeded(1))
    after = (one.release,)
    with pytest.raises(DataError, match="release 1 let people exceed its own rate"):
        Sanony(r_th=2, cluster_size=5, after=after).publish(second, rng.seeded(1))
    own = Sanony(r_th=2, cluster_size=5).publish(first, rng.seeded(1)).release
    on = Sanony(r_th=2, cluster_size=5, hopeless="grandfather", after=(own,))
    later = (own, on.publish(second, rng.seeded(1)).release)
    with pytest.raises(DataError, match="release 2 let people exceed its own rate"):
        Sanony(r_th=2, cluster_size=5, after=later).publish(third, rng.seeded(1))
