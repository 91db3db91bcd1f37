"""What a parameter means, carried by its annotation: ``Annotated[int, Doc("...")]``."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Doc:
    """The meaning of a field in words for people: help texts and pages show it."""

    text: str
    """One or more sentences; another field of the same class stands between backticks."""
