"""Everything that can be said about one release: promised, checked, attacked, measured."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from discreet.catalog import Entry, entries, measured, measures_of, scorer_of
from discreet.core.constraints import Constraints
from discreet.core.emptiness import without_rows
from discreet.core.findings import Findings
from discreet.core.guarantee import spoken
from discreet.core.network import people_of
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.core.truth import confirmed, refuse_key_of_another
from discreet.core.verdict import Verdicts
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.measure import Score
from discreet.risk import Population, release_risk
from discreet.study.alternatives import alternatives
from discreet.study.counting_loss import common_loss
from discreet.study.hidden_items import HiddenItems, compared
from discreet.verify import verify


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the owner can lay beside a release; an auditor has none of it."""

    original: Any = None
    """The private data."""
    key: LinkageKey | None = None
    """Which record is behind which row."""
    control: Any = None
    """Data of people who are not in the release, to tell what is learned of everybody."""
    earlier: Sequence[Release[Any]] = ()
    """The releases that came before, oldest first."""
    earlier_originals: Sequence[Any] = ()
    """The private data behind the earlier releases, in their order."""
    earlier_keys: Sequence[LinkageKey] = ()
    """Their keys, in their order."""
    privacy: Constraints | None = None
    """The owner's privacy constraints."""
    secrets: frozenset[str] = frozenset()
    """Items that the owner names as sensitive, beside those that the private data name."""
    population: Population | None = None
    """What is known of the population; None: the risks are not counted."""
    shelf: tuple[str, ...] | None = None
    """What the shelf of these people says against the release; None: no shelf was asked."""


Truth: TypeAlias = Literal["confirmed", "on trust", "without key"]
"""What the original was held against: digests in the linkage key, a key without them, nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attack, and what came of it."""

    entry: Entry
    """The attack."""
    findings: Findings | None = None
    """What it claims; None where it could not be tried."""
    score: Score | None = None
    """What the claims are worth; None without the truth."""
    reason: str = ""
    """Why it was not run, or not scored."""
    needs: tuple[str, ...] = ()
    """What it needs to be run, as options."""
    choice: str = ""
    """Which of the choices that an audit tries it was run with, where there are several."""
    releases: int = 1
    """How many releases of a series it was run on."""
    whole_series: bool = False
    """Whether the score is about the people of all of them, not of the last alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What was found about one release."""

    release: Release[Any]
    """The release."""
    verdicts: Verdicts
    """Whether it keeps what it promises."""
    attempts: tuple[Attempt, ...]
    """Every attack that fits, tried or not."""
    measured: Mapping[str, Any] = field(default_factory=dict)
    """What was lost, by the name of the measure; empty without the original."""
    alternatives: Mapping[str, float] = field(default_factory=dict)
    """What trivial ways to publish would lose, as a share; empty without the original."""
    truth: Truth | None = None
    """Whether the original is known to be what was published; None without an original."""
    hidden: HiddenItems = field(default_factory=HiddenItems)
    """How what the owner names as sensitive and what the release hides differ."""
    risk: Mapping[str, Any] = field(default_factory=dict)
    """Re-identification risk; what is counted with the original is under ``occurring``."""
    shelf: tuple[str, ...] | None = None
    """What the shelf of these people says against it; None: no shelf was asked."""


INFORMED: Final = "an attacker who knows how common items are"
"""The choice of an attack that the frequencies of the original are handed to."""

NO_ROWS: Final = "there is nobody to attack: the release has no rows"
"""Why no attack is run on a release that was emptied."""

Method = tuple[Entry, Any, Any]
"""An attack of the catalog, its instance, and what the attacker knows."""


