"""``discreet audit RELEASE``: everything that can be said about a release, on one page."""

import hashlib
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from discreet.catalog import Source, Words, find, noun_behind, scorer_of
from discreet.cli import show
from discreet.cli.evidence import Evidence
from discreet.cli.occasion import Occasion
from discreet.cli.options import Nothing, command, filled, readings
from discreet.cli.truth import read_truth, reading_of
from discreet.core.doc import Doc
from discreet.core.release import Release
from discreet.errors import ParameterError

if TYPE_CHECKING:
    from discreet.study import Judgement
    from discreet.study.examine import Method

__all__ = ["audit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside(Evidence):
    """What is laid beside the release."""

    against: Annotated[
        Source | None,
        Doc(
            "The original data: a file, or a named data set; without them it is an auditor's view."
        ),
    ] = None
    control: Annotated[
        Source | None,
        Doc(
            "Data of people of the same population who are not in the release, to see how often "
            "claims are right about them as well; for releases of counts."
        ),
    ] = None
    tries: Annotated[
        tuple[Words, ...],
        Doc(
            "An attack with choices of its own, as on the command line, such as 'semantic "
            "--corpus texts'; repeat it for others. Every attack that applies is tried with "
            "its defaults besides."
        ),
    ] = field(default=(), metadata={"option": "--try"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Where the audit goes."""

    out: Annotated[Path, Doc("The page to write; the same as JSON goes beside it.")]
    owner: Annotated[
        bool,
        Doc(
            "Write the owner's copy: with the surest claims, rows and records. It is not for "
            "others."
        ),
    ] = False


def _run(*, release: str, json: bool, **typed: Any) -> int:
    from discreet.report import audit_page, audit_record, write_page
    from discreet.study import Evidence, examined, judged

    beside, target = filled(Beside, typed), filled(Page, typed)
    occasion = filled(Occasion, typed)
    if target.out.suffix != ".html":
        msg = f"`out` must name a page that ends in .html, got {target.out.name!r}"
        raise ParameterError(msg, parameter="out")
    if any((folder / "manifest.json").is_file() for folder in target.out.absolute().parents):
        msg = "--out must be outside a release, which is for everyone and whose manifest is closed"
        raise ParameterError(msg)
    published = Release.load(release)
    with show.working(f"auditing {release}"):
        evidence = Evidence(
            original=_original(published, beside, typed),
            key=beside.key,
            control=_control(published, beside, typed),
            earlier=beside.after,
            privacy=beside.privacy,
            population=occasion.population,
        )
        found = examined(published, evidence, _attacks(published, beside.tries))
        record = audit_record(
            found,
            evidence,
            _files(Path(release)),
            owner=target.owner,
            occasion=occasion.record(),
        )
        private = target.owner
        page = write_page(target.out, audit_page(record, found, evidence), private=private)
        write_page(target.out.with_suffix(".json"), show.json_text(record), private=private)
    # what is said here is for the owner, also where the page leaves out what the data say
    judgement = judged(found)
    if json:
        show.as_json(record)
    else:
        _tell(judgement, record, page)
    return 1 if judgement.level == "do not release" else 0


def _original(release: Release[Any], beside: Beside, typed: dict[str, Any]) -> Any:
    if beside.against is None:
        return None
    return read_truth(noun_behind(release.content), beside.against, typed, beside.key, release)


def _control(release: Release[Any], beside: Beside, typed: dict[str, Any]) -> Any:
    if beside.control is None:
        return None
    if beside.against is None:
        msg = "`control` is compared with `against`, which is missing; give both"
        raise ParameterError(msg, parameter="control")
    scorer = scorer_of([release])
    if scorer is None or not scorer.takes_control:
        msg = "claims about such a release are scored through its key, without `control`"
        raise ParameterError(msg, parameter="control")
    reading = reading_of(scorer.data, {**typed, "allow_absent": True}, beside.key)
    return reading.read(beside.control)


def _attacks(release: Release[Any], tries: tuple[Words, ...]) -> list["Method"]:
    """Return every attack that applies, with the choices that were typed for it."""
    from discreet.study import applicable

    typed = {method[0].name: method for method in map(_typed_attack, tries)}
    fitting = applicable(release)
    names = [method[0].name for method in fitting]
    if strange := sorted(typed.keys() - set(names)):
        held = type(release.content).__name__
        msg = f"`tries` {strange[0]} does not fit {held}; what fits is {', '.join(names) or 'none'}"
        raise ParameterError(msg, parameter="tries")
    return [typed.get(method[0].name, method) for method in fitting]


def _typed_attack(words: Words) -> "Method":
    """Return an attack from a line such as ``semantic --corpus texts``."""
    name, *rest = shlex.split(words) or [""]
    entry = find(name, "attack")
    built = command(
        entry.name,
        lambda **_: 0,
        arguments=[],
        sections={"The attack": entry.method, "Known": entry.knowledge or Nothing},
        about="",
    )
    try:
        typed = built.make_context(entry.name, rest).params
    except click.UsageError as error:
        msg = f"`tries` {name}: {error.format_message()}"
        raise ParameterError(msg, parameter="tries") from None
    knowledge = filled(entry.knowledge, typed) if entry.knowledge else None
    return entry, filled(entry.method, typed), knowledge


def _files(folder: Path) -> dict[str, str]:
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.iterdir())
        if file.is_file()
    }


def _tell(judgement: "Judgement", record: dict[str, Any], page: Path) -> None:
    show.lines(judgement.level.upper())
    show.lines(*(f"- {each.level}: {each.words}" for each in judgement.reasons))
    remarks = (*judgement.remarks, *judgement.private_remarks)
    show.lines(*(f"- remark: {each}" for each in remarks))
    show.lines(*(f"- not checked: {each}" for each in judgement.unchecked))
    if record["repairs"]:
        show.heading("what to do")
        show.lines(*(f"- {each['words']}:\n    {each['command']}" for each in record["repairs"]))
    show.heading("promises")
    show.table((), [(each["name"], each["verdict"]) for each in record["promises"]])
    show.heading("attacks")
    rows = [
        (each["name"], "not run", each["reason"])
        if each["claims"] is None
        else (each["name"], f"{each['claims']:,} claims", _surest(each["surest"]))
        for each in record["attacks"]
    ]
    show.table((), rows)
    copy = "owner's copy, not for others" if record["owner"] else "public copy"
    show.lines("", f"{copy}: {page}, and as JSON beside it")


audit = command(
    "audit",
    _run,
    arguments=[click.Argument(["release"], metavar="RELEASE")],
    sections={"Beside the release": Beside, "The page": Page, "The occasion": Occasion}
    | dict(readings("Reading the original data")),
    about="Verify what RELEASE promises, run every attack that applies, measure what was lost, and "
    "write one page. Exit 1: do not release.",
)


def _surest(confidence: float | None) -> str:
    return "" if confidence is None else f"surest {show.percent(confidence)}"
