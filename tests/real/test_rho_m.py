"""RhoM and GpASN against few known items on Last.fm: what stays by name, and of the secrets."""

from typing import Any

import pytest

from discreet import rng
from discreet.networks import GpAsn, RhoM
from discreet.networks.hiding.local_recoding import Sparing
from discreet.papers.gpasn import lastfm
from discreet.verify.rho_uncertainty import rho_uncertainty


def kept(sets: Any, secrets: frozenset[str], names: frozenset[str]) -> tuple[int, int]:
    items = [item for held in sets for item in held]
    return sum(item in secrets for item in items), sum(item in names for item in items)


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize(
    ("known", "names_first", "secrets_kept", "all_kept"),
    [(1, None, 0.71, 0.94), (1, 1, 1, 0.79), (2, None, 0.24, 0.92), (2, 1, 1, 0.45)],
)
def test_few_known_items_cost_few_names(
    known: int, names_first: Any, secrets_kept: float, all_kept: float
) -> None:
    data = lastfm().network.people
    secrets = data.sensitive
    method = RhoM(rho="0.5", known=known, names_first=names_first)
    content = method.publish(data, rng.seeded(1)).release.content
    assert rho_uncertainty(content.sets, method.guarantees[0], secrets).holds
    names = frozenset(data.universe) - secrets
    (before, _), (after, named) = kept(data, secrets, names), kept(content, secrets, names)
    assert after >= secrets_kept * before
    assert after + named >= all_kept * len(data.items)


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize("split", [None, 0])
def test_gp_asn_keeps_ten_times_the_names_against_few_known_items(split: int | None) -> None:
    people = lastfm()
    data = people.network.people
    names = frozenset(data.universe) - data.sensitive
    named = {}
    for known in (None, 1, 2):
        sparing: Sparing = "spare" if known is None else "ncp"
        method = GpAsn(
            rho="0.5", hierarchy=people.hierarchy, known=known, split=split, secrets=sparing
        )
        content = method.publish(people.network, rng.seeded(1)).release.content
        for claim in method.guarantees[:2]:
            assert rho_uncertainty(content.sets, claim, data.sensitive, content.group).holds
        named[known] = kept(content.sets, data.sensitive, names)[1]
    assert min(named[1], named[2]) >= 10 * named[None]