def examined(
    release: Release[Any], evidence: Evidence, attacks: Sequence[Method] | None = None
) -> Examination:
    """Verify, attack and measure ``release`` with all that applies, as far as ``evidence`` goes.

    Parameters
    ----------
    release
        What would go out.
    evidence
        What lies beside it.
    attacks
        What is tried, each with its knowledge; None: all that apply.

    Returns
    -------
    Examination
        All that was seen.
    """
    chosen = applicable(release) if attacks is None else attacks
    _refuse_strangers(release, evidence.earlier)
    for key, each in zip(evidence.earlier_keys, evidence.earlier, strict=False):
        refuse_key_of_another(key, each)
    return Examination(
        release=release,
        verdicts=verify(
            release,
            against=evidence.original,
            after=tuple(evidence.earlier),
            key=evidence.key,
            privacy=evidence.privacy,
        ),
        attempts=_run_ones(tuple(_attempts(release, evidence, chosen))),
        measured={}
        if evidence.original is None or without_rows(release.content)
        else measures(release, evidence),
        alternatives={} if evidence.original is None else alternatives(evidence.original, release),
        truth=_truth(release, evidence),
        hidden=compared(release, evidence.secrets | _sensitive_in(evidence.original)),
        risk=_risk(release, evidence),
        shelf=evidence.shelf,
    )


def _risk(release: Release[Any], evidence: Evidence) -> dict[str, Any]:
    if evidence.population is None or without_rows(release.content):
        return {}
    return release_risk(
        release, evidence.population, original=evidence.original, control=evidence.control
    )


def _refuse_strangers(release: Release[Any], earlier: Sequence[Release[Any]]) -> None:
    """Refuse earlier releases of another kind, which no attack compares with this one."""
    kind = type(release.content)
    for number, each in enumerate(earlier, start=1):
        if type(each.content) is not kind:
            msg = (
                f"earlier releases must hold {spoken(kind.__name__)} as this one does, and number "
                f"{number} holds {spoken(type(each.content).__name__)}"
            )
            raise DataError(msg)


def _truth(release: Release[Any], evidence: Evidence) -> Truth | None:
    if evidence.original is None:
        return None
    if confirmed(evidence.key, evidence.original, release):
        return "confirmed"
    return "without key" if evidence.key is None else "on trust"


def _sensitive_in(original: Any) -> frozenset[str]:
    people = people_of(original)
    return people.sensitive if isinstance(people, Transactions) else frozenset()


def applicable(release: Release[Any]) -> list[Method]:
    """Return every attack on what ``release`` holds, with its defaults; None where it has none."""
    fitting = (entry for entry in entries("attack") if fits(entry, release))
    return [_with_defaults(entry) for entry in fitting]


def fits(entry: Entry, release: Release[Any]) -> bool:
    """Whether an attack is about what ``release`` holds."""
    return not entry.contents or type(release.content) in entry.contents


def _with_defaults(entry: Entry) -> Method:
    """Return an attack as it is without any choice; the instance is None where it needs one."""
    if any(parameter.required for parameter in (*entry.parameters, *entry.facts)):
        return entry, None, None
    return entry, entry.method(), entry.knowledge() if entry.knowledge else None


def _attempts(
    release: Release[Any], evidence: Evidence, chosen: Sequence[Method]
) -> Iterator[Attempt]:
    """Run each attack on the release, and where earlier ones are at hand on the series as well.

    What the release gives away by itself it gives away whatever came before. Where the data and
    the keys of the whole series are at hand, everybody in it is spoken of as well.
    """
    if without_rows(release.content):
        yield from (Attempt(entry=entry, reason=NO_ROWS) for entry, _, _ in chosen)
        return
    for method in chosen:
        yield from _variants([release], evidence, method)
        series = [*evidence.earlier, release] if evidence.earlier else []
        for tried in _variants(series, evidence, method) if series and method[1] else ():
            yield tried
            if tried.findings is not None and len(evidence.earlier_originals) == len(
                evidence.earlier
            ):
                score, reason = _scored_series(tried.findings, series, evidence)
                yield replace(tried, score=score, reason=reason, whole_series=True)


def _variants(
    releases: Sequence[Release[Any]], evidence: Evidence, method: Method
) -> Iterator[Attempt]:
    """Run an attack with each of the choices that an audit tries; once where it cannot be run."""
    entry, instance, knowledge = method
    for variant in entry.variants if instance is not None else ():
        chosen = replace(instance, **variant)
        tried = _attempt(releases, evidence, (entry, chosen, knowledge))
        if tried.findings is None:
            yield tried
            return
        yield replace(tried, choice=", ".join(f"{name} {value}" for name, value in variant.items()))
    if instance is None or not entry.variants:
        yield _attempt(releases, evidence, method)


