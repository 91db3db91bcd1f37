"""A seed is for tests and studies, and a release made by one is loudly said to be."""

import pytest

from discreet.cli.randomness import Randomness, ReleaseRandomness


@pytest.mark.parametrize("kind", [Randomness, ReleaseRandomness])
def test_without_a_seed_it_is_the_operating_systems(
    kind: type[Randomness], capsys: pytest.CaptureFixture[str]
) -> None:
    assert kind().rng().seeded is False
    assert capsys.readouterr().err == ""


def test_a_seed_repeats_the_draws() -> None:
    one, two = (Randomness(seed=7).rng() for _ in range(2))
    assert one.integers(100, 9).tolist() == two.integers(100, 9).tolist()


def test_a_seeded_release_is_not_for_publication(capsys: pytest.CaptureFixture[str]) -> None:
    assert ReleaseRandomness(seed=7).rng().seeded is True
    assert "NOT FOR PUBLICATION" in capsys.readouterr().err
