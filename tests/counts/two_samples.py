"""Whether two samples of releases have one law."""

import math
from collections import Counter
from typing import Any


def differ(one: Counter[Any], other: Counter[Any]) -> float:
    """The chi-square statistic of two samples in standard deviations of its null law."""
    cells = [key for key in one | other if one[key] + other[key] >= 20]
    statistic = sum((one[key] - other[key]) ** 2 / (one[key] + other[key]) for key in cells)
    freedom = max(1, len(cells) - 1)
    return (statistic - freedom) / math.sqrt(2 * freedom)
