from hashlib import md5

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels.keyed_hash import BLOCK, hash_into


@given(st.binary(max_size=200))
def test_the_hash_is_the_one_that_engines_compute(text: bytes) -> None:
    message = np.full(len(text) // BLOCK * BLOCK + 2 * BLOCK, 7, dtype=np.uint8)
    message[: len(text)] = np.frombuffer(text, dtype=np.uint8)
    state = np.zeros(4, dtype=np.int64)
    hash_into(state, message, len(text))
    expected = md5(text, usedforsecurity=False).hexdigest()
    assert [f"{word:08x}" for word in state] == [expected[at : at + 8] for at in range(0, 32, 8)]
