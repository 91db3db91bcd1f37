"""LevelPart and LevelSGP (Wang et al. 2022, Algorithms 2 and 3): itemsets of one size."""

import pytest

from discreet.counts.kernels.level_part import printed_par


@pytest.mark.parametrize(
    ("items", "fan_out", "size", "expected"),
    [(17, 2, 1, 1), (17, 2, 2, 5), (17, 2, 3, 8), (17, 2, 5, 12), (2, 3, 1, 0.5), (16, 2, 8, 15)],
)
def test_the_printed_formula_as_printed(
    items: int, fan_out: int, size: int, expected: float
) -> None:
    assert printed_par(items, fan_out, size) / (fan_out - 1) == expected
