"""What is in a table of people, and how attackable it is as it stands: numbers, never records."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.microdata import Microdata
from discreet.errors import DataError
from discreet.tables.closeness import coded, spread_of
from discreet.tables.lattice import grouped

__all__ = ["table_profile"]

FEW = 5


def table_profile(people: Microdata) -> dict[str, Any]:
    """Describe a table: its size, and what would be given away if it were published as it is.

    The adversary knows all quasi-identifiers of a person. For each sensitive attribute: how many
    values it has, how far the worst class is from the table (of a multi-valued attribute the worst
    value of it), and for how many people everyone in their class agrees in it.
    """
    if not len(people):
        msg = "a table must have at least one row to be profiled, got none"
        raise DataError(msg)
    bits = people.bitmap
    classes, sizes = _classes(bits)
    return {
        "rows": len(people),
        "quasi_identifiers": len(people.qids),
        "sensitive_attributes": len(people.sensitive),
        "classes": len(sizes),
        "smallest_class": int(sizes.min()),
        "share_alone": float((sizes[classes] == 1).mean()),
        "share_below_5": float((sizes[classes] < FEW).mean()),
        "attributes": {
            name: _attribute(bits, columns, classes, sizes)
            for name, columns in _columns(people).items()
            if columns
        },
    }


def _classes(people: Microdata) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the class of each row and how many rows each class has; without a key there is one."""
    if not people.qids:
        return np.zeros(len(people), dtype=np.int64), np.array([len(people)])
    return grouped([coded(people.table[name])[0] for name in people.qids])


def _attribute(
    people: Microdata, names: Sequence[str], classes: NDArray[np.int64], sizes: NDArray[np.int64]
) -> dict[str, int | float]:
    """Describe one attribute, given as its column or as its bits."""
    every = np.arange(len(sizes), dtype=np.int64)
    worst, alike = 0.0, np.ones(len(sizes), dtype=np.bool_)
    for name in names:
        spread = spread_of(classes, people.table[name])
        worst = max(worst, float(spread.distances(every, sizes).max()))
        alike &= np.bincount(spread.rows, minlength=len(sizes)) == 1
    many = people.table[names[0]].n_unique() if len(names) == 1 else len(names)
    return {
        "values": int(many),
        "closeness": worst,
        "share_value_certain": float(alike[classes].mean()),
    }


def _columns(people: Microdata) -> dict[str, list[str]]:
    """Return for each sensitive attribute the columns of the bitmap that stand for it."""
    bits = people.bitmap.sensitive
    return {
        name: [bit for bit in bits if bit.startswith(f"{name}=")]
        if name in people.multi_valued
        else [name]
        for name in people.sensitive
    }
