"""Whether a release should go out: stated rules over what was found, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypeAlias, get_args

from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.release import TAKEN
from discreet.study.examine import Attempt, Examination
from discreet.study.usefulness import RULE, remarks_on_use

__all__ = ["RULES", "Judgement", "Level", "Reason", "judged"]

Level: TypeAlias = Literal["release", "release with care", "do not release"]
"""What to do, from the mildest to the gravest."""
GRAVE: Final = 0.25
"""An attack so far above what anybody could guess forbids a release."""
NOTABLE: Final = 0.05
"""One so far above it asks for care."""
LIKELY: Final = 0.9
"""An unscored claim of this confidence asks for care."""

RULES: Final = (
    "A promise that the verifier finds broken: do not release.",
    "Chance that can be repeated (a seed): do not release.",
    f"An attack that is right about people, or finds their very rows, at least {GRAVE:.0%} more "
    "often than the base rate, by the lower end of its 95 % interval: do not release.",
    f"The same from {NOTABLE:.0%} on, and any such attack where the release promises differential "
    "privacy, which bounds what taking part adds and lets the population speak: release with care.",
    f"Claims of a confidence from {LIKELY:.0%} on that could not be scored: release with care.",
    "No attack that could be tried: release with care.",
    "No promise at all, or none that could be checked: release with care.",
    "A universe of items that was taken from the data: release with care.",
    "Otherwise: release.",
    RULE,
)
"""The rules, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One rule that applies."""

    level: Level
    """What it asks for."""
    words: str
    """Why; it names no item and no record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What to do with a release, and why."""

    reasons: tuple[Reason, ...]
    """The rules that apply, the gravest first."""
    remarks: tuple[str, ...] = ()
    """What does not change the verdict: that next to nothing is left to use."""

    @property
    def level(self) -> Level:
        """The gravest of the reasons."""
        return max((reason.level for reason in self.reasons), key=_gravity, default="release")

    def record(self) -> dict[str, Any]:
        """Return the judgement as a plain mapping."""
        return {
            "verdict": self.level,
            "reasons": [{"level": each.level, "why": each.words} for each in self.reasons],
            "remarks": list(self.remarks),
            "rules": list(RULES),
        }


def judged(found: Examination) -> Judgement:
    """Judge a release by the rules."""
    reasons = [*_of_promises(found), *_of_manifest(found), *_of_attacks(found)]
    return Judgement(
        reasons=tuple(sorted(reasons, key=lambda reason: _gravity(reason.level), reverse=True)),
        remarks=tuple(remarks_on_use(found.measured)),
    )


def _gravity(level: Level) -> int:
    return get_args(Level).index(level)


def _of_promises(found: Examination) -> Iterator[Reason]:
    for verdict in found.verdicts.parts:
        if verdict.holds is False:
            name = type(verdict.guarantee).__name__
            yield Reason(level="do not release", words=f"the promise {name} is broken")
    if not found.verdicts.parts:
        yield Reason(level="release with care", words="nothing is promised")
    elif found.verdicts.holds is None:
        yield Reason(level="release with care", words="no promise could be checked from here")


def _of_manifest(found: Examination) -> Iterator[Reason]:
    manifest = found.release.manifest
    if manifest.seeded:
        words = "its chance was seeded, so whoever learns the seed can undo it"
        yield Reason(level="do not release", words=words)
    if manifest.universe == TAKEN:
        words = "which items occur became visible and is not covered by the promise"
        yield Reason(level="release with care", words=words)


def _of_attacks(found: Examination) -> Iterator[Reason]:
    if all(attempt.findings is None for attempt in found.attempts):
        yield Reason(level="release with care", words="no attack could be tried")
    for attempt in found.attempts:
        if attempt.findings and attempt.findings.claims:
            judge = _unscored if attempt.score is None else partial(_scored, found)
            yield from judge(attempt)


def _unscored(attempt: Attempt) -> Iterator[Reason]:
    claims = attempt.findings.claims if attempt.findings else ()
    sure = sum(claim.confidence >= LIKELY for claim in claims)
    if sure:
        words = (
            f"{attempt.entry.name} makes {sure:,} claims of a confidence of {LIKELY:.0%} or more"
        )
        yield Reason(level="release with care", words=words)


def _scored(found: Examination, attempt: Attempt) -> Iterator[Reason]:
    bounded = any(isinstance(claim, DifferentialPrivacy) for claim in found.release.guarantees)
    for gain in attempt.score.gains() if attempt.score else ():
        if gain.surely >= NOTABLE:
            grave = gain.surely >= GRAVE and not bounded
            level: Level = "do not release" if grave else "release with care"
            words = (
                f"{attempt.entry.name} {gain.words.format(share=f'{gain.success.share:.0%}')}, "
                f"where the base rate alone gives {gain.chance:.0%}"
            )
            yield Reason(level=level, words=words)
