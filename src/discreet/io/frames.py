"""Frames of pandas, polars and pyarrow to one kind, and their columns to text."""

from typing import Any

from discreet.errors import DataError, ParameterError
from discreet.io.text import normalised, normalised_series, quoted
from discreet.lazy import pl

MAKERS = ("pandas", "polars", "pyarrow")
"""Who makes frames."""
FRAMES = ("DataFrame", "LazyFrame", "Table")
"""What they call them."""


def is_frame(value: object) -> bool:
    """Whether something is a frame of one of the known makers."""
    kind = type(value)
    return kind.__module__.partition(".")[0] in MAKERS and kind.__name__ in FRAMES


def as_polars(frame: Any) -> "pl.DataFrame":
    """Return a frame of pandas, polars (also a lazy one) or pyarrow as one of polars.

    The names of its columns are normalised.
    """
    if not is_frame(frame):
        msg = (
            "a frame must be one of pandas, polars or pyarrow, and this is of type "
            f"{type(frame).__name__}; hand collections over with `of`"
        )
        raise ParameterError(msg, parameter="frame")
    eager = frame.collect() if isinstance(frame, pl.LazyFrame) else frame
    table: pl.DataFrame = eager if isinstance(eager, pl.DataFrame) else _converted(eager)
    names = list(map(normalised, table.columns))
    if twice := [name for at, name in enumerate(names) if name in names[:at]]:
        raise DataError(f"two columns have the same name, {quoted(twice[0])}; rename one")
    return table.rename(dict(zip(table.columns, names, strict=True)))


def texts_of(column: "pl.Series") -> "pl.Series":
    """Return a column as normalised text, a missing cell or one that is no number as None."""
    if without_text(column.dtype):
        name = quoted(column.name)
        raise DataError(f"the column {name} must hold text or numbers, not {column.dtype}")
    if column.dtype.is_float():
        column = column.fill_nan(None)
    return normalised_series(column.cast(pl.String))


def without_text(kind: "pl.DataType") -> bool:
    """Whether values of a kind cannot be told as text."""
    return kind.is_nested() or kind in (pl.Binary, pl.Object, pl.Duration)


def _converted(frame: Any) -> "pl.DataFrame":
    maker = type(frame).__module__.partition(".")[0]
    try:
        made = pl.from_pandas(frame) if maker == "pandas" else pl.from_arrow(frame)
    except (TypeError, ValueError):
        # what the maker says holds a value, which is private
        msg = (
            "every column of a frame must hold values of one kind, and one holds several; make it "
            "text, as by frame.astype('string')"
        )
        raise DataError(msg) from None
    return made if isinstance(made, pl.DataFrame) else made.to_frame()
