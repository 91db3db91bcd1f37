"""The answer of a verifier: it holds, it is broken, or it cannot be told."""

from dataclasses import dataclass
from typing import Any

from discreet.core.guarantee import Guarantee, record_of

__all__ = ["Verdict", "Verdicts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found about one guarantee."""

    guarantee: Guarantee
    """The claim."""
    holds: bool | None
    """True, False, or None where it cannot be told."""
    checked: str
    """What was checked and how, or what would be needed to check it."""
    witness: str | None = None
    """A counterexample where the claim is broken; it names items, so it is for the owner."""

    def record(self) -> dict[str, Any]:
        """Return the verdict as a plain mapping."""
        return {
            "guarantee": record_of(self.guarantee),
            "holds": self.holds,
            "checked": self.checked,
            "witness": self.witness,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """The verdicts on all guarantees of a release, and the whole."""

    parts: tuple[Verdict, ...]
    """One verdict for each guarantee."""

    @property
    def holds(self) -> bool | None:
        """False if one is False; True if one was checked and holds; None if nothing could be."""
        told = [part.holds for part in self.parts if part.holds is not None]
        return all(told) if told else None

    @property
    def witness(self) -> str | None:
        """The first counterexample, if there is one."""
        return next((part.witness for part in self.parts if part.holds is False), None)

    @property
    def untold(self) -> tuple[Guarantee, ...]:
        """The guarantees that could not be told."""
        return tuple(part.guarantee for part in self.parts if part.holds is None)

    def record(self) -> dict[str, Any]:
        """Return the verdicts as a plain mapping."""
        return {"holds": self.holds, "guarantees": [part.record() for part in self.parts]}
