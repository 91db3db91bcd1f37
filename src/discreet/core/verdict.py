"""The answer of a verifier: it holds, it is broken, or it cannot be checked."""

from dataclasses import dataclass
from typing import Any, NoReturn

from discreet.core.guarantee import Guarantee, record_of
from discreet.core.release import Readme, Release


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found about one guarantee."""

    guarantee: Guarantee
    """The claim."""
    holds: bool | None
    """True, False, or None where it cannot be checked."""
    checked: str
    """What was checked and how, or what would be needed to check it."""
    witness: str | None = None
    """A counterexample where the claim is broken; it names items, so it is for the owner."""
    needs: tuple[str, ...] = ()
    """What was not handed in and would tell, as options, each by itself or the first of them."""

    def __bool__(self) -> NoReturn:
        msg = "a verdict has three possible answers: ask `verdict.holds is True`, not `if verdict`"
        raise TypeError(msg)

    def record(self) -> dict[str, Any]:
        """Return the verdict as a plain mapping."""
        return {
            "guarantee": record_of(self.guarantee),
            "holds": self.holds,
            "checked": self.checked,
            "witness": self.witness,
            "needs": list(self.needs),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """The verdicts on all guarantees of a release, and the whole."""

    parts: tuple[Verdict, ...]
    """One verdict for each guarantee."""
    seeded: bool = False
    """Whether the chance of the release can be repeated, so that the whole promises nothing."""
    unlisted: tuple[str, ...] = ()
    """What lies in the folder of the release and not in its manifest: no promise is about it."""
    readme: Readme = "as the manifest says"
    """Whether the README.txt of the release promises what its manifest does."""

    @classmethod
    def on(cls, release: Release[Any], parts: tuple[Verdict, ...]) -> "Verdicts":
        """Return the verdicts on a release: those on its promises, and what its folder shows."""
        return cls(
            parts=parts,
            seeded=release.manifest.seeded,
            unlisted=release.unlisted,
            readme=release.readme,
        )

    @property
    def holds(self) -> bool | None:
        """Whether the release keeps its promises: as its parts say, None where it was seeded.

        A folder that holds more than its manifest lists keeps none, and neither does one whose
        README.txt promises something else.
        """
        if self.unlisted or self.readme == "not as the manifest says":
            return False
        return None if self.seeded and self.by_parts else self.by_parts

    @property
    def by_parts(self) -> bool | None:
        """What the parts say, whatever the chance: for studies, which are seeded.

        False if one is False; None if nothing could be checked, or something could with what was
        not handed in; True otherwise.
        """
        answers = [verdict.holds for verdict in self.parts if verdict.holds is not None]
        if not answers or (all(answers) and self.needs):
            return None
        return all(answers)

    @property
    def needs(self) -> tuple[str, ...]:
        """What was not handed in and would tell of a promise that is open."""
        return tuple(dict.fromkeys(need for verdict in self.parts for need in verdict.needs))

    @property
    def witness(self) -> str | None:
        """The first counterexample, if there is one."""
        return next((verdict.witness for verdict in self.parts if verdict.holds is False), None)

    @property
    def untold(self) -> tuple[Guarantee, ...]:
        """The guarantees that could not be checked."""
        return tuple(verdict.guarantee for verdict in self.parts if verdict.holds is None)

    def __bool__(self) -> NoReturn:
        msg = "a verdict has three possible answers: ask `verdict.holds is True`, not `if verdict`"
        raise TypeError(msg)

    def record(self) -> dict[str, Any]:
        """Return the verdicts as a plain mapping."""
        return {
            "holds": self.holds,
            "by_parts": self.by_parts,
            "seeded": self.seeded,
            "unlisted": list(self.unlisted),
            "readme": self.readme,
            "needs": list(self.needs),
            "guarantees": [verdict.record() for verdict in self.parts],
        }
