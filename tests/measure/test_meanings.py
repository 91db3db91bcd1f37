"""Every number that a measure gives is explained: which way is better, in which unit."""

from collections.abc import Mapping
from typing import Any

import pytest

from discreet import rng
from discreet.catalog import measures_of
from discreet.core.release import Release
from discreet.measure.meanings import MEANINGS, meaning_of
from tests.samples import BASKETS, PUBLISHERS


@pytest.mark.parametrize("kind", PUBLISHERS, ids=lambda kind: kind.__name__)
def test_every_measure_of_every_method_is_explained(kind: type[Any]) -> None:
    method, data = PUBLISHERS[kind]
    made = method.publish(data, rng.seeded(1))
    truth = BASKETS if isinstance(data, Release) else data
    for name, measure in measures_of(made.release.content, type(truth)).items():
        value = measure(truth, made.release, made.linkage_key)
        names = value if isinstance(value, Mapping) else [name]
        assert not [each for each in names if meaning_of(each) is None]


def test_meanings_are_told_in_words() -> None:
    for told in MEANINGS.values():
        assert told.unit
        assert told.sentence[0].islower()
        assert not told.sentence.endswith(".")
    assert meaning_of("of nobody") is None
