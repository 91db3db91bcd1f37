"""Whether anything is left to use: a remark beside the verdict, which is about people only."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["NEARLY_ALL", "RULE", "remarks_on_use"]

NEARLY_ALL: Final = 0.9
"""A loss from 0, nothing, to 1, everything, that leaves next to nothing."""

RULE: Final = (
    f"Besides, whatever the verdict: a measure that runs from 0, nothing lost, to 1, all lost, is "
    f"at {NEARLY_ALL:.0%} or more: nearly useless. The verdict is about people, not about use."
)
"""The rule, in words."""

LOST: Final = {
    "ncp": "the certainty penalty is {share}: nearly every item became a very general one or none",
    "deleted_share": "{share} of all occurrences of items were deleted",
    "occurrences_suppressed": "{share} of all occurrences of items were left out",
    "suppressed_share": "{share} of the rows were left out of a table",
    "association_loss_ratio": "{share} of the association between sensitive attributes is lost",
    "query_error_existing": "counts of sets that people hold are off by {share} on average",
}
"""What a measure says where nearly all is lost, by its name; 1 is everything."""
KEPT: Final = {"edges_kept_share": "{share} of the friendships are gone"}
"""The same for measures of what is left; 0 is everything lost."""


def remarks_on_use(measured: Mapping[str, Any]) -> Iterator[str]:
    """Give a sentence for each measure by which nearly everything was lost.

    >>> list(remarks_on_use({"sets": {"deleted_share": 0.95, "ncp": 0.2}}))
    ['nearly useless: 95% of all occurrences of items were deleted']
    """
    for name, value in measured.items():
        if isinstance(value, Mapping):
            yield from remarks_on_use(value)
        elif isinstance(value, int | float) and (name in LOST or name in KEPT):
            lost = float(value) if name in LOST else 1 - float(value)
            words = (LOST | KEPT)[name]
            if lost >= NEARLY_ALL:
                yield f"nearly useless: {words.format(share=f'{lost:.0%}')}"