def _run_ones(attempts: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
    """Leave out attempts that lacked something where the same attack was run with it."""
    ran = {(each.entry.name, each.releases) for each in attempts if each.findings is not None}
    return tuple(
        each
        for each in attempts
        if each.findings is not None or (each.entry.name, each.releases) not in ran
    )


def _attempt(releases: Sequence[Release[Any]], evidence: Evidence, method: Method) -> Attempt:
    entry, instance, knowledge = method
    count, parameters, choice = len(releases), (*entry.parameters, *entry.facts), ""
    if instance is None:
        needs = tuple(each.option for each in parameters if each.required)
        return Attempt(entry=entry, reason=f"needs {', '.join(needs)}", needs=needs)
    if entry.owner is not None and (evidence.original is None or evidence.key is None):
        message = "needs the original data and the linkage key"
        return Attempt(entry=entry, reason=message, needs=("--against", "--key"))
    try:
        if entry.owner is not None and evidence.key is not None:
            knowledge = entry.owner(evidence.original, evidence.key)
        elif entry.informed is not None and evidence.original is not None:
            given, knowledge = knowledge, entry.informed(knowledge, evidence.original)
            choice = (entry.informed_as or INFORMED) if knowledge is not given else ""
        findings = instance.attack(releases, knowledge)
    except (DataError, ParameterError, InfeasibleError) as error:
        options = {each.name: each.option for each in parameters}
        reason = error.message(lambda field: options.get(field, field))
        lacking = options.get(error.parameter or "")
        needs = (lacking,) if lacking else ()
        return Attempt(entry=entry, reason=reason, needs=needs, releases=count)
    if findings.not_run:
        said = findings.not_run.split()
        needs = tuple(each.option for each in parameters if each.name in said)
        return Attempt(entry=entry, reason=findings.not_run, needs=needs, releases=count)
    about_last = _about(findings, count)
    score, reason = _scored(about_last, releases[-1], evidence)
    return Attempt(
        entry=entry,
        findings=findings,
        score=score,
        reason=reason,
        choice=choice,
        releases=count,
    )


def _about(findings: Findings, number: int) -> Findings:
    """Return the claims about one release of a series, as if it were attacked by itself."""
    claims = [replace(each, release=1) for each in findings.claims if each.release == number]
    return replace(findings, claims=tuple(claims))


def _scored(
    findings: Findings, release: Release[Any], evidence: Evidence
) -> tuple[Score | None, str]:
    scorer = scorer_of([release], findings.attack)
    if evidence.original is None:
        return None, "without the original data its claims cannot be scored"
    if scorer is None or not isinstance(evidence.original, scorer.data):
        return None, "its claims cannot be scored against such data"
    keys = [evidence.key] if evidence.key else []
    try:
        return scorer(findings, [evidence.original], [release], keys, evidence.control), ""
    except DataError as error:
        return None, str(error)


def _scored_series(
    findings: Findings, series: Sequence[Release[Any]], evidence: Evidence
) -> tuple[Score | None, str]:
    """Score the claims about every release of a series, each through its data and its key."""
    scorer = scorer_of(series, findings.attack)
    truth = [*evidence.earlier_originals, evidence.original]
    if scorer is None or not all(isinstance(data, scorer.data) for data in truth):
        return None, "its claims about the series cannot be scored against such data"
    keys = [*evidence.earlier_keys, *([evidence.key] if evidence.key else [])]
    try:
        return scorer(findings, truth, series, keys), ""
    except DataError as error:
        return None, str(error)


def measures(release: Release[Any], evidence: Evidence) -> dict[str, Any]:
    """Return what was lost, by the name of the measure, as far as the evidence goes."""
    fitting = measures_of(release.content, type(evidence.original))
    numbers = measured(fitting, evidence.original, release, evidence.key)
    return common_loss(evidence.original, release, numbers) | numbers
