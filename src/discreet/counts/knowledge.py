"""What an adversary may know of a victim beforehand, shared by the linkage attacks."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, NamedTuple

from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Summary
from discreet.core.release import Release
from discreet.core.synthetic_people import PublishedCounts, rows_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the adversary knows of one person."""

    items: Annotated[
        tuple[str, ...],
        Doc(
            "Items that the person holds; without any, everything that the release reveals is "
            "searched for."
        ),
    ] = field(default=(), metadata={"option": "--knows"})

    def __post_init__(self) -> None:
        check_fields(self)


class FromOne(NamedTuple):
    """What follows from one release."""

    claims: list[Claim]
    summary: Summary


def claims_by_row(
    results: Sequence[FromOne], releases: Sequence[Release[PublishedCounts]]
) -> list[Claim]:
    """Return the claims about each release, laid end to end, by the rows it was published with."""
    # most releases are published as they are counted, and then every claim stands as it is
    return [
        claim if rows[claim.row] == claim.row else replace(claim, row=int(rows[claim.row]))
        for each, rows in zip(results, (rows_in(one.content) for one in releases), strict=True)
        for claim in each.claims
    ]


def summed(results: Sequence[FromOne]) -> Summary:
    """Sum what counts over the releases, keep the highest share, and string words together."""
    joined: Summary = {}
    for each in results:
        for name, value in each.summary.items():
            before = joined.get(name)
            if before is None:
                joined[name] = value
            elif isinstance(before, str) or isinstance(value, str):
                joined[name] = f"{before}; {value}"
            else:
                joined[name] = max(before, value) if isinstance(value, float) else before + value
    return joined
