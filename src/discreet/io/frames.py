"""Frames of pandas, polars and pyarrow to one kind."""

from typing import TYPE_CHECKING, Any

from discreet.errors import ParameterError

if TYPE_CHECKING:
    import polars as pl

MAKERS = ("pandas", "polars", "pyarrow")
"""Who makes frames."""
FRAMES = ("DataFrame", "LazyFrame", "Table")
"""What they call them."""


def is_frame(value: object) -> bool:
    """Whether something is a frame of one of the known makers."""
    kind = type(value)
    return kind.__module__.partition(".")[0] in MAKERS and kind.__name__ in FRAMES


def as_polars(frame: Any) -> "pl.DataFrame":
    """Return a frame of pandas, polars (also a lazy one) or pyarrow as one of polars."""
    import polars as pl

    if not is_frame(frame):
        msg = (
            "a frame must be one of pandas, polars or pyarrow, and this is a "
            f"{type(frame).__name__}; hand collections over with `of`"
        )
        raise ParameterError(msg, parameter="frame")
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    if isinstance(frame, pl.DataFrame):
        return frame
    maker = type(frame).__module__.partition(".")[0]
    made = pl.from_pandas(frame) if maker == "pandas" else pl.from_arrow(frame)
    return made if isinstance(made, pl.DataFrame) else made.to_frame()
