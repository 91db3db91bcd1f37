"""Every method of the catalog keeps the contract."""

from dataclasses import fields
from typing import Any, get_args

import numpy as np
import pytest

from discreet import DataError, Network, Release, Transactions, catalog, rng
from discreet.catalog import entries
from discreet.core.findings import Findings, Threat
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Manifest
from discreet.counts import FAMILY
from discreet.errors import ParameterError
from discreet.series import MInvariance
from tests import conformance, samples

PUBLISHERS = [offered.method for offered in catalog.PUBLISHERS]
ATTACKS = [offered.method for offered in catalog.ATTACKS]
KNOWING = [offered.method for offered in catalog.ATTACKS if offered.knowledge]
METHODS = [*PUBLISHERS, *ATTACKS]
ROWWISE = [
    method for method in PUBLISHERS if hasattr(method, "statistics") and hasattr(method, "apply")
]


BY_RECORDS = {"Dist", "GpAsn", "GreedySwap", "MInvariance", "RhoM", "Sanony", "SideBySide"}
"""What they do to one record depends on the others, or on a network: nothing is folded."""


def test_a_publisher_decides_by_folded_statistics_unless_it_goes_through_records() -> None:
    whole = {method.__name__ for method in PUBLISHERS if not hasattr(method, "decide")}
    assert whole == BY_RECORDS
    applied = {method.__name__ for method in ROWWISE}
    counted = {offered.method.__name__ for offered in FAMILY.publishers}
    # of noisy counts the plan is the release
    assert applied == {method.__name__ for method in PUBLISHERS} - whole - counted


def test_the_catalog_is_not_empty() -> None:
    assert {"AplKiller", "DiffPart"} <= {method.__name__ for method in PUBLISHERS}
    assert {"AttributeLinkage"} <= {method.__name__ for method in ATTACKS}


def test_every_method_has_a_sample() -> None:
    assert conformance.without_sample(PUBLISHERS, samples.PUBLISHERS) == []
    assert conformance.without_sample(ATTACKS, samples.ATTACKS) == []


@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_a_frozen_dataclass_of_parameters(method: Any) -> None:
    assert conformance.faults_of_shape(method) == []


@pytest.mark.parametrize("method", METHODS)
def test_every_field_is_documented_under_the_field(method: Any) -> None:
    assert conformance.undocumented_fields(method) == []


@pytest.mark.parametrize("method", PUBLISHERS)
def test_a_privacy_parameter_has_no_default(method: Any) -> None:
    assert conformance.defaulted_privacy(method) == []


@pytest.mark.parametrize("method", METHODS)
def test_a_wrong_value_is_refused_when_the_method_is_made(method: Any) -> None:
    sampled = samples.PUBLISHERS if method in samples.PUBLISHERS else samples.ATTACKS
    assert conformance.unrefused_values(sampled[method][0]) == []


@pytest.mark.parametrize("method", KNOWING)
def test_wrong_knowledge_is_refused_when_it_is_made(method: Any) -> None:
    assert conformance.unrefused_values(samples.ATTACKS[method][1]) == []


@pytest.mark.parametrize("method", PUBLISHERS)
def test_other_data_and_other_chance_are_refused_in_a_sentence(method: Any) -> None:
    sample, data = samples.PUBLISHERS[method]
    kinds = (samples.BASKETS, samples.PATIENTS, samples.CIRCLE, samples.FRIENDS, samples.PUBLISHED)
    for other in (None, "data.csv", [["bread"]], *kinds):
        if not isinstance(other, type(data)):
            kind = type(data).__name__
            with pytest.raises(ParameterError, match=f"the data must be {kind}, as made by {kind}"):
                sample.publish(other, rng.seeded(1))
    for chance in (1, "seed", True, np.random.default_rng(1), np.arange(2)):
        with pytest.raises(ParameterError, match="rng must be"):
            sample.publish(data, chance)


@pytest.mark.parametrize("method", PUBLISHERS)
def test_a_publisher_publishes_and_keeps_its_promise(method: Any) -> None:
    assert conformance.faults_of_publishing(*samples.PUBLISHERS[method]) == []


@pytest.mark.parametrize("method", PUBLISHERS)
def test_the_same_seed_gives_the_same_release_and_another_does_not(method: Any) -> None:
    assert conformance.faults_of_chance(*samples.PUBLISHERS[method]) == []


