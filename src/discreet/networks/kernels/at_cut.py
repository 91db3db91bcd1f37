"""A group at a cut of the hierarchy, compiled: who holds which symbols, and what that costs."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.networks.kernels.holders import Incidence, holds
from discreet.networks.kernels.pruning import held_of
from discreet.networks.kernels.rules import too_sure

__all__ = ["held_at", "loss_of", "safe_at"]


@kernel
def held_at(
    rows: NDArray[np.int64], each: NDArray[np.int64], n_records: int, n_symbols: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Incidence]:
    """Return who holds which of the symbols that stand for occurrences, numbered in their order.

    First the symbol of each number and the number of each occurrence, then who holds them.
    """
    number = np.full(n_symbols, -1)
    for symbol in each:
        number[symbol] = 0
    symbols, used = np.empty(min(n_symbols, len(each)), dtype=np.int64), 0
    for symbol in range(n_symbols):
        if number[symbol] == 0:
            number[symbol], symbols[used] = used, symbol
            used += 1
    local = np.empty(len(each), dtype=np.int64)
    for e in range(len(each)):
        local[e] = number[each[e]]
    return symbols[:used], local, held_of(rows, local, n_records, used)


@kernel
def safe_at(
    rows: NDArray[np.int64],
    each: NDArray[np.int64],
    shape: tuple[int, int, int],
    mixed: bool,
    bound: NDArray[np.int64],
) -> bool:
    """Whether no secret follows too surely where these symbols stand for occurrences.

    ``shape`` is the number of records, the first symbol that is a secret, and the end of them.
    """
    n_records, first, end = shape
    symbols, _, held = held_at(rows, each, n_records, end)
    usable = symbols < (end if mixed else first)
    for secret in range(np.searchsorted(symbols, first), len(symbols)):
        complete, starts, _ = too_sure(held, secret, -1, usable, bound, 1)
        if not complete or len(starts) > 1:
            return False
    return True


@kernel
def loss_of(
    held: Incidence,
    rows: NDArray[np.int64],
    local: NDArray[np.int64],
    losses: NDArray[np.int64],
    deleted: int,
) -> int:
    """Return what all occurrences lose: each by the item that stands for it, or by its deletion."""
    loss = 0
    for e in range(len(rows)):
        loss += losses[local[e]] if holds(held.bits, local[e], rows[e]) else deleted
    return int(loss)
