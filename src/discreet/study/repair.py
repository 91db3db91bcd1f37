"""What to do about a verdict: the cheapest step against each reason, as a command to type."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from discreet.catalog import Entry, find
from discreet.core.family import Answer
from discreet.core.guarantee import WEAK_EPSILON, epsilon_of
from discreet.core.release import TAKEN, Manifest
from discreet.errors import ParameterError
from discreet.study.examine import Attempt, Examination
from discreet.study.verdict_rules import NOTABLE

AGAIN: Final = "--out NEW"
SECRETS: Final = "--sensitive FILE"
AUDIT: Final = "discreet audit RELEASE --against DATA --key KEY --out PAGE.html"

BESIDE: Final = {"--after": "--after EARLIER", "--privacy": "--privacy FILE"}
"""What is laid beside a release besides its original and key, by what a promise needs."""


class Repair(NamedTuple):
    """One step."""

    words: str
    """What to do, as a clause."""
    command: str
    """What to type; DATA, RELEASE, KEY, EARLIER and NEW stand for files and folders."""
    price: str = ""
    """What it would lose, or that this was not measured; empty where it costs nothing."""


def repairs(examination: Examination) -> tuple[Repair, ...]:
    """Return what would answer the reasons of the verdict, what is gravest first.

    Parameters
    ----------
    examination
        What was seen.

    Returns
    -------
    tuple of Repair
        The repairs, the gravest reason first.
    """
    steps = (*_of_manifest(examination), *_of_attacks(examination), *_of_evidence(examination))
    return tuple(dict.fromkeys(steps))


def _of_manifest(examination: Examination) -> Iterator[Repair]:
    manifest = examination.release.manifest
    if examination.release.unlisted:
        words = "remove the files that the manifest does not list; this command names them"
        yield Repair(words, "discreet verify RELEASE")
    if examination.release.readme == "not as the manifest says":
        words = "publish it again, because its README.txt does not say what its manifest says"
        yield Repair(words, _same(manifest, {}))
    if any(verdict.holds is False for verdict in examination.verdicts.parts):
        yield Repair("publish it again, because it does not keep its promise", _same(manifest, {}))
    if manifest.seeded:
        yield Repair("publish it again without a seed", _same(manifest, {}))
    if examination.hidden.exposed:
        words = "name every sensitive item when publishing"
        yield Repair(words, f"{_same(manifest, {})} {SECRETS}")
    if (epsilon_of(examination.release.guarantees) or 0) > WEAK_EPSILON:
        words = f"publish it again with an epsilon of at most {WEAK_EPSILON}"
        yield Repair(words, _same(manifest, {"epsilon": str(WEAK_EPSILON)}))
    if manifest.universe == TAKEN:
        words = "publish it again over a public list of items"
        yield Repair(words, f"{_same(manifest, {})} --universe FILE")


def _of_attacks(examination: Examination) -> Iterator[Repair]:
    """Give the answers to attacks that succeed, to the most successful first."""
    ranked = sorted(examination.attempts, key=_advantage, reverse=True)
    for attempt in ranked:
        if _advantage(attempt) >= NOTABLE and attempt.entry.answer:
            yield _answered(attempt.entry.answer, examination.release.manifest)


def _advantage(attempt: Attempt) -> float:
    return max((each.low for each in attempt.score.advantages), default=0.0) if attempt.score else 0


def _answered(answer: Answer, manifest: Manifest) -> Repair:
    """Return the answer as a command; no promise about secrets is dropped without a word."""
    hides = bool(manifest.sensitive)
    step = _typed_out(answer.words, (hides and answer.hiding) or answer.command, manifest)
    entry = find(step.command.split()[2], "publisher")
    if not hides or entry.name == manifest.method:
        return step
    if BOUNDS_SECRETS.isdisjoint(parameter.name for parameter in entry.parameters):
        return step._replace(
            words=(
                f"{step.words}; unlike this release, it does not bound how surely secrets follow"
            )
        )
    return step._replace(command=step.command.replace(AGAIN, f"{SECRETS} {AGAIN}"))


def _typed_out(words: str, answer: str, manifest: Manifest) -> Repair:
    method, reads, *typed = answer.split()
    asked = dict(zip(typed[::2], typed[1::2], strict=True))
    now = _entry(manifest)
    options = {each.option for each in now.parameters} if now else set()
    if now and reads == "DATA" and asked.keys() <= options:
        command = _same(manifest, _values(now, asked, manifest))
        # where the method itself takes what helps, it stays; not where nothing would change
        if command != _same(manifest, {}) or now.name == method:
            return Repair(words, command)
    entry = find(method)
    values = _values(entry, asked, manifest)
    arguments = "".join(
        f" {each.option} {values[each.name]}" for each in entry.parameters if each.name in values
    )
    return Repair(words, f"discreet publish {entry.name} {reads}{arguments} {AGAIN}")


def _values(entry: Entry, asked: Mapping[str, str], manifest: Manifest) -> dict[str, str]:
    return {
        parameter.name: _value(parameter.name, asked[parameter.option], manifest.parameters)
        for parameter in entry.parameters
        if parameter.option in asked
    }


def _value(name: str, asked: str, now: Mapping[str, Any]) -> str:
    """Return what to type: as it is now, a step stricter, or what the answer says."""
    literal = asked.lstrip("=+")
    value = next((now[each] for each in (name, *ALIKE.get(name, ())) if now.get(each)), None)
    if value is None or not asked.startswith(("=", "+")):
        return literal
    return str(value) if asked.startswith("=") else STRICTER[name](Fraction(str(value)))


def _whole(step: Callable[[Fraction], Fraction]) -> Callable[[Fraction], str]:
    return lambda value: str(int(step(value)))


def _share(step: Callable[[Fraction], Fraction]) -> Callable[[Fraction], str]:
    return lambda value: f"{float(step(value)):.3g}"


BOUNDS_SECRETS: Final = frozenset({"rho", "h", "c"})
"""Parameters that bound how surely a secret may follow: of what is published by one of them."""
ALIKE: Final = {"h": ("rho", "c"), "p": ("known", "l", "m")}
"""What other methods call the same."""

STRICTER: Final[Mapping[str, Callable[[Fraction], str]]] = {
    "k": _whole(lambda k: 2 * k),
    "m": _whole(lambda m: m + 1),
    "p": _whole(lambda p: p + 1),
    "cluster_size": _whole(lambda people: 2 * people),
    "t": _share(lambda t: t / 2),
    "beta": _share(lambda beta: beta / 2),
    "r_th": _share(lambda times: (1 + times) / 2),
    "rewire": _share(lambda share: (1 + share) / 2),
}
"""One step stricter than a value, by the name of the parameter."""


def _same(manifest: Manifest, changed: Mapping[str, str]) -> str:
    """Return how the release was published, but for what is ``changed``."""
    entry = _entry(manifest)
    if entry is None:
        return f"discreet publish METHOD DATA {AGAIN}"
    chosen = {
        each.name: changed.get(each.name, manifest.parameters.get(each.name))
        for each in entry.parameters
    }
    arguments = [
        each.option if chosen[each.name] is True else f"{each.option} {chosen[each.name]}"
        for each in entry.parameters
        if _typed(chosen[each.name]) and chosen[each.name] != each.written_default
    ]
    reads = "RELEASE" if entry.data.__name__ == "Release" else "DATA"
    return " ".join(["discreet publish", entry.name, reads, *arguments, AGAIN])


def _typed(value: Any) -> bool:
    """Whether a value of a manifest is what a person typed, not what a file held."""
    return isinstance(value, str | int | float) and value is not False


def _entry(manifest: Manifest) -> Entry | None:
    try:
        return find(manifest.method, "publisher")
    except ParameterError:
        # made by something that is not on offer here
        return None


def _of_evidence(examination: Examination) -> Iterator[Repair]:
    needs = examination.verdicts.needs
    if examination.truth != "confirmed" or needs:
        beside = [BESIDE[need] for need in needs if need in BESIDE]
        command = " ".join([AUDIT, *beside])
        yield Repair("audit it again with what the verdict lacks", command)
