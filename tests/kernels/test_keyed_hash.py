from hashlib import md5

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels.keyed_hash import hashed_texts


@given(key=st.binary(max_size=70), texts=st.lists(st.binary(max_size=200), max_size=40))
def test_the_hash_is_the_one_that_engines_compute(key: bytes, texts: list[bytes]) -> None:
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    joined = np.frombuffer(b"".join(texts), dtype=np.uint8)
    hashes = hashed_texts(np.frombuffer(key, dtype=np.uint8), offsets, joined)
    expected = [md5(key + text, usedforsecurity=False).hexdigest() for text in texts]
    assert ["".join(f"{word:08x}" for word in row) for row in hashes] == expected
