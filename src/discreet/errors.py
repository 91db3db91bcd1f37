"""What can go wrong, in three words.

::

    DiscreetError
    ├── DataError        (ValueError)  the data are not what they must be
    ├── ParameterError   (ValueError)  a parameter is out of its range
    └── InfeasibleError                nothing can be published under these parameters

A message says what must be, what was, and the cure where there is one. It names a file and a line
or a record's number, never a record's content.
"""

__all__ = ["DataError", "DiscreetError", "InfeasibleError", "ParameterError"]


class DiscreetError(Exception):
    """Anything this package refuses, in one clear sentence."""


class DataError(DiscreetError, ValueError):
    """A file or a noun does not hold what it must."""


class ParameterError(DiscreetError, ValueError):
    """A parameter is outside its range."""


class InfeasibleError(DiscreetError):
    """No release exists, or none can be afforded, under these parameters."""
