"""Numbers as intervals with declared bounds, and the order of such values."""

import pytest

from discreet.core.discretise import in_order
from discreet.errors import DataError


def test_values_without_order_are_refused() -> None:
    with pytest.raises(DataError, match="numbers or intervals"):
        in_order(["1", "red"])
    assert in_order(["-1", "<-5", "3", "2.5"]) == ["<-5", "-1", "2.5", "3"]
