"""Whether a release should go out: stated rules over what was found, and nothing else.

There is one verdict, and console, page and JSON show it. A rule can only add a reason, and the
gravest reason is the verdict: what is wrong, missing or not checked never makes it milder, but for
what only the truth can show (docs/decisions/0012-one-verdict.md).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from discreet.core.findings import Claim, counted, rounded_percent
from discreet.core.guarantee import (
    VOID_EPSILON,
    WEAK_EPSILON,
    DifferentialPrivacy,
    epsilon_of,
    spoken,
)
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import TAKEN, Release
from discreet.core.score import Advantage, Rate
from discreet.study.alternatives import remarks_on_alternatives
from discreet.study.examine import Attempt, Examination
from discreet.study.hidden_items import HiddenItems
from discreet.study.usefulness import remarks_on_content, remarks_on_use
from discreet.study.verdict_rules import (
    CARE,
    FEWEST,
    GRAVE,
    LIKELY,
    NO,
    NOTABLE,
    RULES,
    Level,
)
from discreet.study.void_promises import people_in, promises_nothing

AT_THEIR_WORD: Final = "and nothing was provided that could prove it wrong"
"""What is said of claims that are taken for true because they were not scored."""
UNPROVED: Final = "and the data that would prove it wrong came without a key that confirms them"
"""What is said of claims that are taken for true because anything may have been handed in."""
MAY_BE_CHANCE: Final = "; these are so few people that it may be chance"
"""What is said of an attack that is right far more often than others, about few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One rule that applies."""

    level: Level
    """What it asks for."""
    words: str
    """Why; it names no item and no record."""
    public: str = ""
    """The same without numbers, where they are computed from the private data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What to do with a release, and why."""

    reasons: tuple[Reason, ...]
    """The rules that apply, the gravest first."""
    unchecked: tuple[str, ...] = ()
    """What was not checked, in words: no verdict speaks for it."""
    remarks: tuple[str, ...] = ()
    """What does not change the verdict: that next to nothing is left to use."""
    private_remarks: tuple[str, ...] = ()
    """The same by measures of the private data."""

    @property
    def level(self) -> Level:
        """The gravest of the reasons."""
        return gravest(reason.level for reason in self.reasons)

    def record(self, *, private: bool = True) -> dict[str, Any]:
        """Return the judgement as a plain mapping, without ``private`` numbers where asked."""
        answers = [
            {"level": each.level, "why": each.words if private else each.public or each.words}
            for each in self.reasons
        ]
        return {
            "verdict": self.level,
            "reasons": answers,
            "unchecked": list(self.unchecked),
            "remarks": [*self.remarks, *(self.private_remarks if private else ())],
            "rules": list(RULES),
        }


def judged(examination: Examination, *, study: bool = False) -> Judgement:
    """Judge a release by the rules; a ``study`` is seeded, and its releases are not for anybody.

    Parameters
    ----------
    examination
        What was seen.
    study
        Whether it is a setting of a study.

    Returns
    -------
    Judgement
        The level and the reasons for it.
    """
    reasons = [
        *_of_promises(examination),
        *_of_manifest(examination, study=study),
        *_of_epsilon(examination),
        *_of_attacks(examination, study=study),
        *(Reason(level=CARE, words=words) for words in examination.shelf or ()),
        # a study measures the very data it has published
        *(() if study else _of_truth(examination)),
    ]
    return Judgement(
        reasons=tuple(sorted(reasons, key=lambda reason: _gravity(reason.level), reverse=True)),
        unchecked=(*_unchecked(examination), *(() if study else _unbooked(examination))),
        remarks=tuple(remarks_on_content(examination.release)),
        private_remarks=(
            *remarks_on_use(examination.measured),
            *remarks_on_alternatives(
                examination.release, examination.measured, examination.alternatives
            ),
        ),
    )


def gravest(levels: Iterable[Level]) -> Level:
    """Return the verdict that reasons of these levels make.

    Raises
    ------
    ValueError
        Where a level is none of the three.
    """
    return max(levels, key=_gravity, default="release")


def _gravity(level: Level) -> int:
    return get_args(Level).index(level)


def _of_promises(examination: Examination) -> Iterator[Reason]:
    verdicts = examination.verdicts.parts
    for verdict in verdicts:
        name = spoken(type(verdict.guarantee).__name__)
        if verdict.holds is False:
            yield Reason(level=NO, words=f"the promise {name} is broken")
        elif verdict.holds is None and verdict.needs:
            words = f"the promise {name} was not checked: it needs {', '.join(verdict.needs)}"
            yield Reason(level=CARE, words=words)
        elif verdict.holds is None and not isinstance(verdict.guarantee, DifferentialPrivacy):
            yield Reason(level=CARE, words=f"the promise {name} could not be checked")
    promised = [v for v in verdicts if not promises_nothing(v.guarantee, examination.release)]
    if not promised:
        words = "nothing is promised that not any data would keep as they are"
        yield Reason(level=CARE, words=words if verdicts else "nothing is promised")
    elif all(verdict.holds is None for verdict in verdicts):
        yield Reason(level=CARE, words="no promise could be checked from here")


def _of_manifest(examination: Examination, *, study: bool) -> Iterator[Reason]:
    manifest = examination.release.manifest
    if manifest.seeded and not study:
        words = "its randomness was seeded, so anyone who learns the seed can undo it"
        yield Reason(level=NO, words=words)
    if manifest.universe == TAKEN:
        words = "the release reveals which items occur, and its promise does not cover that"
        yield Reason(level=CARE, words=words)
    people = people_in(examination.release)
    if people and people < FEWEST:
        words = f"it is about fewer than {FEWEST} people, among whom nobody can be hidden"
        yield Reason(level=NO, words=words)
    if examination.release.unlisted:
        count = len(examination.release.unlisted)
        files = "a file in its folder is" if count == 1 else f"{count:,} files in its folder are"
        words = f"{files} not listed in its manifest, so nobody vouches for what is there"
        yield Reason(level=NO, words=words)
    if examination.release.readme == "not as the manifest says":
        words = "its README.txt does not say what its manifest says"
        yield Reason(level=NO, words=words)
    if examination.release.readme == "not compared":
        words = "its README.txt is by another version of discreet, and its words were not compared"
        yield Reason(level=CARE, words=words)
    yield from _of_hidden_items(examination.hidden)


def _of_hidden_items(items: HiddenItems) -> Iterator[Reason]:
    if items.exposed:
        words = f"{len(items.exposed):,} items named as sensitive are not protected by the release"
        yield Reason(level=NO, words=words)
    if items.undeclared:
        words = (
            f"{len(items.undeclared):,} items are named as sensitive, and the release does not "
            "say that it protects any"
        )
        yield Reason(level=CARE, words=words)
    if items.unnamed:
        words = (
            f"the release protects {len(items.unnamed):,} items that are not among those named "
            "as sensitive: the lists differ"
        )
        yield Reason(level=CARE, words=words)


def _of_epsilon(examination: Examination) -> Iterator[Reason]:
    epsilon = float(epsilon_of(examination.release.guarantees) or 0)
    if epsilon > WEAK_EPSILON:
        limit = VOID_EPSILON if epsilon > VOID_EPSILON else WEAK_EPSILON
        words = f"an epsilon of {epsilon:g}, above {limit}, protects next to nothing"
        yield Reason(level=NO if epsilon > VOID_EPSILON else CARE, words=words)


def _of_attacks(examination: Examination, *, study: bool) -> Iterator[Reason]:
    if all(attempt.findings is None for attempt in examination.attempts):
        yield Reason(level=CARE, words="no attack was run")
    for attempt in examination.attempts:
        if attempt.findings is not None and attempt.findings.not_tried:
            words = f"{_named(attempt)} did not try {attempt.findings.not_tried}"
            yield Reason(level=CARE, words=words)
        if attempt.findings and attempt.findings.claims:
            yield from _of_claims(attempt, examination, study=study)


def _of_claims(attempt: Attempt, examination: Examination, *, study: bool) -> Iterator[Reason]:
    """Judge by the score; without one, or where data of anybody gave it, believe the claims."""
    epsilon = epsilon_of(examination.release.guarantees)
    bounded = epsilon is not None and epsilon <= WEAK_EPSILON
    scored = list(_scored(attempt, bounded=bounded))
    yield from scored
    if attempt.score is None:
        yield from _unscored(attempt, examination.release, bounded=bounded, why=AT_THEIR_WORD)
    elif examination.truth != "confirmed" and not (study or bounded):
        reached = _gravity(gravest(reason.level for reason in scored))
        for reason in _unscored(attempt, examination.release, bounded=False, why=UNPROVED):
            if _gravity(reason.level) > reached:
                yield reason


def _unscored(
    attempt: Attempt, release: Release[Any], *, bounded: bool, why: str
) -> Iterator[Reason]:
    """Take claims at their word that nothing was handed in to prove wrong.

    Otherwise who leaves the original out would get a milder verdict.
    """
    claims = attempt.findings.claims if attempt.findings else ()
    last = attempt.releases
    for advantage in _as_claimed([claim for claim in claims if claim.release == last]):
        level = _level(advantage, bounded=bounded)
        if level is not None:
            few = MAY_BE_CHANCE if advantage.low < NOTABLE else ""
            words = (
                f"{_named(attempt)} claims to be right about "
                f"{rounded_percent(advantage.success.share)} of the people it makes claims about, "
                f"{advantage.words}, {why}{few}"
            )
            yield Reason(level=level, words=words)
    sure = [claim for claim in claims if claim.confidence >= LIKELY]
    rows = {claim.row for claim in sure if claim.release == last and _tells_more(claim)}
    share = len(rows) / max(1, _rows(release))
    if sure:
        about = f", on {rounded_percent(share)} of the rows" if rows else ""
        words = (
            f"{_named(attempt)} makes {counted(len(sure), 'claim')} with a confidence of "
            f"{rounded_percent(LIKELY)} or more{about}, {why}"
        )
        yield Reason(level=NO if share >= GRAVE and not bounded else CARE, words=words)


def _as_claimed(claims: Sequence[Claim]) -> Iterator[Advantage]:
    """Yield how far claims are above the base rate by what they say of both themselves.

    A sure claim that does not say how likely it was before is taken for one that nobody could have
    guessed: the original would tell, and whoever leaves it out must not gain by that.
    """
    stated = [claim for claim in claims if claim.prior is not None]
    unstated = [claim for claim in claims if claim.prior is None and claim.confidence >= LIKELY]
    for group in (stated, unstated):
        if people := sum(claim.people for claim in group):
            success = sum(claim.people * claim.confidence for claim in group) / people
            before = sum(claim.people * (claim.prior or 0.0) for claim in group) / people
            base = f"where the base rate alone gives {rounded_percent(before)}"
            yield Advantage(
                words=base if group is stated else "and does not say how often a guess would be",
                success=Rate(share=success, people=people),
                baseline=Rate(share=before, people=people),
            )


def _tells_more(claim: Claim) -> bool:
    """Whether a claim is so far above what the attacker would have guessed before."""
    return claim.prior is None or claim.confidence - claim.prior >= GRAVE


def _rows(release: Release[Any]) -> int:
    """Return how many rows the largest table of a release has, which claims are about."""
    content = release.content
    if isinstance(content, ProjectedTables):
        return max((table.height for table in content.parts), default=0)
    return len(content)


def _scored(attempt: Attempt, *, bounded: bool) -> Iterator[Reason]:
    for advantage in attempt.score.advantages if attempt.score else ():
        level = _level(advantage, bounded=bounded)
        if level is not None:
            few = MAY_BE_CHANCE if advantage.low < NOTABLE else ""
            share = rounded_percent(advantage.success.share)
            words = (
                f"{_named(attempt)} {advantage.words.format(share=share)}, "
                f"where the base rate alone gives {rounded_percent(advantage.baseline.share)}{few}"
            )
            public = f"{_named(attempt)} is right about people more often than the base rate"
            yield Reason(level=level, words=words, public=public if bounded else "")


def _level(advantage: Advantage, *, bounded: bool) -> Level | None:
    """Return what an attack asks for that is so far above the base rate; None for nothing."""
    if advantage.low >= NOTABLE:
        return NO if advantage.low >= GRAVE and not bounded else CARE
    # too few people to tell it from chance: that it was none is not shown either
    return CARE if advantage.mean >= GRAVE and not bounded else None


def _named(attempt: Attempt) -> str:
    name = f"{attempt.entry.name} ({attempt.choice})" if attempt.choice else attempt.entry.name
    if attempt.releases == 1:
        return name
    about = ", about everybody in them," if attempt.whole_series else ""
    return f"{name} on {attempt.releases} releases{about}"


def _of_truth(examination: Examination) -> Iterator[Reason]:
    if examination.truth is None:
        yield Reason(
            level=CARE, words=("the original data were not provided, so no claim could be scored")
        )
    elif examination.truth != "confirmed":
        words = "no linkage key confirms that these original data are what was published"
        yield Reason(level=CARE, words=words)


def _unbooked(examination: Examination) -> Iterator[str]:
    if examination.shelf is None:
        yield (
            "what else was published about the same people: no population was named (publish "
            "--people, audit --people)"
        )


def _unchecked(examination: Examination) -> Iterator[str]:
    for verdict in examination.verdicts.parts:
        if verdict.holds is None:
            yield f"promise {spoken(type(verdict.guarantee).__name__)}: {verdict.checked}"
    for attempt in examination.attempts:
        if attempt.findings is None:
            yield f"attack {_named(attempt)} was not run: {attempt.reason}"
        elif attempt.findings.claims and attempt.score is None:
            yield f"attack {_named(attempt)} was not scored: {attempt.reason}"
        if attempt.findings is not None and attempt.findings.not_tried:
            yield f"attack {_named(attempt)} did not try {attempt.findings.not_tried}"
    yield from _uncounted_risk(examination.risk)


def _uncounted_risk(risk: Mapping[str, Any]) -> Iterator[str]:
    nothing = [risk["not_counted"]] if "not_counted" in risk else []
    for words in (*nothing, *risk.get("left_open", ())):
        yield f"re-identification risk: {words}"
