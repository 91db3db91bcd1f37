"""Many sets over one vocabulary, as two arrays: where each set begins, and which items it holds."""

import pytest

from discreet.core.itemsets import Itemsets


def test_sets_are_immutable() -> None:
    sets = Itemsets.of([["a"], ["b"]])
    with pytest.raises(ValueError, match="read-only"):
        sets.items[0] = 1
