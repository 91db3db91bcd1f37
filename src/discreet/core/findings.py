"""What an attack claims to have learnt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Threat: TypeAlias = Literal["singling out", "linkability", "inference"]
"""What an attack does to a person, in the words of the European data protection authorities."""
Summary: TypeAlias = dict[str, int | float | str]
"""Numbers by which an attack sums up what it found, or why it found nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One inference: who holds ``known`` also holds ``inferred``, with this confidence."""

    release: int = 1
    """Which of the attacked releases it is about, counted from 1."""
    row: int
    """The row of the release that gives it away."""
    known: tuple[str, ...]
    """What the adversary knew of the person."""
    inferred: tuple[str, ...]
    """What follows about the person."""
    confidence: float
    """The probability the adversary attaches to it, 1 for certainty."""
    people: int
    """How many published people it is about."""
    prior: float | None = None
    """The probability before the inference, where the attack knows one."""
    lift: float | None = None
    """How many times the population rate the confidence is, where the attack knows a rate."""
    how: str | None = None
    """Which part of the attack says so, where it has several."""
    eliminated: tuple[str, ...] = ()
    """What the attack takes for added, where it tells the added from the original."""
    degree: int | None = None
    """How many friends the person is known to have; then ``known`` ends in the words for it."""
    friends: tuple[int, ...] = ()
    """How many friends some friends of the person are known to have, ascending; told there too."""

    person: int | None = field(default=None, repr=False)
    """Which record of the private data it is about, where the attack knows people by name."""

    def record(self) -> dict[str, Any]:
        """Return the claim as a plain mapping; never whom of the private data it is about."""
        return (
            {
                "release": self.release,
                "row": self.row,
                "known": list(self.known),
                "inferred": list(self.inferred),
                "confidence": self.confidence,
                "people": self.people,
            }
            | {
                name: getattr(self, name)
                for name in ("prior", "lift", "how", "degree")
                if getattr(self, name) is not None
            }
            | {
                name: list(getattr(self, name))
                for name in ("eliminated", "friends")
                if getattr(self, name)
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that an attack claims, worst first, with numbers that sum it up."""

    attack: str
    """The attack's name in the catalog."""
    claims: tuple[Claim, ...]
    """The claims, worst first."""
    summary: Mapping[str, int | float | str] = field(default_factory=dict)
    """Numbers about the whole."""
    not_run: str = ""
    """Why nothing was attacked; empty where something was."""
    not_tried: str = ""
    """What it left untried though somebody could do it; empty where there is nothing."""

    def __len__(self) -> int:
        return len(self.claims)

    def __repr__(self) -> str:
        # never the claims: there may be a hundred thousand, and a representation ends up in logs
        return f"Findings({self.attack}: {counted(len(self.claims), 'claim')})"

    def record(self) -> dict[str, Any]:
        """Return the findings as a plain mapping."""
        return {
            "attack": self.attack,
            "summary": dict(self.summary),
            "not_run": self.not_run or None,
            "not_tried": self.not_tried or None,
            "claims": [claim.record() for claim in self.claims],
        }


def in_percent(confidence: float) -> str:
    """Write a confidence or a share; it is never rounded up, so that only certainty is 100.

    >>> in_percent(0.9996), in_percent(1.0)
    ('99.9 %', '100 %')
    """
    return "100 %" if confidence == 1 else f"{int(1000 * confidence) / 10:.1f} %"


def rounded_percent(share: float) -> str:
    """Write a share for a sentence, in whole percent; what is small is not told as nothing.

    >>> rounded_percent(0.0), rounded_percent(0.004), rounded_percent(0.126)
    ('0 %', 'less than 1 %', '13 %')
    """
    return f"{100 * share:.0f} %" if not 0 < share < 0.005 else "less than 1 %"


def counted(number: int, thing: str) -> str:
    """Write how many things there are.

    >>> counted(1, "claim"), counted(2_000, "claim")
    ('1 claim', '2,000 claims')
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
