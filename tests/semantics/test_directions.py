"""Directions: lengths do not matter, what is unknown is left out."""

import numpy as np
import pytest

from discreet.semantics.directions import cosine_distances, direction_of, mean_direction

UNKNOWN = np.full(2, np.nan)


def test_a_direction_has_no_length_and_nothing_has_no_direction() -> None:
    assert direction_of(np.array([3.0, 4.0])).tolist() == pytest.approx([0.6, 0.8])
    assert np.isnan(direction_of(np.zeros(2))).all()


def test_a_mean_is_of_those_that_are_known() -> None:
    known = np.array([[1.0, 0.0], UNKNOWN, [0.0, 1.0]])
    assert mean_direction(known).tolist() == pytest.approx([0.5**0.5, 0.5**0.5])
    assert np.isnan(mean_direction(np.array([UNKNOWN]))).all()


def test_distances_go_from_nought_to_two() -> None:
    one, other = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], UNKNOWN])
    far = cosine_distances(one, other)[0]
    assert far[:3].tolist() == [0.0, 1.0, 2.0]
    assert np.isnan(far[3])