@pytest.mark.parametrize("method", PUBLISHERS)
def test_a_release_does_not_depend_on_the_order_of_the_rows(method: Any) -> None:
    faults = conformance.faults_of_order(*samples.PUBLISHERS[method])
    assert faults == []


@pytest.mark.parametrize("method", ROWWISE)
def test_a_plan_applied_to_parts_of_the_data_gives_the_rows_of_the_whole(method: Any) -> None:
    assert conformance.faults_of_slices(*samples.PUBLISHERS[method]) == []


def _described(variant: tuple[Any, Any]) -> str:
    """Return the method with what differs from its sample, as the name of a test."""
    method = variant[0]
    sample = samples.PUBLISHERS[type(method)][0]
    names = [field.name for field in fields(method)]
    chosen = {name: getattr(method, name) for name in names}
    changed = {
        name: value if isinstance(value, str | int | dict | None) else "given"
        for name, value in chosen.items()
        if value != getattr(sample, name)
    }
    return f"{type(method).__name__}-{changed}"


@pytest.mark.parametrize("variant", samples.VARIANTS, ids=_described)
def test_every_choice_keeps_its_promise_in_any_order_and_by_slices(variant: Any) -> None:
    goes_on = isinstance(variant[0], MInvariance)
    after = [samples.FIRST_INVARIANT] if goes_on else ()
    assert conformance.faults_of_publishing(*variant, after) == []
    assert conformance.faults_of_order(*variant) == []
    rowwise = type(variant[0]) in ROWWISE
    assert not rowwise or conformance.faults_of_slices(*variant) == []


ELSEWHERE = {("Coat", "wordnet"), ("Pcta", "wordnet")}
"""Choices that need WordNet, whose own tests make them."""


@pytest.mark.parametrize("method", PUBLISHERS)
def test_every_choice_of_a_publisher_is_tried(method: Any) -> None:
    tried = [samples.PUBLISHERS[method][0]]
    tried += [variant for variant, _ in samples.VARIANTS if type(variant) is method]
    assert conformance.untried_choices(method, tried) - ELSEWHERE == set()


@pytest.mark.parametrize("method", PUBLISHERS)
def test_a_release_survives_the_disk(method: Any, tmp_path: Any) -> None:
    instance, data = samples.PUBLISHERS[method]
    release = instance.publish(data, rng.seeded(3)).release
    for file_format in ("parquet", "csv", "jsonl"):
        release.save(tmp_path / file_format, file_format=file_format)
        loaded = Release.load(tmp_path / file_format)
        assert loaded.guarantees == release.guarantees
        assert loaded.record() == release.record()
        for name, table in release.to_polars().items():
            assert loaded.to_polars()[name].equals(table)


@pytest.mark.parametrize("method", ATTACKS)
def test_an_attack_never_takes_the_private_data(method: Any) -> None:
    assert conformance.faults_of_an_attack(method) == []


@pytest.mark.parametrize("method", ATTACKS)
def test_an_attack_runs_on_every_release_it_fits(method: Any) -> None:
    instance, knowledge = samples.ATTACKS[method]
    (wanted,) = [entry.contents for entry in entries("attack") if entry.method is method]
    fitting = 0
    for publisher, data in samples.PUBLISHERS.values():
        release = publisher.publish(data, rng.seeded(3)).release
        if not wanted or isinstance(release.content, wanted):
            fitting += 1
            assert isinstance(instance.attack([release], knowledge), Findings)
    assert fitting


@pytest.mark.parametrize("method", ATTACKS)
def test_an_attack_refuses_every_release_it_does_not_fit(method: Any) -> None:
    (wanted,) = [entry.contents for entry in entries("attack") if entry.method is method]
    manifest = Manifest(method="planted", parameters={}, randomness="none")
    friends = Network.of_edges(2, [(0, 1)])
    other_contents = [
        content
        for content in (ItemsetHistogram.of({("a",): 2}), Transactions.of([["a"]]), friends)
        if not isinstance(content, wanted)
    ]
    assert other_contents
    for content in other_contents:
        with pytest.raises(DataError, match=f"for this attack, got {type(content).__name__}"):
            method().attack([Release(content, (), manifest)])


@pytest.mark.parametrize("method", ATTACKS)
def test_an_attack_says_what_it_does_to_a_person(method: Any) -> None:
    assert method.threatens
    assert set(method.threatens) <= set(get_args(Threat))
