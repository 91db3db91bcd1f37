"""What every noun can do in a notebook: be compared, be shown by its size, leave for a frame."""

from abc import ABC, abstractmethod
from dataclasses import fields
from html import escape
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from discreet.lazy import pl

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


class Compared:
    """Data that are compared by what they hold and shown by how much it is, never by records."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        own: Any = fields(cast("Any", self))
        return all(_same(getattr(self, field.name), getattr(other, field.name)) for field in own)

    def __hash__(self) -> int:
        # equal data hash alike; to look at what they hold would take too long
        return hash(type(self))

    def _repr_html_(self) -> str:
        return f"<code>{escape(repr(self))}</code>"


class Noun(Compared, ABC):
    """Data that can leave for a frame, private columns and all."""

    @abstractmethod
    def to_polars(self) -> "pl.DataFrame":
        """Return the data as a frame of polars."""

    def to_pandas(self) -> "pd.DataFrame":
        """Return the data as a frame of pandas, which must be installed, and pyarrow with it."""
        return self.to_polars().to_pandas()

    def to_arrow(self) -> "pa.Table":
        """Return the data as a table of pyarrow, which must be installed."""
        return self.to_polars().to_arrow()


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return one is not None and other is not None and np.array_equal(one, other)
    equals = getattr(one, "equals", None)
    return bool(equals(other)) if callable(equals) else bool(one == other)
