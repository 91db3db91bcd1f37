"""``discreet verify RELEASE``: whether a release keeps what it promises."""

from typing import TYPE_CHECKING, Any

import click

from discreet.catalog.reading import ChosenEngine
from discreet.cli import show
from discreet.cli.certify import Certified, checked
from discreet.cli.engine import EngineChoice
from discreet.cli.options import command, filled, readings
from discreet.cli.sections import Evidence
from discreet.cli.truth import read_original
from discreet.core.release import Release

if TYPE_CHECKING:
    from discreet.core.verdict import Verdicts


def _run(*, release: str | None, json: bool, **typed: Any) -> int:
    options = filled(Certified, typed)
    if options.certificate is not None or options.public_key is not None:
        return _certified(release, options, json=json)
    if release is None:
        raise click.UsageError("Missing argument 'RELEASE'.")
    return _check_promises(release, json=json, typed=typed)


def _certified(release: str | None, options: Certified, *, json: bool) -> int:
    code, sentence = checked(release, options)
    certified = {0: True, 1: False, 3: None}[code]
    show.result({"certified": certified, "why": sentence}, sentence, json=json)
    return code


def _check_promises(release: str, *, json: bool, typed: dict[str, Any]) -> int:
    from discreet.verify import verify as verdicts_of

    evidence = filled(Evidence, typed)
    engine = filled(EngineChoice, typed).for_release(release)
    if engine and evidence.against is None:
        return _report(_by_engine(release, engine, evidence), json=json)
    with show.working(f"verifying {release}"):
        loaded = Release.load(release)
        verdicts = verdicts_of(
            loaded,
            against=read_original(loaded, evidence, typed),
            after=evidence.after,
            key=evidence.key,
            privacy=evidence.privacy,
        )
    return _report(verdicts, json=json)


def _by_engine(release: str, engine: ChosenEngine, evidence: Evidence) -> "Verdicts":
    """Check a release whose rows an engine counts."""
    from discreet import scale

    beside = {"after": evidence.after, "key": evidence.key, "privacy": evidence.privacy}
    with show.working(f"verifying {release}"):
        return scale.verify(release, engine=engine.name, memory=engine.memory, **beside)


def _report(verdicts: "Verdicts", *, json: bool) -> int:
    if json:
        show.as_json(verdicts.record())
    else:
        _tell(verdicts)
    return {True: 0, False: 1, None: 3}[verdicts.holds]


def _tell(verdicts: "Verdicts") -> None:
    answers = {True: "holds", False: "BROKEN", None: "cannot be checked from the file"}
    summary = {
        True: "The release keeps its promises, as far as they can be checked.",
        False: "The release BREAKS a promise.",
        None: "Nothing that this release promises can be checked from its files.",
    }
    if verdicts.unlisted:
        show.lines(
            "The release is BROKEN: its folder contains files that its manifest does not list:"
        )
        show.lines(*(f"  {name}" for name in verdicts.unlisted))
    elif verdicts.readme == "not as the manifest says":
        show.lines("The release is BROKEN: its README.txt does not say what its manifest says.")
    elif verdicts.seeded and verdicts.holds is None:
        show.lines(
            "NOT FOR PUBLICATION: its randomness was seeded, and anyone who learns the seed can"
        )
        show.lines("undo it. The promises one by one:")
    elif verdicts.needs and verdicts.holds is None:
        show.lines(f"Not decided yet: checking a promise needs {', '.join(verdicts.needs)}.")
    else:
        show.lines(summary[verdicts.holds])
    if verdicts.readme == "not compared":
        show.lines(
            "Its README.txt is by another version of discreet, and its words were not compared.",
        )
    for verdict in verdicts.parts:
        show.heading(f"{type(verdict.guarantee).__name__}: {answers[verdict.holds]}")
        show.lines(f"  promise: {verdict.guarantee.promise}", f"  checked: {verdict.checked}")
        if verdict.witness:
            show.lines(f"  witness: {verdict.witness}")


verify = command(
    "verify",
    _run,
    arguments=[click.Argument(["release"], metavar="RELEASE", required=False)],
    sections={
        "Evidence": Evidence,
        "A certificate": Certified,
        "Who counts": EngineChoice,
        **readings("Reading the original data"),
    },
    about=(
        "Check the promises of RELEASE, independently of the method that made it. Exit code 0: "
        "every promise that can be checked holds, 1: one is broken, 3: undecided, because "
        "nothing can be checked from the files, a check needs more evidence, or the release was "
        "seeded. With --certificate, check whether RELEASE and its audit are the ones that were "
        "signed."
    ),
)
