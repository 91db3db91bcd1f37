"""Bits of a machine word."""

import numpy as np

from discreet.compiled import kernel

__all__ = ["ones"]


@kernel
def ones(word: np.uint64) -> int:
    """Count the bits set in ``word``."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    # sums of bytes by shifts: a product would wrap around, which interpreted code reports
    word = word + (word >> np.uint64(8))
    word = word + (word >> np.uint64(16))
    word = word + (word >> np.uint64(32))
    return int(np.int64(word & np.uint64(0x7F)))
