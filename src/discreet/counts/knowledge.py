"""What an adversary may know of a victim beforehand, shared by the linkage attacks."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Summary
from discreet.core.itemsets import Itemsets
from discreet.core.release import Release
from discreet.core.synthetic_people import PublishedCounts, rows_in

__all__ = ["FromOne", "Known", "placed", "rows_that_fit", "summed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the adversary knows of one person."""

    items: Annotated[
        tuple[str, ...],
        Doc("Items the person holds; none to look for everything that the release gives away."),
    ] = field(default=(), metadata={"option": "--knows"})

    def __post_init__(self) -> None:
        check_fields(self)


class FromOne(NamedTuple):
    """What follows from one release."""

    claims: list[Claim]
    summary: Summary


def rows_that_fit(sets: Itemsets, known: tuple[str, ...]) -> NDArray[np.int64]:
    """Return the rows of ``sets`` that contain everything known.

    >>> rows_that_fit(Itemsets.of([["a", "b"], ["b"], []]), ("b",)).tolist()
    [0, 1]
    """
    number = {item: place for place, item in enumerate(sets.vocabulary)}
    wanted = {number.get(item, -1) for item in known}
    if -1 in wanted:
        return np.empty(0, dtype=np.int64)
    hits = np.flatnonzero(np.isin(sets.items, list(wanted)))
    rows = np.searchsorted(sets.offsets, hits, side="right") - 1
    return np.flatnonzero(np.bincount(rows, minlength=len(sets)) == len(wanted))


def placed(found: Sequence[FromOne], releases: Sequence[Release[PublishedCounts]]) -> list[Claim]:
    """Return the claims about each release, laid end to end, by the rows it was published with."""
    return [
        replace(claim, row=int(rows[claim.row]))
        for each, rows in zip(found, (rows_in(one.content) for one in releases), strict=True)
        for claim in each.claims
    ]


def summed(found: Sequence[FromOne]) -> Summary:
    """Sum what counts over the releases, keep the highest share, and string words together."""
    joined: Summary = {}
    for each in found:
        for name, value in each.summary.items():
            before = joined.get(name)
            if before is None:
                joined[name] = value
            elif isinstance(before, str) or isinstance(value, str):
                joined[name] = f"{before}; {value}"
            else:
                joined[name] = max(before, value) if isinstance(value, float) else before + value
    return joined
