"""What published itemset counts promise beyond differential privacy."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from discreet.core.exact import Exact, at_least_one, exact
from discreet.core.fields import check_fields
from discreet.core.findings import counted
from discreet.errors import ParameterError


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedConfidence:
    """No item follows from published counts with more confidence than ``tau``.

    For every known set, the empty one included, and every other item: of the people whose
    published set contains what is known, at most the share ``tau`` has the item too.
    """

    tau: Exact
    """The largest confidence, above 0 and below 1."""
    known: int | None = None
    """How many items an attacker may know of a person at most; None: any number."""

    limit: ClassVar[str] = (
        "the confidence is that of the published counts: anyone who knows how they were thinned "
        "can undo that, and a ratio exactly at the bound suggests that the true one may lie "
        "above it"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "tau", exact("tau", self.tau))
        if not 0 < self.share < 1:
            msg = f"`tau` must be above 0 and below 1, got {self.tau}"
            raise ParameterError(msg, parameter="tau")
        at_least_one(known=self.known)

    @property
    def share(self) -> Fraction:
        """Tau as an exact fraction."""
        return exact("tau", self.tau)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        who = "any items" if self.known is None else f"up to {counted(self.known, 'item')}"
        return (
            f"anyone who knows {who} of a person, or none, and reads the published counts infers "
            f"no further item with a confidence above {float(self.share):g}"
        )
