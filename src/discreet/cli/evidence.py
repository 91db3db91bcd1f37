"""What can be laid beside a release that is checked."""

from dataclasses import dataclass
from typing import Annotated, Any

from discreet.catalog import Source
from discreet.core.constraints import Constraints
from discreet.core.doc import Doc
from discreet.core.publication import LinkageKey
from discreet.core.release import Release

__all__ = ["Evidence", "OwnersKey"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnersKey:
    """The key that says which record is behind which row."""

    key: Annotated[LinkageKey | None, Doc("The linkage key that publish --keep wrote.")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(OwnersKey):
    """What some guarantees need beside the release."""

    against: Annotated[
        Source | None, Doc("The original data: a file, or a named data set such as dataset:msnbc.")
    ] = None
    after: Annotated[
        tuple[Release[Any], ...],
        Doc("An earlier release of the same series; repeat it for each, oldest first."),
    ] = ()
    privacy: Annotated[Constraints | None, Doc("The privacy constraints, one per line.")] = None
