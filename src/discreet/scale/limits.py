"""Whether what a method decides by fits this process, asked before anything is collected."""

import re

from discreet.errors import InfeasibleError, ParameterError

__all__ = ["SET_BYTES", "bytes_of", "refuse_sets"]

SET_BYTES = 250
"""Bytes that a collected set and its share of a decision take at most."""
_UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_LEAST = 200 * 10**6


def bytes_of(memory: str) -> int:
    """Return an amount of memory in bytes.

    >>> bytes_of("4GB"), bytes_of("1.5 gb")
    (4000000000, 1500000000)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?B)\s*", memory.upper())
    amount = int(float(found[1]) * _UNITS[found[2]]) if found else 0
    if amount < _LEAST:
        msg = f"`memory` must be an amount of at least 200MB, such as 4GB, got {memory!r}"
        raise ParameterError(msg, parameter="memory")
    return amount


def refuse_sets(sets: int, limit: int) -> None:
    """Refuse to collect more distinct sets than the memory that is allowed has room for."""
    if sets * SET_BYTES > limit:
        msg = (
            f"about {sets:,} distinct sets must be held to decide, and `memory` has room for "
            f"{limit // SET_BYTES:,}; a lower max_size, a hierarchy or a smaller universe makes "
            "them fewer, and more memory makes room"
        )
        raise InfeasibleError(msg, parameter="memory")
