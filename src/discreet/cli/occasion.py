"""What a release is for and who answers for it; options of the commands that end in a signature."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from discreet.core.doc import Doc

__all__ = ["Occasion"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What the release is for."""

    title: Annotated[str | None, Doc("What the data are; the heading of the page.")] = None
    purpose: Annotated[str | None, Doc("Why the data are released.")] = None
    recipient: Annotated[str | None, Doc("Who receives them.")] = None
    signatory: Annotated[str | None, Doc("Who is responsible for the release.")] = None

    def record(self) -> dict[str, str]:
        """Return what was said, and today's date."""
        occasion = {
            "title": self.title, "purpose": self.purpose, "recipient": self.recipient,
            "signatory": self.signatory,
        }  # fmt: skip
        today = datetime.now(UTC).date().isoformat()
        return {"date": today} | {name: words for name, words in occasion.items() if words}
