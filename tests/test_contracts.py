"""Every method of the catalog keeps the contract."""

import dataclasses
import inspect
from typing import Any

import pytest

from discreet import Release, chance, verify
from discreet.attack import ATTACKS
from discreet.data.findings import Findings
from discreet.data.publication import Publication
from discreet.publish import PUBLISHERS
from tests import samples

PRIVACY_PARAMETERS = {"epsilon", "k", "t", "rho", "r_th", "m", "l"}


@pytest.mark.parametrize("method", [*PUBLISHERS, *ATTACKS])
def test_a_method_is_a_frozen_dataclass_of_parameters(method: type) -> None:
    parameters = method.__dataclass_params__  # type: ignore[attr-defined]
    assert parameters.frozen
    assert parameters.kw_only
    assert "__slots__" in vars(method)


@pytest.mark.parametrize("method", [*PUBLISHERS, *ATTACKS])
def test_a_method_has_a_sample(method: type) -> None:
    assert method in samples.PUBLISHERS or method in samples.ATTACKS


@pytest.mark.parametrize("method", PUBLISHERS)
def test_a_privacy_parameter_has_no_default(method: Any) -> None:
    for field in dataclasses.fields(method):
        if field.name in PRIVACY_PARAMETERS:
            assert field.default is dataclasses.MISSING
            assert field.default_factory is dataclasses.MISSING


@pytest.mark.parametrize("method", [*PUBLISHERS, *ATTACKS])
def test_every_field_is_documented_under_the_field(method: Any) -> None:
    from discreet.catalog import entry_of

    for parameter in entry_of(method).parameters:
        assert len(parameter.help) > 10, parameter.name


@pytest.mark.parametrize("method", PUBLISHERS)
def test_a_publisher_publishes_and_keeps_its_promise(method: Any) -> None:
    instance, data = samples.PUBLISHERS[method]
    publication = instance.publish(data, chance.seeded(3))
    assert isinstance(publication, Publication)
    assert publication.release.guarantees == instance.guarantees
    assert verify(publication.release).holds is not False


@pytest.mark.parametrize("method", PUBLISHERS)
def test_the_same_seed_gives_the_same_release_and_another_does_not(method: Any) -> None:
    instance, data = samples.PUBLISHERS[method]
    first, again, other = (
        instance.publish(data, chance.seeded(seed)).release.to_polars() for seed in (5, 5, 6)
    )
    assert all(first[name].equals(again[name]) for name in first)
    assert not all(first[name].equals(other[name]) for name in first)


@pytest.mark.parametrize("method", PUBLISHERS)
def test_a_publisher_does_not_change_its_data(method: Any) -> None:
    instance, data = samples.PUBLISHERS[method]
    before = (data.items.tolist(), data.offsets.tolist(), data.folded.counts.tolist())
    instance.publish(data, chance.seeded(3))
    assert before == (data.items.tolist(), data.offsets.tolist(), data.folded.counts.tolist())


@pytest.mark.parametrize("method", PUBLISHERS)
def test_a_release_survives_the_disk(method: Any, tmp_path: Any) -> None:
    instance, data = samples.PUBLISHERS[method]
    release = instance.publish(data, chance.seeded(3)).release
    for file_format in ("parquet", "csv", "jsonl"):
        release.save(tmp_path / file_format, file_format=file_format)
        loaded = Release.load(tmp_path / file_format)
        assert loaded.guarantees == release.guarantees
        assert loaded.record() == release.record()
        for name, table in release.to_polars().items():
            assert loaded.to_polars()[name].equals(table)


@pytest.mark.parametrize("method", ATTACKS)
def test_an_attack_never_takes_the_private_data(method: Any) -> None:
    taken = inspect.signature(method.attack).parameters
    assert list(taken) == ["self", "releases", "knowledge"]


@pytest.mark.parametrize("method", ATTACKS)
def test_an_attack_runs_on_every_release_it_fits(method: Any) -> None:
    from discreet.catalog import entry_of

    instance, knowledge = samples.ATTACKS[method]
    wanted = entry_of(method).content
    fitting = 0
    for publisher, data in samples.PUBLISHERS.values():
        release = publisher.publish(data, chance.seeded(3)).release
        if wanted is None or isinstance(release.content, wanted):
            fitting += 1
            assert isinstance(instance.attack([release], knowledge), Findings)
    assert fitting
