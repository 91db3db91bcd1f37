"""Which supports are published: what is expected of them decides."""

from dataclasses import replace

import numpy as np
import pytest

from discreet.counts.lattice import set_sizes
from discreet.counts.log_linear import Fitted
from discreet.counts.support_decision import SupportLaw, decided
from discreet.kernels.supersets import superset_sums
from discreet.rng import seeded
from tests.counts.noisy_tables import ITEMS, noisy_table


def fitted(mean: np.ndarray) -> Fitted:
    return Fitted(mean, np.minimum(mean, 1.0), (mean, mean * 1.1, mean * 0.9))


def test_people_that_only_noise_speaks_for_are_left_out() -> None:
    mean = np.where(set_sizes(ITEMS) <= 1, 50.0, 1.0)
    noisy = noisy_table({0: 50, 1: 50, 2: 50, 4: 50, 8: 50}, [50, 200, 3, -2, 1])
    law = SupportLaw.of(fitted(mean), noisy, seeded(1))
    table = decided(fitted(mean), noisy, law)
    assert table[set_sizes(ITEMS) > 1].sum() == 0
    assert law.expected_loss(table) < law.expected_loss(mean)


def test_people_that_the_sizes_speak_for_stay() -> None:
    mean = np.full(1 << ITEMS, 50.0)
    noisy = noisy_table(dict.fromkeys(range(1 << ITEMS), 50), [50, 200, 300, 200, 50])
    law = SupportLaw.of(fitted(mean), noisy, seeded(1))
    assert decided(fitted(mean), noisy, law).tolist() == mean.tolist()


def test_half_way_is_taken_where_either_end_would_be_further_off() -> None:
    mean, half = np.full(1 << ITEMS, 500.0), np.full(1 << ITEMS, 500.0)
    mean[-1], half[-1] = 40.0, 20.0
    noisy = noisy_table({0: 500}, [500, 2000, 3000, 2000, 40])
    law = SupportLaw.of(fitted(mean), noisy, seeded(1))
    supports = superset_sums(half.copy())[law.queries]
    law = replace(law, values=np.tile(supports, (len(law.values), 1)))
    assert decided(fitted(mean), noisy, law)[-1] == pytest.approx(20)


def test_sets_that_occur_are_asked_for_where_they_occur() -> None:
    """Of two models one has people with all items: only there somebody asks for that set."""
    mean = np.where(set_sizes(ITEMS) <= 1, 50.0, 0.5)
    nobody = np.where(set_sizes(ITEMS) <= 1, 50.0, 0.0)
    noisy = noisy_table({0: 50, 1: 50, 2: 50, 4: 50, 8: 50}, [50, 200, 6, 4, 1])
    law = SupportLaw.of(Fitted(mean, np.minimum(mean, 1.0), (2 * mean, nobody)), noisy, seeded(1))
    asked = law.queries[: law.sooner.shape[1]]
    large = set_sizes(ITEMS)[asked] > 1
    assert large.any() and not large.all()
    assert (law.values[:, : len(asked)] >= 1).all()
    # three rows of each model; where nobody holds the set it is as good as never asked for
    by_model = law.sooner[:, large].reshape(2, -1)
    assert by_model[0].max() > 1
    assert by_model[1].max() < 1e-6
    # and so telling nothing of it costs nothing in that model
    none = np.where(set_sizes(ITEMS) <= 1, mean, 0.0)
    everywhere = replace(law, sooner=np.ones_like(law.sooner))
    assert 0 < law.expected_loss(none) < everywhere.expected_loss(none)
