"""Who each record belongs to, where a file says so."""

from collections.abc import Container, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.core.reading.codes import Column
from discreet.core.reading.source import fault

__all__ = ["id_column", "ids_of", "own_ids"]

LONGEST = 256
"""Most letters of an id, for an array of texts gives each the room of the longest."""


def id_column(header: Container[str], columns: Mapping[str, str]) -> list[str]:
    """Return the name of the id column in a list, an empty one where there is none.

    >>> id_column(["items", "id"], {}), id_column(["items"], {})
    (['id'], [])
    """
    if "id" in columns:
        return [columns["id"]]
    return ["id"] if "id" in header else []


def ids_of(column: Column) -> NDArray[np.str_]:
    """Return the distinct ids of a column, refusing what cannot be one."""
    for code, size in enumerate(map(len, column.texts)):
        if not 0 < size <= LONGEST:
            what = f"an id must have 1 to {LONGEST} letters, and this one has {size}"
            raise column.fault(code, what)
    return np.array(column.texts, dtype=np.str_)


def own_ids(columns: Sequence[Column]) -> NDArray[np.str_] | None:
    """Return the id of each record, None where no column has them."""
    if not columns:
        return None
    [column] = columns
    repeated = np.flatnonzero(column.codes != np.arange(len(column.codes)))
    if len(repeated):
        msg = (
            f"record {repeated[0] + 1}: each record must have its own id, and this one repeats an "
            "earlier one; unite the records of a person, or leave the ids out"
        )
        raise fault(column.path, msg)
    return ids_of(column)
