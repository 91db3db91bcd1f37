"""The minimum of a smooth function, against minima known by other ways."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.counts.posterior.quasi_newton import minimised


@given(st.integers(1, 12), st.integers(0, 99))
def test_a_bowl_is_left_at_its_bottom(size, seed):
    generator = np.random.default_rng(seed)
    root = generator.normal(size=(size, size)) + 3 * np.eye(size)
    bowl, bottom = root @ root.T, generator.normal(size=size)

    def function(at):
        return 0.5 * (at - bottom) @ bowl @ (at - bottom), bowl @ (at - bottom)

    found = minimised(function, np.zeros(size), 200)
    assert function(found)[0] < 1e-6 * (1 + function(np.zeros(size))[0])


def test_a_bent_valley_is_followed():
    from scipy.optimize import rosen, rosen_der

    found = minimised(lambda at: (float(rosen(at)), rosen_der(at)), np.full(6, -1.2), 500)
    assert found == pytest.approx(np.ones(6), abs=1e-2)


def test_no_step_is_taken_where_it_is_flat_or_none_is_allowed():
    start = np.array([1.0, 2.0])
    assert minimised(lambda _: (3.0, np.zeros(2)), start, 5).tolist() == [1.0, 2.0]
    assert minimised(lambda at: (float(at @ at), 2 * at), start, 0).tolist() == [1.0, 2.0]


def test_more_steps_are_never_worse():
    def function(at):
        return float((at**4).sum() + (at[0] * at[1] - 1) ** 2), 4 * at**3 + 2 * (
            at[0] * at[1] - 1
        ) * at[::-1]

    values = [function(minimised(function, np.array([2.0, -3.0]), steps))[0] for steps in range(15)]
    assert values == sorted(values, reverse=True)
    assert values[-1] < 0.9
