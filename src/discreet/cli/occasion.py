"""What a release is for and who answers for it; options of the commands that end in a signature."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

from discreet.core.doc import Doc
from discreet.core.exact import Exact, positive_share

if TYPE_CHECKING:
    from discreet.risk import Population

__all__ = ["Occasion"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What the release is for."""

    title: Annotated[str | None, Doc("What the data are, as the heading of the page.")] = None
    purpose: Annotated[str | None, Doc("Why the data are given out.")] = None
    recipient: Annotated[str | None, Doc("Who gets them.")] = None
    signatory: Annotated[str | None, Doc("Who answers for it.")] = None
    sampling_fraction: Annotated[
        Exact | None,
        Doc("The share of the population that is in the data, from above 0 to 1."),
    ] = None

    def __post_init__(self) -> None:
        if self.sampling_fraction is not None:
            positive_share("sampling_fraction", self.sampling_fraction)

    @property
    def population(self) -> "Population":
        """What is known of the population."""
        from discreet.risk import Population

        given = self.sampling_fraction
        fraction = None if given is None else float(positive_share("sampling_fraction", given))
        return Population(sampling_fraction=fraction)

    def record(self) -> dict[str, str]:
        """Return what was said, and today's date."""
        occasion = {
            "title": self.title, "purpose": self.purpose, "recipient": self.recipient,
            "signatory": self.signatory,
        }  # fmt: skip
        today = datetime.now(UTC).date().isoformat()
        return {"date": today} | {name: words for name, words in occasion.items() if words}
