"""GpASN on Last.fm: verified, and fewer sensitive occurrences lost than by deleting them all."""

from dataclasses import replace

import numpy as np
import pytest

from discreet import Hierarchy, SocialNetwork, Transactions, rng, verify
from discreet.core.guarantee import RhoUncertainty
from discreet.networks import GpAsn, edges_changed
from discreet.semantics.co_occurrence import clusters
from discreet.verify.rho_uncertainty import rho_uncertainty


def secrets_of(people: Transactions, least: int) -> frozenset[str]:
    """A seeded twentieth of the artists with so many listeners."""
    known = np.flatnonzero(people.supports >= least)
    order = rng.seeded(1).permutation(len(known))[: len(known) // 20]
    return frozenset(people.universe[item] for item in known[order].tolist())


def count(records: list[tuple[str, ...]], secrets: frozenset[str]) -> int:
    return sum(item in secrets for record in records for item in record)


def lastfm(least: int) -> tuple[SocialNetwork, Hierarchy]:
    """The people, and their artists in seven clusters."""
    people = Transactions.read("dataset:lastfm")
    people = replace(people, sensitive=secrets_of(people, least))
    plain = people.over([item for item in people.universe if item not in people.sensitive])
    named = zip(plain.universe, clusters(plain.sets, 7).tolist(), strict=True)
    tree = Hierarchy.of_levels([item, f"cluster {number}", "ALL"] for item, number in named)
    return SocialNetwork.read(people, "dataset:lastfm-friends"), tree


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize(("least", "rho"), [(20, "0.3"), (20, "0.5"), (20, "0.7"), (1, "0.5")])
def test_lastfm(least: int, rho: str) -> None:
    data, tree = lastfm(least)
    people = data.people
    assert (len(data), len(data.edges)) == (1_892, 12_717)
    release = (
        GpAsn(rho=rho, hierarchy=tree, split=0, secrets="spare")
        .publish(data, rng.seeded(1))
        .release
    )
    assert verify(release).by_parts
    assert release.manifest.notes["communities"] == "Leiden"
    assert release.manifest.notes["graph"] == "edges changed"
    kept = count(list(release.content.sets), people.sensitive)
    # half of the popular secrets stay, and a good part of rare ones: deleting all leaves none
    assert kept > count(list(people), people.sensitive) * (0.5 if least == 20 else 0.25)


@pytest.mark.usefixtures("data_folder")
def test_groups_split_by_degree_keep_most_edges() -> None:
    data, tree = lastfm(20)
    made = GpAsn(rho="0.5", hierarchy=tree, split=5, secrets="spare").publish(data, rng.seeded(1))
    assert verify(made.release).by_parts
    record = made.linkage_key.tables["rows"].sort("row")["record"].to_numpy()
    told = edges_changed(len(data), data.edges, record[made.release.content.edges])
    # as printed, half of them
    assert told["edges_kept_share"] > 0.8
    assert told["edges_added"] + told["edges_deleted"] < 1.5 * told["edges_changed_at_least"]
    kept = count(list(made.release.content.sets), data.people.sensitive)
    assert kept > count(list(data.people), data.people.sensitive) / 2


@pytest.mark.usefixtures("data_folder")
def test_raw_lastfm_is_met_in_full_and_breaks_the_bound() -> None:
    people = Transactions.read("dataset:lastfm")
    secrets = secrets_of(people, 20)
    assert rho_uncertainty(people.sets, RhoUncertainty(rho="0.7"), secrets).holds is False
    met = rho_uncertainty(people.sets, RhoUncertainty(rho=1), secrets)
    assert met.holds is True
