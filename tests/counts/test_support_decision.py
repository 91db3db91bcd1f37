"""Which supports are published, given how sure they are."""

import numpy as np
import pytest

from discreet.counts.lattice import set_sizes
from discreet.counts.log_linear import Fitted
from discreet.counts.support_decision import SupportLaw, decided
from discreet.kernels.supersets import superset_sums
from discreet.rng import seeded


def law(mean: float, within: float) -> SupportLaw:
    means = np.full((500, 1), mean)
    return SupportLaw(np.array([mean]), np.array([within]), means, np.array([within]))


@pytest.mark.parametrize(("mean", "within"), [(3.0, 40.0), (50.0, 30.0), (4000.0, 90.0)])
def test_drawn_supports_have_the_mean_and_the_spread_that_is_known(mean, within):
    drawn = law(mean, within).drawn(np.array([0]), seeded(1))
    assert (drawn >= 0).all()
    assert drawn.mean() == pytest.approx(mean, abs=4 * np.sqrt(within / drawn.size))
    assert drawn.var() == pytest.approx(within, rel=0.3)


def test_a_support_of_few_with_a_wide_law_is_mostly_none():
    drawn = law(3.0, 90.0).drawn(np.array([0]), seeded(1))
    assert np.median(drawn) < 0.1


def fitted(counts: list[float], variance: float) -> Fitted:
    mean = np.array(counts)
    return Fitted(mean, np.full(len(mean), variance), (mean, mean * 1.01))


def test_what_is_sure_is_published_as_it_is():
    sure = fitted([900.0, 300.0, 200.0, 50.0], 0.01)
    assert decided(sure, set_sizes(2), seeded(1)).tolist() == sure.mean.tolist()


def test_what_is_hardly_known_goes_to_the_set_below():
    items = 6
    sizes = set_sizes(items)
    counts = np.where(sizes <= 1, 2000.0, 0.3)
    doubtful = fitted(counts.tolist(), 40.0)
    held = decided(doubtful, sizes, seeded(1))
    assert held.sum() == pytest.approx(counts.sum())
    assert (
        superset_sums(held.copy())[sizes > 3].sum() < 0.5 * superset_sums(counts)[sizes > 3].sum()
    )
