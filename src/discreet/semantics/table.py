"""Distances between terms as somebody wrote them down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.table import open_table

COLUMNS = {"one": "one", "other": "other", "distance": "distance"}


@dataclass(frozen=True, eq=False, repr=False)
class DistanceTable:
    """Distances of pairs of terms, each pair in either order; a pair that is not there is unknown.

    >>> table = DistanceTable.of({("knee", "injury"): 1.03})
    >>> table.distances(["injury"], ["knee", "injury", "icd"]).tolist()
    [[1.03, 0.0, nan]]
    """

    pairs: Mapping[tuple[str, str], float]
    """The distance of each pair, its terms in the order of text."""

    @classmethod
    def of(cls, pairs: Mapping[tuple[str, str], float]) -> "DistanceTable":
        """Make a table from distances of pairs.

        Parameters
        ----------
        pairs
            For each pair its distance.

        Returns
        -------
        DistanceTable
            The table; a pair counts in both orders.
        """
        by_pair: dict[tuple[str, str], float] = {}
        for (one, other), distance in pairs.items():
            key = (min(one, other), max(one, other))
            if not (np.isfinite(distance) and distance >= 0):
                raise DataError(f"a distance must be a number from 0 on, got {distance}")
            if by_pair.setdefault(key, distance) != distance:
                raise DataError("a pair of terms must have one distance, and one pair has two")
        return cls(by_pair)

    @classmethod
    def read(cls, path: str | Path) -> "DistanceTable":
        """Read a csv, tsv or parquet file with the columns one, other and distance.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        DistanceTable
            The table; a pair counts in both orders.
        """
        source = Path(path)
        table = open_table(source)
        one, other, distance = table.texts(COLUMNS)
        numbers = distance.cast(float, strict=False)
        if numbers.null_count():
            row = int(np.flatnonzero(numbers.is_null().to_numpy())[0])
            raise table.fault(row, "a distance must be a number")
        keys = zip(one.to_list(), other.to_list(), strict=True)
        return cls.of(dict(zip(keys, numbers.to_list(), strict=True)))

    def __repr__(self) -> str:
        return f"DistanceTable({len(self.pairs)} pairs)"

    def distances(self, one: Sequence[str], other: Sequence[str]) -> NDArray[np.float64]:
        """Return the distance of each term of ``one`` from each of ``other``."""
        unknown = float("nan")
        return np.array(
            [
                [
                    0.0
                    if left == right
                    else self.pairs.get((min(left, right), max(left, right)), unknown)
                    for right in other
                ]
                for left in one
            ],
            dtype=np.float64,
        ).reshape(len(one), len(other))
