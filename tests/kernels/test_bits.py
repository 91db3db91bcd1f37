"""Bits of a machine word, counted as Python counts them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels.bits import ones


@given(st.integers(0, 2**64 - 1))
def test_every_bit_of_a_word_is_counted(word: int) -> None:
    assert ones(np.uint64(word)) == word.bit_count()
