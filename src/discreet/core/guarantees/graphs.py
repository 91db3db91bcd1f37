"""What a published graph promises."""

from dataclasses import dataclass
from typing import ClassVar

from discreet.core.exact import at_least_one
from discreet.core.fields import check_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class KDegree:
    """Every node shares its degree with at least k - 1 others (Liu and Terzi 2008)."""

    k: int
    """Least number of nodes of the same degree."""

    limit: ClassVar[str] = (
        "anyone who also knows how many edges a person's friends have, or which items the person "
        "holds where these are published under the same numbers, can tell nodes apart"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(k=self.k)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            f"anyone who knows how many edges a person has in this graph finds at least {self.k} "
            "matching nodes"
        )
