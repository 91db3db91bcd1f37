"""The three kinds of errors.

::

    DiscreetError
    ├── DataError        (ValueError)  the data are not what they must be
    ├── ParameterError   (ValueError)  a parameter is out of its range
    └── InfeasibleError                nothing can be published under these parameters

A message says what must be, what was, and the cure where there is one. It names a file and a line
or a record's number, never a record's content. The parameter at fault is a value of the error; a
field that a message mentions stands between backticks, so that everybody can be shown the name
that they know it by: Python the field, a terminal the option.
"""

import re
from collections.abc import Callable

__all__ = ["DataError", "DiscreetError", "InfeasibleError", "ParameterError", "spelled"]


def spelled(text: str, spell: Callable[[str], str] = str) -> str:
    """Return a text with each field, which stands between backticks, by the name of ``spell``.

    Parameters
    ----------
    text
        With the names of fields between backticks.
    spell
        From the name of a field to how it is spelled.

    Returns
    -------
    str
        The text as a reader sees it.

    Examples
    --------
    >>> spelled("`split` must be at least `g_min`, got 1")
    'split must be at least g_min, got 1'
    >>> spelled("`g_min` must be at least 2", lambda field: "--" + field.replace("_", "-"))
    '--g-min must be at least 2'
    """
    return re.sub(r"`(\w+)`", lambda field: spell(field[1]), text)


class DiscreetError(Exception):
    """Anything this package refuses, in one clear sentence.

    >>> error = ParameterError("`k` must be at least 1, got 0", parameter="k")
    >>> str(error), error.parameter
    ('k must be at least 1, got 0', 'k')
    """

    def __init__(self, message: str, *, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter
        """The field that was given wrongly, where it is one."""

    def __str__(self) -> str:
        return self.message()

    def message(self, spell: Callable[[str], str] = str) -> str:
        """Return the sentence with fields by the name of ``spell``, by default that in Python.

        Parameters
        ----------
        spell
            How the name of a field is written, such as the option of a command.

        Returns
        -------
        str
            The sentence.
        """
        return spelled(str(self.args[0]), spell)


class DataError(DiscreetError, ValueError):
    """A file or a noun does not hold what it must."""


class ParameterError(DiscreetError, ValueError):
    """A parameter is outside its range."""


class InfeasibleError(DiscreetError):
    """No release exists, or none can be afforded, under these parameters."""
