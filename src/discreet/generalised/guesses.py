"""What guesses about single records are worth, through the owner's key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from discreet.core.findings import Findings
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.generalised.readable import Readable
from discreet.measure.score import Gain, Rate, one_for_each

__all__ = ["Guesses", "score_commonest", "score_singled_out"]

Releases = Sequence[Release[GeneralisedSets | Transactions]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guesses:
    """How often guesses about records are right, beside guesses at random."""

    claims: int
    """Guesses scored."""
    does: str
    """What the attack does, with the place of ``{share}``."""
    shares: tuple[tuple[str, Rate], ...]
    """The shares that matter, the last of them the success."""
    chance: float
    """How often a guess at random would have been right."""

    @property
    def success(self) -> Rate:
        """How often the attack is right."""
        return self.shares[-1][1]

    def rates(self) -> list[tuple[str, Rate]]:
        """Return the shares that matter, and chance beside them."""
        random = Rate(share=self.chance, people=self.success.people)
        return [*self.shares, ("at random it would have been", random)]

    def gains(self) -> list[Gain]:
        """Return the success beside chance."""
        return [Gain(words=self.does, success=self.success, chance=self.chance)]

    def remarks(self) -> list[str]:
        """Return whether the attack does worse than chance."""
        worse = self.success.people > 0 and self.success.high < self.chance
        return ["It does worse than a guess at random."] if worse else []

    def record(self) -> dict[str, Any]:
        """Return the score as a plain mapping."""
        return {
            "claims": self.claims,
            "success": self.success.record(),
            "chance": self.chance,
            "shares": [{"what": words} | rate.record() for words, rate in self.shares],
        }


def score_commonest(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Releases,
    keys: Sequence[LinkageKey],
) -> Guesses:
    """Score the kept members of generalised items by what the person behind each record holds."""
    one_for_each(truth, releases, keys)
    read = [Readable.of(release.content) for release in releases]
    held = [each.held(people, key) for each, people, key in zip(read, truth, keys, strict=True)]
    right, chance, people = 0, 0.0, set()
    for claim in findings.claims:
        own = held[claim.release][claim.row]
        members = (*claim.inferred, *claim.eliminated)
        right += claim.inferred[0] in own
        chance += len(own.intersection(members)) / len(members)
        people.add((claim.release, claim.row))
    many = max(1, len(findings.claims))
    words = "of the kept members are the person's own"
    rate = Rate(share=right / many, people=len(people))
    does = "keeps the right member of {share} of the generalised items it guesses"
    return Guesses(
        claims=len(findings.claims), does=does, shares=((words, rate),), chance=chance / many
    )


def score_singled_out(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Releases,
    keys: Sequence[LinkageKey],
) -> Guesses:
    """Score records that are singled out: right where the person behind one has what is known."""
    one_for_each(truth, releases, keys)
    read = [Readable.of(release.content) for release in releases]
    held = [each.held(people, key) for each, people, key in zip(read, truth, keys, strict=True)]
    means = [dict(zip(each.sets.vocabulary, each.members, strict=True)) for each in read]
    needed: list[int] = []
    for claim in findings.claims:
        own, meaning = held[claim.release][claim.row], means[claim.release]
        if any(name not in meaning for name in claim.known):
            msg = "the claims must be about this release, and they name what is not in it"
            raise DataError(msg)
        if all(own.intersection(meaning[name]) for name in claim.known):
            needed.append(len(claim.known))
    people = sum(len(each.sets) for each in read)
    shares = tuple(
        (
            f"of all people are singled out by up to {size} known items",
            Rate(share=sum(each <= size for each in needed) / max(1, people), people=people),
        )
        for size in range(1, max([1, *needed]) + 1)
    )
    does = f"singles out {{share}} of all people by up to {max([1, *needed])} known items"
    return Guesses(claims=len(findings.claims), does=does, shares=shares, chance=1 / max(1, people))
